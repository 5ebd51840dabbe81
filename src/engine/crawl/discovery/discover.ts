import type { Crawl } from '../../../contracts/crawl.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { AppError } from '../../../kernel/error.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { sitemapPlaces } from '../../net/sitemap/entry.ts'
import { readSitemaps } from '../../net/sitemap/read.ts'
import type { CrawlOptions } from '../options.ts'
import type { Links } from './links.ts'
import type { OwnRobotsBook } from './robots.ts'

export type KickOff = {
  crawl: Pick<Crawl, 'id' | 'pageLimit'>
  options: CrawlOptions
  robots: OwnRobotsBook
  links: Links
  keepDistance(url: string): Promise<void>
  request: Pick<PageRequest, 'headers' | 'skipTlsVerification'>
  signal: AbortSignal
}
export type KickedOff = { warnings: string[]; error?: Crawl['error'] }

/** On a machine with much to do a prompt answer may come late, and the whole crawl hangs on this one. */
const probeMs = 20_000
const probeBytes = 5_000_000
/** A sitemap may name another part of the site first, and at length. */
const maxListed = 1_000_000
const maxSitemapWarnings = 5

/** Finds out what is not found on pages: what robots.txt allows, the start page, and what the sitemaps list. */
export async function kickOff(ports: Pick<Ports, 'fetchPage'>, work: KickOff): Promise<KickedOff> {
  const { options, robots, links, keepDistance } = work
  const isBound = !options.ignoreRobotsTxt
  const first = await robots.of(options.url)
  const probed = isBound && first.why === 'unreachable' ? await probe(ports, work) : 'not asked'
  if (typeof probed === 'object') return { warnings: [], error: probed }
  const said = probed === 'there now' ? await robots.again(options.url) : first
  if (isBound) await keepDistance(options.url)
  await links.take([options.url], 0, 'start')
  const isClosed = isBound && said.why === 'unreachable'
  const warnings = isClosed ? [closedText] : []
  if (options.sitemap === 'skip' || isClosed) return { warnings }
  return { warnings: [...warnings, ...(await takeSitemaps(ports, work, said))] }
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
    maxUrls: maxListed,
    note: (text, url) => {
      // Nobody promised that there is one in the usual places.
      if (said.sitemaps.includes(url) || !places.includes(url)) warnings.push(text)
    },
  })
  // More could not be taken anyway.
  let room = crawl.pageLimit * 2 + 100
  for await (const entries of batches) {
    const urls = entries.map(({ url }) => url)
    room -= await links.take(urls, 0, 'sitemap')
    if (room <= 0) break
  }
  return warnings.slice(0, maxSitemapWarnings)
}

const closedText = 'robots.txt of the site could not be read, so nothing may be crawled (RFC 9309).'

/**
 * Why there is no site at all, or whether robots.txt is there after all: that it did not come does not tell a missing
 * host from a failing one. Asks for that file, since until it has come no page may be visited.
 */
async function probe(
  ports: Pick<Ports, 'fetchPage'>,
  { options, request, signal }: KickOff,
): Promise<NonNullable<Crawl['error']> | 'there now' | 'failing'> {
  const late = AbortSignal.timeout(probeMs)
  const url = `${new URL(options.url).origin}/robots.txt`
  const agent = options.robotsUserAgent
  const headers = { ...request.headers, ...(agent !== undefined && { 'user-agent': agent }) }
  try {
    const wait = AbortSignal.any([signal, late])
    const { status } = await ports.fetchPage({ url, ...request, headers, maxBytes: probeBytes, signal: wait })
    return status < 500 ? 'there now' : 'failing'
  } catch (thrown) {
    signal.throwIfAborted()
    if (late.aborted) return 'failing'
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.code === 'SCRAPE_SITE_ERROR' ? 'failing' : { code: thrown.code, message: thrown.message }
  }
}
