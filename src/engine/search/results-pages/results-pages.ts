import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Ports } from '../../../contracts/ports.ts'
import {
  ProviderError,
  type ProviderErrorKind,
  type SearchHit,
  type SearchOperator,
  type SearchPeriod,
  type SearchProvider,
  type SearchRequest,
} from '../../../contracts/search-port.ts'
import { AppError, type ErrorCode } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/async.ts'
import { PageReading, type PageSelectors, readingScript, type ResultsItem } from './read-page.ts'
import type { PageResponse } from '../../../contracts/fetch.ts'
import { buildUrl, createPacer, type Pacer, retryDelayMs } from '../providers/shared/call-api.ts'
import { dayOf, isoDate, languageOf, queryWithin, rangeOf, scopeOf } from '../providers/shared/search-scope.ts'

export type ResultsPagesOptions = Pick<Ports, 'renderPage' | 'clock'> & {
  /** False disables results pages. */
  enabled: boolean
  pace?: PaceOptions
  /** Engines in the order they are queried. */
  engines?: readonly ResultsEngine[]
  /** Time limit in ms for one search, including the wait for its turn. */
  deadlineMs?: number
}
type VisitPorts = Required<Pick<ResultsPagesOptions, 'renderPage' | 'clock'>>

/** Minimum share of the time limit for the visit itself. */
const visitShare = 1 / 3
/** Maximum time in ms that a loaded page may show neither results nor a known message. */
const patienceMs = 3000
const maxBytes = 5_000_000

/**
 * Searches without an API key: opens the first results page of public engines in our own browser and reads it. Bot
 * challenges are not solved.
 */
export function resultsPages(options: ResultsPagesOptions): SearchProvider[] {
  const { renderPage, clock, enabled, engines = resultsEngines, deadlineMs = 12_000 } = options
  if (!enabled) return []
  const paced = engines.map((engine) => ({ engine, pacer: pacerOf(clock, options.pace) }))
  return paced.map(({ engine, pacer }) => ({
    name: engine.name,
    sources: new Set(['web'] as const),
    operators: engine.operators,
    period: engine.period,
    weight: 0.9,
    search: (request) =>
      withDeadline({ step: 'read a results page', ms: deadlineMs }, request.signal, async (signal) => {
        await pacer.waitTurn({ teamId: request.teamId, signal, maxWaitMs: deadlineMs * (1 - visitShare) })
        return visit({ renderPage, clock }, engine, { ...request, signal })
      }).catch((error: unknown) => {
        request.signal.throwIfAborted()
        throw toProviderError(error)
      }),
  }))
}

async function visit({ renderPage, clock }: VisitPorts, engine: ResultsEngine, request: SearchRequest) {
  const { teamId, signal } = request
  const page = await renderPage({
    url: resultsUrl(engine, request, clock.now()),
    teamId,
    headers: {},
    skipTlsVerification: false,
    mobile: false,
    location: undefined,
    blockAds: false,
    proxy: 'basic',
    waitForMs: 0,
    actions: [{ type: 'executeJavascript', script: readingScript(engine.selectors, patienceMs) }],
    screenshot: undefined,
    wantsBranding: false,
    profile: undefined,
    maxBytes,
    signal,
  })
  return hitsOf(engine, parseReading(page.live.actions?.javascriptReturns[0]?.value), page, clock.now())
}

const errorsByCode: Partial<Record<ErrorCode, { kind: ProviderErrorKind; message: string }>> = {
  BROWSER_UNAVAILABLE: { kind: 'unreachable', message: 'No browser is available to open its page.' },
  SCRAPE_TIMEOUT: { kind: 'timed out', message: 'Its page did not load in time.' },
  SCRAPE_ACTION_ERROR: { kind: 'unreadable answer', message: 'Its page could not be read.' },
  SCRAPE_ADDRESS_REFUSED: { kind: 'refused', message: 'Its address is not allowed here.' },
}

function toProviderError(error: unknown): unknown {
  if (error instanceof DeadlineError)
    return new ProviderError('timed out', `No answer within ${Math.round(error.ms / 1000)} s.`, { cause: error })
  if (!(error instanceof AppError)) return error
  const { kind, message } = errorsByCode[error.code as ErrorCode] ?? {
    kind: 'unreachable',
    message: 'Its page could not be opened.',
  }
  return new ProviderError(kind, message, { cause: error })
}

