import {
  ProviderError,
  type SearchOperator,
  type SearchQuery,
  type SearchRequest,
  type SearchPeriod,
} from '../../../../contracts/search-port.ts'
import { categorySites } from '../../query/merge-and-filter.ts'
import { toText } from '../../query/parse-query.ts'

const secondMs = 1000
const dayMs = 86_400_000
const unitsMs: Readonly<Record<string, number>> = {
  s: secondMs,
  m: 60 * secondMs,
  h: 3600 * secondMs,
  d: dayMs,
  w: 7 * dayMs,
  mo: 30 * dayMs,
  y: 365 * dayMs,
}
const ago = /(\d{1,4})\s*(s|m|h|d|w|mo|y)[a-z]*\s+ago/i
const zoned = /(?:\dz|[+-]\d\d:?\d\d|\b(?:gmt|utc?|[ecmp][sd]t))$/i
const maxChars = 60

/**
 * Converts a date to ISO 8601 from ISO 8601 (a time, day, month or year), RFC 822, or text such as "Nov 5, 2024" and
 * "3 hours ago". Without a zone it is read as UTC.
 */
export function isoDate(written: string | null | undefined, now = Date.now()): string | undefined {
  const text = written?.trim() ?? ''
  if (text.length > maxChars) return undefined
  if (/^\d{4}(?:-\d\d){0,2}$/.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : text
  const [, count, unit] = ago.exec(text) ?? []
  if (count !== undefined) return isoTime(now - Number(count) * (unitsMs[monthOrMinute(text, unit)] ?? 0))
  const hasTime = /\d:\d\d/.test(text)
  const isIso = /^\d{4}-\d\d-\d\dt/i.test(text)
  const time = Date.parse(zoned.test(text) ? text : `${text}${isIso ? 'Z' : ' UTC'}`)
  const iso = isoTime(time)
  return hasTime ? iso : iso?.slice(0, 10)
}

/** Distinguishes months from minutes, which both start with m. */
const monthOrMinute = (text: string, unit = '') => (/\d\s*mo/i.test(text) ? 'mo' : unit.toLowerCase())

export function isoTime(timeMs: number): string | undefined {
  return Number.isNaN(timeMs) || Math.abs(timeMs) > 8.64e15 ? undefined : new Date(timeMs).toISOString()
}

/** Formats a date as YYYY-MM-DD in UTC. */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** Formats a time as YYYYMMDDHHMMSS in UTC. */
export const digitsOf = (timeMs: number): string => new Date(timeMs).toISOString().replace(/\D/g, '').slice(0, 14)

export type Range = { from: number; to: number }

/** Returns a period with its missing end filled in; undefined if both are missing. */
export function rangeOf(period: SearchPeriod | undefined, now = Date.now()): Range | undefined {
  if (period?.from === undefined && period?.to === undefined) return undefined
  return { from: period.from ?? Date.UTC(1990, 0, 1), to: period.to ?? Math.max(now, period.from ?? now) }
}

const spans = { day: dayMs, week: 7 * dayMs, month: 31 * dayMs, year: 366 * dayMs } as const
export type Span = keyof typeof spans
const presetSpans = { h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' } as const

/** Returns the shortest preset time span that covers the whole period; undefined if there is none. */
export function spanOf(period: SearchPeriod | undefined, now = Date.now()): Span | undefined {
  if (period?.preset) return presetSpans[period.preset]
  if (period?.from === undefined) return undefined
  const age = now - period.from
  return (Object.keys(spans) as Span[]).find((span) => age <= spans[span])
}

/** Countries with mostly English pages although another language is more common. */
const englishFirst = new Set('BW CM GH IE IN KE LK MT MW NA NG PH PK RW SG TZ UG ZA ZM ZW'.split(' '))

/**
 * Returns the search language (ISO 639-1): the requested one, or the most common one of the country (CLDR likely
 * subtags).
 */
export function languageOf({ language, country }: Pick<SearchRequest, 'language' | 'country'>): string {
  const [requested] = (language ?? '').toLowerCase().split(/[-_]/)
  if (requested) return requested
  if (!/^[A-Z]{2}$/.test(country) || englishFirst.has(country)) return 'en'
  return new Intl.Locale(`und-${country}`).maximize().language
}

/** Returns the English name of a country, such as "Germany"; undefined for an unknown code. */
export function countryName(country: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(country) || country === 'ZZ') return undefined
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country)
  return name === country ? undefined : name
}

/** Query and domains of a request, in which its category is expressed as domains or a file type. */
export type Scope = { query: SearchQuery; includeDomains: readonly string[]; excludeDomains: readonly string[] }

/** Returns the scope of a request, for providers without categories. */
export function scopeOf({ query, category, includeDomains, excludeDomains }: SearchRequest): Scope {
  const hasDomains = includeDomains.length > 0 || query.site.length > 0
  const isPdf = category === 'pdf' && query.filetype.length === 0
  return {
    query: isPdf ? { ...query, filetype: ['pdf'] } : query,
    includeDomains: hasDomains || category === undefined ? includeDomains : categorySites[category],
    excludeDomains,
  }
}

/**
 * Returns domains as lists, for providers without `site:`. A site with a path counts as its host; excluded sites with a
 * path are skipped.
 */
export function domainsOf({ query, includeDomains, excludeDomains }: Scope): { include: string[]; exclude: string[] } {
  const sites = query.site.map((site) => site.split('/')[0] ?? '')
  return {
    include: [...new Set(sites.length > 0 ? sites : includeDomains)],
    exclude: [...new Set([...excludeDomains, ...query.notSite.filter((site) => !site.includes('/'))])],
  }
}

type MaxLength = { chars: number; words: number }

/**
 * Returns the query text within the provider's limits. Domains that do not fit are left out; the post-filter checks
 * them.
 */
export function queryWithin(scope: Scope, operators: ReadonlySet<SearchOperator>, max: MaxLength): string {
  const { query, includeDomains, excludeDomains } = scope
  const count = Math.max(includeDomains.length, excludeDomains.length)
  for (let most = count; most >= 0; most--) {
    const domains = { includeDomains: includeDomains.slice(0, most), excludeDomains: excludeDomains.slice(0, most) }
    const text = toText(query, operators, domains)
    if (text.length <= max.chars && text.split(/\s+/).length <= max.words) return text
  }
  return truncateQuery(toText(query, operators), max)
}

export function truncateQuery(text: string, { chars, words }: MaxLength): string {
  const short = text.split(/\s+/).slice(0, words).join(' ')
  return short.length <= chars ? short : short.slice(0, short.lastIndexOf(' ', chars) + 1 || chars).trim()
}

/** Fails with `refused` if a query has operators only, which a word search cannot answer. */
export function requireWords(text: string): string {
  if (text.trim() !== '') return text
  throw new ProviderError('refused', 'It needs words to search for.', { pauseMs: 0 })
}
