import { Firecrawl } from 'firecrawl'
import { describe, expect, it } from 'vitest'
import { once } from '../../../src/util/async.ts'
import { drawn } from '../../attack/hostile.ts'
import { startSite } from '../../helpers/site.ts'
import { installedVersion, namesOf, reaching, refusalOf, startService } from './kit.ts'
import { clients, type Refused, type Working } from './methods.ts'
import { forAll } from '../../helpers/for-all.ts'

const { methods, version } = clients.firecrawl
const never = () => new Promise<void>(() => {})
/** A site that never responds and was never read, so a map of it finds no pages. */

const silent = forAll(() => startSite({ routes: { '/': never, '/robots.txt': never, '/sitemap.xml': never } }))
const service = forAll(() => startService({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }))
const sdk = forAll(() => new Firecrawl({ apiKey: 'fc-any', apiUrl: service.url, maxRetries: 1 }))

const url = (path = '/few/one') => service.site.url(path)
const quick = { pollInterval: 1, timeout: 120 }
const one = { ...quick, limit: 1 }
const asIs = { autoPaginate: false }
const idOf = async (started: Promise<{ id?: string }>) => (await started).id ?? expect.unreachable('there is no id')
const scraped = async () => String((await sdk.scrape(url())).metadata?.['scrapeId'])
const crawled = once(() => idOf(sdk.crawl(url('/few/'), quick)))
const scrapedAll = once(() => idOf(sdk.batchScrape([url()], quick)))
const held = () => idOf(sdk.startCrawl(url('/held/'), { maxConcurrency: 1 }))
const interacted = async () => {
  const id = await scraped()
  await sdk.interact(id, { code: '1 + 1' })
  return id
}
const document = { markdown: expect.stringContaining('The only one.'), metadata: { statusCode: 200 } }
const completed = { status: 'completed', data: expect.any(Array) }
const opened = { success: true, id: expect.any(String) }
const stopped = { success: true, creditsBilled: expect.any(Number) }
const noted = { success: true, feedbackId: expect.any(String), creditsRefunded: 0 }
const path = '/few/one'
const facts = () => ({ urls: [url()], schema: { type: 'object', properties: { title: { type: 'string' } } } })
const task = { prompt: 'What is the only one?', maxCredits: 5 }
const periods = { periods: [{ startDate: expect.any(String) }] }
const hourly = { schedule: { text: 'hourly' } }
const watched = once(async () => {
  const targets = [{ type: 'scrape' as const, urls: [url(), url('/article')] }]
  return (await sdk.createMonitor({ name: 'Few', ...hourly, targets })).id
})
/** Waits for the end of a check. */
const checked = once(async () => {
  const { id } = await sdk.runMonitor(await watched())
  const statusOf = async () => (await sdk.getMonitorCheck(await watched(), id)).status
  await expect.poll(statusOf).toBe('completed')
  return id
})

