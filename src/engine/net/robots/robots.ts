import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchPage } from '../../../contracts/fetch.ts'
import { AppError } from '../../../kernel/error.ts'
import { retryAfterMs } from '../http/answer-head.ts'
import { comparable, pathTest, type PathTest, robotsLines } from './robots-lines.ts'

/** Parsed robots.txt as plain data. Rules derived from it are cached by the object, so callers should reuse it. */
export type Robots = {
  readonly groups: readonly RobotsGroup[]
  /** Absolute URLs. */
  readonly sitemaps: readonly string[]
  /**
   * Reason why there are no rules of the site. `unreachable`: it did not answer, so everything is disallowed.
   * `redirects`: they lead to no file, so everything is allowed.
   */
  readonly why?: 'unreachable' | 'redirects'
  /** Error of the last request, if there was no response. */
  readonly fault?: AppError
}
type RobotsGroup = {
  /** Product tokens in lower case, or `*`. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
  readonly crawlDelayMs?: number
}
type RobotsRule = { readonly kind: 'allow' | 'disallow'; readonly pattern: string }

export type RobotsRequest = {
  /** Scheme, host and port. */
  origin: string
  teamId: string
  /** Replaces any user-agent in `headers`. */
  userAgent: string
  headers?: Readonly<Record<string, string>> | undefined
  skipTlsVerification: boolean
  signal: AbortSignal
  /** Time limit in total, including the second attempt and the pause before it; 10 s by default. */
  deadlineMs?: number
}

export const everythingAllowed: Robots = { groups: [], sitemaps: [] }
export const everythingDisallowed: Robots = {
  groups: [{ agents: ['*'], rules: [{ kind: 'disallow', pattern: '/' }] }],
  sitemaps: [],
}

/** Number of redirects that crawlers should follow (RFC 9309, 2.3.1.2). */
const maxHops = 5
const maxCrawlDelayMs = 60_000
const usualPauseMs = 500
const firstTryMs = 10_000
/** The last attempt has more time. */
const secondTryMs = 20_000
/** Far above the part that is parsed, so that a long file is not treated as missing. */
const maxFileBytes = 5_000_000

/**
 * Parses a robots.txt (RFC 9309, as lenient as Google). Never fails; unknown lines are ignored. `url` is that of the
 * file, for relative sitemap URLs.
 */
export function parseRobots(body: Uint8Array, url?: string): Robots {
  const groups: { agents: string[]; rules: RobotsRule[]; crawlDelayMs?: number }[] = []
  const sitemaps = new Set<string>()
  let opensGroup = true
  for (const { field, value } of robotsLines(body)) {
    if (field === 'user-agent') {
      if (opensGroup) groups.push({ agents: [], rules: [] })
      opensGroup = false
      groups.at(-1)?.agents.push(agentOf(value))
    } else if (field === 'sitemap') {
      for (const each of absolute(value, url)) sitemaps.add(each)
    } else if (field === 'crawl-delay') {
      Object.assign(groups.at(-1) ?? {}, delayOf(value))
    } else {
      // Only allow and disallow end the agent list of a group: other lines must not affect it.
      opensGroup = true
      if (value !== '') groups.at(-1)?.rules.push({ kind: field, pattern: comparable(value) })
    }
  }
  return { groups, sitemaps: [...sitemaps] }
}

/**
 * True if a crawler may visit a URL. `agent` is a product token or a whole user-agent header. The longest matching
 * pattern decides; for equal lengths, allow wins. False for an invalid URL.
 */
export function allows(robots: Robots, agent: string, url: string): boolean {
  const path = comparablePath(url)
  if (path === undefined) return false
  if (/^\/robots\.txt(?:\?|$)/.test(path)) return true
  return ruleFor(robots, agent, url)?.kind !== 'disallow'
}

/** Returns the rule that decides about a URL; undefined if none matches. */
export function ruleFor(robots: Pick<Robots, 'groups'>, agent: string, url: string): RobotsRule | undefined {
  const path = comparablePath(url)
  return path === undefined ? undefined : rulesFor(robots, agent).find(({ fits }) => fits(path))
}

/** Returns path and query of a URL in normalized form; undefined for an invalid URL. */
function comparablePath(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  // `search` does not show a lone question mark, but `href` does.
  const { href, protocol } = parsed
  const [whole = ''] = href.slice(protocol.length + 2).split('#', 1)
  const slash = whole.indexOf('/')
  const path = slash === -1 ? '/' : whole.slice(slash)
  return comparable(path).replaceAll('*', '%2A').replaceAll('$', '%24')
}

/** Returns the crawl delay in ms, at most 60 000; the longest one if there are several. */
export function crawlDelayMs(robots: Robots, agent: string): number | undefined {
  const delays = groupsFor(robots, agent).flatMap((group) => group.crawlDelayMs ?? [])
  return delays.length === 0 ? undefined : Math.min(Math.max(...delays), maxCrawlDelayMs)
}

/**
 * Fetches the robots.txt of a site (RFC 9309, 2.3.1). After a 4xx response, or redirects that lead to no file, there
 * are no rules. If two attempts get 5xx or no response, everything is disallowed (`why`). The second attempt waits as
 * long as Retry-After demands, and is skipped if that exceeds the deadline. Fails if `signal` aborts, and with
 * BAD_REQUEST for an invalid header.
 */
