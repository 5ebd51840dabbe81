import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { noPostgres, type Postgres, startPostgres } from '../helpers/postgres.ts'
import { runProgram, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { read, results, startListener, startNode, startTree } from './cluster-kit.ts'

const pages = 500

async function start(schemaUrl: string, role: 'api' | 'worker', more: Record<string, string> = {}) {
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

  test('a worker takes no calls, and api nodes leave jobs to workers', { timeout: 120_000 }, async () => {
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

  test('an api node crawls what may not be stored by itself', { timeout: 120_000 }, async () => {
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

  test(
    'the pages, the bill and the events are exact where workers are killed and the database is restarted',
    { timeout: 240_000 },
    async () => {
      const schema = await madeSchema(database.url)
      const listener = await startListener()
      tree.visits.clear()
      const apis = [await start(schema.url, 'api'), await start(schema.url, 'api')]
      const workers = [await start(schema.url, 'worker'), await start(schema.url, 'worker')]
      const { id } = await read<{ id: string }>(`${apis[0]?.url}/v2/crawl`, {
        url: `${tree.origin}/p/0`,
        crawlEntireDomain: true,
        scrapeOptions: { maxAge: 0 },
        webhook: listener.url,
      })
      for (let kill = 0; kill < 4; kill++) {
        await sleep(1500)
        const victim = workers[kill % 2]
        victim?.program.kill('SIGKILL')
        await victim?.program.exited
        if (kill === 1) {
          await database.stop()
          await database.start()
        }
        workers[kill % 2] = await start(schema.url, 'worker')
      }
      let turn = 0
      const status = await results(() => apis[turn++ % 2]?.url ?? '', id)
      expect(status).toMatchObject({ status: 'completed', completed: pages, total: pages, creditsUsed: pages })
      const found = status.data.map(({ metadata }) => new URL(metadata.sourceURL).pathname)
      expect(found.toSorted()).toEqual(tree.paths.toSorted())
      const { periods } = await read<{ periods: { creditsUsed: number }[] }>(
        `${apis[1]?.url}/v2/team/credit-usage/historical`,
      )
      expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([pages])
      await expect.poll(() => listener.events.size, { timeout: 60_000 }).toBe(pages + 2)
      const told = [...listener.events.values()]
      expect([told[0]?.type, told.at(-1)?.type]).toEqual(['crawl.started', 'crawl.completed'])
      const ofPages = told.filter(({ type }) => type === 'crawl.page').map(({ url }) => new URL(url ?? '').pathname)
      expect(ofPages.toSorted()).toEqual(tree.paths.toSorted())
      listener.close()
      await schema.drop()
    },
  )

  test('a role alone is refused', async () => {
    const { code, stderr } = await runProgram(['serve', '--role', 'worker', '--port', '0'], {
      GOSSAMER_DATA_DIR: 'memory',
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining('GOSSAMER_DATABASE_URL')])
  })
})
