import type { FoundPage, PageSource, Skipped, SkipReason } from '../../contracts/crawl-ports.ts'
import type { PageResponse } from '../../contracts/fetch.ts'
import type { PageContent } from '../../contracts/page-content.ts'
import type { Ports } from '../../contracts/ports.ts'
import { pagesInHead } from '../net/http/answer-head.ts'
import type { Scope } from './scope/crawl-scope.ts'
import { repeatedLinks } from './scope/key.ts'
import { allows, crawlDelayMs, fetchRobots, type Robots } from '../net/robots/robots.ts'

/** robots.txt rules of all sites that a crawl visits. */
export type RobotsCache = {
  /** User agent whose rules apply: the caller's `robotsUserAgent`, or Gossamer's own name. */
  agent: string
  /** Returns the rules of the URL's site. Each file is fetched once, even if that fails. */
  of(url: string): Promise<Robots>
  /** True if the rules of the URL's site have been requested. */
  knows(url: string): boolean
  allows(url: string): Promise<boolean>
  delayMs(robots: Robots): number | undefined
  /** Same as `of`, with a longer timeout for a site that is slow or asks clients to wait. */
  patiently(url: string): Promise<Robots>
}

type RobotsCacheOptions = {
  teamId: string
  agent: string | undefined
  /** The only origin that the headers are sent to. */
  home?: string | undefined
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  signal: AbortSignal
}

const usualMs = 10_000
/** Timeout for the robots.txt of the start page: the whole crawl depends on it, so a slow site gets more time. */
const patientMs = 60_000

export function createRobotsCache(
  { fetchPage }: Pick<Ports, 'fetchPage'>,
  userAgent: string,
  options: RobotsCacheOptions,
): RobotsCache {
  const { teamId, agent, home, headers, skipTlsVerification, signal } = options
  const name = agent ?? userAgent
  const requested = new Map<string, Promise<Robots>>()
  const of = (url: string, deadlineMs = usualMs): Promise<Robots> => {
    const { origin } = new URL(url)
    const robots =
      requested.get(origin) ??
      fetchRobots(fetchPage, {
        origin,
        teamId,
        userAgent: name,
        headers: origin === home ? headers : {},
        skipTlsVerification,
        signal,
        deadlineMs,
      })
    requested.set(origin, robots)
    return robots
  }
  return {
    agent: name,
    of: (url) => of(url),
    patiently: (url) => of(url, patientMs),
    knows: (url) => requested.has(new URL(url).origin),
    allows: async (url) => allows(await of(url), name, url),
    delayMs: (robots) => crawlDelayMs(robots, name),
  }
}

export type Links = {
  /**
   * Adds the URLs that are pages of the crawl and records why the others are skipped. Returns the number of new pages.
   * `from` is the page that links to them.
   */
  take(urls: readonly string[], depth: number, source: PageSource, from?: string): Promise<number>
  /** Judges URLs again that were out of scope. Call it once the final URL of the start page is known. */
  releaseDeferred(): Promise<void>
}
type FoundLink = { url: string; depth: number; source: PageSource; isRepeated?: boolean }

/** Maximum number of URLs remembered as judged; beyond it all are forgotten and judged again. */
const maxRemembered = 200_000
/**
 * Maximum number of skipped URLs of a crawl that a process records: a site that links everywhere must not fill the
 * disk.
 */
const maxSkipped = 20_000
const maxDeferred = 100_000
const slice = 1000

type LinksOptions = {
  crawlId: string
  scope: Scope
  /** Undefined if robots.txt is ignored. */
  robots: RobotsCache | undefined
  isStartVisited: boolean
}

