import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchPage } from '../../../contracts/fetch.ts'
import { AppError } from '../../../kernel/error.ts'
import { leadsNowhere } from '../http/client.ts'
import { retryAfterMs } from '../http/answer-head.ts'
import { robotsLines, comparable, comparablePath, pathTest, type PathTest } from './robots-lines.ts'

/** What a robots.txt says, as plain data. Keep the object while it is in use: what is worked out of it stays with it. */
export type Robots = {
  readonly groups: readonly RobotsGroup[]
  /** Absolute URLs. */
  readonly sitemaps: readonly string[]
  /** `unreachable`: the site could not say, and so everything is disallowed. `redirects`: they lead to no file, and so everything is allowed. */
  readonly why?: 'unreachable' | 'redirects'
  /** What the last request failed with, where none was answered. */
  readonly fault?: AppError
}
export type RobotsGroup = {
  /** Product tokens in lower case, or `*`. */
  readonly agents: readonly string[]
  readonly rules: readonly RobotsRule[]
  readonly crawlDelayMs?: number
}
export type RobotsRule = { readonly kind: 'allow' | 'disallow'; readonly pattern: string }

export type RobotsRequest = {
  /** Scheme, host and port. */
  origin: string
  teamId: string
  /** Sent in place of any user-agent of `headers`. */
  userAgent: string
  headers?: Readonly<Record<string, string>> | undefined
  skipTlsVerification: boolean
  signal: AbortSignal
  /** For the whole, second try and the pause before it included; 10 s by default. */
  deadlineMs?: number
}

export const everythingAllowed: Robots = { groups: [], sitemaps: [] }
export const everythingDisallowed: Robots = {
  groups: [{ agents: ['*'], rules: [{ kind: 'disallow', pattern: '/' }] }],
  sitemaps: [],
}

/** RFC 9309, 2.3.1.2: more need not be followed. */
const maxHops = 5
const maxCrawlDelayMs = 60_000
const usualPauseMs = 500
const firstTryMs = 10_000
/** Longer, as it is the last. */
const secondTryMs = 20_000
/** Only the beginning is read; far above it, so that a long file is not taken for none. */
const maxFileBytes = 5_000_000

/**
 * Reads a robots.txt (RFC 9309, with Google's leniency). Anything can be read; what is no rule says nothing.
 * @param url of the file, where sitemaps may be given relative to it
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
      // Only allow and disallow end the list of a group's agents: other lines must not change how those are read.
      opensGroup = true
      if (value !== '') groups.at(-1)?.rules.push({ kind: field, pattern: comparable(value) })
    }
  }
  return { groups, sitemaps: [...sitemaps] }
}

/**
 * Whether a crawler may visit a URL. `agent` is a product token or a whole user-agent header. The longest pattern that
 * matches counts, and of two alike the one that allows. False for what is no URL.
 */
export function allows(robots: Robots, agent: string, url: string): boolean {
  const path = comparablePath(url)
  if (path === undefined) return false
  if (/^\/robots\.txt(?:\?|$)/.test(path)) return true
  return ruleFor(robots, agent, url)?.kind !== 'disallow'
}

/** The rule that decides about a URL; undefined where none fits. */
export function ruleFor(robots: Pick<Robots, 'groups'>, agent: string, url: string): RobotsRule | undefined {
  const path = comparablePath(url)
  return path === undefined ? undefined : rulesFor(robots, agent).find(({ fits }) => fits(path))
}

/** The time a crawler is asked to leave between two visits, at most 60 000 ms; the longest one if there are several. */
export function crawlDelayMs(robots: Robots, agent: string): number | undefined {
  const delays = groupsFor(robots, agent).flatMap((group) => group.crawlDelayMs ?? [])
  return delays.length === 0 ? undefined : Math.min(Math.max(...delays), maxCrawlDelayMs)
}

export function sitemapsOf(robots: Robots): readonly string[] {
  return robots.sitemaps
}

/**
 * Asks a site for its robots.txt (RFC 9309, 2.3.1): an answer 4xx, or redirects that lead to no file, mean that there are no
 * rules; an answer 5xx or none, twice, that everything is disallowed (`why`). The second try waits as long as Retry-After asks, and is left out where
 * that is past the deadline. Fails when `signal` does, and with BAD_REQUEST for a header that cannot be sent.
 */
