import type { Ports } from '../../contracts/ports.ts'
import type {
  SearchCategory,
  SearchHit,
  SearchQuery,
  SearchRequest,
  SearchSource,
} from '../../contracts/search-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { AppError, failure, toAppError } from '../../kernel/error.ts'
import type { ImageResult, NewsResult, SearchData, SearchInput, WebResult } from '../../schema/search-schema.ts'
import { WebUrl } from '../../schema/common-fields.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { searchCredits } from '../billing/price.ts'
import { isZeroRetention, refuseRetention, replayable } from '../scrape/plan.ts'
import { scrapeRequest, timeLeft } from '../scrape/scrape-request.ts'
import { canonicalResult } from './query/merge-and-filter.ts'
import { parsePeriod, parseQuery } from './query/parse-query.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { PageOptions, ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'

export type SearchPorts = ScrapeResultsPorts & Pick<Ports, 'search' | 'index'>
type SearchContext = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'progress' | 'warn'>
type SearchResponse = { data: SearchData; warning: string | null; id: string; creditsUsed: number }

/** Share of a call's timeout for searching; the rest is for building the response, or for scrapes. */
const searchTimeShare = { alone: 0.95, beforeScrapes: 0.6 }
/** Time limit for finding passages; after it, the response has the providers' descriptions. */
const passagesMs = 2000

/**
 * Searches all requested sources concurrently and scrapes the results if `scrapeOptions` say so. Fails with
 * SEARCH_UNAVAILABLE if no provider can answer, SEARCH_TIMEOUT if none answers in time, BAD_REQUEST for an invalid
 * `tbs`.
 */
export async function search(ports: SearchPorts, input: SearchInput, call: SearchContext): Promise<SearchResponse> {
  const zeroDataRetention = input.enterprise?.includes('zdr') ?? false
  refuseRetention({ zeroDataRetention, onlyCleanContent: input.scrapeOptions?.onlyCleanContent })
  const signal = timeLeft(ports.clock, call, input.timeout)
  try {
    const share = wantsPages(input) ? searchTimeShare.beforeScrapes : searchTimeShare.alone
    const { startedAt } = call
    const endsAt = startedAt + input.timeout * share
    const requests = toRequests(input, { teamId: call.team.id, startedAt, signal, endsAt })
    call.progress(0, undefined, 'Searching')
    const outcomes = await Promise.all(requests.map(async (request) => ({ request, ...(await ports.search(request)) })))
    const notes = [...new Set([...outcomes.flatMap((each) => each.notes), ...ignoredOptionNotes(input)])]
    if (outcomes.every(({ isUnanswered }) => isUnanswered))
      throw outcomes.some(({ isLate }) => isLate) ? late(input, notes) : unavailable(notes)
    const hits = await withPassages(ports, mergeBySource(outcomes, input), requests)
    const data = toSearchData(hits)
    const results = Object.values(data).flat().length
    const scraped = wantsPages(input)
      ? await scrapeResults(ports, input, data, { ...call, signal })
      : { data, credits: 0 }
    call.signal.throwIfAborted()
    return {
      data: scraped.data,
      warning: notes.length > 0 ? notes.join(' ') : null,
      id: call.jobId,
      creditsUsed: searchCredits(results, input.enterprise) + scraped.credits,
    }
  } catch (thrown) {
    throw toCallerError(thrown, signal, call, input)
  }
}

const wantsPages = ({ scrapeOptions }: SearchInput): boolean => (scrapeOptions?.formats.length ?? 0) > 0

function ignoredOptionNotes(input: SearchInput): string[] {
  const { categories, sources, scrapeOptions } = input
  return [
    ...(categories.length > 0 && !sources.includes('web') ? ['Categories apply to web results only.'] : []),
    ...(scrapeOptions && !wantsPages(input) ? ['Nothing was scraped: scrapeOptions name no formats.'] : []),
  ]
}

/** Converts an abort to an error for the caller: REQUEST_CANCELLED, or SEARCH_TIMEOUT. */
function toCallerError(thrown: unknown, signal: AbortSignal, call: SearchContext, input: SearchInput): unknown {
  if (thrown instanceof AppError || !signal.aborted) return thrown
  if (call.signal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  return late(input, [], thrown)
}

const late = ({ timeout: timeoutMs }: SearchInput, notes: readonly string[], cause?: unknown): AppError =>
  failure('SEARCH_TIMEOUT', {
    message: [`No search provider answered within ${timeoutMs} ms.`, ...notes].join(' '),
    details: { timeoutMs, providers: notes },
    cause,
  })

const unavailable = (notes: readonly string[]): AppError =>
  failure('SEARCH_UNAVAILABLE', {
    message: ['No search provider could answer.', ...notes].join(' '),
    details: { providers: notes },
  })

type Hits = Partial<Record<SearchSource, SearchHit[]>>
type RequestHits = { request: SearchRequest; hits: readonly SearchHit[] }

/** Merges results per source. The categories of a source share its limit, so their results are interleaved. */
function mergeBySource(found: readonly RequestHits[], { limit, ignoreInvalidURLs }: SearchInput): Hits {
  const bySource = Object.groupBy(found, ({ request }) => request.source)
  return Object.fromEntries(
    Object.entries(bySource).map(([source, lists]) => {
      const seen = new Set<string>()
      const isNew = ({ url }: SearchHit) => !seen.has(canonicalResult(url)) && seen.add(canonicalResult(url))
      const longest = Math.max(...lists.map(({ hits }) => hits.length))
      const all = Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => inCategory(list, rank))).flat()
      const usable = ignoreInvalidURLs ? all.filter(({ url }) => WebUrl.safeParse(url).success) : all
      return [source, usable.filter(isNew).slice(0, limit)]
    }),
  )
}