type PaceOptions = Partial<{
  /** Minimum time between two queries to one engine, ms. */
  gapMs: number
  /** Maximum random extra time, ms. */
  jitterMs: number
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
}>

const sleepFor = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal })

/** Creates a pacer with pauses as a person makes them, because engines block fast clients. */
function pacerOf({ now }: Clock, options: PaceOptions = {}): Pacer {
  const { gapMs = 2500, jitterMs = 1500, random = Math.random, sleep = sleepFor } = options
  return createPacer({ count: 1, perMs: gapMs, jitterMs }, { now, wait: sleep, random })
}

/** Validates the value that the script returned, because scripts of the page could change it. */
export const parseReading = (value: unknown): PageReading | undefined => PageReading.safeParse(value).data

/** Statuses that engines send with a bot challenge or an empty page. */
const challengeStatuses = new Set([202, 401, 403, 503])

/**
 * Returns the results of a page in order. Fails with ProviderError unless the page shows results or says that there are
 * none.
 */
export function hitsOf(
  engine: Pick<ResultsEngine, 'targetOf'>,
  reading: PageReading | undefined,
  { status, headers }: Pick<PageResponse, 'status' | 'headers'>,
  now: number,
): SearchHit[] {
  const hits =
    reading?.state === 'results' ? withoutDuplicates(reading.items.flatMap((item) => toHit(engine, item, now))) : []
  if (hits.length > 0) return hits
  if (status === 429 || reading?.state === 'limited')
    throw new ProviderError('rate limited', 'It takes no more queries.', { pauseMs: retryDelayMs(headers, now) })
  if (challengeStatuses.has(status) || reading?.state === 'challenge')
    throw new ProviderError('bot challenge', 'It asks for proof of a human visitor.')
  if (reading?.state === 'empty' && status < 400) return []
  throw new ProviderError('unreadable answer', 'Its page shows neither results nor that there are none.')
}

function toHit({ targetOf }: Pick<ResultsEngine, 'targetOf'>, item: ResultsItem, now: number): SearchHit[] {
  const link = URL.parse(item.href)
  const target = link && URL.parse(targetOf(link) ?? '')
  if (!target || !/^https?:$/.test(target.protocol)) return []
  const date = item.dates.map((text) => isoDate(trimDate(text), now)).find(Boolean)
  return [
    {
      url: target.href,
      title: item.title,
      ...(item.snippet !== '' && { description: item.snippet }),
      ...(date !== undefined && { date }),
    },
  ]
}

/** Removes separators around a date, and a midnight time. */
const trimDate = (text: string): string =>
  text.replace(/^[\s·•|–—-]+|[\s·•|–—-]+$/g, '').replace(/T00:00:00(?:\.0+)?Z?$/, '')

function withoutDuplicates(hits: readonly SearchHit[]): SearchHit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.url, hit])).values()].toReversed()
}

const bing: ResultsEngine = {
  name: 'bing',
  url: 'https://www.bing.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  period: 'by the day',
  queryParameters: (request, now) => ({
    mkt: `${languageOf(request)}-${request.country}`,
    adlt: 'moderate',
    filters: timeOf(request.period, now),
  }),
  selectors: {
    result: '#b_results > li.b_algo',
    advert: '.b_ad, .b_adTop, .b_adBottom',
    link: 'h2 a',
    title: 'h2 a',
    snippet: '.b_caption p, .b_snippet, p',
    date: '.news_dt',
    noise: '.algoSlug_icon, .news_dt',
    challenge: '.captcha, #captcha, .b_captcha, iframe[src*="challenges.cloudflare.com"], #turnstile-widget',
    challengeText: 'one last step|solve the challenge|verify (?:that )?you are (?:a )?human',
    limitedText: 'too many requests',
    empty: '#b_results > .b_no',
    emptyText: 'there are no results for',
  },
  /** Results link to a click tracker: `u` is the URL in base64url after the prefix `a1`. */
  targetOf(link) {
    if (!/(?:^|\.)bing\.com$/.test(link.hostname)) return link.href
    const coded = link.pathname.startsWith('/ck/a') ? link.searchParams.get('u') : null
    return coded?.startsWith('a1') ? Buffer.from(coded.slice(2), 'base64url').toString() : undefined
  },
}

