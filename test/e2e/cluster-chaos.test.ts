import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { listen } from '../helpers/listen.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { madeSchema } from '../store/postgres/postgres-under-test.ts'
import { clusterEnv, results, startListener, type Status } from './cluster-kit.ts'
import { forAll } from '../helpers/for-all.ts'

/** Takes minutes and nine servers, so it runs only on request: `TEST_CHAOS=5000 npm test -- test/e2e/cluster-chaos`. */
const pages = Number(process.env['TEST_CHAOS'] ?? 0)
const [hosts, atOnce, delayMs, killEveryMs, databaseDownAtKill] = [50, 2, 150, 5000, 3]
/** A worker is paused for longer than its lease while it reads pages. */
const [pausedNth, pausedMs, slowPages, slowDelayS] = [3, 36_000, 12, 1]
const roles = ['api', 'api', 'api', 'worker', 'worker', 'worker', 'worker', 'browser', 'browser'] as const

/**
 * Starts a site with many loopback hosts that counts the concurrent requests per host, and a host with linked pages
 * that measures the pauses between its requests.
 */
async function startHosts() {
  const open = new Map<string, number>()
  let most = 0
  let minPauseMs = Infinity
  let slowLeftAt = -Infinity
  const server = createServer(async ({ url = '', headers }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    const host = headers.host ?? ''
    const isSlow = url.startsWith('/slow')
    if (isSlow) minPauseMs = Math.min(minPauseMs, open.get(host) ? 0 : performance.now() - slowLeftAt)
    open.set(host, (open.get(host) ?? 0) + 1)
    most = Math.max(most, open.get(host) ?? 0)
    response.once('close', () => {
      open.set(host, (open.get(host) ?? 1) - 1)
      if (isSlow) slowLeftAt = performance.now()
    })
    await sleep(delayMs)
    const to = (nth: number) => `<a href="${url.replace(/\d+$/, String(nth))}">${nth}</a>`
    const links = isSlow ? Array.from({ length: slowPages }, (_, nth) => to(nth)).join(' ') : ''
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${url}</title><main><h1>${url}</h1><p>${'Words. '.repeat(200)}</p>${links}</main>`)
  })
  const { port } = await listen(server, '0.0.0.0')
  return {
    urls: Array.from({ length: pages }, (_, nth) => `http://127.0.2.${1 + (nth % hosts)}:${port}/p/${nth}`),
    slow: ['one', 'two'].map((name) => `http://127.0.2.99:${port}/slow/${name}/0`),
    most: () => most,
    minPauseMs: () => minPauseMs,
    close: () => server.close(),
  }
}

describe.skipIf(pages === 0)('nine servers, of which one is killed every five seconds and one is paused', () => {
  const members: Awaited<ReturnType<typeof startServer>>[] = []
  const folder = tempDir()
  const database = forAll(startPostgres)
  const site = forAll(startHosts)
  afterAll(async () => {
    for (const { program } of members) program.kill('SIGKILL')
    await Promise.all(members.map(({ program }) => program.exited))
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
  /** Waits until all jobs have ended and the paused worker has continued for a while. */
  async function disturb(databaseUrl: string, isOver: () => Promise<boolean>): Promise<void> {
    const paused = members[pausedNth]?.program
    paused?.kill('SIGSTOP')
    const goesOnAt = performance.now() + pausedMs
    for (let kill = 0, isPaused = true; ; kill++) {
      await sleep(killEveryMs)
      if (!isPaused && (await isOver())) return
      if (isPaused && performance.now() > goesOnAt) {
        paused?.kill('SIGCONT')
        isPaused = false
      }
      const nth = Math.floor(Math.random() * roles.length)
      if (nth === pausedNth) continue
      members[nth]?.program.kill('SIGKILL')
      await members[nth]?.program.exited
      if (kill === databaseDownAtKill) {
        await database.stop()
        await database.start()
      }
      await start(databaseUrl, nth)
    }
  }
  const api = () => members[Math.floor(Math.random() * 3)]?.url ?? ''

  test(
    'fetch each page once, bill it once, report it, and keep the limits of every host',
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
      const crawl = { delay: slowDelayS, crawlEntireDomain: true, sitemap: 'skip', scrapeOptions: { maxAge: 0 } }
      const slow = await Promise.all(
        site.slow.map((url) => read<{ id: string }>(`${api()}/v2/crawl`, { ...crawl, url })),
      )
      const isOver = async () => {
        const statuses = slow.map((each) => read<Status>(`${api()}/v2/crawl/${each.id}?limit=1`).catch(() => undefined))
        return [...(await Promise.all(statuses)), await status('limit=1')].every((each) => each?.status === 'completed')
      }
      await expect.poll(async () => (await status('limit=1'))?.completed).toBeGreaterThan(20)
      await disturb(schema.url, isOver)
      const found: string[] = []
      while (found.length < pages) {
        const part = await status(`skip=${found.length}`)
        if (part?.data?.length === 0) break
        found.push(...(part?.data ?? []).map(({ metadata }) => metadata.sourceURL))
      }
      expect(found.toSorted()).toEqual(site.urls.toSorted())
      expect(await status('limit=1')).toMatchObject({ completed: pages, total: pages, creditsUsed: pages })
      const { periods } = await read<{ periods: { creditsUsed: number }[] }>(`${api()}/v2/team/credit-usage/historical`)
      const all = pages + slow.length * slowPages
      expect(periods.map(({ creditsUsed }) => creditsUsed)).toEqual([all])
      for (const each of slow)
        expect(await results(api, each.id)).toMatchObject({ completed: slowPages, creditsUsed: slowPages })
      expect(site.minPauseMs()).toBeGreaterThanOrEqual(slowDelayS * 1000)
      await expect.poll(() => listener.events.size, { timeout: 120_000 }).toBe(pages + 2)
      const types = [...listener.events.values()].map(({ type }) => type)
      expect([types[0], types.at(-1)]).toEqual(['batch_scrape.started', 'batch_scrape.completed'])
      expect(site.most()).toBeLessThanOrEqual(atOnce)
      listener.close()
      await schema.drop()
    },
  )
})
