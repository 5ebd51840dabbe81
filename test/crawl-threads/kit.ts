import { type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import { type CrawlThreadLimits, openCrawlThreads } from '../../src/app/wiring/crawl-threads/open-crawl-threads.ts'
import { noTelemetry } from '../../src/app/telemetry/telemetry.ts'
import { wire } from '../../src/app/wiring/wire-engine.ts'
import { localTeamId } from '../../src/contracts/account-ports.ts'
import type { Crawler } from '../../src/contracts/crawl-ports.ts'
import { createCrawler } from '../../src/engine/crawl/runner/crawler.ts'
import { startCrawl } from '../../src/engine/crawl/start-crawl.ts'
import { CrawlInput } from '../../src/schema/crawl-schema.ts'
import { logBook } from '../contracts/fixtures.ts'
import { forTest } from '../helpers/for-all.ts'
import { serve } from '../helpers/listen.ts'
import { tempDir } from '../store/kit.ts'
import { overriding } from '../../src/util/async.ts'

const browsePage = () => Promise.reject(new Error('No browser is asked here.'))

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`
const words = 'Some words that fill a paragraph of a very long page.'
/** Nine million characters, a second of work. */
export const hugePage = `<title>Huge</title><main>${`<p>${words}</p>`.repeat(140_000)}</main>`
/** Enough elements to take two hundred megabytes. */
export const crowdedPage = `<title>Crowded</title><main>${'<p>a b c</p>'.repeat(500_000)}</main>`

/** A site whose start page links to `small` small pages and to the given ones. It counts the visits of each page. */
export async function openSite(small: number, more: Readonly<Record<string, string>> = {}) {
  const visits = new Map<string, number>()
  const paths = [...Array.from({ length: small }, (_, nth) => `/p/${nth}`), ...Object.keys(more)]
  const start = page('Start', paths.map((path) => `<a href="${path}">${path}</a>`).join(' '))
  const send = (path: string, response: ServerResponse) => {
    const body = path === '/' ? start : (more[path] ?? (paths.includes(path) ? page(path, words) : undefined))
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': path.endsWith('.csv') ? 'text/csv' : 'text/html' })
      .end(body)
  }
  const { origin } = forTest(
    await serve(({ url = '/' }, response) => {
      visits.set(url, (visits.get(url) ?? 0) + 1)
      send(url, response)
    }),
  )
  return { url: origin, pages: ['/', ...paths], visits }
}

/** A crawl thread on a separate data folder, and the ports of the main thread. */
export async function openCrawlThread(limits: Partial<CrawlThreadLimits> = {}, dataDir?: string) {
  const { log, lines } = logBook()
  const folder = dataDir ?? (await tempDir())
  const config = readConfig(
    {},
    { GOSSAMER_DATA_DIR: folder, GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_CRAWL_THREADS: '1' },
  )
  const { ports, store, close, watchExchanges, watchers } = wire(config, {
    clock: { now: Date.now },
    log,
    telemetry: noTelemetry,
    callers: 'over HTTP',
    hasOthers: async () => false,
    ownBaseUrl: async () => '',
    worked: () => {},
  })
  const ofMain: string[] = []
  const own = async (crawls: typeof ports.crawls) => {
    const claim: typeof crawls.claim = (request) => {
      ofMain.push(request.crawlId)
      return crawls.claim(request)
    }
    const tools = { hostConcurrency: 8, userAgent: config.userAgent, log, eventWritten: () => {} }
    return createCrawler({ ...ports, crawls: overriding(crawls, { claim }) }, tools)
  }
  const parts = { ports, browsePage, store, watchers, log, telemetry: noTelemetry, eventWritten: () => {} }
  const threads = openCrawlThreads(config, { ...parts, own }, limits)
  onTestFinished(async () => {
    await threads.close()
    await close()
  })

  async function crawl(url: string, more: object = {}, crawler: Crawler = threads) {
    const { id } = await startCrawl(CrawlInput.parse({ url, scrapeOptions: { maxAge: 0 }, ...more }), {
      ports: { ...ports, crawler },
      jobId: crypto.randomUUID(),
      team: { id: localTeamId, key: null, permissions: [] },
      baseUrl: '',
      warn: () => {},
      signal: new AbortController().signal,
      startedAt: Date.now(),
      progress: () => {},
    })
    return id
  }
  const read = (id: string) => ports.crawls.progress(id, { skip: 0, limit: 1000, maxBytes: 2 ** 30 })
  return { ports, ofMain, threads, lines, crawl, read, watch: watchExchanges, dataDir: folder }
}
