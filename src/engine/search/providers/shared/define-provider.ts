import {
  type SearchCategory,
  type SearchHit,
  type SearchOperator,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
  type SearchSource,
  ProviderError,
} from '../../../../contracts/search-port.ts'
import { toText } from '../../query/parse-query.ts'
import { type Api, buildUrl, callApi, type ErrorKindOf, createPacer, type RateLimit } from './call-api.ts'
import { type Range, rangeOf, requireSite, requireWords } from './search-scope.ts'
import { matchesRequest } from '../../query/post-filter.ts'

export type ResultPage = { hits: SearchHit[]; isLast: boolean }

/** Most pages requested to make up for results that the post-filter drops. */
const maxExtraPages = 3
/** Most pages requested of a service that gives a few results at a time. */
const maxSmallPages = 10

/**
 * Requests page after page (from 0) until enough results match the request. If a later page fails or comes too late, the
 * earlier ones are returned, provided that any of their results match. Where the service chooses how much a page holds,
 * the first one tells.
 */
async function fetchPages(
  request: SearchRequest,
  perPage: number | 'as the first',
  fetchPage: (page: number) => Promise<ResultPage>,
): Promise<SearchHit[]> {
  const fits = (hit: SearchHit) => matchesRequest(request, hit, Date.now())
  const pagesOf = (size: number) =>
    Math.max(Math.ceil(request.limit / size), mayLoseResults(request) ? maxExtraPages : 1)
  let maxPages = perPage === 'as the first' ? 1 : pagesOf(perPage)
  const seen = new Map<string, SearchHit>()
  const fitting = () => [...seen.values()].filter(fits).length
  for (let page = 0; page < maxPages && fitting() < request.limit; page++) {
    const before = seen.size
    const { hits, isLast } = await fetchPage(page).catch((thrown: unknown): ResultPage => {
      const isExpected = thrown instanceof ProviderError || request.signal.aborted
      if (!isExpected || fitting() === 0) throw thrown
      return { hits: [], isLast: true }
    })
    for (const hit of hits) if (!seen.has(hit.url)) seen.set(hit.url, hit)
    if (isLast || seen.size === before) break
    if (page === 0 && perPage === 'as the first') maxPages = Math.min(maxSmallPages, pagesOf(hits.length))
  }
  return [...seen.values()]
}

/** Whether the post-filter may drop results. */
function mayLoseResults({ query, includeDomains, excludeDomains, period, category }: SearchRequest): boolean {
  const { site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without } = query
  const lists = [site, notSite, filetype, notFiletype, inUrl, notInUrl, inTitle, notInTitle, without]
  return (
    [...lists, includeDomains, excludeDomains].some((list) => list.length > 0) ||
    [query.imageSize, query.larger, period?.from, period?.to, category].some((option) => option !== undefined)
  )
}

export type SearchSettings = {
  braveKey?: string | undefined
  tavilyKey?: string | undefined
  exaKey?: string | undefined
  serperKey?: string | undefined
  searxngUrl?: string | undefined
  githubToken?: string | undefined
  /** Sent to services that ask clients for a contact. */
  contactEmail?: string | undefined
  /** Names of the providers to ask, in this order, and no others. */
  order?: readonly string[] | undefined
}
export type OptionalSetting = 'githubToken' | 'contactEmail'
type RequiredSetting = Exclude<keyof SearchSettings, OptionalSetting | 'order'>

/** What the documentation says of a provider; its operators come from the provider itself. */
type ProviderDocs = { finds: string; limits?: string; time?: string; location?: string }

/** How a provider is made: from the settings, or by a test for a service of its own. */
type ProviderOptions = {
  baseUrl?: string | undefined
  key?: string | undefined
  token?: string | undefined
  contactEmail?: string | undefined
}

/** Everything known of a provider before it is made, and how it is made. */
export type ProviderEntry = {
  /** Whole-web searches are asked before the results pages of public engines, all others after them. */
  rank: 'before results pages' | 'after results pages'
  docs: ProviderDocs
  /** The provider is used only where this is set; `source` says where to get it, `option` what it is. */
  needs?: { setting: RequiredSetting; source: string; option: 'key' | 'baseUrl' }
  uses?: OptionalSetting
  (api: Api, options?: ProviderOptions): SearchProvider
}

