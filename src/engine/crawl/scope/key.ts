import { normalEncoding, siteOf, decoded } from './crawl-place.ts'
import { portOf } from '../../net/http/canonical-url.ts'

/** A calendar has a next month for ever; nobody has entered anything there, nor before there was a web. */
const firstYear = 1990
const monthsAhead = 24

type Month = { year: number; month: number }
type Span = { first: number; last: number }

/**
 * Whether an address is a day or month view of a calendar far from now. Only dates with a month count (`/wiki/1815` is
 * a page), of this century and the one before; past ones only at the end of a path, since archives have articles below them.
 */
function isFarDate(segments: readonly string[], parameters: readonly string[], nowMs: number): boolean {
  const now = new Date(nowMs)
  const span = { first: firstYear * 12, last: now.getUTCFullYear() * 12 + now.getUTCMonth() + monthsAhead }
  return isFarInPath(segments, span) || isFarInQuery(parameters, span)
}

function isFarInPath(segments: readonly string[], span: Span): boolean {
  const end = segments.at(-1) === '' ? segments.length - 1 : segments.length
  return segments.some((segment, index) => {
    if (!/^(?:19|20)\d\d/.test(segment)) return false
    const rest = segments.slice(index, end).join('/')
    // A date fills its segments: `2035-07-trip` and `2035/07-trip` are names.
    const date = /^(\d{4})[-/](\d{2})(?:[-/]\d{1,2})?(?=\/|$)/.exec(rest)
    if (!date) return false
    const month = monthOf(date[1], date[2])
    return isAfter(month, span) || (isBefore(month, span) && date[0].length === rest.length)
  })
}

function isFarInQuery(parameters: readonly string[], span: Span): boolean {
  const pairs = parameters.map((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2)
    return { name: name.toLowerCase(), value: decoded(value) ?? value }
  })
  const year = pairs.find(({ name, value }) => /year$|^yr?$/.test(name) && /^\d{4}$/.test(value))
  const month = pairs.find(({ name, value }) => /month$|^mon?$|^m$/.test(name) && /^\d{1,2}$/.test(value))
  const months = [
    ...pairs.map(({ name, value }) => monthIn(name, value)),
    year && month && monthOf(year.value, month.value),
  ]
  return months.some((each) => isAfter(each, span) || isBefore(each, span))
}

/**
 * `2035-07`, `2035-07-01T10:00`, `1.7.2035`; `07/2035` and `20350701` only where the name says that it is a date, for
 * elsewhere such texts are coordinates, ranges of prices and ids.
 */
function monthIn(name: string, value: string): Month | undefined {
  const iso = /^(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?(?:[T +].*)?$/.exec(value)
  if (iso) return monthOf(iso[1], iso[2])
  // Whether the day or the month comes first is not known, nor needed.
  const local = /^\d{1,2}([-/.])\d{1,2}\1(\d{4})$/.exec(value)
  if (local) return monthOf(local[2], '1')
  if (!/date|day|month|week|calendar/.test(name)) return undefined
  const compact = /^(\d{4})(\d{2})(?:\d{2})?$/.exec(value)
  if (compact) return monthOf(compact[1], compact[2])
  const monthFirst = /^(\d{1,2})[-/.](\d{4})$/.exec(value)
  return monthFirst ? monthOf(monthFirst[2], monthFirst[1]) : undefined
}

function monthOf(year: string | undefined, month: string | undefined): Month | undefined {
  const date = { year: Number(year), month: Number(month) }
  const isReal = date.year >= 1900 && date.year < 2100 && date.month >= 1 && date.month <= 12
  return isReal ? date : undefined
}

const isAfter = (date: Month | undefined, { last }: Span) =>
  date !== undefined && date.year * 12 + date.month - 1 > last
const isBefore = (date: Month | undefined, { first }: Span) =>
  date !== undefined && date.year * 12 + date.month - 1 < first

const maxSegments = 30
const maxParameters = 12
const maxSameName = 3
const maxRepeats = 2

/** Whether an address looks like one of endlessly many that a site makes up. Doubtful ones pass: the limit of pages ends a crawl as well. */
export function isTrap(url: Pick<URL, 'pathname' | 'search'>, nowMs: number): boolean {
  const segments = url.pathname.split('/').slice(1)
  const parameters = url.search === '' ? [] : url.search.slice(1).split('&')
  return (
    segments.filter((segment) => segment !== '').length > maxSegments ||
    repeats(segments) ||
    hasTooManyParameters(parameters) ||
    isFarDate(segments, parameters, nowMs)
  )
}

/** A relative link on a page that answers under every path goes one folder deeper each time it is followed: `/a/b/a/b/a/b`. */
function repeats(segments: readonly string[]): boolean {
  for (let period = 1; period * (maxRepeats + 1) <= segments.length; period += 1) {
    let run = 0
    for (let at = period; at < segments.length; at += 1) {
      run = segments[at] === segments[at - period] ? run + 1 : 0
      if (run === period * maxRepeats) return true
    }
  }
  return false
}

/** Filters that add themselves to the query of the page they stand on have as many addresses as there are choices of them. */
function hasTooManyParameters(parameters: readonly string[]): boolean {
  if (parameters.length <= maxSameName) return false
  const names = parameters.map((parameter) => parameter.split('=', 1)[0] ?? '').filter((name) => name !== '')
  if (names.filter((name) => !isForeignToContent(name)).length > maxParameters) return true
  const plain = names.filter((name) => !/(?:\]|%5d)$/i.test(name))
  return [...Map.groupBy(plain, (name) => name).values()].some((same) => same.length > maxSameName)
}