function inCategory({ hits, request: { category } }: RequestHits, rank: number): SearchHit[] {
  const hit = hits[rank]
  if (!hit) return []
  return [category === undefined ? hit : { ...hit, category }]
}

/** Replaces snippets of providers with the best passage of pages in our own index. */
async function withPassages(
  { index }: Pick<Ports, 'index'>,
  hits: Hits,
  requests: readonly SearchRequest[],
): Promise<Hits> {
  const first = requests.find(({ passages }) => passages !== 'none')
  const urls = [...(hits.web ?? []), ...(hits.news ?? [])].map(({ url }) => url)
  if (!first || urls.length === 0) return hits
  const passages = await withDeadline({ step: 'find passages', ms: passagesMs }, first.signal, () =>
    index.highlights(first.teamId, first.query, urls),
  ).catch(() => new Map<string, string>())
  const better = (list: SearchHit[]) =>
    list.map((hit) => ({ ...hit, description: passages.get(hit.url) ?? hit.description ?? '' }))
  return { ...hits, ...(hits.web && { web: better(hits.web) }), ...(hits.news && { news: better(hits.news) }) }
}

const toSearchData = ({ web, images, news }: Hits): SearchData => ({
  ...(web && { web: web.map(toWebResult) }),
  ...(images && { images: images.map(toImageResult) }),
  ...(news && { news: news.map(toNewsResult) }),
})

type RequestInput = Pick<SearchInput, 'query' | 'limit' | 'sources' | 'categories' | 'tbs' | 'location' | 'country'> &
  Pick<SearchInput, 'includeDomains' | 'excludeDomains' | 'enterprise' | 'highlights'>

type RequestContext = Pick<SearchRequest, 'teamId' | 'signal'> & { startedAt: number; endsAt: number }

/**
 * Creates one request per source, and for web results one per category. Fails with BAD_REQUEST for an invalid `tbs`.
 */
function toRequests(input: RequestInput, { teamId, signal, startedAt, endsAt }: RequestContext): SearchRequest[] {
  const query: SearchQuery = parseQuery(input.query)
  const request = (source: SearchSource, category?: SearchCategory): SearchRequest => ({
    source,
    category,
    query,
    includeDomains: input.includeDomains ?? [],
    excludeDomains: input.excludeDomains ?? [],
    period: input.tbs === undefined ? undefined : parsePeriod(input.tbs, startedAt),
    country: input.country,
    location: input.location,
    language: undefined,
    limit: input.limit,
    teamId,
    signal,
    endsAt,
    ...(!input.highlights && { passages: 'none' as const }),
    ...(input.enterprise?.includes('zdr') && { retention: 'none' as const }),
  })
  return [...new Set(input.sources)].flatMap((source) =>
    source === 'web' && input.categories.length > 0
      ? [...new Set(input.categories)].map((category) => request(source, category))
      : [request(source)],
  )
}

/** Converts a hit to the API's format; positions start at 1. */
const toWebResult = ({ url, title, description = '', category, date }: SearchHit, index: number): WebResult => ({
  url,
  title,
  description,
  position: index + 1,
  ...(category !== undefined && { category }),
  ...(date !== undefined && { date }),
})

const toImageResult = (hit: SearchHit, index: number): ImageResult => ({
  title: hit.title,
  imageUrl: hit.imageUrl ?? '',
  ...(hit.imageWidth !== undefined && { imageWidth: Math.round(hit.imageWidth) }),
  ...(hit.imageHeight !== undefined && { imageHeight: Math.round(hit.imageHeight) }),
  url: hit.url,
  position: index + 1,
})

const toNewsResult = ({ title, description = '', url, date, imageUrl }: SearchHit, index: number): NewsResult => ({
  title,
  snippet: description,
  url,
  ...(date !== undefined && { date }),
  ...(imageUrl !== undefined && { imageUrl }),
  position: index + 1,
})

type ScrapeResultsPorts = ScrapePorts & Pick<Ports, 'jobs' | 'account'>
type CallContext = Pick<Ctx, 'team' | 'startedAt' | 'signal' | 'progress' | 'warn'>
type Result = WebResult | NewsResult

/** Time reserved for building the response. */
const reservedMs = 500

/**
 * Scrapes the web and news results concurrently. A result that cannot be scraped is kept, with the reason in
 * `metadata.error`.
 */
