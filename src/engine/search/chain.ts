import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, Ports } from '../../contracts/ports.ts'
import {
  ProviderError,
  type ProviderErrorKind,
  type SearchHit,
  type SearchOutcome,
  type SearchPeriod,
  type SearchProvider,
  type SearchRequest,
} from '../../contracts/search-port.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { canonicalResult, fuse, matchesRequest, type Ranked } from './query/merge-and-filter.ts'
import type { PageIndex } from '../../contracts/stored-pages.ts'

export type Chain = {
  /** Providers in the order they are queried. */
  providers: readonly SearchProvider[]
  /** Index of pages read before, always searched in addition to the providers. */
  local: SearchProvider
  breaker: Breaker
  cache: ResponseCache
}
type QueryPorts = Pick<Ports, 'clock'> & Pick<Chain, 'breaker' | 'cache'>

type Answered = { provider: SearchProvider; hits: readonly SearchHit[] }
/** `brief` is the reason in a few words, for a note if other providers answered. */
type Unanswered = { provider: SearchProvider; brief: string; reason: string; isLate?: true }
type ProviderOutcome = Answered | Unanswered
type ProviderResults = Ranked & { provider: SearchProvider }

/** Weight of the local index if it is the only source of results. */
const localOnlyWeight = 1

/** Maximum time for one provider. */
const maxProviderMs = 12_000
/** Minimum remaining time to query a provider. */
const minProviderMs = 250
/** Minimum share of a provider before time is reserved for the following ones. */
const minShareMs = 3000
/** Pause before the only provider is queried again. */
const retryPauseMs = 300

/**
 * Queries providers in order until there are enough results, and the local index concurrently. A provider that fails is
 * reported in `notes` and the next one is queried. If none has results, cached responses of the failed providers, up to
 * 24 hours old, are used.
 */
export async function searchChain(
  { clock }: Pick<Ports, 'clock'>,
  chain: Chain,
  request: SearchRequest,
): Promise<SearchOutcome> {
  const providers = candidates(chain.providers, request)
  const [outcomes, local] = await Promise.all([
    queryUntilEnough({ ...chain, clock }, providers, request),
    queryLocal(chain.local, request, clock.now()),
  ])
  const answered = outcomes.filter(isAnswered).map(resultsOf)
  const failed = outcomes.filter((outcome) => 'reason' in outcome)
  const isEmpty = mergeResults(answered, request, clock.now()).length === 0
  const stale = isEmpty ? staleResults(chain.cache, failed, request) : []
  const remote = [...answered, ...stale]
  const weight = answered.length === 0 ? localOnlyWeight : chain.local.weight
  const own = isAnswered(local) ? [{ ...local, hits: withoutPassages(local.hits, remote, request), weight }] : []
  const lists = [...remote, ...own]
  const hits = mergeResults(lists, request, clock.now())
  return {
    hits,
    notes: [
      ...(isEmpty ? failed.map(({ reason }) => reason) : failuresNote(failed)),
      ...(stale.length > 0 ? ['Results of the last 24 hours are shown instead.'] : []),
      ...(providers.length === 0 ? [noProviderNote(request)] : []),
      ...('reason' in local ? [local.reason] : []),
      ...unsupportedNotes(
        request,
        lists.map(({ provider }) => provider),
      ),
    ],
    isUnanswered:
      hits.length === 0 && (providers.length === 0 ? request.source !== 'web' : onlyLesserAnswered(outcomes, request)),
    isLate: failed.some(({ isLate }) => isLate),
  }
}