export async function fetchRobots(fetchPage: FetchPage, request: RobotsRequest): Promise<Robots> {
  const { deadlineMs = 10_000 } = request
  const endsAt = performance.now() + deadlineMs
  const first = await fetchOnce(fetchPage, request, Math.min(firstTryMs, deadlineMs))
  if ('groups' in first) return first
  const { pauseMs = usualPauseMs } = first
  if (performance.now() + pauseMs >= endsAt) return unreachable(first)
  await sleep(pauseMs, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
  const second = await fetchOnce(fetchPage, request, Math.min(secondTryMs, endsAt - performance.now()))
  return 'groups' in second ? second : unreachable(second)
}

/** `pauseMs`: pause requested by Retry-After. */
type Failure = { fault?: AppError; pauseMs?: number | undefined }

const unreachable = ({ fault }: Failure): Robots => ({
  ...everythingDisallowed,
  why: 'unreachable',
  ...(fault && { fault }),
})

/** True if the redirects of a site never reach a page. */
const leadsNowhere = (error: unknown): boolean =>
  error instanceof AppError &&
  typeof error.details === 'object' &&
  error.details !== null &&
  'redirects' in error.details

async function fetchOnce(fetchPage: FetchPage, request: RobotsRequest, limitMs: number): Promise<Robots | Failure> {
  const { origin, teamId, headers, userAgent, skipTlsVerification } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)))])
  let hops = 0
  try {
    const page = await fetchPage({
      url: `${origin}/robots.txt`,
      teamId,
      headers: { accept: 'text/plain,*/*;q=0.8', ...headers, 'user-agent': userAgent },
      skipTlsVerification,
      maxBytes: maxFileBytes,
      mayFollow: async () => ++hops <= maxHops,
      signal,
    })
    if (page.status >= 500) return { pauseMs: retryAfterMs(page.headers['retry-after'], Date.now()) }
    return page.status >= 200 && page.status < 300 ? parseRobots(page.body, page.url) : everythingAllowed
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof AppError && error.code === 'BAD_REQUEST') throw error
    if (hops > maxHops || leadsNowhere(error)) return { ...everythingAllowed, why: 'redirects' }
    return error instanceof AppError ? { fault: error } : {}
  }
}

/** A rule with its compiled pattern. */
type ReadyRule = RobotsRule & { fits: PathTest }
const readyRules = new WeakMap<Pick<Robots, 'groups'>, Map<string, readonly ReadyRule[]>>()

/** Returns the rules for a crawler, by descending precedence. */
function rulesFor(robots: Pick<Robots, 'groups'>, agent: string): readonly ReadyRule[] {
  const byAgent = readyRules.get(robots) ?? new Map<string, readonly ReadyRule[]>()
  const known = byAgent.get(agent)
  if (known) return known
  const rules = groupsFor(robots, agent)
    .flatMap((group) => group.rules.flatMap(withIndexPage))
    .map(({ kind, pattern }): ReadyRule => ({ kind, pattern, fits: pathTest(pattern) }))
    .sort((a, b) => b.pattern.length - a.pattern.length || a.kind.localeCompare(b.kind))
  readyRules.set(robots, byAgent.set(agent, rules))
  return rules
}

/** A rule that allows the index page of a folder also allows the folder itself, as Google does. */
function withIndexPage(rule: RobotsRule): RobotsRule[] {
  const folder = /^(.*\/)index\.html?$/.exec(rule.pattern)?.[1]
  if (rule.kind === 'disallow' || folder === undefined) return [rule]
  return [rule, { kind: 'allow', pattern: `${folder}$` }]
}

/** Returns all groups that name the crawler; the groups for `*` only if there are none. */
export function groupsFor({ groups }: Pick<Robots, 'groups'>, agent: string): readonly RobotsGroup[] {
  const token = productToken(agent)
  const own = groups.filter(({ agents }) => token !== '' && agents.includes(token))
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
}

function agentOf(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? '*' : productToken(value)
}

/**
 * Returns the product token, such as `name` of `Name/1.0 (…)`; crawlers that imitate a browser have it after
 * "compatible".
 */
function productToken(agent: string): string {
  const found = /^mozilla\/.*\(compatible; ?([\w-]+)/i.exec(agent)?.[1] ?? /^[\w-]*/.exec(agent)?.[0] ?? ''
  return found.toLowerCase()
}

function delayOf(seconds: string): { crawlDelayMs: number } | undefined {
  return /^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(seconds)
    ? { crawlDelayMs: Math.round(Number(seconds) * 1000) }
    : undefined
}

/** Resolves a sitemap URL, which may be relative, without a scheme, in quotes or in angle brackets. */
function absolute(value: string, base: string | undefined): string[] {
  const [, quoted = value] = /^(?:"(.*)"|'(.*)'|<(.*)>)$/.exec(value)?.filter((part) => part !== undefined) ?? []
  const url = quoted.trim() === '' ? null : URL.parse(quoted, base)
  return url && /^https?:$/.test(url.protocol) ? [url.href] : []
}
