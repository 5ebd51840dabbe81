import FirecrawlApp from 'firecrawl-sdk-v1'
import { describe, expect, it, vi } from 'vitest'
import { installedVersion, namesOf, refusalOf, startService } from './kit.ts'
import { clients, type Refused } from './methods.ts'
import { leftOpen, forAll } from '../../helpers/for-all.ts'

const { methods, version } = clients['firecrawl-sdk-v1']
/** Methods that were called successfully. */
const done = new Set<string>()

// In strict mode, unknown fields are refused instead of dropped.
const service = forAll(() => startService({ GOSSAMER_STRICT: 'true' }))
const site = forAll(() => service.site, leftOpen)
const sdk = forAll(() => noting(new FirecrawlApp({ apiKey: 'fc-any', apiUrl: service.url })))

const noting = (app: FirecrawlApp): FirecrawlApp =>
  new Proxy(app, {
    get(target, name: string) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...words: unknown[]) => {
        const answer: unknown = await member.apply(target, words)
        done.add(name)
        return answer
      }
    },
  })

type Listed = { metadata?: { sourceURL?: string | undefined } | undefined }[]
const pathsOf = (data: Listed) => data.map(({ metadata }) => URL.parse(metadata?.sourceURL ?? '')?.pathname).sort()
async function statusOf(id: string, reach: 'one answer' | 'all' = 'one answer') {
  const status = await sdk.checkCrawlStatus(id, reach === 'all')
  if (!status.success) throw new Error(status.error)
  return status
}
async function settled(id: string) {
  await expect.poll(async () => (await statusOf(id)).status).toBe('completed')
  return statusOf(id)
}

/** Calls of LangChain's FireCrawlLoader, in each of its modes. */
describe('the loader of LangChain', () => {
  it('scrapes', async () => {
    const document = await sdk.scrapeUrl(site.url('/article'), undefined)
    expect(document).toMatchObject({
      success: true,
      markdown: expect.stringContaining('# '),
      metadata: { sourceURL: site.url('/article'), statusCode: 200 },
    })
  })

  it('crawls more pages than one response contains', async () => {
    const job = await sdk.crawlUrl(site.url('/many/'), { limit: 115, scrapeOptions: { formats: ['markdown'] } })
    expect(job).toMatchObject({ success: true, status: 'completed', total: 115 })
    const { data } = job as { data: Listed }
    expect(new Set(pathsOf(data)).size).toBe(115)
  })

  it('maps', async () => {
    const { links } = (await sdk.mapUrl(site.url('/few/'))) as { links: string[] }
    expect(links).toContain(site.url('/few/one'))
  })

  it('gets error messages', async () => {
    await expect(sdk.scrapeUrl('no address', {})).rejects.toThrow(/Status code: 400. Error: (?:Bad Request: )?url: /)
    await expect(sdk.scrapeUrl(site.url('/cut-before-headers'), {})).rejects.toMatchObject({ statusCode: 500 })
  })
})

