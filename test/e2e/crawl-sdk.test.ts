import { Firecrawl } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { manyPages } from './crawl-pages.ts'

const folder = tempDir()
const pages = manyPages(120)
let site: Site
let env: Record<string, string>
let server: Awaited<ReturnType<typeof startServer>>
let sdk: Firecrawl

beforeAll(async () => {
  site = await startSite({ routes: pages.routes })
  env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
  server = await startServer(env)
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url })
})
afterAll(async () => {
  await server.stop()
  await site.close()
  folder.remove()
})

type State = { status: string; data: { metadata?: { sourceURL?: string } }[]; total: number; completed: number }
const urlsOf = ({ data }: Pick<State, 'data'>) => data.map(({ metadata }) => metadata?.sourceURL).sort()
const urls = (...paths: string[]) => paths.map((path) => site.url(path)).sort()
const quick = { pollInterval: 1, timeout: 25 }
/** The state itself; without this the SDK reads on for as long as the job runs. */
const asIs = { autoPaginate: false }
const text = { scrapeOptions: { formats: ['markdown' as const] } }

/** What a watcher said, until it was done. */
async function watched(id: string, kind: 'crawl' | 'batch' = 'crawl') {
  const watcher = sdk.watcher(id, { kind, timeout: 25 })
  const documents: State['data'] = []
  const snapshots: State[] = []
  const errors: unknown[] = []
  watcher.on('document', (document: State['data'][number]) => documents.push(document))
  watcher.on('snapshot', (snapshot: State) => snapshots.push(snapshot))
  watcher.on('error', (error: unknown) => errors.push(error))
  const ended = Promise.withResolvers<State>()
  watcher.on('done', ended.resolve)
  await watcher.start()
  // The SDK would poll, were it refused.
  expect((watcher as unknown as { ws: WebSocket }).ws.protocol).toBe('fc-any')
  return { documents, snapshots, errors, done: await ended.promise }
}

describe('the public service’s SDK', () => {
  it('crawls a site of more pages than one answer holds', async () => {
    const job = await sdk.crawl(site.url('/many/'), { limit: 130, ...text, ...quick })
    expect(job).toMatchObject({ status: 'completed', completed: 121, total: 121, creditsUsed: 121 })
    expect(urlsOf(job)).toEqual(urls('/many/', ...Array.from({ length: 120 }, (_, at) => `/many/page/${at + 1}`)))
    expect(job.data.every(({ markdown }) => markdown?.startsWith('# '))).toBe(true)
  })

  it('reads the state of a crawl page by page', async () => {
    const { id, url } = await sdk.startCrawl(site.url('/many/'), { limit: 110 })
    expect(url).toBe(`${server.url}/v2/crawl/${id}`)
    await watched(id)
    const first = await sdk.getCrawlStatus(id, asIs)
    expect(first).toMatchObject({ status: 'completed', total: 110 })
    expect(first.data).toHaveLength(100)
    expect(first.next).toMatch(`${url}?skip=100`)
    expect((await sdk.getCrawlStatus(id)).data).toHaveLength(110)
  })

  it('watches a crawl that runs', async () => {
    const { id } = await sdk.startCrawl(site.url('/many/'), { limit: 115, ...text })
    const { documents, snapshots, errors, done } = await watched(id)
    expect(errors).toEqual([])
    expect(new Set(urlsOf({ data: documents })).size).toBe(115)
    expect(documents).toHaveLength(115)
    expect(snapshots[0]?.status).toBe('scraping')
    expect(done).toMatchObject({ status: 'completed', total: 115, completed: 115, creditsUsed: 115 })
    expect(urlsOf(done)).toEqual(urlsOf({ data: documents }))
  })

  it('watches a crawl that is over', async () => {
    const { id } = await sdk.crawl(site.url('/many/'), { limit: 105, ...quick })
    const { documents, snapshots, done } = await watched(id)
    expect(snapshots.map(({ status }) => status)).toEqual(['completed'])
    expect([documents.length, done.data.length]).toEqual([105, 105])
  })

  it('cancels a crawl, and whoever watches it hears of that', async () => {
    const { id } = await sdk.startCrawl(site.url('/held/'), { maxConcurrency: 1 })
    const heard = watched(id)
    await expect.poll(async () => (await sdk.getCrawlStatus(id, asIs)).completed).toBeGreaterThan(0)
    expect((await sdk.getActiveCrawls()).crawls).toMatchObject([
      { id, teamId: 'local', url: site.url('/held/'), options: { scrapeOptions: {} } },
    ])
    expect(await sdk.cancelCrawl(id)).toBe(true)
    expect((await heard).done.status).toBe('cancelled')
    expect((await sdk.getCrawlStatus(id)).status).toBe('cancelled')
    expect((await sdk.getActiveCrawls()).crawls).toEqual([])
    await expect(sdk.cancelCrawl(id)).rejects.toMatchObject({ status: 409, code: 'JOB_IS_OVER' })
  })

  it('hears what went wrong in a crawl', async () => {
    const { id } = await sdk.crawl(site.url('/few/'), quick)
    const { errors, robotsBlocked } = await sdk.getCrawlErrors(id as string)
    expect(errors).toMatchObject([{ url: site.url('/few/cut'), code: 'SCRAPE_ALL_ENGINES_FAILED' }])
    expect(robotsBlocked).toEqual([])
    const { id: blocked } = await sdk.crawl(site.url('/many/'), { limit: 121, ...quick })
    expect((await sdk.getCrawlErrors(blocked as string)).robotsBlocked).toEqual([site.url('/many/private')])
  })

  it('is told that a job is not there', async () => {
    const missing = '0190c2a0-0000-7000-8000-000000000000'
    await expect(sdk.getCrawlStatus(missing)).rejects.toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' })
    const watcher = sdk.watcher(missing)
    const said = new Promise((resolve) => watcher.once('error', resolve))
    await watcher.start()
    watcher.close()
    expect(await said).toMatchObject({ status: 'failed', error: 'Job not found.' })
  })

  it('maps a site', async () => {
    const { links } = await sdk.map(site.url('/few/'))
    expect(links.map(({ url }) => url)).toEqual(expect.arrayContaining(urls('/few/one')))
  })

  it('previews what a prompt means', async () => {
    const preview = await sdk.crawlParamsPreview(site.url('/'), 'Only the blog, at most 50 pages')
    expect(preview).toMatchObject({
      url: site.url('/'),
      limit: 50,
      includePaths: expect.arrayContaining([expect.stringContaining('blog')]),
    })
  })
})

