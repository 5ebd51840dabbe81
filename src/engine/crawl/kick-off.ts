import type { Crawl } from '../../core/crawl.ts'
import { AppError } from '../../core/error.ts'
import type { Ports } from '../../core/ports.ts'
import type { PageRequest } from '../../core/fetch.ts'
import type { Robots } from '../net/robots.ts'
import { readSitemaps } from '../net/sitemap/read.ts'
import { sitemapPlaces } from '../net/sitemap/places.ts'
import { hostKey } from './host-key.ts'
import type { Links } from './links.ts'
import type { CrawlOptions } from './options.ts'
import type { RobotsBook } from './robots.ts'

export type KickOff = {
  crawl: Pick<Crawl, 'id' | 'pageLimit'>
  options: CrawlOptions
  robots: RobotsBook
  links: Links
  request: Pick<PageRequest, 'headers' | 'skipTlsVerification'>
  signal: AbortSignal
}
export type KickedOff = { warnings: string[]; error?: Crawl['error'] }

const probeBytes = 100_000
const maxSitemapWarnings = 5

/** Finds out what is not found on pages: what robots.txt allows, the start page, and what the sitemaps list. */
export async function kickOff(ports: Pick<Ports, 'fetchPage' | 'crawls'>, work: KickOff): Promise<KickedOff> {
  const { options, robots, links } = work
  const said = await robots.of(options.url)
  if (said.why === 'unreachable' && !options.ignoreRobotsTxt) {
    const error = await probe(ports, work)
    if (error) return { warnings: [], error }
  }
  await keepDistance(ports, work, said)
  await links.take([options.url], 0, 'start')
  const warnings = options.ignoreRobotsTxt ? [] : robotsWarning(said)
  if (options.sitemap === 'skip' || said.why === 'unreachable') return { warnings }
  return { warnings: [...warnings, ...(await takeSitemaps(ports, work, said))] }
}

/** A host that asks for a pause between visits gets it. */
async function keepDistance({ crawls }: Pick<Ports, 'crawls'>, { crawl, options, robots }: KickOff, said: Robots) {
  const delayMs = options.ignoreRobotsTxt ? undefined : robots.delayMs(said)
  if (delayMs !== undefined && delayMs > 0) await crawls.slowDown(crawl.id, hostKey(options.url), delayMs)
}

async function takeSitemaps(ports: Pick<Ports, 'fetchPage'>, work: KickOff, said: Robots): Promise<string[]> {
  const { crawl, options, links, request, signal } = work
  const warnings: string[] = []
  const places = sitemapPlaces(options.url, said.sitemaps)
  const batches = readSitemaps(ports.fetchPage, {
    urls: places,
    origin: new URL(options.url).origin,
    ...request,
    signal,
    // More could not be taken anyway.
    maxUrls: crawl.pageLimit * 2 + 100,
    note: (text, url) => {
      // Nobody promised that there is one in the usual places.
      if (said.sitemaps.includes(url) || !places.includes(url)) warnings.push(text)
    },
  })
  for await (const entries of batches)
    await links.take(
      entries.map(({ url }) => url),
      0,
      'sitemap',
    )
  return warnings.slice(0, maxSitemapWarnings)
}

const robotsWarning = ({ why }: Robots) =>
  why === 'unreachable' ? ['robots.txt of the site could not be read, so nothing may be crawled (RFC 9309).'] : []

/** Whether there is a site at all: robots.txt cannot tell a missing host from a failing one. */
async function probe(ports: Pick<Ports, 'fetchPage'>, { options, request, signal }: KickOff): Promise<Crawl['error']> {
  try {
    await ports.fetchPage({ url: options.url, ...request, maxBytes: probeBytes, signal })
    return null
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError)) throw thrown
    return thrown.code === 'SCRAPE_DNS_RESOLUTION_ERROR' || thrown.code === 'SCRAPE_ADDRESS_REFUSED'
      ? { code: thrown.code, message: thrown.message }
      : null
  }
}
