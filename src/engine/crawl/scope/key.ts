import { normalEncoding, siteOf, decoded } from './crawl-place.ts'
import { portOf } from '../../net/http/canonical-url.ts'

/** Calendars link to further months forever; dates before the web or far in the future have no content. */
const firstYear = 1990
const monthsAhead = 24

type Month = { year: number; month: number }
type Span = { first: number; last: number }

/**
 * True if a URL is a day or month view of a calendar far from now. Only dates with a month in the 20th or 21st century
 * count (`/wiki/1815` is a page); past dates count only at the end of a path, because archives have articles below
 * them.
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
    // A date must fill its segments: `2035-07-trip` and `2035/07-trip` are names.
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
 * Parses `2035-07`, `2035-07-01T10:00` and `1.7.2035`; `07/2035` and `20350701` only if the parameter name suggests a
 * date, because otherwise such values are coordinates, price ranges or ids.
 */
function monthIn(name: string, value: string): Month | undefined {
  const iso = /^(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?(?:[T +].*)?$/.exec(value)
  if (iso) return monthOf(iso[1], iso[2])
  // The order of day and month is unknown, but only the year matters.
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

/**
 * True if a URL looks like one of an endless, generated series. Doubtful URLs pass, because the page limit ends a crawl
 * as well.
 */
export function isTrap(url: Pick<URL, 'pathname' | 'search'>, nowMs: number): boolean {
  const segments = url.pathname.split('/').slice(1)
  // A page that puts its own URL into a link, such as that of a login, has one more question mark on each page.
  const parameters = url.search === '' ? [] : url.search.slice(1).split(/[&?]/)
  return (
    segments.filter((segment) => segment !== '').length > maxSegments ||
    repeats(segments) ||
    escapedTwice.test(url.pathname + url.search) ||
    hasTooManyParameters(parameters) ||
    isFarDate(segments, parameters, nowMs)
  )
}

/** Matches URLs that are escaped again on each page, because the site writes the page's URL into its links. */
const escapedTwice = /(?:amp(?:;|%3b)){2}|%2525/i

/**
 * Returns the new links of a page that only lead to one more copy of the site below the page's folder, as relative
 * links do on a site that answers under every path. Signs of such a copy: all links below the folder would also lead to
 * known pages if they were relative to one of the folders above, and one link starts with the name of a folder in the
 * page's own path.
 */
export function repeatedLinks(
  from: string,
  urls: readonly string[],
  isKnown: (url: string) => boolean,
): ReadonlySet<string> {
  const folder = new URL('.', from).href
  const below = urls.filter((url) => url.startsWith(folder) && url !== folder && url !== from)
  const rests = below.map((url) => url.slice(folder.length))
  const around = new Set(new URL(folder).pathname.split('/').slice(1, -1))
  if (!rests.some((rest) => around.has(rest.split('/', 1)[0] ?? ''))) return new Set()
  const isCopyOf = (above: string) =>
    rests.every((rest) => isKnown(above + rest)) && rests.some((rest) => above + rest !== from)
  const isRepeated = Array.from(around.keys(), (_, up) => new URL('../'.repeat(up + 1), folder).href).some(isCopyOf)
  return new Set(isRepeated ? below.filter((url) => !isKnown(url)) : [])
}

/**
 * True if a path repeats itself: on a site that answers under every path, a relative link goes one folder deeper each
 * time: `/a/b/a/b/a/b`.
 */
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

/**
 * True if a query looks like combined filters: pages that append filters to their own URL have one URL per combination.
 */
function hasTooManyParameters(parameters: readonly string[]): boolean {
  if (parameters.length <= maxSameName) return false
  const names = parameters.map((parameter) => parameter.split('=', 1)[0] ?? '').filter((name) => name !== '')
  if (names.filter((name) => !isForeignToContent(name)).length > maxParameters) return true
  const plain = names.filter((name) => !/(?:\]|%5d)$/i.test(name))
  return [...Map.groupBy(plain, (name) => name).values()].some((same) => same.length > maxSameName)
}

/**
 * Names of tracking and session parameters. Only names that have no other use: `ref` or `source` select content on some
 * sites; `sid` does too, unless its value is a generated token.
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
/** At least sixteen letters and digits with at least three digits, or a UUID. */
const token = /^(?=(?:\D*\d){3})[\da-z_-]{16,}$/i

/** True if a query parameter does not affect the page's content. */
function isForeignToContent(name: string, value = ''): boolean {
  const lower = name.toLowerCase()
  return names.has(lower) || families.test(lower) || (sessionName.test(lower) && token.test(value))
}

export type KeyRules = { ignoreQueryParameters: boolean; deduplicateSimilarURLs: boolean }

/** Fragments that are routes of a script application; all others name a position within the same page. */
const route = /^#!?\//

/**
 * Returns the key of a page: two URLs with the same key are the same page. The key is the parsed URL without user info
 * and fragment, with normalized percent-encoding (RFC 3986, section 6.2.2); the case of the path and the order of
 * parameters are kept. Similar URLs (`www.`, scheme, trailing slash, index file, tracking parameters) share a key if
 * the rules say so; such a key starts with `//`.
 */
export function keyOf(url: URL, rules: KeyRules): string {
  const path = normalEncoding(url.pathname)
  const query = rules.ignoreQueryParameters ? '' : normalEncoding(url.search)
  const fragment = route.test(url.hash) ? url.hash : ''
  if (!rules.deduplicateSimilarURLs)
    return `${url.protocol}//${url.host.replace(/\.(?=$|:)/, '')}${path}${query}${fragment}`
  return `//${siteOf(url)}${similarPath(path)}${similarQuery(query)}${fragment}`
}

/** Returns the URL to visit: unchanged, but without user info and without a fragment that is not a route. */
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
  const parameters = query
    .slice(1)
    .split('&')
    // A link that is escaped once too often has `&amp;` instead of `&`.
    .map((parameter) => parameter.replace(/^(?:amp;)+/i, ''))
    .filter((parameter) => parameter !== '' && !isForeignToContent(...pairOf(parameter)))
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/** Returns `host:port` of a URL, to which limits apply regardless of the scheme. */
export function hostKey(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.hostname}:${portOf(parsed)}` : ''
}
