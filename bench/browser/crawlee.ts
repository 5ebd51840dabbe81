import type { PlaywrightCrawler } from '@crawlee/playwright'
import type { Contestant, Running, Took } from './contestant.ts'
import { isScripted } from './pages.ts'

/** Default settings: pages share a context and its cache. */
export const crawleeShared: Contestant = {
  id: 'crawlee',
  name: 'crawlee PlaywrightCrawler 3.18.1',
  pages: 'shared context',
  open: async (browserPath) => opened(browserPath, 'shared context'),
}

export const crawleeIncognito: Contestant = {
  id: 'crawlee-incognito',
  name: 'crawlee PlaywrightCrawler 3.18.1, incognito pages',
  pages: 'new context',
  open: async (browserPath) => opened(browserPath, 'new context'),
}

type Crawl = { crawler: PlaywrightCrawler; ended: Promise<unknown> }

/** Keeps one crawl per concurrency waiting between runs, so its browser stays open like those of the others. */
function opened(browserPath: string, pages: Contestant['pages']): Running {
  const crawls = new Map<number, Crawl>()
  const rest = { left: 0, took: (() => {}) as Took, done: () => {} }
  let lastKey = 0

  const took: Took = (url, html, tookMs) => {
    rest.took(url, html, tookMs)
    if (--rest.left === 0) rest.done()
  }

  async function crawlOf(concurrency: number): Promise<Crawl> {
    const known = crawls.get(concurrency)
    if (known) return known
    const crawler = await createCrawler({ browserPath, pages, concurrency, took })
    const crawl = { crawler, ended: crawler.run() }
    crawls.set(concurrency, crawl)
    return crawl
  }

  return {
    async run(urls, concurrency, tell) {
      const { crawler } = await crawlOf(concurrency)
      const done = new Promise<void>((resolve) => Object.assign(rest, { left: urls.length, took: tell, done: resolve }))
      await crawler.addRequests(urls.map((url) => ({ url, uniqueKey: String(++lastKey) })))
      await done
    },
    async close() {
      for (const { crawler, ended } of crawls.values()) {
        crawler.stop()
        await ended
      }
    },
  }
}

type CrawlerOptions = { browserPath: string; pages: Contestant['pages']; concurrency: number; took: Took }

async function createCrawler({ browserPath, pages, concurrency, took }: CrawlerOptions): Promise<PlaywrightCrawler> {
  const crawlee = await import('@crawlee/playwright')
  crawlee.log.setLevel(crawlee.LogLevel.ERROR)
  return new crawlee.PlaywrightCrawler(
    {
      keepAlive: true,
      minConcurrency: concurrency,
      maxConcurrency: concurrency,
      maxRequestRetries: 0,
      // By default it looks for work only twice a second, and closes its browser between runs.
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.02 },
      browserPoolOptions: { retireInactiveBrowserAfterSecs: 3600 },
      launchContext: {
        useIncognitoPages: pages === 'new context',
        launchOptions: { executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
      },
      preNavigationHooks: [({ request }) => void (request.userData['startedAt'] = performance.now())],
      async requestHandler({ page, request }) {
        if (isScripted(new URL(request.url).pathname)) await page.waitForSelector('#done', { state: 'attached' })
        took(request.url, await page.content(), performance.now() - Number(request.userData['startedAt']))
      },
      failedRequestHandler: ({ request }) => took(request.url, '', Number.NaN),
    },
    new crawlee.Configuration({ persistStorage: false, purgeOnStart: true }),
  )
}
