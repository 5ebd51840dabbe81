import { AppError, fail, failure } from '../../../kernel/error.ts'
import type { PageRequest, PageResponse } from '../../../contracts/fetch.ts'
import type { MapInput, MapLink } from '../../../schema/crawl-schema.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { timeLeft } from '../../scrape/scrape-request.ts'
import { rankByQuery } from './rank-links.ts'
import {
  type MapCall,
  type MapPorts,
  openSite,
  type Site,
  takePage,
  takeSitemaps,
  userAgent,
  type Visited,
  visitForLinks,
  walk,
} from './site.ts'
import { createRobotsCache } from '../crawl-links.ts'
import { createFileFolders, doubtfulEnding, isDocumentType } from '../scope/file-names.ts'

/** Links are not followed if the sitemaps and the start page have at least this many. */
const enough = 100

/**
 * Lists the links of a site: from its sitemaps and start page, from pages linked there if these yield few links, and
 * from pages that the team has read before. Fails with MAP_FAILED if the start page cannot be read and no sitemap lists
 * links, MAP_TIMEOUT if nothing was found in time, or REQUEST_CANCELLED.
 */
export async function mapSite(ports: MapPorts, input: MapInput, call: MapCall): Promise<MapLink[]> {
  const signal = timeLeft(ports.clock, call, input.timeout)
  try {
    const site = await openSite(ports, input, call, signal)
    await untilLate(site, signal, () => discover(ports, site, signal))
    await takeKnown(ports, site)
    await dropFiles(ports, site, signal)
    const links = await chosen(site)
    return input.verifyLinks ? await withoutDead(ports, site, links, signal) : links
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    if (call.signal.aborted) throw failure('REQUEST_CANCELLED', { cause: thrown })
    throw signal.aborted ? late(input, thrown) : thrown
  }
}

/** Returns the links found so far when the timeout ends. Fails only if there are none. */
async function untilLate(site: Site, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { input, call, found } = site
  try {
    await work()
  } catch (thrown) {
    if (!signal.aborted || call.signal.aborted) throw thrown
    const hasMore = found.size() > 1 || found.isSeen(input.url)
    if (!hasMore) throw late(input, thrown)
    call.warn(`The timeout of ${input.timeout} ms ended before the whole site was searched.`)
  }
}

const late = ({ timeout }: MapInput, cause: unknown) =>
  failure('MAP_TIMEOUT', { message: `No links were found within ${timeout} ms.`, cause })

async function discover(ports: MapPorts, site: Site, signal: AbortSignal): Promise<void> {
  const { input, found, robots, call } = site
  call.progress(0, undefined, 'Reading robots.txt')
  const rules = await robots.of(input.url)
  if (input.sitemap !== 'only') found.add(input.url, 'start')
  const [listed, start] = await Promise.allSettled([
    input.sitemap === 'skip' ? undefined : takeSitemaps(ports, site, rules, signal),
    input.sitemap === 'only' ? undefined : visitStart(ports, site, rules, signal),
  ])
  if (start.status === 'fulfilled') await takeStart(ports, site, start.value, rules, signal)
  for (const end of [listed, start]) if (end.status === 'rejected') throw end.reason
  if (found.size() === 0) call.warn('No sitemap listing pages of this site was found.')
}

/**
 * Reads the start page, which the caller requested: only an explicit robots.txt rule forbids it, not an unreachable
 * robots.txt.
 */
async function visitStart(
  ports: MapPorts,
  site: Site,
  rules: Robots,
  signal: AbortSignal,
): Promise<Visited | undefined> {
  const { input, robots, call } = site
  if (rules.why === 'unreachable' || (await robots.allows(input.url)))
    return visitForLinks(ports, site, input.url, signal)
  call.warn('robots.txt forbids the start page, so only sitemaps were read.')
  return undefined
}

async function takeStart(
  ports: MapPorts,
  site: Site,
  page: Visited | undefined,
  rules: Robots,
  signal: AbortSignal,
): Promise<void> {
  const { input, scope, found, call } = site
  if (!page) return
  noteTrouble(site, page)
  if ('url' in page && scope.keyOf(page.url) !== scope.keyOf(input.url)) await extendScope(site, page.url)
  const fresh = takePage(site, input.url, page)
  if (rules.why === 'unreachable')
    return call.warn('robots.txt could not be read, so no links were followed (RFC 9309).')
  if (found.size() >= enough && input.sitemap !== 'skip') return
  const startKey = scope.keyOf(input.url)
  const next = [...new Set([...fresh, ...found.unchecked()])].filter((url) => scope.keyOf(url) !== startKey)
  await walkForAWhile(ports, site, next, rules, signal)
}

