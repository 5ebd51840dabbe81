import type { Crawl } from '../../../contracts/crawl.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { AppError } from '../../../kernel/error.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { sitemapUrls } from '../../net/sitemap/entry.ts'
import { readSitemaps } from '../../net/sitemap/read.ts'
import type { CrawlOptions } from '../options.ts'
import type { Links } from './links.ts'
import type { RobotsCache } from './robots.ts'

export type SeedingTask = {
  crawl: Pick<Crawl, 'id' | 'pageLimit'>
  options: CrawlOptions
  robots: RobotsCache
  links: Links
  applyCrawlDelay(url: string): Promise<void>
  request: Pick<PageRequest, 'headers' | 'skipTlsVerification'>
  signal: AbortSignal
}
export type SeedingResult = { warnings: string[]; error?: Crawl['error'] }

/** Long, as the whole crawl depends on this answer and a loaded machine may read it late. */
const probeMs = 20_000
const probeBytes = 5_000_000
/** A sitemap may first list many pages that are out of scope. */
const maxListed = 1_000_000
const maxSitemapWarnings = 5

/** Reads what is not found on pages: robots.txt and the sitemaps. Adds the start URL and the URLs they list. */
export async function seedCrawl(ports: Pick<Ports, 'fetchPage'>, work: SeedingTask): Promise<SeedingResult> {
  const { options, robots, links, applyCrawlDelay } = work
  const obeysRobots = !options.ignoreRobotsTxt
  const first = await robots.of(options.url)
  const probed = obeysRobots && first.why === 'unreachable' ? await probe(ports, work) : 'not probed'
  if (typeof probed === 'object') return { warnings: [], error: probed }
  const rules = probed === 'available' ? await robots.refetch(options.url) : first
  if (obeysRobots) await applyCrawlDelay(options.url)
  await links.take([options.url], 0, 'start')
  const isForbidden = obeysRobots && rules.why === 'unreachable'
  const warnings = isForbidden ? [unreadableRobots] : []
  if (options.sitemap === 'skip' || isForbidden) return { warnings }
  return { warnings: [...warnings, ...(await takeSitemaps(ports, work, rules))] }
}

async function takeSitemaps(ports: Pick<Ports, 'fetchPage'>, work: SeedingTask, rules: Robots): Promise<string[]> {
  const { crawl, options, links, request, signal } = work
  const warnings: string[] = []
  const sitemaps = sitemapUrls(options.url, rules.sitemaps)
  const batches = readSitemaps(ports.fetchPage, {
    urls: sitemaps,
    origin: new URL(options.url).origin,
    ...request,
    signal,
    maxUrls: maxListed,
    note: (text, url) => {
      // A missing sitemap is worth a warning only if robots.txt or another sitemap names it.
      if (rules.sitemaps.includes(url) || !sitemaps.includes(url)) warnings.push(text)
    },
  })
  // The frontier would store no more.
  let room = crawl.pageLimit * 2 + 100
  for await (const entries of batches) {
    const urls = entries.map(({ url }) => url)
    room -= await links.take(urls, 0, 'sitemap')
    if (room <= 0) break
  }
  return warnings.slice(0, maxSitemapWarnings)
}

const unreadableRobots = 'robots.txt of the site could not be read, so nothing may be crawled (RFC 9309).'

/**
 * Tells a host that does not exist (an error that ends the crawl) from one that is failing, once robots.txt could not be
 * read. Requests robots.txt again, as no other URL may be fetched until it has been read.
 */
async function probe(
  ports: Pick<Ports, 'fetchPage'>,
  { options, request, signal }: SeedingTask,
): Promise<NonNullable<Crawl['error']> | 'available' | 'failing'> {
  const deadline = AbortSignal.timeout(probeMs)
  const url = `${new URL(options.url).origin}/robots.txt`
  const agent = options.robotsUserAgent
  const headers = { ...request.headers, ...(agent !== undefined && { 'user-agent': agent }) }
  try {
    const bounded = AbortSignal.any([signal, deadline])
    const { status } = await ports.fetchPage({ url, ...request, headers, maxBytes: probeBytes, signal: bounded })
    return status < 500 ? 'available' : 'failing'
  } catch (thrown) {
    signal.throwIfAborted()
    if (deadline.aborted) return 'failing'
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.code === 'SCRAPE_SITE_ERROR' ? 'failing' : { code: thrown.code, message: thrown.message }
  }
}
