export const searchSources = ['web', 'images', 'news'] as const
export type SearchSource = (typeof searchSources)[number]
export const searchCategories = ['github', 'research', 'pdf'] as const
export type SearchCategory = (typeof searchCategories)[number]

/** A query taken apart. Texts are as they were typed, without quotes; hosts, extensions and the like are in lower case. */
export type SearchQuery = {
  /** As it was typed, trimmed. */
  text: string
  /** Words that should occur. */
  terms: readonly string[]
  phrases: readonly string[]
  /** Words and phrases that must not occur in title or description. */
  without: readonly string[]
  /** True when terms are joined by OR. */
  isAny: boolean
  /** Hosts, with an optional path; one of them has to hold. */
  site: readonly string[]
  notSite: readonly string[]
  filetype: readonly string[]
  notFiletype: readonly string[]
  /** Each has to occur in the URL or title. `allinurl:` and `allintitle:` add to these, a word each. */
  inUrl: readonly string[]
  notInUrl: readonly string[]
  inTitle: readonly string[]
  notInTitle: readonly string[]
  related: string | undefined
  imageSize: { width: number; height: number } | undefined
  larger: { width: number; height: number } | undefined
}
/** Operators that a provider may honour by itself. */
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

/** When results may date from. Times in ms since the epoch; `bare` is the service's own word where there is one. */
export type SearchPeriod = {
  from: number | undefined
  to: number | undefined
  bare: 'h' | 'd' | 'w' | 'm' | 'y' | undefined
  /** Newest first instead of best first. */
  sort: 'relevance' | 'date'
}

/** What a provider is asked. */
export type SearchRequest = {
  source: SearchSource
  query: SearchQuery
  category: SearchCategory | undefined
  /** Hosts only; each list may be empty, never both full. */
  includeDomains: readonly string[]
  excludeDomains: readonly string[]
  period: SearchPeriod | undefined
  /** ISO code, upper case. */
  country: string
  /** As the caller gave it, such as "Berlin,Germany". */
  location: string | undefined
  language: string | undefined
  /** How many results are wanted; more do no harm. */
  limit: number
  teamId: string
  signal: AbortSignal
  /** When an answer is wanted at the latest, ms since the epoch: what is known by then counts. */
  endsAt?: number | undefined
  /** `none`: nothing of this request may be kept. */
  retention?: 'none' | undefined
  /** `none`: descriptions stay as providers gave them, whatever we know of a page ourselves. */
  passages?: 'none' | undefined
}

/** One result of any source. What a provider does not know is absent. */
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

/** Why a provider has no answer. */
export type SearchFault =
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
  /** It knows one site only, and was asked about others: it has nothing to say, and nothing is wrong with it. */
  | 'other sites'

export class SearchError extends Error {
  override readonly name = 'SearchError'
  readonly fault: SearchFault
  /** How long the provider asked to be left alone, ms. */
  readonly pauseMs: number | undefined
  /** @param message in our own words: no text of the answer, no key, no address with one. */
  constructor(fault: SearchFault, message: string, init: { pauseMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: init.cause })
    this.fault = fault
    this.pauseMs = init.pauseMs
  }
}

export type SearchProvider = {
  /** As in settings and warnings, such as `brave`. */
  name: string
  sources: ReadonlySet<SearchSource>
  /** Categories it is made for; undefined = it searches everything. */
  categories?: ReadonlySet<SearchCategory>
  /** What it honours by itself; the rest is filtered afterwards. */
  operators: ReadonlySet<SearchOperator>
  /** How well it keeps a period. */
  period: 'exact' | 'by the day' | 'none'
  /** It knows places, not countries alone. */
  knowsPlaces?: true
  /** Share in the fusion of several lists. */
  weight: number
  /** Best first. An empty list means that the provider really found nothing. Fails with SearchError, or the signal's reason. */
  search(request: SearchRequest): Promise<SearchHit[]>
}

/** A page of the cache, as the local index holds it. */
export type IndexedPage = {
  /** Key of the page in the cache: what leaves the cache leaves the index. */
  cacheKey: string
  teamId: string
  url: string
  title: string
  description: string
  /** Markdown of its main content. */
  text: string
  fetchedAt: number
  contentType: string | undefined
}
export type IndexHit = {
  url: string
  title: string
  /** The passage that fits the query best, or the description of the page. */
  description: string
  fetchedAt: number
  score: number
}
export type IndexQuery = Pick<
  SearchRequest,
  'query' | 'includeDomains' | 'excludeDomains' | 'period' | 'teamId' | 'limit'
>
export type PageIndex = {
  /** Never fails; what cannot be indexed is logged. */
  put(page: IndexedPage): Promise<void>
  search(query: IndexQuery): Promise<IndexHit[]>
  /** The passages of known pages that fit a query best, by URL; pages that are not known are absent. */
  highlights(teamId: string, query: SearchQuery, urls: readonly string[]): Promise<Map<string, string>>
  /** Addresses of a host that the team has seen, newest first; with sub-domains when asked for. */
  urlsOf(
    teamId: string,
    host: string,
    reach: 'host' | 'with sub-domains',
    limit: number,
  ): Promise<{ url: string; title: string }[]>
  facts(): Promise<{ pages: number; bytes: number; hosts: { host: string; pages: number }[] }>
  /** Takes pages out of the index and the cache; answers how many. */
  prune(what: { host?: string; olderThanMs?: number }): Promise<number>
}

export type Found = {
  hits: SearchHit[]
  /** What the reader should know: who failed and why, what could not be honoured. */
  notes: string[]
  /** True when nobody could answer. */
  isBlind: boolean
}
/** Asks whoever there is to ask. Rejects only with the signal's reason. */
export type Search = (request: SearchRequest) => Promise<Found>
