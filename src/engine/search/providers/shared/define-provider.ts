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
import { type Range, rangeOf, requireWords } from './search-scope.ts'
import { isUnder, matchesRequest } from '../../query/merge-and-filter.ts'

export type ResultPage = { hits: SearchHit[]; isLast: boolean }

/** Maximum number of pages if the post-filter may drop results. */
const maxExtraPages = 3
/** Maximum number of pages if the service chooses their size. */
const maxSmallPages = 10

/**
 * Requests pages, from 0, until enough results match the request. If a later page fails or is too late, the earlier
 * ones are returned if any of their results match. `as the first`: the service chooses the page size.
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

/** True if the post-filter may drop results. */
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
  /** Contact address sent to services that ask for one. */
  contactEmail?: string | undefined
  /** Names of the only providers to query, in this order. */
  order?: readonly string[] | undefined
}
export type OptionalSetting = 'githubToken' | 'contactEmail'
type RequiredSetting = Exclude<keyof SearchSettings, OptionalSetting | 'order'>

/** Documentation of a provider; its operators come from the provider itself. */
type ProviderDocs = { finds: string; limits?: string; time?: string; location?: string }

/** Options to create a provider, from the settings or from a test. */
type ProviderOptions = {
  baseUrl?: string | undefined
  key?: string | undefined
  token?: string | undefined
  contactEmail?: string | undefined
}

/** A description of a provider; calling it creates the provider. */
export type ProviderEntry = {
  /**
   * Position relative to the results pages of public engines: providers for the whole web are queried before them, all
   * others after.
   */
  rank: 'before results pages' | 'after results pages'
  docs: ProviderDocs
  /**
   * Required setting: the provider is used only if it is set. `source`: where to get the value; `option`: the option of
   * the provider that receives it.
   */
  needs?: { setting: RequiredSetting; source: string; option: 'key' | 'baseUrl' }
  uses?: OptionalSetting
  (api: Api, options?: ProviderOptions): SearchProvider
}

/** Facts for creating a call and reading its response. */
export type Context = ProviderOptions & {
  request: SearchRequest
  /** Page number, from 0. */
  page: number
  baseUrl: string
  key: string
  /** Allowed dates of results. */
  range: Range | undefined
  newestFirst: boolean
  /** Translates a query to the provider's syntax. Fails with `refused` if it contains no words. */
  words(query: SearchQuery, domains?: Parameters<typeof toText>[2]): string
  /** Delays later requests. */
  pause(forMs: number): void
}
/** An API call; with `json` it is a POST. */
export type Call = {
  url: string
  parameters?: Parameters<typeof buildUrl>[1]
  headers?: Readonly<Record<string, string>>
  json?: object
}
type Step<T> = { call(context: Context): Call; read(text: string, context: Context): T }
/** Sends one call and reads its response. Fails with ProviderError or the signal's reason. */
type Ask = <T>(step: Step<T>, request: SearchRequest, page?: number) => Promise<T>
type SearchBy = (request: SearchRequest, ask: Ask) => Promise<SearchHit[]>

type Description = Pick<ProviderEntry, 'rank' | 'docs' | 'needs' | 'uses'> &
  Pick<SearchProvider, 'name' | 'period' | 'supportsLocation'> & {
    /** Base URL, unless it comes from the options. */
    baseUrl?: string
    sources: readonly SearchSource[]
    categories?: readonly SearchCategory[]
    operators: readonly SearchOperator[]
    /** Operators written into the query text, if not all of `operators`. */
    operatorsInText?: readonly SearchOperator[]
    /** The only site whose pages the provider covers. */
    site?: string | ((request: SearchRequest) => string)
    pace?(options: ProviderOptions): RateLimit
    errorKindOf?: ErrorKindOf
    search: SearchBy
  }

/** Creates a search with a single call. */
export const inOneCall =
  (step: Step<ResultPage>): SearchBy =>
  async (request, ask) =>
    (await ask(step, request)).hits

/** Creates a search that requests pages until it has enough results. */
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

/** Fails with `other sites` if a request excludes the only site that a provider covers. */
function requireSite({ query, includeDomains, excludeDomains }: SearchRequest, ...hosts: string[]): void {
  const covers = (sites: readonly string[]) =>
    sites.some((site) => {
      const domain = site.split('/')[0] ?? ''
      return hosts.some((host) => isUnder(host, domain) || isUnder(domain, host))
    })
  const isIn = (sites: readonly string[]) => sites.length === 0 || covers(sites)
  const isOut = hosts.every((host) => [...excludeDomains, ...query.notSite].some((domain) => isUnder(host, domain)))
  if (isIn(includeDomains) && isIn(query.site) && !isOut) return
  throw new ProviderError('other sites', `It only knows pages of ${hosts.join(' and ')}.`, { pauseMs: 0 })
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