/** Checks the result of each method. */
const calls: Record<Working<typeof methods>, () => Promise<unknown>> = {
  scrape: async () => expect(await sdk.scrape(url())).toMatchObject(document),
  scrapeUrl: async () => expect(await sdk.scrapeUrl(url())).toMatchObject(document),
  interact: async () =>
    expect(await sdk.interact(await scraped(), { code: 'await page.title()' })).toMatchObject({ result: 'One' }),
  scrapeExecute: async () =>
    expect(await sdk.scrapeExecute(await scraped(), { code: '1 + 1' })).toMatchObject({ result: '2' }),
  stopInteraction: async () => expect(await sdk.stopInteraction(await interacted())).toMatchObject(stopped),
  stopInteractiveBrowser: async () =>
    expect(await sdk.stopInteractiveBrowser(await interacted())).toMatchObject(stopped),
  deleteScrapeBrowser: async () => expect(await sdk.deleteScrapeBrowser(await interacted())).toMatchObject(stopped),
  parse: async () =>
    expect(await sdk.parse({ data: '<h1>A file</h1>', filename: 'a.html' })).toMatchObject({ markdown: '# A file' }),
  search: async () =>
    expect(await sdk.search('lighthouse', { limit: 1 })).toMatchObject({ web: [{ url: url('/article') }] }),
  map: async () => expect(await sdk.map(url('/few/'))).toMatchObject({ links: expect.any(Array) }),
  mapUrl: async () =>
    expect((await sdk.mapUrl(url('/few/'))).links.map((link) => link.url)).toEqual(expect.arrayContaining([url(path)])),
  crawl: async () => expect(await sdk.crawl(url(), one)).toMatchObject(completed),
  startCrawl: async () => expect(await sdk.startCrawl(url(), { limit: 1 })).toMatchObject({ id: expect.any(String) }),
  crawlUrl: async () => expect(await sdk.crawlUrl(url(), one)).toMatchObject(completed),
  asyncCrawlUrl: async () =>
    expect(await sdk.asyncCrawlUrl(url(), { limit: 1 })).toMatchObject({ id: expect.any(String) }),
  crawlParamsPreview: async () =>
    expect(await sdk.crawlParamsPreview(url('/'), 'at most 50 pages')).toMatchObject({ limit: 50 }),
  getCrawlStatus: async () => expect(await sdk.getCrawlStatus(await crawled())).toMatchObject(completed),
  checkCrawlStatus: async () => expect(await sdk.checkCrawlStatus(await crawled())).toMatchObject(completed),
  watcher: async () => {
    const watcher = sdk.watcher(await sdk.startCrawl(url(), { limit: 1 }).then(({ id }) => id))
    const done = new Promise((resolve) => watcher.on('done', resolve))
    await watcher.start()
    expect(await done).toMatchObject(completed)
  },
  cancelCrawl: async () => expect(await sdk.cancelCrawl(await held())).toBe(true),
  getCrawlErrors: async () =>
    expect(await sdk.getCrawlErrors(await crawled())).toMatchObject({ errors: [{ url: url('/few/cut') }] }),
  checkCrawlErrors: async () =>
    expect(await sdk.checkCrawlErrors(await crawled())).toMatchObject({ robotsBlocked: [] }),
  getActiveCrawls: async () => {
    const id = await held()
    expect((await sdk.getActiveCrawls()).crawls.map((crawl) => crawl.id)).toContain(id)
    await sdk.cancelCrawl(id)
  },
  batchScrape: async () => expect(await sdk.batchScrape([url()], quick)).toMatchObject({ ...completed, total: 1 }),
  startBatchScrape: async () => expect(await sdk.startBatchScrape([url()])).toMatchObject({ id: expect.any(String) }),
  batchScrapeUrls: async () => expect(await sdk.batchScrapeUrls([url()], quick)).toMatchObject(completed),
  asyncBatchScrapeUrls: async () =>
    expect(await sdk.asyncBatchScrapeUrls([url()])).toMatchObject({ id: expect.any(String) }),
  getBatchScrapeStatus: async () =>
    expect(await sdk.getBatchScrapeStatus(await scrapedAll(), asIs)).toMatchObject(completed),
  checkBatchScrapeStatus: async () =>
    expect(await sdk.checkBatchScrapeStatus(await scrapedAll())).toMatchObject(completed),
  cancelBatchScrape: async () =>
    expect(await sdk.cancelBatchScrape(await idOf(sdk.startBatchScrape([url('/held/closed')])))).toBe(true),
  getBatchScrapeErrors: async () =>
    expect(await sdk.getBatchScrapeErrors(await scrapedAll())).toMatchObject({ errors: [] }),
  checkBatchScrapeErrors: async () =>
    expect(await sdk.checkBatchScrapeErrors(await scrapedAll())).toMatchObject({ errors: [] }),
  browser: async () => {
    const session = await sdk.browser({ ttl: 60 })
    expect(session).toMatchObject(opened)
    await sdk.deleteBrowser(session.id ?? '')
  },
  browserExecute: async () => {
    const { id = '' } = await sdk.browser()
    expect(await sdk.browserExecute(id, { code: 'console.log(1 + 1)', language: 'node' })).toMatchObject({
      stdout: '2\n',
    })
    await sdk.deleteBrowser(id)
  },
  listBrowsers: async () => expect(await sdk.listBrowsers()).toMatchObject({ sessions: expect.any(Array) }),
  deleteBrowser: async () => expect(await sdk.deleteBrowser(await idOf(sdk.browser()))).toMatchObject(stopped),
  getConcurrency: async () => expect(await sdk.getConcurrency()).toMatchObject({ maxConcurrency: expect.any(Number) }),
  getQueueStatus: async () => expect(await sdk.getQueueStatus()).toMatchObject({ jobsInQueue: expect.any(Number) }),
  getCreditUsage: async () => {
    await sdk.scrape(url())
    const { remainingCredits, planCredits = 0 } = await sdk.getCreditUsage()
    expect(planCredits - remainingCredits).toBeGreaterThan(0)
  },
  getCreditUsageHistorical: async () => expect(await sdk.getCreditUsageHistorical()).toMatchObject(periods),
  getTokenUsage: async () => {
    await sdk.scrape(url())
    const { remainingTokens, planTokens = 0 } = await sdk.getTokenUsage()
    expect(planTokens - remainingTokens).toBeGreaterThan(0)
  },
  getTokenUsageHistorical: async () => expect(await sdk.getTokenUsageHistorical(true)).toMatchObject(periods),
  startExtract: async () => expect(await sdk.startExtract(facts())).toMatchObject(opened),
  getExtractStatus: async () => {
    const { id = '' } = await sdk.startExtract(facts())
    expect(await sdk.getExtractStatus(id)).toMatchObject({ success: true, status: expect.any(String) })
  },
  startAgent: async () =>
    expect(await sdk.startAgent({ ...task, urls: [url()], origin: 'test', effort: 'low' })).toMatchObject(opened),
  getAgentStatus: async () => {
    const { id } = await sdk.startAgent(task)
    expect(await sdk.getAgentStatus(id)).toMatchObject({ success: true, status: expect.any(String) })
  },
  listAgents: async () => {
    const { id } = await sdk.startAgent({ ...task, urls: [url()] })
    expect((await sdk.listAgents()).agents).toContainEqual(
      expect.objectContaining({ id, targetHint: task.prompt, options: expect.objectContaining({ urls: [url()] }) }),
    )
    expect((await sdk.listAgents({ before: 1 })).agents).toEqual([])
  },
  feedback: async () => {
    const [endpoint, rating, jobId] = ['scrape', 'partial', await scraped()] as const
    expect(await sdk.feedback({ endpoint, jobId, rating, note: 'No price.' })).toMatchObject(noted)
    const jobId2 = crypto.randomUUID()
    await expect(sdk.feedback({ endpoint, jobId: jobId2, rating })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  },
  searchFeedback: async () => {
    await sdk.search('lighthouse', { limit: 1 })
    // The SDK does not return the id of a search.
    const activity = await fetch(`${service.url}/v2/team/activity?endpoint=search&limit=1`)
    const { data } = (await activity.json()) as { data: [{ id: string }] }
    expect(await sdk.searchFeedback(data[0].id, { rating: 'bad', querySuggestions: 'lamp' })).toMatchObject(noted)
  },
  agent: async () =>
    expect(await sdk.agent({ ...task, urls: [url()], strictConstrainToURLs: true, ...quick })).toMatchObject({
      status: 'completed',
      data: { answer: expect.stringContaining('The only one.') },
      creditsUsed: 1,
      expiresAt: expect.any(String),
    }),
  cancelAgent: async () => {
    const { id } = await sdk.startAgent({ ...task, urls: [url('/held/')] })
    expect(await sdk.cancelAgent(id)).toBe(true)
  },
  extract: async () =>
    expect(await sdk.extract({ ...facts(), ...quick, showSources: true })).toMatchObject({
      status: 'completed',
      data: { title: 'One' },
      sources: { title: [url()] },
      creditsUsed: 5,
    }),
  createMonitor: async () => {
    const targets = [{ type: 'crawl' as const, url: url('/few/'), crawlOptions: { limit: 5 } }]
    const made = await sdk.createMonitor({ name: 'Site', ...hourly, targets, webhook: { url: 'https://example.com/' } })
    expect(made).toMatchObject({ status: 'active', schedule: { cron: '0 * * * *', timezone: 'UTC' } })
  },
  listMonitors: async () => {
    const id = await watched()
    expect((await sdk.listMonitors({ limit: 50 })).map((each) => each.id)).toContain(id)
  },
  getMonitor: async () => expect(await sdk.getMonitor(await watched())).toMatchObject({ name: 'Few' }),
  updateMonitor: async () =>
    expect(await sdk.updateMonitor(await watched(), { status: 'paused' })).toMatchObject({ nextRunAt: null }),
  deleteMonitor: async () => {
    const targets = [{ type: 'scrape' as const, urls: [url()] }]
    const { id } = await sdk.createMonitor({ name: 'Brief', ...hourly, targets })
    expect(await sdk.deleteMonitor(id)).toBe(true)
  },
  runMonitor: async () => expect(await sdk.runMonitor(await watched())).toMatchObject({ trigger: 'manual' }),
  listMonitorChecks: async () => {
    const id = await checked()
    expect((await sdk.listMonitorChecks(await watched(), { limit: 100 })).map((each) => each.id)).toContain(id)
  },
  getMonitorCheck: async () => {
    const check = await sdk.getMonitorCheck(await watched(), await checked(), { limit: 1 })
    expect(check).toMatchObject({ status: 'completed', summary: { totalPages: 2 }, next: null })
    expect(check.pages).toHaveLength(2)
  },
  v1: async () => expect(await sdk.v1.scrapeUrl(url(), {})).toMatchObject({ success: true, ...document }),
}

/** Methods of services that do not exist here. */
const refused: Record<Refused<typeof methods>, () => Promise<unknown>> = {
  getAgentTrace: () => sdk.getAgentTrace(crypto.randomUUID()),
  getAgentSnapshot: () => sdk.getAgentSnapshot(crypto.randomUUID(), 'one'),
  getAgentThread: () => sdk.getAgentThread('one'),
  research: () => sdk.research.searchPapers('orb webs'),
  developerSearch: () => sdk.developerSearch('orb webs'),
  findTools: () => sdk.findTools({}),
}

describe('the SDK of Firecrawl', () => {
  it('has exactly the listed methods', () => {
    const own = [Firecrawl.prototype, Object.getPrototypeOf(Firecrawl.prototype) as object]
    const names = new Set(own.flatMap((each) => Object.getOwnPropertyNames(each)))
    names.delete('constructor')
    expect([...names].toSorted()).toEqual(namesOf(methods))
    expect(installedVersion('firecrawl')).toBe(version)
  })

  // A normal run draws half of the calls.
  it.each(drawn(Object.entries(calls)))('%s', async (name, call) => {
    await reaching(service, methods[name as keyof typeof calls], call)
  })

  it.each(Object.entries(refused))('%s is refused, with an alternative', async (name, call) => {
    const message = refusalOf(methods[name as keyof typeof refused])
    await expect(call()).rejects.toMatchObject({ status: 501, message: expect.stringMatching(message) })
  })

  it('reports a protection that is not implemented', async () => {
    const refusal = { status: 501, code: 'FEATURE_UNAVAILABLE', message: expect.stringContaining('threatProtection') }
    await expect(sdk.scrape(url(), { threatProtection: {} })).rejects.toMatchObject(refusal)
    const { warning } = await sdk.scrape(url(), { redactPII: { entities: ['EMAIL'], replaceStyle: 'mask' } })
    expect(warning).toBeUndefined()
    expect(await sdk.scrape(url(), { redactPII: false })).toMatchObject(document)
  })

  it('shows errors to its users', async () => {
    await expect(sdk.scrape('no address')).rejects.toThrow(/^(?:Bad Request: )?url: /)
    await expect(sdk.map(silent.url('/'), { timeout: 100 })).rejects.toMatchObject({ status: 408, code: 'MAP_TIMEOUT' })
  })
})