const dayMs = 86_400_000
const ranges = { h: 'ez1', d: 'ez1', w: 'ez2', m: 'ez3' }

/** Returns Bing's time filter: a named range, or days since the epoch. */
function timeOf(period: SearchPeriod | undefined, now: number): string | undefined {
  const preset = period?.preset
  if (preset !== undefined && preset !== 'y') return `ex1:"${ranges[preset]}"`
  const range = rangeOf(period, now)
  return range && `ex1:"ez5_${dayNumber(range.from)}_${dayNumber(range.to)}"`
}

const dayNumber = (at: number) => Math.floor(at / dayMs)

const brave: ResultsEngine = {
  name: 'brave-page',
  url: 'https://search.brave.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  period: 'by the day',
  queryParameters: ({ country, period }, now) => ({
    source: 'web',
    country: country.toLowerCase(),
    safesearch: 'moderate',
    summary: '0',
    tf: bravePeriod(period, now),
  }),
  selectors: {
    result: '.snippet[data-type="web"], #results .snippet:not([data-type])',
    advert: '[data-type="ad"], .ad-snippet, .ad',
    link: 'a[href^="http"]',
    title: '.title, .snippet-title',
    snippet: '.generic-snippet .content, .snippet-description, .snippet-content, .description',
    date: '.t-secondary, .age',
    noise: '.t-secondary, .age',
    challenge: '.captcha, #captcha, form[action*="captcha"], #pow-captcha-top',
    challengeText: "confirm you[’']re (?:a )?human|verify (?:that )?you are (?:a )?human|suspicious activity",
    limitedText: 'too many requests',
    empty: '#no-results, .no-results',
    emptyText: 'no results found|did not match any',
  },
  targetOf: ({ href, hostname }) => (hostname === 'search.brave.com' ? undefined : href),
}

function bravePeriod(period: SearchPeriod | undefined, now: number): string | undefined {
  if (period?.preset !== undefined) return `p${period.preset === 'h' ? 'd' : period.preset}`
  const range = rangeOf(period, now)
  return range && `${dayOf(range.from)}to${dayOf(range.to)}`
}

/** DuckDuckGo's page for browsers without JavaScript, which also accepts GET. */
const duckduckgo: ResultsEngine = {
  name: 'duckduckgo',
  url: 'https://html.duckduckgo.com/html/',
  operators: new Set(['without', 'site', 'filetype']),
  bestEffortOperators: ['phrase', 'inUrl', 'inTitle'],
  period: 'by the day',
  queryParameters: ({ country, period }, now) => ({ kl: duckRegion(country), kp: '-1', df: duckPeriod(period, now) }),
  selectors: {
    result: '#links .web-result, .results .web-result',
    advert: '.result--ad',
    link: 'h2 a, a.result__a',
    title: 'h2 a, a.result__a',
    snippet: '.result__snippet',
    date: '.result__extras__url span',
    noise: '.badge',
    challenge: '.anomaly-modal, .anomaly-modal__title, form#challenge-form',
    challengeText: 'bots use duckduckgo too|select all squares',
    limitedText: 'too many requests',
    empty: '.no-results, .result--no-result',
    emptyText: 'no results found',
  },
  /** Results link to a redirect that hides the referrer, ads to a click tracker. */
  targetOf(link) {
    if (!/(?:^|\.)duckduckgo\.com$/.test(link.hostname)) return link.href
    return link.pathname.startsWith('/l/') ? (link.searchParams.get('uddg') ?? undefined) : undefined
  },
}

function duckPeriod(period: SearchPeriod | undefined, now: number): string | undefined {
  if (period?.preset !== undefined) return period.preset === 'h' ? 'd' : period.preset
  const range = rangeOf(period, now)
  return range && `${dayOf(range.from)}..${dayOf(range.to)}`
}

/**
 * An independent, smaller index. The first page must be requested without its number; otherwise Mojeek treats the
 * client as a bot.
 */
