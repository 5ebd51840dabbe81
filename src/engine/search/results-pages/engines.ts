import type { SearchPeriod, SearchOperator, SearchProvider, SearchRequest } from '../../../contracts/search-port.ts'
import { dayOf, rangeOf, languageOf, scopeOf, queryWithin } from '../providers/shared/search-scope.ts'
import type { PageSelectors } from './read-page.ts'
import { buildUrl } from '../providers/shared/call-api.ts'

export const bing: ResultsEngine = {
  name: 'bing',
  url: 'https://www.bing.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  bestEffortOperators: new Set(),
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
  const bare = period?.preset
  if (bare !== undefined && bare !== 'y') return `ex1:"${ranges[bare]}"`
  const range = rangeOf(period, now)
  return range && `ex1:"ez5_${dayNumber(range.from)}_${dayNumber(range.to)}"`
}

const dayNumber = (at: number) => Math.floor(at / dayMs)

export const brave: ResultsEngine = {
  name: 'brave-page',
  url: 'https://search.brave.com/search',
  operators: new Set(['phrase', 'without', 'site', 'filetype', 'inTitle']),
  bestEffortOperators: new Set(),
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
export const duckduckgo: ResultsEngine = {
  name: 'duckduckgo',
  url: 'https://html.duckduckgo.com/html/',
  operators: new Set(['without', 'site', 'filetype']),
  bestEffortOperators: new Set(['phrase', 'inUrl', 'inTitle']),
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
export const mojeek: ResultsEngine = {
  name: 'mojeek',
  url: 'https://www.mojeek.com/search',
  operators: new Set(['phrase', 'without', 'site', 'inUrl', 'inTitle']),
  bestEffortOperators: new Set(),
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
export type ResultsEngine = Pick<SearchProvider, 'name' | 'operators' | 'period'> & {
  /** Operators that the engine does not enforce; they are sent nevertheless. */
  bestEffortOperators: ReadonlySet<SearchOperator>
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
  const q = queryText(request, new Set([...engine.operators, ...engine.bestEffortOperators]))
  return buildUrl(engine.url, { q, ...engine.queryParameters(request, now) })
}

/** DuckDuckGo returns nothing for longer queries; the other engines truncate them. */
const maxLength = { chars: 499, words: Infinity }

/** Returns the query text with the engine's operators, or the query as typed if that is empty. */
function queryText(request: SearchRequest, operators: ReadonlySet<SearchOperator>): string {
  const words = withoutCommands(queryWithin(scopeOf(request), operators, maxLength))
  return withClosedQuotes(words || withoutCommands(request.query.text).slice(0, maxLength.chars))
}

/** Removes `!bang` and `\`, which only redirect to other sites. */
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
