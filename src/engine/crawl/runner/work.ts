import type { Crawl } from '../../../contracts/crawl-ports.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { createExtendableScope } from '../scope/crawl-scope.ts'
import { createLinks, createRobotsCache, type RobotsCache } from '../crawl-links.ts'
import type { CrawlOptions } from '../crawl-options.ts'
import { requestOf } from './crawl-job.ts'
import { createFileFolders } from '../scope/file-names.ts'
import type { CrawlWork } from './visit-page.ts'
import { hostKey } from '../scope/key.ts'

/** State that this process keeps in memory for a crawl it works on. */
export type Work = CrawlWork & {
  /** Null for a batch. */
  options: CrawlOptions | null
  robots: RobotsCache
  request: Pick<PageRequest, 'teamId' | 'headers' | 'skipTlsVerification'>
  /** Applies changes made by another process. */
  refresh(crawl: Crawl): Promise<void>
  /** Reads the crawl and refreshes. */
  refreshNow(): Promise<void>
}

export async function createWork(
  ports: Pick<Ports, 'crawls' | 'fetchPage' | 'clock'>,
  crawl: Crawl,
  { userAgent }: { userAgent: string },
  signal: AbortSignal,
): Promise<Work> {
  const { options, page } = requestOf(crawl)
  const headers = page.headers ?? {}
  const skipTlsVerification = page.skipTlsVerification ?? Object.keys(headers).length === 0
  const request = { teamId: crawl.teamId, headers, skipTlsVerification }
  const robots = createRobotsCache(ports, userAgent, {
    agent: options?.robotsUserAgent,
    home: options ? new URL(options.url).origin : undefined,
    ...request,
    signal,
  })
  const rules = options ? await rulesOf(ports, crawl, options, robots) : undefined
  let finalUrl = crawl.finalUrl
  const work = {
    crawl,
    options,
    robots,
    request,
    rules,
    signal,
    async refresh(fresh: Crawl) {
      work.crawl = fresh
      if (fresh.finalUrl === null || fresh.finalUrl === finalUrl) return
      finalUrl = fresh.finalUrl
      await rules?.scope.extend(fresh.finalUrl)
      await rules?.links.releaseDeferred()
    },
    async refreshNow() {
      const fresh = await ports.crawls.find(crawl.id)
      if (fresh) await work.refresh(fresh)
    },
  }
  return work
}

async function rulesOf(
  ports: Pick<Ports, 'crawls' | 'clock'>,
  crawl: Crawl,
  options: CrawlOptions,
  robots: RobotsCache,
): Promise<NonNullable<CrawlWork['rules']>> {
  const bases = [options.url, ...(crawl.finalUrl === null ? [] : [crawl.finalUrl])]
  const warn = (text: string) => void ports.crawls.warn(crawl.id, text).catch(() => {})
  const scope = await createExtendableScope(bases, options, warn, ports.clock.now())
  const counted = options.ignoreRobotsTxt ? undefined : robots
  return {
    scope,
    robots: counted,
    applyCrawlDelay: createCrawlDelays(ports, crawl.id, robots),
    links: createLinks(ports, { crawlId: crawl.id, scope, robots: counted, isStartVisited: hasVisitedStart(crawl) }),
    files: createFileFolders(),
    followsLinks: options.sitemap !== 'only',
  }
}

/** True if any page has been visited, because the start URL is visited first. */
const hasVisitedStart = ({ finalUrl, counts: { done, failed, dropped } }: Crawl) =>
  finalUrl !== null || done + failed + dropped > 0

/** Sets the crawl delay from a site's robots.txt, once per host, and returns it in ms. */
function createCrawlDelays(
  { crawls }: Pick<Ports, 'crawls'>,
  crawlId: string,
  robots: RobotsCache,
): (url: string) => Promise<number> {
  const known = new Map<string, Promise<number>>()
  async function find(url: string, host: string): Promise<number> {
    const delayMs = robots.delayMs(await robots.of(url)) ?? 0
    if (delayMs > 0) await crawls.setCrawlDelay(crawlId, host, delayMs)
    return delayMs
  }
  return (url) => {
    const host = hostKey(url)
    const delay = known.get(host) ?? find(url, host)
    known.set(host, delay)
    // The next caller tries again.
    delay.catch(() => known.delete(host))
    return delay
  }
}
