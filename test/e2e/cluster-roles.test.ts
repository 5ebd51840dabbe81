import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { noPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { runProgram, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { read, results, startNode, startTree } from './cluster-kit.ts'

const pages = 500

async function start(schemaUrl: string, role: 'all' | 'api' | 'worker', more: Record<string, string> = {}) {
  const folder = tempDir()
  onTestFinished(() => folder.remove())
  return startNode(schemaUrl, folder.path, { GOSSAMER_ROLE: role, ...more })
}

describe.skipIf(noPostgres !== undefined)(`servers with roles${noPostgres ? `: ${noPostgres}` : ''}`, () => {
  let database: Postgres
  let tree: Awaited<ReturnType<typeof startTree>>
  beforeAll(async () => {
    database = await startPostgres()
    tree = await startTree(pages, 50)
  })
  afterAll(async () => {
    await database?.close()
    tree?.close()
  })

  test('a worker takes no calls, and api nodes leave jobs to workers', async () => {
    const schema = await madeSchema(database.url)
    const api = await start(schema.url, 'api')
    const { id } = await read<{ id: string }>(`${api.url}/v2/crawl`, {
      url: `${tree.origin}/p/0`,
      limit: 5,
      crawlEntireDomain: true,
    })
    await sleep(2000)
    expect(tree.visits.size).toBe(0)
    const worker = await start(schema.url, 'worker')
    expect(await results(() => api.url, id)).toMatchObject({ status: 'completed', completed: 5 })
    expect(await read(`${worker.url}/v2/crawl/${id}`)).toMatchObject({ success: false, code: 'NOT_FOUND' })
    expect((await fetch(`${worker.url}/mcp`, { method: 'POST' })).status).toBe(404)
    for (const path of ['/health', '/ready']) expect((await fetch(`${worker.url}${path}`)).status).toBe(200)
    const unkept = await read<{ id: string }>(`${api.url}/v2/crawl`, {
      url: `${tree.origin}/p/0`,
      limit: 3,
      crawlEntireDomain: true,
      zeroDataRetention: true,
    })
    expect(unkept).toMatchObject({ code: 'PERMISSION_REQUIRED' })
    await schema.drop()
  })

  test('an api node itself crawls pages that may not be stored', async () => {
    const schema = await madeSchema(database.url)
    const api = await start(schema.url, 'api', { GOSSAMER_PERMISSIONS: 'zeroDataRetention' })
    const { id } = await read<{ id: string }>(`${api.url}/v2/crawl`, {
      url: `${tree.origin}/p/0`,
      limit: 3,
      crawlEntireDomain: true,
      zeroDataRetention: true,
    })
    expect(await results(() => api.url, id)).toMatchObject({ status: 'completed', completed: 3 })
    await schema.drop()
  })

  test('share jobs, keys, pages and usage', async () => {
    const schema = await madeSchema(database.url)
    const [one, two] = await Promise.all([start(schema.url, 'all'), start(schema.url, 'all')])
    const scraped = await read<{ data: { metadata: { scrapeId: string; cacheState: string } } }>(
      `${one.url}/v2/scrape`,
      {
        url: `${tree.origin}/p/1`,
      },
    )
    const again = await read<typeof scraped>(`${two.url}/v2/scrape`, { url: `${tree.origin}/p/1` })
    expect([scraped, again].map(({ data }) => data.metadata.cacheState)).toEqual(['miss', 'hit'])
    const { data } = await read<{ data: { id: string }[] }>(`${two.url}/v2/team/activity`)
    expect(data.map(({ id }) => id)).toContain(scraped.data.metadata.scrapeId)
    await Promise.all([one.stop(), two.stop()])
    await schema.drop()
  })

  test('a role without a database is refused', async () => {
    const { code, stderr } = await runProgram(['serve', '--role', 'worker', '--port', '0'], {
      GOSSAMER_DATA_DIR: 'memory',
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining('GOSSAMER_DATABASE_URL')])
  })
})
