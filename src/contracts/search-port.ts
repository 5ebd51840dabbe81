import type { searchCategories, searchSources } from '../schema/search-schema.ts'

export type SearchSource = (typeof searchSources)[number]
export type SearchCategory = (typeof searchCategories)[number]

/** A parsed query. Texts are as typed, without quotes; hosts and file extensions are in lower case. */
export type SearchQuery = {
  /** The whole query as typed, trimmed. */
  text: string
  /** Words that should occur. */
  terms: readonly string[]
  phrases: readonly string[]
  /** Words and phrases that must not occur in title or description. */
  without: readonly string[]
  /** True when terms are joined by OR. */
  isAny: boolean
  /** Hosts with an optional path; a result must match one of them. */
  site: readonly string[]
  notSite: readonly string[]
  filetype: readonly string[]
  notFiletype: readonly string[]
  /** Each must occur in the URL or title. `allinurl:` and `allintitle:` add one entry per word. */
  inUrl: readonly string[]
  notInUrl: readonly string[]
  inTitle: readonly string[]
  notInTitle: readonly string[]
  related: string | undefined
  imageSize: { width: number; height: number } | undefined
  larger: { width: number; height: number } | undefined
}
/** Query operators that a provider may support itself. */
export type SearchOperator =
  | 'phrase'
  | 'without'
  | 'site'
  | 'filetype'
  | 'inUrl'
  | 'inTitle'
  | 'related'
  | 'imageSize'
  | 'larger'

/** Date range of results, in ms since the epoch; `preset` is the last hour, day … if `tbs` names one. */
export type SearchPeriod = {
  from: number | undefined
  to: number | undefined
  preset: 'h' | 'd' | 'w' | 'm' | 'y' | undefined
  /** Newest first instead of best first. */
  sort: 'relevance' | 'date'
}

/** One request to a provider. */
export type SearchRequest = {
  source: SearchSource
  query: SearchQuery
  category: SearchCategory | undefined
  /** Host names; at most one of the two lists is filled. */
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
  period: SearchPeriod | undefined
  /** ISO code, upper case. */
  country: string
  /** As given by the caller, such as "Berlin,Germany". */
  location: string | undefined
  language: string | undefined
  /** Number of results wanted; a provider may return more. */
  limit: number
  teamId: string
  signal: AbortSignal
  /** Deadline, ms since the epoch; results found by then are returned. */
  endsAt?: number | undefined
  /** `none`: nothing of this request may be stored. */
  retention?: 'none' | undefined
  /** `none`: keeps the descriptions of the providers, instead of passages of the local index. */
  passages?: 'none' | undefined
}

/** One result of any source. Fields that the provider does not return are absent. */
export type SearchHit = {
  url: string
  title: string
  description?: string
  /** ISO 8601. */
  date?: string
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
  category?: SearchCategory
}

/** Why a provider failed. */
export type ProviderErrorKind =
  | 'rate limited'
  | 'bot challenge'
  | 'engines unresponsive'
  | 'json disabled'
  | 'bad key'
  | 'quota used up'
  | 'timed out'
  | 'unreadable answer'
  | 'unreachable'
  | 'refused'
  /** The provider covers one site only and was queried about others. Not a failure: it counts as an empty result. */
  | 'other sites'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderErrorKind
  /** Pause that the provider demands before the next request, ms. */
  readonly pauseMs: number | undefined
  /** @param message must be text of the program: no text of the response, no key, no URL with one. */
  constructor(kind: ProviderErrorKind, message: string, init: { pauseMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: init.cause })
    this.kind = kind
    this.pauseMs = init.pauseMs
  }
}

export type SearchProvider = {
  /** Name in settings and warnings, such as `brave`. */
  name: string
  sources: ReadonlySet<SearchSource>
  /** Categories that it supports; undefined = all. */
  categories?: ReadonlySet<SearchCategory>
  /** Operators it supports itself; the rest is filtered from its results. */
  operators: ReadonlySet<SearchOperator>
  /** Precision of its time filter. */
  period: 'exact' | 'by the day' | 'none'
  /** True if it can search from a city, not only from a country. */
  supportsLocation?: true
  /** Weight of its list when several are fused. */
  weight: number
  /** Best first. An empty list means that nothing was found. Fails with ProviderError or the signal's reason. */
  search(request: SearchRequest): Promise<SearchHit[]>
}

export type SearchOutcome = {
  hits: SearchHit[]
  /** Names the providers that failed, with the reason, and the options that had no effect. */
  notes: string[]
  /** True if no provider could answer. */
  isUnanswered: boolean
  /** True if a provider ran out of time. */
  isLate: boolean
}
/** Searches with all configured providers. Rejects only with the signal's reason. */
export type Search = (request: SearchRequest) => Promise<SearchOutcome>