const mojeek: ResultsEngine = {
  name: 'mojeek',
  url: 'https://www.mojeek.com/search',
  operators: new Set(['phrase', 'without', 'site', 'inUrl', 'inTitle']),
  period: 'by the day',
  queryParameters: ({ country, language, period }) => ({
    safe: '1',
    arc: country.toLowerCase(),
    lb: language?.toLowerCase().split('-')[0],
    since: compactDay(period?.from),
    before: compactDay(period?.to),
  }),
  selectors: {
    result: 'ul.results-standard > li',
    advert: '.ad, .ads, .sponsored',
    link: 'a.ob, h2 a',
    title: 'h2 a, a.title',
    snippet: 'p.s',
    date: '.mdate, time',
    noise: '.mdate, time',
    challenge: 'form#challenge-form, .captcha, #captcha',
    challengeText: 'automated (?:queries|requests)|unusual traffic|verify (?:that )?you are (?:a )?human',
    limitedText: 'too many requests|rate limit',
    empty: '.no-results, .noresults',
    emptyText: 'no (?:pages|results) found',
  },
  targetOf: ({ href, hostname }) => (/(?:^|\.)mojeek\.com$/.test(hostname) ? undefined : href),
}

const compactDay = (at: number | undefined) => (at === undefined ? undefined : dayOf(at).replaceAll('-', ''))

/** DuckDuckGo regions; the first of a country is its default. */
const duckRegions =
  'ar-es au-en at-de be-nl br-pt bg-bg ca-en cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu in-en id-en ie-en il-en it-it jp-jp kr-kr lv-lv lt-lt my-en mx-es nl-nl nz-en no-no pk-en pe-es ph-en pl-pl pt-pt ro-ro ru-ru sg-en sk-sk za-en es-es se-sv ch-de tw-tzh th-en tr-tr us-en ua-uk uk-en vn-en'.split(
    ' ',
  )
const regionExceptions: Readonly<Record<string, string>> = {
  GB: 'uk-en',
  SI: 'sl-sl',
  SA: 'xa-ar',
  AE: 'xa-ar',
  EG: 'xa-ar',
}

/** Returns the DuckDuckGo region of a country; `wt-wt` (all regions) if there is none. */
function duckRegion(country: string): string {
  const code = `${country.toLowerCase()}-`
  return regionExceptions[country] ?? duckRegions.find((region) => region.startsWith(code)) ?? 'wt-wt'
}

/** A public search engine with an HTML results page. */
type ResultsEngine = Pick<SearchProvider, 'name' | 'operators' | 'period'> & {
  /** Operators that the engine does not enforce; they are sent nevertheless. */
  bestEffortOperators?: readonly SearchOperator[]
  /** URL of the results page, without query. */
  url: string
  /** Query parameters in addition to the words: country, language, time, safe search. */
  queryParameters(request: SearchRequest, now: number): Readonly<Record<string, string | undefined>>
  selectors: PageSelectors
  /** Returns the URL that a result leads to; undefined for other links, such as ads. */
  targetOf(link: URL): string | undefined
}

/** Returns the URL of the first results page. */
export function resultsUrl(engine: ResultsEngine, request: SearchRequest, now: number): string {
  const q = queryText(request, new Set([...engine.operators, ...(engine.bestEffortOperators ?? [])]))
  return buildUrl(engine.url, { q, ...engine.queryParameters(request, now) })
}

/** DuckDuckGo returns nothing for longer queries; the other engines truncate them. */
const maxLength = { chars: 499, words: Infinity }

/** Returns the query text with the engine's operators, or the query as typed if that is empty. */
function queryText(request: SearchRequest, operators: ReadonlySet<SearchOperator>): string {
  const words = withoutCommands(queryWithin(scopeOf(request), operators, maxLength))
  return withClosedQuotes(words || withoutCommands(request.query.text).slice(0, maxLength.chars))
}

/** Removes the signs `!` and `\` of commands, which redirect to other sites. */
const withoutCommands = (text: string): string =>
  text
    .replace(/(?<=^|[\s"'(])[!\\]+|!+(?=$|[\s"')])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Removes a phrase whose closing quote was cut off. */
function withClosedQuotes(text: string): string {
  if (text.split('"').length % 2 === 1) return text
  const at = text.lastIndexOf('"')
  return text.slice(0, at).trim() || text.slice(at + 1).trim()
}

export const resultsEngines: readonly ResultsEngine[] = [duckduckgo, mojeek, brave, bing]