/** Extends the scope by the site that the start page redirected to. */
async function extendScope({ scope, call }: Site, url: string): Promise<void> {
  const verdict = scope.judge(url, 0, 'link')
  if ('skipped' in verdict && verdict.skipped === 'outOfScope')
    call.warn('The start page redirected to another site, whose links are listed.')
  await scope.extend(url)
}

/** Follows links for up to half of the timeout; the links found by then are sufficient. */
async function walkForAWhile(
  ports: MapPorts,
  site: Site,
  next: readonly string[],
  rules: Robots,
  signal: AbortSignal,
): Promise<void> {
  const { input, call, robots } = site
  const half = AbortSignal.any([signal, timeLeft(ports.clock, call, input.timeout / 2)])
  try {
    await walk(ports, site, next, robots.delayMs(rules) ?? 0, half)
  } catch (thrown) {
    if (signal.aborted || !half.aborted) throw thrown
    call.warn('Following links was stopped after half of the timeout; raise timeout for more.')
  }
}

/** Warns if the start page could not be read. Fails if there are no sitemap links either. */
function noteTrouble({ found, call }: Site, page: Visited): void {
  const why = troubleOf(page)
  if (why === undefined) return
  const details = 'failure' in page ? { code: page.failure.code } : { statusCode: page.status }
  const hint = 'failure' in page && page.failure.hint
  if (found.size() <= 1)
    fail('MAP_FAILED', { message: `The site could not be mapped: ${why}`, ...(hint && { hint }), details })
  call.warn(`The start page could not be read, so only sitemaps were: ${why}`)
}

function troubleOf(page: Visited): string | undefined {
  if ('failure' in page) return page.failure.message
  if (page.isWall) return 'It answered with a bot challenge.'
  return page.status >= 400 ? `It answered with status ${page.status}.` : undefined
}

async function chosen({ input, found, call }: Site): Promise<MapLink[]> {
  const all = found.links()
  const matching = input.search ? await rankByQuery(all, input.search) : all
  if (matching.length === 0 && all.length > 0) call.warn('No link matches the search, so all are listed.')
  const links = matching.length > 0 ? matching : all
  if (links.length > input.limit)
    call.warn(`There are more links than the ${input.limit} that are listed; ${moreBy(input)}.`)
  return links.slice(0, input.limit)
}

const moreBy = ({ search }: MapInput) =>
  search ? 'raise limit for more' : 'raise limit, or name what you look for in search'

const maxKnown = 10_000

/** Adds pages of the site that the team has read before, after the links that the site lists itself. */
async function takeKnown({ index }: Pick<MapPorts, 'index'>, { input, call, found }: Site): Promise<void> {
  if (input.ignoreCache || input.sitemap === 'only' || found.isFull()) return
  const reach = input.includeSubdomains ? 'with sub-domains' : 'host'
  const { hostname } = new URL(input.url)
  // These pages are optional: without them the map is still valid.
  const known = await index.urlsOf(call.team.id, hostname, reach, maxKnown).catch(() => [])
  for (const { url, title } of known) found.add(url, 'link', title)
}

const concurrentChecks = 8
const oneLimitMs = 10_000
/** Maximum size of a checked response; an error page for a missing page is smaller. */
const maxBytes = 1_000_000
const missingStatuses = new Set([404, 410])
const unreachable = new Set(['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_ADDRESS_REFUSED'])

/**
 * Returns the links that are not broken. Links that robots.txt forbids, or that were not checked in time, are kept.
 * Fails only if the caller's signal aborts.
 */
async function withoutDead(
  ports: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  links: readonly MapLink[],
  signal: AbortSignal,
): Promise<MapLink[]> {
  const { found, call } = site
  const unchecked = links.filter(({ url }) => !found.isSeen(url))
  const dead = new Set<MapLink>()
  let checked = 0
  await sideBySide(unchecked, signal, async (link) => {
    if (await isDead(ports, site, link.url, signal)) dead.add(link)
    if (!signal.aborted) checked += 1
    call.progress(checked, unchecked.length, 'Checking links')
  })
  call.signal.throwIfAborted()
  if (checked < unchecked.length) call.warn(`No time was left to check ${unchecked.length - checked} of the links.`)
  return links.filter((link) => !dead.has(link))
}