export async function fetchRobots(fetchPage: FetchPage, request: RobotsRequest): Promise<Robots> {
  const { deadlineMs = 10_000 } = request
  const endsAt = performance.now() + deadlineMs
  const first = await askOnce(fetchPage, request, Math.min(firstTryMs, deadlineMs))
  if ('groups' in first) return first
  const { pauseMs = usualPauseMs } = first
  if (performance.now() + pauseMs >= endsAt) return unreachable(first)
  await sleep(pauseMs, undefined, { signal: request.signal }).catch(() => request.signal.throwIfAborted())
  const second = await askOnce(fetchPage, request, Math.min(secondTryMs, endsAt - performance.now()))
  return 'groups' in second ? second : unreachable(second)
}

/** `pauseMs`: how long the site asks to be left alone. */
type Failure = { fault?: AppError; pauseMs?: number | undefined }

const unreachable = ({ fault }: Failure): Robots => ({
  ...everythingDisallowed,
  why: 'unreachable',
  ...(fault && { fault }),
})

async function askOnce(fetchPage: FetchPage, request: RobotsRequest, limitMs: number): Promise<Robots | Failure> {
  const { origin, teamId, headers, userAgent, skipTlsVerification } = request
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)))])
  let hops = 0
  try {
    const {
      url,
      status,
      body,
      headers: answered,
    } = await fetchPage({
      url: `${origin}/robots.txt`,
      teamId,
      headers: { accept: 'text/plain,*/*;q=0.8', ...headers, 'user-agent': userAgent },
      skipTlsVerification,
      maxBytes: maxFileBytes,
      mayFollow: async () => ++hops <= maxHops,
      signal,
    })
    if (status >= 500) return { pauseMs: retryAfterMs(answered['retry-after'], Date.now()) }
    return status >= 200 && status < 300 ? parseRobots(body, url) : everythingAllowed
  } catch (error) {
    request.signal.throwIfAborted()
    if (error instanceof AppError && error.code === 'BAD_REQUEST') throw error
    if (hops > maxHops || leadsNowhere(error)) return { ...everythingAllowed, why: 'redirects' }
    return error instanceof AppError ? { fault: error } : {}
  }
}

type ReadyRule = RobotsRule & { fits: PathTest }
const readyRules = new WeakMap<Pick<Robots, 'groups'>, Map<string, readonly ReadyRule[]>>()

/** The rules for a crawler, those that count more first. */
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

/** Who allows the index page of a folder allows the folder itself, as Google has it. */
function withIndexPage(rule: RobotsRule): RobotsRule[] {
  const folder = /^(.*\/)index\.html?$/.exec(rule.pattern)?.[1]
  if (rule.kind === 'disallow' || folder === undefined) return [rule]
  return [rule, { kind: 'allow', pattern: `${folder}$` }]
}

/** All groups that name the crawler; those for everyone only where none does. */
export function groupsFor({ groups }: Pick<Robots, 'groups'>, agent: string): readonly RobotsGroup[] {
  const token = productToken(agent)
  const own = groups.filter(({ agents }) => token !== '' && agents.includes(token))
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
}

function agentOf(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? '*' : productToken(value)
}

/** `Name` of `Name/1.0 (…)`; crawlers that pass for a browser say theirs after "compatible". */
function productToken(agent: string): string {
  const found = /^mozilla\/[\d.]+ \(compatible; ?([\w-]+)/i.exec(agent)?.[1] ?? /^[\w-]*/.exec(agent)?.[0] ?? ''
  return found.toLowerCase()
}

function delayOf(seconds: string): { crawlDelayMs: number } | undefined {
  return /^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(seconds)
    ? { crawlDelayMs: Math.round(Number(seconds) * 1000) }
    : undefined
}

/** As sites write them: relative, without a scheme, in quotes or in angle brackets. */
function absolute(value: string, base: string | undefined): string[] {
  const [, quoted = value] = /^(?:"(.*)"|'(.*)'|<(.*)>)$/.exec(value)?.filter((part) => part !== undefined) ?? []
  const url = quoted.trim() === '' ? null : URL.parse(quoted, base)
  return url && /^https?:$/.test(url.protocol) ? [url.href] : []
}
