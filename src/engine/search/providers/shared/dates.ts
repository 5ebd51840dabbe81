import type { SearchPeriod } from '../../../../contracts/search-port.ts'

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

/** A date as ISO 8601: ISO itself (a day, a month or a year as well), "Nov 5, 2024", RFC 822, "3 hours ago". Without a zone it is UTC. */
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

/** Both begin with an m. */
const monthOrMinute = (text: string, unit = '') => (/\d\s*mo/i.test(text) ? 'mo' : unit.toLowerCase())

export function isoTime(timeMs: number): string | undefined {
  return Number.isNaN(timeMs) || Math.abs(timeMs) > 8.64e15 ? undefined : new Date(timeMs).toISOString()
}

/** YYYY-MM-DD, in UTC. */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10)

/** YYYYMMDDHHMMSS, in UTC. */
export const digitsOf = (timeMs: number): string => new Date(timeMs).toISOString().replace(/\D/g, '').slice(0, 14)

export type Range = { from: number; to: number }

/** A period with both ends, where it has any. */
export function rangeOf(period: SearchPeriod | undefined, now = Date.now()): Range | undefined {
  if (period?.from === undefined && period?.to === undefined) return undefined
  return { from: period.from ?? Date.UTC(1990, 0, 1), to: period.to ?? Math.max(now, period.from ?? now) }
}

const spans = { day: dayMs, week: 7 * dayMs, month: 31 * dayMs, year: 366 * dayMs } as const
export type Span = keyof typeof spans
const presetSpans = { h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' } as const

/** The shortest of the usual spans back from now that holds the whole period; undefined where none does. */
export function spanOf(period: SearchPeriod | undefined, now = Date.now()): Span | undefined {
  if (period?.preset) return presetSpans[period.preset]
  if (period?.from === undefined) return undefined
  const age = now - period.from
  return (Object.keys(spans) as Span[]).find((span) => age <= spans[span])
}
