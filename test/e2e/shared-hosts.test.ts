import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { read } from '../helpers/api.ts'
import { serve } from '../helpers/listen.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { type Status } from './cluster-kit.ts'

type Visit = { path: string; from: number; to: number }

/** A site that records the time of each request and response. */
async function startLog({ robots = '', answerMs = 60, more = '' } = {}) {
  const visits: Visit[] = []
  const { origin, close } = await serve(async ({ url = '' }, response) => {
    if (url === '/robots.txt') return void response.end(robots)
    if (!/^\/[ab]\/\d+$/.test(url)) return void response.writeHead(404).end()
    const visit = { path: url, from: performance.now(), to: Infinity }
    visits.push(visit)
    await sleep(answerMs)
    visit.to = performance.now()
    const links = Array.from({ length: 5 }, (_, nth) => `<a href="${url.slice(0, 3)}${nth}">${nth}</a>`)
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>${url}</title><main><h1>${url}</h1><p>${'Words. '.repeat(50)}</p>${links.join(' ')}${more}</main>`,
    )
  })
  onTestFinished(close)
  return { origin, visits }
}

/** Returns the number of visits in progress at the start of each visit. */
const concurrency = (visits: readonly Visit[]) =>
  visits.map(({ from }) => visits.filter((other) => other.from <= from && other.to > from).length)

/** Returns the times from the response of each page to the next request. */
const pauses = (visits: readonly Visit[]) => visits.slice(1).map(({ from }, at) => from - (visits[at]?.to ?? 0))

async function startTwo(env: Record<string, string> = {}) {
  const folder = tempDir()
  const settings = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: '127.0.0.1', ...env }
  const servers = await Promise.all([startServer(settings), startServer(settings)])
  onTestFinished(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    folder.remove()
  })
  return servers.map(({ url }) => url)
}

async function over(server: string, kind: string, body: object): Promise<Status> {
  const { id } = await read<{ id: string }>(`${server}/v2/${kind}`, body)
  for (;;) {
    const status = await read<Status>(`${server}/v2/${kind}/${id}?limit=1`)
    if (status.status !== 'scraping') return status
    await sleep(100)
  }
}

test('jobs of two servers together request no more concurrent pages of a host than a single job', async () => {
  const site = await startLog()
  const [one = '', two = ''] = await startTwo({ GOSSAMER_CRAWL_HOST_CONCURRENCY: '3' })
  const batch = (name: string) => ({
    urls: Array.from({ length: 30 }, (_, nth) => `${site.origin}/${name}/${nth}`),
    maxAge: 0,
  })
  const ended = await Promise.all([over(one, 'batch/scrape', batch('a')), over(two, 'batch/scrape', batch('b'))])
  expect(ended).toMatchObject([{ completed: 30 }, { completed: 30 }])
  expect(Math.max(...concurrency(site.visits))).toBe(3)
  const firstOf = (name: string) => site.visits.findIndex(({ path }) => path.startsWith(`/${name}/`))
  const lastOf = (name: string) => site.visits.findLastIndex(({ path }) => path.startsWith(`/${name}/`))
  expect([firstOf('a') < lastOf('b'), firstOf('b') < lastOf('a')]).toEqual([true, true])
})

test.each([
  ['the crawl delay of the site', 'User-agent: *\nCrawl-delay: 0.4', {}],
  ['the given delay', '', { delay: 0.4 }],
])('crawls on two servers together respect %s', { timeout: 120_000 }, async (_, robots, given) => {
  const site = await startLog({ robots, answerMs: 20 })
  const [one = '', two = ''] = await startTwo()
  const crawl = (name: string) => ({
    url: `${site.origin}/${name}/0`,
    crawlEntireDomain: true,
    sitemap: 'skip',
    scrapeOptions: { maxAge: 0 },
    ...given,
  })
  const ended = await Promise.all([over(one, 'crawl', crawl('a')), over(two, 'crawl', crawl('b'))])
  expect(ended).toMatchObject([{ completed: 5 }, { completed: 5 }])
  expect(site.visits).toHaveLength(10)
  expect(Math.min(...pauses(site.visits))).toBeGreaterThanOrEqual(400)
})

test('the crawl delay of a site that a crawl reaches later applies from its first page', async () => {
  const late = await startLog({ robots: 'User-agent: *\nCrawl-delay: 0.4', answerMs: 20 })
  const links = Array.from({ length: 5 }, (_, nth) => `<a href="${late.origin}/b/${nth}">${nth}</a>`).join(' ')
  const first = await startLog({ more: links, answerMs: 20 })
  const [one = ''] = await startTwo()
  const crawl = { url: `${first.origin}/a/0`, allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip' }
  expect(await over(one, 'crawl', { ...crawl, limit: 10, scrapeOptions: { maxAge: 0 } })).toMatchObject({
    completed: 10,
  })
  expect(late.visits).toHaveLength(5)
  expect(Math.min(...pauses(late.visits))).toBeGreaterThanOrEqual(400)
})