/** Returns notes on options that neither the providers nor the post-filter could apply. */
export function unsupportedNotes(
  { query, period, location }: SearchRequest,
  providers: readonly SearchProvider[],
): string[] {
  const withoutSupport = (supports: (provider: SearchProvider) => boolean) =>
    providers.filter((provider) => provider.name !== 'local' && !supports(provider)).map(({ name }) => name)
  const phrases = query.phrases.length > 0 ? withoutSupport((each) => each.operators.has('phrase')) : []
  const related = query.related === undefined ? [] : withoutSupport((each) => each.operators.has('related'))
  const times =
    period?.from === undefined && period?.to === undefined
      ? []
      : withoutSupport((provider) => provider.period !== 'none')
  const locations = location === undefined ? [] : withoutSupport(({ supportsLocation }) => supportsLocation === true)
  return [
    ...(phrases.length > 0 ? [`Exact phrases are searched as separate words by ${phrases.join(', ')}.`] : []),
    ...(related.length > 0 ? [`related: is not supported by ${related.join(', ')}.`] : []),
    ...(times.length > 0
      ? [`${times.join(', ')} cannot search by time; results without a date may be of any time.`]
      : []),
    ...(locations.length > 0 ? [`location is not supported by ${locations.join(', ')}.`] : []),
  ]
}

const failuresNote = (failed: readonly Unanswered[]): string[] =>
  failed.length === 0
    ? []
    : [`Without ${failed.map(({ provider, brief }) => `${provider.name} (${brief})`).join(', ')}.`]

const isAnswered = (outcome: ProviderOutcome): outcome is Answered => 'hits' in outcome

async function queryUntilEnough(ports: QueryPorts, providers: readonly SearchProvider[], request: SearchRequest) {
  const outcomes: ProviderOutcome[] = []
  // With a single provider, a temporary failure would otherwise end the search.
  const search = providers.length === 1 ? searchTwice : searchOnce
  for (const provider of providers) {
    outcomes.push(await queryProvider(ports, provider, request, search))
    const lists = outcomes.filter(isAnswered).map(resultsOf)
    if (mergeResults(lists, request, ports.clock.now()).length >= request.limit) break
  }
  return outcomes
}

/** Returns the providers that support a request; those dedicated to its category come first. */
function candidates(providers: readonly SearchProvider[], { source, category }: SearchRequest): SearchProvider[] {
  const able = providers.filter(
    ({ sources, categories }) =>
      sources.has(source) && (categories === undefined || (category !== undefined && categories.has(category))),
  )
  return able.toSorted((a, b) => Number(b.categories !== undefined) - Number(a.categories !== undefined))
}

/** Searches the local index, without the cache, so that pages read a moment ago are found. */
async function queryLocal(local: SearchProvider, request: SearchRequest, now: number): Promise<ProviderOutcome> {
  if (!local.sources.has(request.source)) return { provider: local, hits: [] }
  try {
    return { provider: local, hits: await searchWithin(timeLeftMs(request, now), local, request) }
  } catch {
    request.signal.throwIfAborted()
    return { provider: local, brief: 'failed', reason: 'The local index could not be searched.' }
  }
}

/** Removes passages from local hits that a provider found too, if the caller wants the providers' descriptions. */
function withoutPassages(
  hits: readonly SearchHit[],
  remote: readonly ProviderResults[],
  { passages }: SearchRequest,
): readonly SearchHit[] {
  if (passages !== 'none') return hits
  const known = new Set(remote.flatMap((list) => list.hits.map(({ url }) => canonicalResult(url))))
  return hits.map((hit) => {
    const { description: _, ...rest } = hit
    return known.has(canonicalResult(hit.url)) ? rest : hit
  })
}

const resultsOf = ({ provider, hits }: Answered): ProviderResults => ({ provider, hits, weight: provider.weight })

const mergeResults = (lists: readonly Ranked[], request: SearchRequest, now: number): SearchHit[] =>
  fuse(lists, request.period?.sort ?? 'relevance')
    .filter((hit) => matchesRequest(request, hit, now))
    .slice(0, request.limit)

function staleResults(
  cache: ResponseCache,
  failed: readonly Unanswered[],
  request: SearchRequest,
): readonly ProviderResults[] {
  return failed.flatMap(({ provider }) => {
    const hits = cache.stale(provider, request)
    return hits && hits.length > 0 ? [resultsOf({ provider, hits })] : []
  })
}

/**
 * True if a provider failed whose weight is higher than those of all that answered: an empty result proves little then.
 */
