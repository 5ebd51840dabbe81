import {
  ProviderError,
  type ProviderErrorKind,
  type SearchHit,
  type SearchProvider,
  type SearchRequest,
} from '../../src/contracts/search-port.ts'
import { type Chain, createBreaker, createResponseCache, searchChain } from '../../src/engine/search/chain.ts'
import { parseQuery } from '../../src/engine/search/query/parse-query.ts'
import { fakeClock } from '../helpers/fakes.ts'

export type Preference = Partial<Omit<SearchRequest, 'query'>> & { query?: string }

export const requestFor = ({ query = 'spider silk', ...wish }: Preference = {}): SearchRequest => ({
  source: 'web',
  category: undefined,
  includeDomains: [],
  excludeDomains: [],
  period: undefined,
  country: 'US',
  location: undefined,
  language: undefined,
  limit: 10,
  teamId: 'acme',
  signal: new AbortController().signal,
  ...wish,
  query: parseQuery(query),
})

export const hit = (name: string, more: Partial<SearchHit> = {}): SearchHit => ({
  url: `https://silk.example/${name}`,
  title: `About ${name}`,
  description: `All that is known of ${name}.`,
  ...more,
})
export const hits = (...names: string[]): SearchHit[] => names.map((name) => hit(name))

type Behaviour =
  | readonly SearchHit[]
  | Error
  | 'hangs'
  | ((request: SearchRequest) => Promise<SearchHit[]> | SearchHit[])
export type FakeProvider = SearchProvider & { requests: SearchRequest[]; behave(next: Behaviour): void }

/** Creates a provider with scripted answers that records its requests. */
export function provider(name: string, behaviour: Behaviour, over: Partial<SearchProvider> = {}): FakeProvider {
  const requests: SearchRequest[] = []
  let now = behaviour
  return {
    name,
    sources: new Set(['web', 'images', 'news']),
    operators: new Set(['phrase', 'without', 'site', 'filetype', 'inUrl', 'inTitle', 'related', 'imageSize', 'larger']),
    period: 'exact',
    weight: 1,
    ...over,
    requests,
    behave: (next) => void (now = next),
    async search(request) {
      requests.push(request)
      if (now === 'hangs') return new Promise<never>(() => {})
      if (now instanceof Error) throw now
      return typeof now === 'function' ? now(request) : [...now]
    },
  }
}

export const failing = (kind: ProviderErrorKind, pauseMs?: number) =>
  new ProviderError(kind, `It is ${kind}.`, { pauseMs })

/** Creates a chain of these providers, with a clock that only `pass` advances. */
export function chainOf(providers: readonly SearchProvider[], localHits: Behaviour = []) {
  const clock = fakeClock()
  const local = provider('local', localHits, { sources: new Set(['web']), weight: 0.5 })
  const chain: Chain = { providers, local, breaker: createBreaker(clock), cache: createResponseCache(clock) }
  return { clock, local, search: (wish?: Preference) => searchChain({ clock }, chain, requestFor(wish)) }
}

export const namesOf = (found: readonly { url: string }[]) => found.map(({ url }) => url.split('/').at(-1))
