import type {
  SearchCategory,
  SearchHit,
  SearchOperator,
  SearchProvider,
  SearchQuery,
  SearchRequest,
  SearchSource,
} from '../../../../contracts/search-port.ts'
import { toText } from '../../query/to-text.ts'
import { type Api, buildUrl, callApi, type ErrorKindOf } from './call-api.ts'
import { type Range, rangeOf } from './dates.ts'
import type { ProviderEntry, ProviderOptions } from './entry.ts'
import { createPacer, type RateLimit } from './pacer.ts'
import { fetchPages, type ResultPage } from './paging.ts'
import { requireSite, requireWords } from './scope.ts'

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
