import type { SearchHit, SearchPeriod, SearchProvider, SearchRequest } from '../../contracts/search-port.ts'
import type { Clock } from '../../contracts/ports.ts'

const freshMs = 10 * 60_000
const staleMs = 24 * 3_600_000
const maxEntries = 500

type CachedResponse = { at: number; hits: readonly SearchHit[] }

/**
 * Caches recent responses of providers in memory: fresh ones save a request, stale ones are used if every provider
 * fails.
 */
export function createResponseCache(clock: Clock) {
  const entries = new Map<string, CachedResponse>()
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
export type ResponseCache = ReturnType<typeof createResponseCache>

/** Builds the cache key from everything that can change a provider's response. */
function keyOf({ name }: SearchProvider, request: SearchRequest): string {
  const { signal: _, endsAt: _end, retention: _kept, passages: _ours, period, ...rest } = request
  return JSON.stringify([name, rest, period && periodKey(period)])
}

/** "The last day" starts at a different millisecond in each call, so times are rounded. */
const periodKey = ({ preset, from, to, sort }: SearchPeriod) => [preset ?? rounded(from), rounded(to), sort]
const rounded = (time: number | undefined) => time && Math.round(time / freshMs)