function onlyLesserAnswered(outcomes: readonly ProviderOutcome[], { category }: SearchRequest): boolean {
  const weightOf = ({ provider }: ProviderOutcome) =>
    category && provider.categories?.has(category) ? 1 : provider.weight
  const maxWeight = (some: readonly ProviderOutcome[]) => Math.max(-Infinity, ...some.map(weightOf))
  return maxWeight(outcomes.filter((outcome) => 'reason' in outcome)) > maxWeight(outcomes.filter(isAnswered))
}

const noProviderNote = ({ source }: SearchRequest): string =>
  source === 'web'
    ? 'No search provider is configured, so only the local index was searched.'
    : `No configured search provider supports ${source}.`

/**
 * Queries one provider, unless its response is cached or the breaker is open. Rejects only with the signal's reason.
 */
async function queryProvider(
  { clock, breaker, cache }: QueryPorts,
  provider: SearchProvider,
  request: SearchRequest,
  search: typeof searchOnce,
): Promise<ProviderOutcome> {
  const { name } = provider
  request.signal.throwIfAborted()
  const fresh = cache.fresh(provider, request)
  if (fresh) return { provider, hits: fresh }
  const pause = breaker.pauseReason(name)
  if (pause !== undefined) return { provider, brief: pause, reason: `${name} is ${pause}.` }
  const ms = timeShareMs(request, clock.now())
  if (ms < minProviderMs)
    return { provider, brief: 'no time was left', reason: `${name} was not queried: no time was left.`, isLate: true }
  try {
    const hits = await searchWithin(ms, provider, request, search)
    cache.store(provider, request, hits)
    return { provider, hits }
  } catch (thrown) {
    request.signal.throwIfAborted()
    const error = toProviderError(thrown)
    if (error.kind === 'other sites') return { provider, hits: [] }
    const isLate = thrown instanceof DeadlineError && ms < maxProviderMs
    // The provider is not paused if the caller's own time limit was short.
    if (!isLate) breaker.recordError(name, error)
    const reason = `${name} failed (${error.kind}): ${error.message}`
    return { provider, brief: error.kind, reason, ...(isLate && { isLate }) }
  }
}

/** Enforces the time limit even if the provider never responds. */
const searchWithin = (ms: number, provider: SearchProvider, request: SearchRequest, search = searchOnce) =>
  withDeadline({ step: 'search', ms }, request.signal, (signal) => search(provider, { ...request, signal }))

const searchOnce = async (provider: SearchProvider, request: SearchRequest): Promise<SearchHit[]> =>
  provider.search(request)

async function searchTwice(provider: SearchProvider, request: SearchRequest): Promise<SearchHit[]> {
  try {
    return await provider.search(request)
  } catch (thrown) {
    if (!(thrown instanceof ProviderError) || thrown.kind !== 'unreachable') throw thrown
    await sleep(retryPauseMs, undefined, { signal: request.signal })
    return provider.search(request)
  }
}

const timeLeftMs = ({ endsAt }: SearchRequest, now: number): number =>
  endsAt === undefined ? maxProviderMs : Math.max(0, endsAt - now)

/** Returns the time for one provider: half of what remains, but at least 3 s, so the next one has time if it hangs. */
function timeShareMs(request: SearchRequest, now: number): number {
  const left = timeLeftMs(request, now)
  if (request.endsAt === undefined) return maxProviderMs
  return Math.min(maxProviderMs, Math.max(left / 2, Math.min(left, minShareMs)))
}

function toProviderError(thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown
  if (thrown instanceof DeadlineError)
    return new ProviderError('timed out', `No answer within ${Number((thrown.ms / 1000).toFixed(1))} s.`, {
      cause: thrown,
    })
  return new ProviderError('unreadable answer', 'Its answer could not be read.', { cause: thrown })
}

/**
 * Creates a provider for the index of pages that the team has read before. It needs no network, and finds pages that
 * search engines do not know.
 */
