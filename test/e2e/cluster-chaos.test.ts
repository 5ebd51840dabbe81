import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Postgres, startPostgres } from '../helpers/postgres.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { clusterEnv, read, startListener, type Status } from './cluster-kit.ts'

/** Takes minutes and nine servers, so it runs only where it is asked for: `TEST_CHAOS=5000 npm test -- test/e2e/cluster-chaos`. */
const pages = Number(process.env['TEST_CHAOS'] ?? 0)
const [hosts, atOnce, delayMs, killEveryMs, databaseDownAtKill] = [50, 2, 150, 5000, 3]
const roles = ['api', 'api', 'api', 'worker', 'worker', 'worker', 'worker', 'browser', 'browser'] as const

/** Pages on many hosts of loopback, which tells how many of one host were asked for at the same time. */
async function startHosts() {
  const open = new Map<string, number>()
  let most = 0
  const answer = async ({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    const host = headers.host ?? ''
    open.set(host, (open.get(host) ?? 0) + 1)
    most = Math.max(most, open.get(host) ?? 0)
    response.once('close', () => open.set(host, (open.get(host) ?? 1) - 1))
    await sleep(delayMs)
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${url}</title><main><h1>${url}</h1><p>${'Words. '.repeat(200)}</p></main>`)
  }
  const server = createServer((...exchange) => void answer(...exchange)).listen(0, '0.0.0.0')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urls: Array.from({ length: pages }, (_, nth) => `http://127.0.2.${1 + (nth % hosts)}:${port}/p/${nth}`),
    most: () => most,
    close: () => server.close(),
  }
}

describe.skipIf(pages === 0)('nine servers, of which one is killed every five seconds', () => {
  let database: Postgres
  let site: Awaited<ReturnType<typeof startHosts>>
  const members: Awaited<ReturnType<typeof startServer>>[] = []
  const folder = tempDir()
  beforeAll(async () => {
    database = await startPostgres()
    site = await startHosts()
  })
  afterAll(async () => {
    for (const { program } of members) program.kill('SIGKILL')
    await Promise.all(members.map(({ program }) => program.exited))
    site?.close()
    await database?.close()
    folder.remove()
  })

  async function start(databaseUrl: string, nth: number): Promise<void> {
    const settings = {
      GOSSAMER_ROLE: roles[nth] ?? 'worker',
      GOSSAMER_ALLOW_HOSTS: '*',
      GOSSAMER_MAX_CONCURRENCY: '64',
      GOSSAMER_CRAWL_HOST_CONCURRENCY: String(atOnce),
      GOSSAMER_NODE_URL: `http://127.0.0.1:${nth + 1}`,
      GOSSAMER_NODE_SECRET: 'a secret of these nine servers',
    }
    members[nth] = await startServer(clusterEnv(databaseUrl, `${folder.path}/${nth}`, settings))
  }
  const api = () => members[Math.floor(Math.random() * 3)]?.url ?? ''

  test(
    'bring each page once, bill it once, tell of it, and ask no host for more than it may be',
    { timeout: 900_000 },
    async () => {
      const [schema, listener] = [await madeSchema(database.url), await startListener()]
      for (const nth of roles.keys()) await start(schema.url, nth)
      const { id } = await read<{ id: string }>(`${api()}/v2/batch/scrape`, {
        urls: site.urls,
        maxAge: 0,
        webhook: listener.url,
      })
      const status = (query: string) => read<Status>(`${api()}/v2/batch/scrape/${id}?${query}`).catch(() => undefined)
      for (let kill = 0; ; kill++) {
        await sleep(killEveryMs)
        if ((await status('limit=1'))?.status === 'completed') break
        const nth = Math.floor(Math.random() * roles.length)
        members[nth]?.program.kill('SIGKILL')
        await members[nth]?.program.exited
        if (kill === databaseDownAtKill) {
          await database.stop()
          await database.start()
        }
        await start(schema.url, nth)
      }
      const found: string[] = []
      while (found.length < pages) {
        const part = await status(`skip=${found.length}`)
        if (part?.data?.length === 0) break
        found.push(...(part?.data ?? []).map(({ metadata }) => metadata.sourceURL))
      }
      expect(found.toSorted()).toEqual(site.urls.toSorted())
      expect(await status('limit=1')).toMatchObject({ completed: pages, total: pages, creditsUsed: pages })
      const { periods } = await read<{ periods: { creditsUsed: number }[] }>(`${api()}/v2/team/credit-usage/historical`)
      expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([pages])
      await expect.poll(() => listener.events.size, { timeout: 120_000 }).toBe(pages + 2)
      const types = [...listener.events.values()].map(({ type }) => type)
      expect([types[0], types.at(-1)]).toEqual(['batch_scrape.started', 'batch_scrape.completed'])
      expect(site.most()).toBeLessThanOrEqual(atOnce)
      listener.close()
      await schema.drop()
    },
  )
})