/** Inputs of a call and of reading its answer. */
export type Context = ProviderOptions & {
  request: SearchRequest
  /** From 0. */
  page: number
  baseUrl: string
  key: string
  /** When results may date from. */
  range: Range | undefined
  newestFirst: boolean
  /** A query in the provider's syntax. Fails with `refused` where it holds no words. */
  words(query: SearchQuery, domains?: Parameters<typeof toText>[2]): string
  /** Holds later requests back for a while, as the service asked. */
  pause(forMs: number): void
}
/** `json` makes it a POST. */
export type Call = {
  url: string
  parameters?: Parameters<typeof buildUrl>[1]
  headers?: Readonly<Record<string, string>>
  json?: object
}
export type Step<T> = { call(context: Context): Call; read(text: string, context: Context): T }
/** Sends one call and reads its answer. Fails with ProviderError or the signal's reason. */
export type Ask = <T>(step: Step<T>, request: SearchRequest, page?: number) => Promise<T>
type SearchBy = (request: SearchRequest, ask: Ask) => Promise<SearchHit[]>

type Description = Pick<ProviderEntry, 'rank' | 'docs' | 'needs' | 'uses'> &
  Pick<SearchProvider, 'name' | 'period' | 'supportsLocation'> & {
    /** Where the service is, unless each has its own. */
    baseUrl?: string
    sources: readonly SearchSource[]
    categories?: readonly SearchCategory[]
    operators: readonly SearchOperator[]
    /** Operators that are written into the query text, if these are not all of `operators`. */
    operatorsInText?: readonly SearchOperator[]
    /** The only site whose pages it knows. */
    site?: string | ((request: SearchRequest) => string)
    pace?(options: ProviderOptions): RateLimit
    errorKindOf?: ErrorKindOf
    search: SearchBy
  }

/** A search of one call. */
export const inOneCall =
  (step: Step<ResultPage>): SearchBy =>
  async (request, ask) =>
    (await ask(step, request)).hits

/** A search that requests pages until it has enough results. */
export const inPages =
  (perPage: number | 'as the first' | Readonly<Record<SearchSource, number>>, step: Step<ResultPage>): SearchBy =>
  (request, ask) =>
    fetchPages(request, typeof perPage === 'object' ? perPage[request.source] : perPage, (page) =>
      ask(step, request, page),
    )

/** Creates a provider from its description: paces its calls, sends them and classifies its failures. */
export function defineProvider({ rank, docs, needs, uses, ...description }: Description): ProviderEntry {
  const { name, sources, categories, operators, period, supportsLocation, site, search } = description
  const make = (api: Api, options: ProviderOptions = {}): SearchProvider => {
    const ask = askBy(description, api, options)
    return {
      name,
      sources: new Set(sources),
      ...(categories && { categories: new Set(categories) }),
      operators: new Set(operators),
      period,
      ...(supportsLocation && { supportsLocation }),
      weight: rank === 'before results pages' ? 1 : 0.6,
      async search(request) {
        if (site !== undefined) requireSite(request, typeof site === 'string' ? site : site(request))
        return search(request, ask)
      },
    }
  }
  return Object.assign(make, { rank, docs, ...(needs && { needs }), ...(uses && { uses }) })
}

function askBy(description: Omit<Description, 'rank' | 'docs'>, api: Api, options: ProviderOptions): Ask {
  const { baseUrl, operators, operatorsInText = operators, pace, errorKindOf } = description
  const pacer = pace && createPacer(pace(options))
  const inText = new Set(operatorsInText)
  const common = {
    ...options,
    baseUrl: options.baseUrl ?? baseUrl ?? '',
    key: options.key ?? '',
    pause: (forMs: number) => pacer?.pause(forMs),
  }
  const words: Context['words'] = (query, domains) => requireWords(toText(query, inText, domains))
  return async ({ call, read }, request, page = 0) => {
    const { period } = request
    const newestFirst = period?.sort === 'date'
    const context = { ...common, words, request, page, range: rangeOf(period), newestFirst }
    const { url, parameters = {}, headers = {}, json } = call(context)
    const post = { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } }
    const target = { url: buildUrl(url, parameters), signal: request.signal }
    await pacer?.waitTurn(request)
    const { text } = await callApi(
      api,
      json ? { ...target, method: 'POST', ...post } : { ...target, method: 'GET', headers },
      errorKindOf,
    )
    return read(text, context)
  }
}