async function sideBySide<T>(all: readonly T[], signal: AbortSignal, work: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]()
  const workInTurn = async () => {
    for (const one of rest) {
      if (signal.aborted) return
      await work(one)
    }
  }
  await Promise.all(Array.from({ length: concurrentChecks }, workInTurn))
}

async function isDead(
  ports: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  // If the server supports ranges, one byte is enough to see the status.
  const answer = await answerOf(ports, site, url, { signal, headers: { range: 'bytes=0-0' } })
  return answer instanceof AppError
    ? unreachable.has(answer.code)
    : answer !== undefined && missingStatuses.has(answer.status)
}

/** Maximum number of URLs whose type is looked up because of their name. */
const maxLookedUp = 100

/**
 * Removes URLs of files that are not documents. A name is only a hint, so their types are looked up. URLs beyond the
 * limits are kept, and so are all URLs of a site with a crawl delay.
 */
async function dropFiles(ports: Pick<MapPorts, 'fetchPage'>, site: Site, signal: AbortSignal): Promise<void> {
  const { found, robots, input } = site
  const doubtful = found.doubtful()
  if (doubtful.length === 0 || robots.delayMs(await robots.of(input.url))) return
  const folders = createFileFolders()
  let lookedUp = 0
  await sideBySide(doubtful, signal, async (url) => {
    const ending = doubtfulEnding(new URL(url).pathname) ?? ''
    if (folders.isFull(url, ending)) return found.drop(url)
    if (lookedUp++ >= maxLookedUp) return
    const answer = await answerOf(ports, site, url, { signal, isWanted: () => false })
    if (!answer || answer instanceof AppError) return
    const isFile = answer.status < 400 && !isDocumentType(answer.headers['content-type'] ?? '')
    if (isFile) folders.add(url, ending)
    if (isFile || missingStatuses.has(answer.status)) found.drop(url)
  })
}

/** Returns the answer or the error for a URL; undefined if robots.txt forbids it or if there was no time. */
async function answerOf(
  { fetchPage }: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  url: string,
  { signal, headers, isWanted }: Pick<PageRequest, 'signal' | 'isWanted'> & { headers?: Record<string, string> },
): Promise<PageResponse | AppError | undefined> {
  try {
    if (!(await site.robots.allows(url))) return undefined
    return await fetchPage({
      url,
      teamId: site.call.team.id,
      headers: { ...headers, ...site.headersFor(url) },
      skipTlsVerification: site.skipTlsVerification,
      country: site.input.location?.country,
      maxBytes,
      isWanted,
      signal: AbortSignal.any([signal, AbortSignal.timeout(oneLimitMs)]),
    })
  } catch (thrown) {
    return thrown instanceof AppError ? thrown : undefined
  }
}

/**
 * Returns a function that tests if robots.txt allows a program to read a page. The file of each site is fetched once.
 */
export function robotsCheck(
  ports: Pick<MapPorts, 'fetchPage'>,
  { team, signal }: { team: Pick<MapCall['team'], 'id'>; signal: AbortSignal },
): (url: string) => Promise<boolean> {
  const request = { teamId: team.id, agent: undefined, headers: {}, skipTlsVerification: true, signal }
  return createRobotsCache(ports, userAgent, request).allows
}

/** Lists the links of a site that robots.txt allows to read, and warns about the others. Fails as `mapSite` does. */
export const mapAllowed = async (ports: MapPorts, input: MapInput, call: MapCall): Promise<MapLink[]> =>
  onlyAllowed(ports, await mapSite(ports, input, call), call)

/** Returns the pages that robots.txt allows to read. For pages found by a program, not named by a person. */
export async function onlyAllowed<Page extends { url: string }>(
  ports: Pick<MapPorts, 'fetchPage'>,
  pages: readonly Page[],
  { team, signal, warn }: Pick<MapCall, 'team' | 'signal' | 'warn'>,
): Promise<Page[]> {
  const mayRead = robotsCheck(ports, { team, signal })
  const checked = await Promise.all(pages.map(async (page) => ((await mayRead(page.url)) ? [page] : [])))
  const allowed = checked.flat()
  if (allowed.length < pages.length) warn(`robots.txt forbids ${pages.length - allowed.length} of the pages.`)
  return allowed
}
