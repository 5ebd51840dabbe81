import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copiedTables } from '../../src/engine/store/copy/copy.ts'
import { noPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { runProgram, startProgram, startServer, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { clusterEnv, read, results, startNode, startTree } from './cluster-kit.ts'

const pages = 120

/** All rows of all tables that are copied, by table. */
function rowsIn(folder: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(folder, 'gossamer.db'), { readOnly: true })
  const rows = copiedTables.map(({ name, key }) => [
    name,
    db.prepare(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).all(),
  ])
  db.close()
  return Object.fromEntries(rows) as Record<string, unknown[]>
}

/** Rows enough that a copy can be stopped among them. */
function makeLong(folder: string): void {
  const db = new DatabaseSync(join(folder, 'gossamer.db'))
  db.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40000)
    INSERT INTO activity (team_id, created_at, id, endpoint, status) SELECT 'default', n, 'made-' || n, 'scrape', 'done' FROM n`)
  db.close()
}

const copy = (from: string, to: string) => runProgram(['db', 'copy', from, to])

describe.skipIf(noPostgres !== undefined)(`gossamer db copy${noPostgres ? `: ${noPostgres}` : ''}`, () => {
  const [source, target, back, spare] = [tempDir(), tempDir(), tempDir(), tempDir()]
  let database: Postgres
  let tree: Awaited<ReturnType<typeof startTree>>
  beforeAll(async () => {
    database = await startPostgres()
    tree = await startTree(pages, 30)
  })
  afterAll(async () => {
    await database?.close()
    tree?.close()
    ;[source, target, back, spare].forEach((folder) => folder.remove())
  })

  test('moves a data folder into PostgreSQL and back, in the middle of a crawl', async () => {
    const schema = await madeSchema(database.url)
    const env = {
      GOSSAMER_DATA_DIR: source.path,
      GOSSAMER_ALLOW_HOSTS: '127.0.0.1',
      GOSSAMER_CRAWL_HOST_CONCURRENCY: '2',
    }
    const first = await startServer(env)
    const scraped = await read<{ data: { markdown: string; metadata: { scrapeId: string } } }>(
      `${first.url}/v2/scrape`,
      {
        url: `${tree.origin}/p/1`,
      },
    )
    await read(`${first.url}/v2/monitor`, {
      name: 'One',
      schedule: { text: 'every day at 9:00' },
      targets: [{ type: 'scrape', urls: [`${tree.origin}/p/2`] }],
    })
    const { id } = await read<{ id: string }>(`${first.url}/v2/crawl`, {
      url: `${tree.origin}/p/0`,
      crawlEntireDomain: true,
      scrapeOptions: { maxAge: 0 },
      webhook: 'http://127.0.0.1:9/nobody',
    })
    await expect.poll(() => tree.visits.size).toBeGreaterThan(40)
    await first.stop()

    expect((await copy(source.path, schema.url)).stderr).toContain('All is copied.')
    expect((await copy(schema.url, back.path)).stderr).toContain('All is copied.')
    const [before, after] = [rowsIn(source.path), rowsIn(back.path)]
    for (const { name } of copiedTables) expect([name, after[name]]).toEqual([name, before[name]])
    const filled = copiedTables.filter(({ name }) => (before[name]?.length ?? 0) > 0).map(({ name }) => name)
    expect(filled).toEqual(
      expect.arrayContaining(['kept_text', 'cache_made', 'job', 'crawl_page', 'crawl_document', 'delivery', 'monitor']),
    )

    const second = await startNode(schema.url, target.path)
    expect(await read(`${second.url}/v2/scrape/${scraped.data.metadata.scrapeId}`)).toMatchObject({
      data: { markdown: scraped.data.markdown },
    })
    expect(await results(() => second.url, id)).toMatchObject({
      status: 'completed',
      completed: pages,
      creditsUsed: pages,
    })
    const found = await runProgram(['index', 'search', '"Page 1"', 'inurl:p/1', '--json'], {
      GOSSAMER_DATA_DIR: back.path,
    })
    expect(JSON.parse(found.stdout)).toContainEqual(
      expect.objectContaining({ url: `${tree.origin}/p/1`, title: 'Page 1' }),
    )
    await second.stop()
    await schema.drop()
  })

  test('that was killed leaves data on which no server starts, and starts over', async () => {
    const schema = await madeSchema(database.url)
    makeLong(source.path)
    const killed = startProgram(['db', 'copy', source.path, schema.url])
    await killed.said(/^job: /m)
    killed.kill('SIGSTOP')
    expect((await copy(source.path, schema.url)).stderr).toContain('Another copy into this target is under way.')
    killed.kill('SIGKILL')
    await killed.exited
    expect(killed.stderr()).not.toContain('activity: ')

    const server = await runProgram(['serve', '--port', '0'], clusterEnv(schema.url, target.path))
    expect([server.code, server.stderr]).toEqual([1, expect.stringContaining('or was and not to the end')])
    expect((await copy(source.path, schema.url)).stderr).toContain('All is copied.')
    const again = tempDir()
    await copy(schema.url, again.path)
    const [before, after] = [rowsIn(source.path), rowsIn(again.path)]
    again.remove()
    for (const { name } of copiedTables) expect([name, after[name]]).toEqual([name, before[name]])
    await schema.drop()
  })

  test.concurrent.each([
    ['into one that holds data', () => [source.path, source.path], /already holds data .*Copy into an empty one/s],
    ['from a folder without data', () => [`${spare.path}/none`, spare.path], /holds no data/],
    [
      'from a server that is not there',
      () => ['postgres://a:hushed@127.0.0.1:9/b', spare.path],
      /DATABASE_UNAVAILABLE/,
    ],
    ['into a variable that is not set', () => [source.path, ''], /The target has no name/],
    ['without a target', () => [source.path], /db copy FROM TO/],
  ] as const)('%s is refused', async (_, places, why) => {
    const { code, stderr } = await runProgram(['db', 'copy', ...places()])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('hushed')
  })

  test('is refused while a program uses the data', async () => {
    const working = await startServer({ GOSSAMER_DATA_DIR: back.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
    await read(`${working.url}/v2/crawl`, {
      url: `${tree.origin}/p/3`,
      crawlEntireDomain: true,
      scrapeOptions: { maxAge: 0 },
    })
    tree.visits.clear()
    await expect.poll(() => tree.visits.size).toBeGreaterThan(2)
    const { code, stderr } = await copy(back.path, spare.path)
    await working.stop()
    expect([code, stderr]).toEqual([1, expect.stringContaining('A program still works on this data.')])
  })
})