/**
 * Parameters that say where a visitor came from or which session is theirs. Only names that mean nothing else anywhere:
 * `ref` or `source` select content on some sites, `sid` does unless its value is a token that no one would write.
 */
const names = new Set(
  [
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl',
    'fbclid igshid msclkid yclid ysclid ttclid twclid li_fat_id epik rb_clickid s_kwcid',
    'mc_cid mc_eid mkt_tok _hsenc _hsmi __hstc __hssc __hsfp hsctatracking vero_id oly_enc_id oly_anon_id wickedid',
    'phpsessid jsessionid asp.net_sessionid cftoken oscsid',
  ].flatMap((line) => line.split(' ')),
)
const families = /^(?:utm|mtm|matomo|piwik|pk)_/

const sessionName = /^(?:s|sid|sess|session|session_?id|sessid|token)$/
/** Sixteen and more letters and digits with several digits among them, or a UUID. */
const token = /^(?=(?:\D*\d){3})[\da-z_-]{16,}$/i

/** Whether a query parameter has no say in what the page shows. */
function isForeignToContent(name: string, value = ''): boolean {
  const lower = name.toLowerCase()
  return names.has(lower) || families.test(lower) || (sessionName.test(lower) && token.test(value))
}

export type KeyRules = { ignoreQueryParameters: boolean; deduplicateSimilarURLs: boolean }

/** The fragments that are routes of a script application; all others name a place in one and the same page. */
const route = /^#!?\//

/**
 * The key of a page: two addresses with one key are one page. It is the parser's form of the address without user info
 * and fragment, its percent-encoding in normal form (RFC 3986, section 6.2.2); the case of the path and the order of
 * parameters stay. Similar addresses (`www.`, scheme, trailing slash, index file, parameters for tracking) share a key
 * where the rules say so; such a key begins with `//`.
 */
export function keyOf(url: URL, rules: KeyRules): string {
  const path = normalEncoding(url.pathname)
  const query = rules.ignoreQueryParameters ? '' : normalEncoding(url.search)
  const fragment = route.test(url.hash) ? url.hash : ''
  if (!rules.deduplicateSimilarURLs)
    return `${url.protocol}//${url.host.replace(/\.(?=$|:)/, '')}${path}${query}${fragment}`
  return `//${siteOf(url)}${similarPath(path)}${similarQuery(query)}${fragment}`
}

/** The address as it is visited: as found, without user info and without a fragment that is no route. */
export function visitedUrl(url: URL): string {
  const bare = url.username === '' && url.password === '' ? url : withoutCredentials(url)
  const at = bare.href.indexOf('#')
  return at === -1 || route.test(bare.hash) ? bare.href : bare.href.slice(0, at)
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

function similarPath(path: string): string {
  const plain = path.includes(';') ? path.replace(/;(?:jsessionid|phpsessid)=[^/;]*/gi, '') : path
  return plain.replace(/\/(?:index\.(?:html?|php))?$/, '')
}

function pairOf(parameter: string): [string, string] {
  const at = parameter.indexOf('=')
  return at < 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 1)]
}

function similarQuery(query: string): string {
  if (query === '') return ''
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isForeignToContent(...pairOf(parameter)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** `host:port` of a URL, to which limits apply whatever the scheme. */
export function hostKey(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.hostname}:${portOf(parsed)}` : ''
}