async function scrapeResults(
  ports: ScrapeResultsPorts,
  { scrapeOptions: options, timeout, ignoreInvalidURLs, enterprise }: SearchInput,
  data: SearchData,
  call: CallContext,
): Promise<{ data: SearchData; credits: number }> {
  if (!options) return { data, credits: 0 }
  const total = (data.web ?? []).length + (data.news ?? []).length
  const state = { credits: 0, done: 0 }
  const endsAt = call.startedAt + timeout - reservedMs
  const scrapeOne = async <R extends Result>(result: R): Promise<R[]> => {
    const scraped = await scrapeResult(
      ports,
      result.url,
      { options, endsAt, retention: enterprise?.includes('zdr') ? 'none' : 'usual' },
      call,
    )
    state.done += 1
    call.progress(state.done, total, result.url)
    if ('error' in scraped)
      return ignoreInvalidURLs && scraped.isInvalid
        ? []
        : [{ ...(await redactedTitle(result, options)), metadata: { sourceURL: result.url, error: scraped.error } }]
    state.credits += scraped.document.metadata.creditsUsed
    const { warning: _, ...fields } = scraped.document
    return [{ ...(await redactedTitle(result, options)), ...fields }]
  }
  const [web, news] = await Promise.all([
    data.web && Promise.all(data.web.map(scrapeOne)),
    data.news && Promise.all(data.news.map(scrapeOne)),
  ])
  return {
    data: { ...data, ...(web && { web: renumbered(web.flat()) }), ...(news && { news: renumbered(news.flat()) }) },
    credits: state.credits,
  }
}

/** Redacts personal data in the title and description of a result, which are texts of the search provider. */
async function redactedTitle<R extends Result>(result: R, { redactPII, location }: PageOptions): Promise<R> {
  if (!redactPII) return result
  const { createRedactor } = await import('../scrape/redact/redactor.ts')
  return (await createRedactor(redactPII, { location: location?.country, url: result.url })).finish(result)
}

const renumbered = <R extends Result>(results: readonly R[]): R[] =>
  results.map((result, index) => ({ ...result, position: index + 1 }))

/** Errors that another scrape of the URL would get too. */
const invalidUrlErrors: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'SCRAPE_ADDRESS_REFUSED',
  'SCRAPE_UNSUPPORTED_FILE_ERROR',
])

type ResultScrapeOptions = { options: PageOptions; endsAt: number; retention: 'none' | 'usual' }

/**
 * Scrapes one result as a separate job, which can be read again by its scrapeId, within the team's concurrency limit.
 */
async function scrapeResult(
  ports: ScrapeResultsPorts,
  url: string,
  { options, endsAt, retention }: ResultScrapeOptions,
  call: CallContext,
): Promise<{ document: Document } | { error: string; isInvalid: boolean }> {
  const startedAt = ports.clock.now()
  const timeout = Math.max(1, Math.min(options.timeout, endsAt - startedAt))
  const profile = options.profile && { ...options.profile, saveChanges: false }
  const input: ScrapeInput = {
    ...options,
    url,
    timeout,
    profile,
    zeroDataRetention: retention === 'none',
    origin: undefined,
    integration: undefined,
  }
  if (!WebUrl.safeParse(url).success) return { error: 'Not an http or https URL that can be scraped.', isInvalid: true }
  const within = AbortSignal.any([call.signal, AbortSignal.timeout(timeout)])
  const jobId = crypto.randomUUID()
  const release = await ports.account.enter(call.team.id, within).catch(() => undefined)
  if (!release) return { error: 'No time was left to scrape this page.', isInvalid: false }
  try {
    const ms = Math.max(0, startedAt + timeout - ports.clock.now())
    const scrapeCall = { team: call.team, jobId, startedAt, queuedMs: 0, progress: () => {} }
    const { document } = await withDeadline({ step: 'scrape a result', ms }, call.signal, (signal) =>
      scrape(ports, scrapeRequest(input, { ...scrapeCall, signal })),
    )
    if (!isZeroRetention(input)) await recordScrape(ports, { jobId, input, startedAt, document }, call)
    return { document }
  } catch (thrown) {
    const { code, message } = toAppError(thrown)
    if (thrown instanceof DeadlineError || within.aborted)
      return { error: 'The page did not load in time.', isInvalid: false }
    return { error: `${code}: ${message}`, isInvalid: invalidUrlErrors.has(code) }
  } finally {
    release()
  }
}

type ScrapedResult = { jobId: string; input: ScrapeInput; startedAt: number; document: Document }

/** Records the job with 0 credits, because the search is charged for it. */
async function recordScrape(
  { jobs }: Pick<Ports, 'jobs'>,
  { jobId, input, startedAt, document }: ScrapedResult,
  call: CallContext,
) {
  await jobs
    .record({
      id: jobId,
      teamId: call.team.id,
      keyName: call.team.key,
      endpoint: 'scrape',
      target: input.url,
      createdAt: startedAt,
      status: 'completed',
      errorCode: null,
      result: { data: document },
      replay: replayable(input) ?? null,
      credits: 0,
    })
    .catch(() => call.warn('A scraped result could not be stored, so it cannot be read again by its id.'))
}