export function localProvider(index: Pick<PageIndex, 'search'>): SearchProvider {
  return {
    name: 'local',
    sources: new Set(['web']),
    operators: new Set(['phrase', 'without', 'site', 'filetype', 'inUrl', 'inTitle', 'related']),
    period: 'exact',
    weight: 0.5,
    async search(request) {
      if (request.source !== 'web') return []
      const hits = await index.search({ ...request, limit: request.limit * 2 })
      return hits.map(({ url, title, description }) => ({ url, title, description }))
    },
  }
}

const minuteMs = 60_000

/** Pauses of a provider by kind of error, unless its response specifies another one. */
const pausesMs: Record<ProviderErrorKind, number> = {
  'rate limited': 3 * minuteMs,
  'bot challenge': 60 * minuteMs,
  'engines unresponsive': minuteMs,
  'json disabled': 60 * minuteMs,
  'bad key': 60 * minuteMs,
  'quota used up': 60 * minuteMs,
  'timed out': minuteMs / 2,
  'unreadable answer': 5 * minuteMs,
  unreachable: minuteMs / 2,
  refused: 3 * minuteMs,
  'other sites': 0,
}
const maxPauseMs = 24 * 60 * minuteMs

type Breaker = {
  /** Returns why a provider is paused; undefined if it is available. */
  pauseReason(name: string): string | undefined
  recordError(name: string, error: ProviderError): void
}

/**
 * Creates a circuit breaker: a provider that failed is not queried for a while, because further requests could prolong
 * a block.
 */
export function createBreaker(clock: Clock): Breaker {
  const pauses = new Map<string, { until: number; kind: ProviderErrorKind }>()
  return {
    pauseReason(name) {
      const pause = pauses.get(name)
      if (!pause || pause.until <= clock.now()) return undefined
      return `paused for ${Math.ceil((pause.until - clock.now()) / 1000)} s after: ${pause.kind}`
    },
    recordError(name, { kind, pauseMs }) {
      const until = clock.now() + Math.min(pauseMs ?? pausesMs[kind], maxPauseMs)
      // Concurrent requests may fail together; the longest pause applies.
      if (until > (pauses.get(name)?.until ?? 0)) pauses.set(name, { until, kind })
    },
  }
}

const freshMs = 10 * 60_000
const staleMs = 24 * 3_600_000
const maxEntries = 500

/**
 * Caches recent responses of providers in memory: fresh ones save a request, stale ones are used for failed providers
 * if no provider has results.
 */
export function createResponseCache(clock: Clock) {
  const entries = new Map<string, { at: number; hits: readonly SearchHit[] }>()
  const find = (
    provider: SearchProvider,
    request: SearchRequest,
    maxAgeMs: number,
  ): readonly SearchHit[] | undefined => {
    const entry = entries.get(keyOf(provider, request))
    return entry && clock.now() - entry.at <= maxAgeMs ? entry.hits : undefined
  }
  return {
    fresh: (provider: SearchProvider, request: SearchRequest) => find(provider, request, freshMs),
    stale: (provider: SearchProvider, request: SearchRequest) => find(provider, request, staleMs),
    store(provider: SearchProvider, request: SearchRequest, hits: readonly SearchHit[]): void {
      if (request.retention === 'none') return
      const key = keyOf(provider, request)
      entries.delete(key)
      entries.set(key, { at: clock.now(), hits })
      // A Map keeps insertion order, so the first key is the oldest.
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
  }
}
type ResponseCache = ReturnType<typeof createResponseCache>

/** Builds the cache key from everything that can change a provider's response. */
function keyOf({ name }: SearchProvider, request: SearchRequest): string {
  const { signal: _, endsAt: _endsAt, retention: _retention, passages: _passages, period, ...rest } = request
  return JSON.stringify([name, rest, period && periodKey(period)])
}

/** Rounds times, because "the last day" starts at a different millisecond in each call. */
const periodKey = ({ preset, from, to, sort }: SearchPeriod) => [preset ?? rounded(from), rounded(to), sort]
const rounded = (time: number | undefined) => time && Math.round(time / freshMs)