describe('the SDK of version 1', () => {
  it('accepts options by their old names', async () => {
    const document = await sdk.scrapeUrl(site.url('/article?old'), {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'changeTracking'],
      changeTrackingOptions: { modes: ['git-diff'], tag: null },
      parsePDF: false,
      location: { country: 'DE', languages: ['de'] },
      maxAge: 0,
      timeout: 20_000,
    })
    expect(document).toMatchObject({
      rawHtml: expect.stringContaining('<nav'),
      links: expect.any(Array),
      changeTracking: { changeStatus: 'new' },
    })
    expect(site.requests.findLast(({ url }) => url === '/article?old')?.headers['accept-language']).toBe('de')
    expect(
      await sdk.scrapeUrl(site.url('/article'), { formats: ['extract'], extract: { prompt: 'The title' } }),
    ).toMatchObject({ extract: { '@type': 'NewsArticle' }, warning: expect.stringContaining('language model') })
  })

  it('extracts', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const page = { formats: ['markdown' as const], parsePDF: false }
    const facts = { schema, scrapeOptions: page, showSources: true }
    const url = site.url('/few/one')
    expect(await sdk.extract([url], facts)).toMatchObject({
      success: true,
      data: { title: 'One' },
      sources: { title: [url] },
    })
    const started = await sdk.asyncExtract([url], facts)
    const { id = '' } = started as { id?: string }
    expect(started).toMatchObject({ url: `${service.url}/v1/extract/${id}` })
    expect(await sdk.getExtractStatus(id)).toMatchObject({ success: true })
  })

  it('generates the llms.txt of a site', async () => {
    const wish = { maxUrls: 2, showFullText: true, cache: true }
    expect(await sdk.generateLLMsText(site.url('/few/'), wish)).toMatchObject({
      success: true,
      status: 'completed',
      data: { llmstxt: expect.stringContaining('# '), llmsfulltxt: expect.stringContaining('URL: ') },
    })
    const { id = '' } = (await sdk.asyncGenerateLLMsText(site.url('/few/'), wish)) as { id?: string }
    expect(await sdk.checkGenerateLLMsTextStatus(id)).toMatchObject({ success: true, expiresAt: expect.any(String) })
  })

  it('starts a crawl, watches it and reads it page by page', async () => {
    const { id = '', url } = (await sdk.asyncCrawlUrl(site.url('/many/'), {
      limit: 105,
      ignoreSitemap: true,
      allowBackwardLinks: true,
      maxDepth: 4,
    })) as { id?: string; url?: string }
    expect(url).toBe(`${service.url}/v1/crawl/${id}`)
    const first = await settled(id)
    expect(first.data).toHaveLength(100)
    expect(first.next).toMatch(`${url}?skip=100`)
    expect((await statusOf(id, 'all')).data).toHaveLength(105)
  })

  it('watches a crawl over its WebSocket', async () => {
    const complaints = vi.spyOn(console, 'error')
    const watcher = await sdk.crawlUrlAndWatch(site.url('/many/'), { limit: 5 })
    const documents: unknown[] = []
    watcher.addEventListener('document', ({ detail }) => void documents.push(detail))
    await new Promise<void>((resolve, reject) => {
      watcher.addEventListener('done', () => resolve())
      watcher.addEventListener('error', ({ detail }) => reject(new Error(detail.error)))
    })
    expect(documents).toHaveLength(5)
    watcher.close()
    await expect.poll(() => (watcher as unknown as { ws: WebSocket }).ws.readyState).toBe(WebSocket.CLOSED)
    expect(complaints).not.toHaveBeenCalled()
    complaints.mockRestore()
  })

  it('watches a batch over its WebSocket', async () => {
    const watcher = await sdk.batchScrapeUrlsAndWatch([site.url('/few/one')], {})
    const documents: Listed = []
    watcher.addEventListener('document', ({ detail }) => void documents.push(detail))
    await new Promise<void>((resolve) => watcher.addEventListener('done', () => resolve()))
    expect(pathsOf(documents)).toEqual(['/few/one'])
    watcher.close()
  })

  it('cancels a crawl and gets errors', async () => {
    const { id = '' } = (await sdk.asyncCrawlUrl(site.url('/held/'), { maxConcurrency: 1 })) as { id?: string }
    expect(await sdk.cancelCrawl(id)).toMatchObject({ status: 'cancelled' })
    const { id: other = '' } = (await sdk.asyncCrawlUrl(site.url('/few/'), {})) as { id?: string }
    await settled(other)
    expect(await sdk.checkCrawlErrors(other)).toMatchObject({
      errors: [{ url: site.url('/few/cut') }],
      robotsBlocked: [],
    })
  })

  it('scrapes a batch', async () => {
    const urls = [site.url('/few/one'), site.url('/many/page/1')]
    const job = await sdk.batchScrapeUrls(urls, {
      formats: ['markdown', 'screenshot@fullPage'].slice(0, 1) as ['markdown'],
    })
    expect(pathsOf((job as { data: Listed }).data)).toEqual(['/few/one', '/many/page/1'])
    const started = (await sdk.asyncBatchScrapeUrls(urls)) as { id: string; url: string }
    expect(started.url).toBe(`${service.url}/v1/batch/scrape/${started.id}`)
    await settled(started.id)
    expect(await sdk.checkBatchScrapeStatus(started.id)).toMatchObject({ success: true, status: 'completed', total: 2 })
    expect(await sdk.checkBatchScrapeErrors(started.id)).toMatchObject({ errors: [] })
    await expect(sdk.asyncBatchScrapeUrls(['no address', ...urls])).rejects.toThrow(/urls\[0\]/)
  })

  it('searches, and gets a plain list', async () => {
    expect(await sdk.search('lighthouse', { limit: 2, scrapeOptions: { formats: ['markdown'] } })).toMatchObject({
      success: true,
      data: [{ url: site.url('/article'), title: 'The lighthouse', markdown: expect.any(String) }, {}],
    })
  })

  it('maps by sitemap only, or without it', async () => {
    const { links = [] } = (await sdk.mapUrl(site.url('/few/'), { sitemapOnly: true })) as { links?: string[] }
    expect(links.every((link) => typeof link === 'string')).toBe(true)
    expect(await sdk.mapUrl(site.url('/few/'), { ignoreSitemap: true, useIndex: false })).toMatchObject({
      links: expect.arrayContaining([site.url('/few/one')]),
    })
  })
})

/** Methods of services that do not exist here. */
const refused: Record<Refused<typeof methods>, () => Promise<unknown>> = {
  deepResearch: () => sdk.deepResearch('orb webs', {}),
  asyncDeepResearch: () => sdk.asyncDeepResearch('orb webs', {}),
  checkDeepResearchStatus: () => sdk.checkDeepResearchStatus('one'),
  __deepResearch: () => sdk['__deepResearch']('orb webs', {}),
  __asyncDeepResearch: () => sdk['__asyncDeepResearch']('orb webs', {}),
  __checkDeepResearchStatus: () => sdk['__checkDeepResearchStatus']('one'),
}

describe('the methods of SDK version 1', () => {
  it('are all listed', () => {
    const names = Object.getOwnPropertyNames(FirecrawlApp.prototype).filter((name) => name !== 'constructor')
    expect(names.toSorted()).toEqual(namesOf(methods))
    expect(installedVersion('firecrawl-sdk-v1')).toBe(version)
  })

  it.each(Object.entries(refused))('%s is refused, with an alternative', async (name, call) => {
    const message = refusalOf(methods[name as keyof typeof refused])
    await expect(call()).rejects.toThrow(message)
  })

  it('with an endpoint here were called and reached that endpoint', async () => {
    const working = Object.entries(methods).flatMap(([name, endpoint]) =>
      typeof endpoint === 'string' && endpoint !== 'local' ? [{ name, endpoint }] : [],
    )
    expect(working.filter(({ name }) => !done.has(name))).toEqual([])
    await expect
      .poll(() => {
        const answered = service.answered()
        // This SDK requests errors with DELETE.
        return working.filter(
          ({ endpoint }) => !answered.some((each) => each.replace(/^DELETE (?=.*\/errors$)/, 'GET ') === endpoint),
        )
      })
      .toEqual([])
  })
})