export function createLinks({ crawls }: Pick<Ports, 'crawls'>, options: LinksOptions): Links {
  const { crawlId, scope, robots } = options
  const seen = createSeen()
  const { judge, isKnown } = createJudge(scope, robots)
  let { isStartVisited } = options
  let deferred: FoundLink[] = []
  let recorded = 0

  const addAll = (found: readonly FoundLink[]) => inSlices(found, addSlice)

  async function addSlice(found: readonly FoundLink[]): Promise<number> {
    const isScopeFinal = isStartVisited
    const judged = await Promise.all(found.map(async (each) => ({ each, verdict: await judge(each) })))
    // A skipped start URL will never be visited, so its visit need not be awaited.
    isStartVisited ||= judged.some(({ each, verdict }) => each.source === 'start' && 'reason' in verdict)
    const outside = isScopeFinal
      ? []
      : judged.filter(({ verdict }) => 'reason' in verdict && verdict.reason === 'outOfScope')
    const deferring = new Set(outside)
    const verdicts = judged.filter((each) => !deferring.has(each)).map(({ verdict }) => verdict)
    const skipped = verdicts.filter((each) => 'reason' in each).slice(0, Math.max(0, maxSkipped - recorded))
    recorded += skipped.length
    const pages = verdicts.filter((each) => 'key' in each)
    const [added] = await Promise.all([crawls.add(crawlId, pages), crawls.skip(crawlId, skipped)])
    return added + (await deferOutside(outside.map(({ each }) => each)))
  }

  /** Defers URLs that are out of scope while the start URL may still redirect to their site. */
  async function deferOutside(found: readonly FoundLink[]): Promise<number> {
    if (isStartVisited) return addAll(found)
    deferred = [...deferred, ...found].slice(0, maxDeferred)
    return 0
  }

  return {
    take(urls, depth, source, from) {
      const repeated = from === undefined ? undefined : repeatedLinks(from, urls, isKnown)
      const found = urls
        .filter((url) => seen.isFirst(url, depth))
        .map((url) => ({ url, depth, source, isRepeated: repeated?.has(url) ?? false }))
      return seen.orForget(found, addAll(found))
    },
    async releaseDeferred() {
      isStartVisited = true
      await addAll(deferred)
      deferred = []
    },
  }
}

/** Judges URLs, and remembers which ones are pages. */
function createJudge(scope: Scope, robots: RobotsCache | undefined) {
  const keys = new Set<string>()
  const isKnown = (url: string) => keys.has(scope.keyOf(url))

  /** True if a URL beyond the depth limit is another name of a page that the crawl already has. */
  const isOtherName = (url: string, reason: SkipReason) => reason === 'depth' && isKnown(url)

  async function judge({ url, depth, source, isRepeated }: FoundLink): Promise<FoundPage | Skipped> {
    if (isRepeated) return { url, reason: 'trap' }
    const verdict = scope.judge(url, depth, source)
    if ('skipped' in verdict) return { url, reason: isOtherName(url, verdict.skipped) ? 'duplicate' : verdict.skipped }
    // The robots.txt of another host is fetched only before the first visit there, so links to many hosts do not wait.
    const isBlocked = robots?.knows(url) === true && !(await robots.allows(url))
    if (isBlocked) return { url, reason: 'robots' }
    if (keys.size >= maxRemembered) keys.clear()
    keys.add(verdict.page.key)
    return { ...verdict.page, source }
  }
  return { judge, isKnown }
}

/** Works in slices so other tasks can run in between, however many links a page has. */
async function inSlices(
  found: readonly FoundLink[],
  take: (some: readonly FoundLink[]) => Promise<number>,
): Promise<number> {
  let added = 0
  for (let from = 0; from < found.length; from += slice) added += await take(found.slice(from, from + slice))
  return added
}

function createSeen() {
  const depths = new Map<string, number>()
  return {
    /** True if the URL is new or was found at a smaller depth than before. */
    isFirst(url: string, depth: number): boolean {
      if ((depths.get(url) ?? Infinity) <= depth) return false
      if (depths.size >= maxRemembered) depths.clear()
      depths.set(url, depth)
      return true
    },
    /** Forgets URLs that could not be added, so they count as new when the page that links to them is visited again. */
    async orForget<T>(found: readonly FoundLink[], adding: Promise<T>): Promise<T> {
      try {
        return await adding
      } catch (thrown) {
        for (const { url } of found) depths.delete(url)
        throw thrown
      }
    },
  }
}

/** Returns the URLs that a page names outside its text: in headers, link elements and refreshes. */
export const leadsOf = (
  response: Pick<PageResponse, 'headers' | 'url'>,
  { leads = [] }: PageContent,
): { url: string; text: string }[] => [...leads, ...pagesInHead(response)].map((url) => ({ url, text: '' }))
