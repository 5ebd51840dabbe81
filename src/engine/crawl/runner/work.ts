import type { Crawl } from '../../../contracts/crawl.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { hostKey } from '../begin.ts'
import { createGrowingScope } from '../discovery/growing-scope.ts'
import { createLinks } from '../discovery/links.ts'
import { createRobotsBook, type OwnRobotsBook, type RobotsBook } from '../discovery/robots.ts'
import type { CrawlOptions } from '../options.ts'
import { requestOf } from './job.ts'
import type { CrawlWork } from './visit.ts'

/** All that this process holds of a crawl it works on. */
export type Work = CrawlWork & {
  /** Null for a batch. */
  options: CrawlOptions | null
  robots: OwnRobotsBook
  request: Pick<PageRequest, 'headers' | 'skipTlsVerification'>
  /** Takes over what another process changed. */
  refresh(crawl: Crawl): Promise<void>
  /** Asks for it. */
  look(): Promise<void>
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
  const request = { headers, skipTlsVerification }
  const robots = createRobotsBook(ports, userAgent, {
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
      await rules?.scope.land(fresh.finalUrl)
      await rules?.links.settle()
    },
    async look() {
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
  robots: RobotsBook,
): Promise<NonNullable<CrawlWork['rules']>> {
  const bases = [options.url, ...(crawl.finalUrl === null ? [] : [crawl.finalUrl])]
  const warn = (text: string) => void ports.crawls.warn(crawl.id, text).catch(() => {})
  const scope = await createGrowingScope(bases, options, warn, ports.clock.now())
  const counted = options.ignoreRobotsTxt ? undefined : robots
  return {
    scope,
    robots: counted,
    keepDistance: createDistance(ports, crawl.id, robots),
    links: createLinks(ports, { crawlId: crawl.id, scope, robots: counted, isSettled: hasBegun(crawl) }),
    followsLinks: options.sitemap !== 'only',
  }
}

/** The start comes first, so that it has been visited where anything has. */
const hasBegun = ({ finalUrl, counts: { done, failed, dropped } }: Crawl) =>
  finalUrl !== null || done + failed + dropped > 0

/** Gives the site of a URL the pause between two visits that its robots.txt asks for. Costs something once for each host. */
function createDistance(
  { crawls }: Pick<Ports, 'crawls'>,
  crawlId: string,
  robots: RobotsBook,
): (url: string) => Promise<void> {
  const known = new Set<string>()
  return async (url) => {
    const host = hostKey(url)
    if (known.has(host)) return
    known.add(host)
    const delayMs = robots.delayMs(await robots.of(url))
    if (delayMs !== undefined && delayMs > 0) await crawls.setCrawlDelay(crawlId, host, delayMs)
  }
}