const two = () => [site.url('/few/one'), site.url('/many/page/1')]

describe('a batch of the SDK', () => {
  it('is scraped', async () => {
    const job = await sdk.batchScrape(two(), { options: { formats: ['markdown', 'links'] }, ...quick })
    expect(job).toMatchObject({ status: 'completed', completed: 2, total: 2 })
    expect(urlsOf(job)).toEqual([...two()].sort())
    expect(job.data).toMatchObject([{ markdown: expect.any(String), links: [] }, {}])
  })

  it('is begun, watched and read', async () => {
    const { id, url, invalidURLs } = await sdk.startBatchScrape([...two(), 'no url'], { ignoreInvalidURLs: true })
    expect([url, invalidURLs]).toEqual([`${server.url}/v2/batch/scrape/${id}`, ['no url']])
    const { documents, done } = await watched(id, 'batch')
    expect([documents.length, done.status, done.data.length]).toEqual([2, 'completed', 2])
    expect((await sdk.getBatchScrapeStatus(id)).data).toHaveLength(2)
  })

  it('tells its errors', async () => {
    const { id } = await sdk.batchScrape([site.url('/few/cut'), site.url('/few/one')], quick)
    const { errors } = await sdk.getBatchScrapeErrors(id as string)
    expect(errors).toMatchObject([{ url: site.url('/few/cut'), error: expect.any(String) }])
  })

  it('is cancelled', async () => {
    const { id } = await sdk.startBatchScrape([site.url('/held/closed')])
    expect(await sdk.cancelBatchScrape(id)).toBe(true)
    expect((await sdk.getBatchScrapeStatus(id)).status).toBe('cancelled')
  })

  it('is begun once with one idempotency key', async () => {
    const idempotencyKey = crypto.randomUUID()
    const [first, second] = [
      await sdk.startBatchScrape(two(), { idempotencyKey }),
      await sdk.startBatchScrape(two(), { idempotencyKey }),
    ]
    expect(second.id).toBe(first.id)
    await expect(sdk.startBatchScrape([site.url('/few/one')], { idempotencyKey })).rejects.toMatchObject({
      status: 409,
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    await expect(sdk.startBatchScrape(two(), { idempotencyKey: 'no-uuid' })).rejects.toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
    })
  })
})

it('a crawl goes on after its server was killed', async () => {
  const { id } = await sdk.startCrawl(site.url('/held/'))
  await expect.poll(async () => (await sdk.getCrawlStatus(id, asIs)).completed).toBe(2)
  server.program.kill('SIGKILL')
  await server.program.exited
  pages.release()
  server = await startServer(env)
  sdk = new Firecrawl({ apiKey: 'fc-any', apiUrl: server.url })
  // Nobody asks for it until it is over.
  await expect
    .poll(() => site.requests.filter(({ url }) => url === '/held/closed').length, { timeout: 20_000 })
    .toBeGreaterThan(1)
  const { done } = await watched(id)
  expect(done).toMatchObject({ status: 'completed', completed: 3 })
  expect(urlsOf(done)).toEqual(urls('/held/', '/held/open', '/held/closed'))
})
