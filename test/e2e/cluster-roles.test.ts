import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { runProgram, tempDir } from '../helpers/program.ts'
import { describePostgres } from '../helpers/postgres.ts'
import { clusterForAll, results, startNode } from './cluster-kit.ts'

const pages = 500

async function start(database: string, role: 'all' | 'api' | 'worker', more: Record<string, string> = {}) {
  const folder = tempDir()
  onTestFinished(() => folder.remove())
  return startNode(database, folder.path, { GOSSAMER_ROLE: role, ...more })
}

describePostgres('servers with roles', () => {
  const cluster = clusterForAll(pages, 50)
  const page = (nth: number) => `${cluster.tree.origin}/p/${nth}`
  const crawl = (more: object) => ({ url: page(0), crawlEntireDomain: true, ...more })

  test('a worker takes no calls, and api nodes leave jobs to workers', async () => {
    const database = await cluster.schema()
    const api = await start(database, 'api')
    const { id } = await read<{ id: string }>(`${api.url}/v2/crawl`, crawl({ limit: 5 }))
    await sleep(2000)
    expect(cluster.tree.visits.size).toBe(0)
    const worker = await start(database, 'worker')
    expect(await results(() => api.url, id)).toMatchObject({ status: 'completed', completed: 5 })
    expect(await read(`${worker.url}/v2/crawl/${id}`)).toMatchObject({ success: false, code: 'NOT_FOUND' })
    expect((await fetch(`${worker.url}/mcp`, { method: 'POST' })).status).toBe(404)
    for (const path of ['/health', '/ready']) expect((await fetch(`${worker.url}${path}`)).status).toBe(200)
    const unkept = await read(`${api.url}/v2/crawl`, crawl({ limit: 3, zeroDataRetention: true }))
    expect(unkept).toMatchObject({ code: 'PERMISSION_REQUIRED' })
  })

  test('an api node runs zero-retention crawls itself', async () => {
    const api = await start(await cluster.schema(), 'api', { GOSSAMER_PERMISSIONS: 'zeroDataRetention' })
    const unkept = crawl({ limit: 3, zeroDataRetention: true })
    const { id } = await read<{ id: string }>(`${api.url}/v2/crawl`, unkept)
    expect(await results(() => api.url, id)).toMatchObject({ status: 'completed', completed: 3 })
  })

  test('servers share jobs, keys, pages and usage', async () => {
    const database = await cluster.schema()
    const [one, two] = await Promise.all([start(database, 'all'), start(database, 'all')])
    type Scraped = { data: { metadata: { scrapeId: string; cacheState: string } } }
    const scraped = await read<Scraped>(`${one.url}/v2/scrape`, { url: page(1) })
    const again = await read<Scraped>(`${two.url}/v2/scrape`, { url: page(1) })
    expect([scraped, again].map(({ data }) => data.metadata.cacheState)).toEqual(['miss', 'hit'])
    const { data } = await read<{ data: { id: string }[] }>(`${two.url}/v2/team/activity`)
    expect(data.map(({ id }) => id)).toContain(scraped.data.metadata.scrapeId)
    await Promise.all([one.stop(), two.stop()])
  })

  test('a role without a database is refused', async () => {
    const { code, stderr } = await runProgram(['serve', '--role', 'worker', '--port', '0'], {
      GOSSAMER_DATA_DIR: 'memory',
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining('GOSSAMER_DATABASE_URL')])
  })
})
