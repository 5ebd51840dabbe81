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
  /** Each must occur in the URL or title. `allinurl:` and `allintitle:` add one entry a word. */
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

/** When results may date from. Times in ms since the epoch; `preset` is the last hour, day … where `tbs` named one. */
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
  /** As the caller gave it, such as "Berlin,Germany". */
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
  /** `none`: descriptions stay as the providers gave them; no passage of the local index replaces them. */
  passages?: 'none' | undefined
}

/** One result of any source. Fields the provider does not give are absent. */
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

/** Why a provider did not answer. */
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
  /** It covers one site only and was asked about others. Not a failure: it counts as an empty answer. */
  | 'other sites'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderErrorKind
  /** How long the provider asks us to wait before the next request, ms. */
  readonly pauseMs: number | undefined
  /** @param message our own words: no text of the response, no key, no URL with one. */
  constructor(kind: ProviderErrorKind, message: string, init: { pauseMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: init.cause })
    this.kind = kind
    this.pauseMs = init.pauseMs
  }
}

export type SearchProvider = {
  /** As in settings and warnings, such as `brave`. */
  name: string
  sources: ReadonlySet<SearchSource>
  /** Categories it is made for; undefined = it searches everything. */
  categories?: ReadonlySet<SearchCategory>
  /** Operators it supports itself; the rest is filtered from its results. */
  operators: ReadonlySet<SearchOperator>
  /** How precisely it filters by time. */
  period: 'exact' | 'by the day' | 'none'
  /** It can search from a city, not only from a country. */
  supportsLocation?: true
  /** Weight of its list when several are fused. */
  weight: number
  /** Best first. An empty list means that nothing was found. Fails with ProviderError or the signal's reason. */
  search(request: SearchRequest): Promise<SearchHit[]>
}

export type SearchOutcome = {
  hits: SearchHit[]
  /** For the caller: which providers failed and why, which options had no effect. */
  notes: string[]
  /** True when no provider could answer. */
  isUnanswered: boolean
  /** True when a provider had too little time. */
  isLate: boolean
}
/** Searches with all configured providers. Rejects only with the signal's reason. */
export type Search = (request: SearchRequest) => Promise<SearchOutcome>
