import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { copiedTables } from '../../src/engine/store/copy/copy.ts'
import { runProgram, startProgram, startServer, tempDir } from '../helpers/program.ts'
import { describePostgres } from '../helpers/postgres.ts'
import { clusterEnv, clusterForAll, results, startNode } from './cluster-kit.ts'

const pages = 120

/** Returns all rows of the copied tables, by table. */
function rowsIn(folder: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(folder, 'gossamer.db'), { readOnly: true })
  const rows = copiedTables.map(({ name, key }) => [
    name,
    db.prepare(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).all(),
  ])
  db.close()
  return Object.fromEntries(rows) as Record<string, unknown[]>
}

/** Adds so many rows that a copy can be killed while it runs. */
function makeLong(folder: string): void {
  const db = new DatabaseSync(join(folder, 'gossamer.db'))
  db.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40000)
    INSERT INTO activity (team_id, created_at, id, endpoint, status) SELECT 'default', n, 'made-' || n, 'scrape', 'done' FROM n`)
  db.close()
}

const copy = (from: string, to: string) => runProgram(['db', 'copy', from, to])

/** Expects the copy to have all rows of the original. */
function expectSame(made: string, original: string): void {
  const [before, after] = [rowsIn(original), rowsIn(made)]
  for (const { name } of copiedTables) expect([name, after[name]]).toEqual([name, before[name]])
}

describePostgres('gossamer db copy', () => {
  const [source, target, back, spare] = [tempDir(), tempDir(), tempDir(), tempDir()]
  const cluster = clusterForAll(pages, 30)
  const page = (nth: number) => `${cluster.tree.origin}/p/${nth}`
  afterAll(() => [source, target, back, spare].forEach((folder) => folder.remove()))

  test('moves a data folder into PostgreSQL and back, in the middle of a crawl', async () => {
    const database = await cluster.schema()
    const env = { GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_CRAWL_HOST_CONCURRENCY: '2' }
    const first = await startServer({ GOSSAMER_DATA_DIR: source.path, ...env })
    type Scraped = { data: { markdown: string; metadata: { scrapeId: string } } }
    const scraped = await read<Scraped>(`${first.url}/v2/scrape`, { url: page(1) })
    const targets = [{ type: 'scrape', urls: [page(2)] }]
    await read(`${first.url}/v2/monitor`, { name: 'One', schedule: { text: 'every day at 9:00' }, targets })
    const { id } = await read<{ id: string }>(`${first.url}/v2/crawl`, {
      url: page(0),
      crawlEntireDomain: true,
      scrapeOptions: { maxAge: 0 },
      webhook: 'http://127.0.0.1:9/nobody',
    })
    await expect.poll(() => cluster.tree.visits.size).toBeGreaterThan(40)
    await first.stop()

    expect((await copy(source.path, database)).stderr).toContain('All data is copied.')
    expect((await copy(database, back.path)).stderr).toContain('All data is copied.')
    expectSame(back.path, source.path)
    const filled = Object.entries(rowsIn(back.path)).filter(([, rows]) => rows.length > 0)
    expect(filled.map(([name]) => name)).toEqual(
      expect.arrayContaining(['kept_text', 'cache_made', 'job', 'crawl_page', 'crawl_document', 'delivery', 'monitor']),
    )

    const second = await startNode(database, target.path)
    expect(await read(`${second.url}/v2/scrape/${scraped.data.metadata.scrapeId}`)).toMatchObject({
      data: { markdown: scraped.data.markdown },
    })
    const whole = { status: 'completed', completed: pages, creditsUsed: pages }
    expect(await results(() => second.url, id)).toMatchObject(whole)
    const query = ['index', 'search', '"Page 1"', 'inurl:p/1', '--json']
    const found = await runProgram(query, { GOSSAMER_DATA_DIR: back.path })
    expect(JSON.parse(found.stdout)).toContainEqual(expect.objectContaining({ url: page(1), title: 'Page 1' }))
    await second.stop()
  })

  test('that was killed leaves data on which no server starts, and can be repeated', async () => {
    const database = await cluster.schema()
    makeLong(source.path)
    const killed = startProgram(['db', 'copy', source.path, database])
    await killed.waitForStderr(/^job: /m)
    killed.kill('SIGSTOP')
    expect((await copy(source.path, database)).stderr).toContain('Another copy into this target is running.')
    killed.kill('SIGKILL')
    await killed.exited
    expect(killed.stderr()).not.toContain('activity: ')

    const server = await runProgram(['serve', '--port', '0'], clusterEnv(database, target.path))
    expect([server.code, server.stderr]).toEqual([1, expect.stringContaining('is running or was interrupted')])
    expect((await copy(source.path, database)).stderr).toContain('All data is copied.')
    const again = tempDir()
    onTestFinished(again.remove)
    await copy(database, again.path)
    expectSame(again.path, source.path)
  })

  test.concurrent.each([
    ['into a database with data', () => [source.path, source.path], /already contains data .*Copy into an empty one/s],
    ['from a folder without data', () => [`${spare.path}/none`, spare.path], /contains no database/],
    ['from a missing server', () => ['postgres://a:hushed@127.0.0.1:9/b', spare.path], /DATABASE_UNAVAILABLE/],
    ['into a variable that is not set', () => [source.path, ''], /The target is an empty text/],
    ['without a target', () => [source.path], /db copy FROM TO/],
  ] as const)('%s is refused', async (_, places, why) => {
    const { code, stderr } = await runProgram(['db', 'copy', ...places()])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('hushed')
  })

  test('is refused while another program uses the data', async () => {
    const working = await startServer({ GOSSAMER_DATA_DIR: back.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
    const crawl = { url: page(3), crawlEntireDomain: true, scrapeOptions: { maxAge: 0 } }
    await read(`${working.url}/v2/crawl`, crawl)
    cluster.tree.visits.clear()
    await expect.poll(() => cluster.tree.visits.size).toBeGreaterThan(2)
    const { code, stderr } = await copy(back.path, spare.path)
    await working.stop()
    expect([code, stderr]).toEqual([1, expect.stringContaining('A program is still using this data.')])
  })
})
