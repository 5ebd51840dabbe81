import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../helpers/program.ts'
import { folderForAll, siteForAll } from '../helpers/for-all.ts'
import type { Exchange } from '../helpers/site/route.ts'

const monthlyCredits = 37
const crawlsEach = 3
const folder = folderForAll()
const servers: Awaited<ReturnType<typeof startServer>>[] = []

/** Forty pages for each crawl, each of which takes a while. */
async function answer({ url, response }: Exchange): Promise<void> {
  const [, , crawl = ''] = url.pathname.split('/')
  const links = Array.from({ length: 40 }, (_, at) => `<a href="/many/${crawl}/${at}">${at}</a>`)
  response.setHeader('content-type', 'text/html').end(`<title>${url.pathname}</title><p>Words.</p>${links.join(' ')}`)
}

const site = siteForAll({ routes: { '/many/*': answer } })
beforeAll(async () => {
  const env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}`,
    GOSSAMER_API_KEYS: 'acme:its-key',
    GOSSAMER_MONTHLY_CREDITS: String(monthlyCredits),
    GOSSAMER_CRAWL_HOST_CONCURRENCY: '16',
  }
  servers.push(await startServer(env), await startServer(env))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
})

async function call(nth: number, method: string, path: string, body?: object) {
  const response = await fetch(`${servers[nth % 2]?.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer its-key' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('crawls and calls of a team in two processes spend its credits exactly', async () => {
  const crawls = Array.from({ length: crawlsEach * 2 }, (_, nth) =>
    call(nth, 'POST', '/v2/crawl', { url: site.url(`/many/${nth}/`), sitemap: 'skip', maxConcurrency: 8 }),
  )
  const started = (await Promise.all(crawls)).map(({ body }) => String(body['id']))
  const scrapes = Array.from({ length: 10 }, (_, nth) =>
    call(nth, 'POST', '/v2/scrape', { url: site.url(`/many/single/${nth}`), maxAge: 0 }),
  )
  const scraped = (await Promise.all(scrapes)).map(({ status }) => status)
  expect(scraped.filter((status) => status !== 200 && status !== 402)).toEqual([])
  const ended = async () =>
    Promise.all(started.map(async (id, nth) => (await call(nth, 'GET', `/v2/crawl/${id}`)).body as { status: string }))
  await expect.poll(async () => (await ended()).map(({ status }) => status)).toEqual(started.map(() => 'completed'))
  const spent = ((await ended()) as unknown as { creditsUsed: number }[]).map(({ creditsUsed }) => creditsUsed)
  const paid = scraped.filter((status) => status === 200).length
  expect(spent.reduce((sum, each) => sum + each, 0) + paid).toBe(monthlyCredits)
  const { body } = await call(0, 'GET', '/v2/team/credit-usage')
  expect(body['data']).toMatchObject({ remainingCredits: 0, usedCredits: monthlyCredits })
})
