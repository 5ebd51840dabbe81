import type { SearchPeriod } from '../../../contracts/search-port.ts'
import { fail } from '../../../kernel/error.ts'

const dayMs = 86_400_000
const unitsMs = { h: 3_600_000, d: dayMs, w: 7 * dayMs, m: 30 * dayMs, y: 365 * dayMs }

const forms = 'qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY and sbd:1, joined by commas'

/** Parses the time filter `tbs`. Days are in UTC, the last one inclusive. Fails with BAD_REQUEST if invalid. */
export function parsePeriod(tbs: string, now: number): SearchPeriod {
  const fields = new Map(tbs.split(',').map((part) => pairOf(part.trim())))
  const known = ['qdr', 'cdr', 'cd_min', 'cd_max', 'sbd']
  for (const name of fields.keys()) if (!known.includes(name)) reject(`${name} is not known`)
  if (fields.has('qdr') && (fields.has('cd_min') || fields.has('cd_max')))
    reject('it is either qdr or a range of dates')
  return {
    from: undefined,
    to: undefined,
    preset: undefined,
    ...presetRange(fields, now),
    ...dateRange(fields),
    sort: sortOrder(fields),
  }
}

function pairOf(part: string): [string, string] {
  const at = part.indexOf(':')
  // Some clients send only the letter of qdr.
  if (at < 0) return /^[hdwmy]$/.test(part) ? ['qdr', part] : reject('each part is a name and a value')
  return [part.slice(0, at).toLowerCase(), part.slice(at + 1)]
}

function presetRange(parts: ReadonlyMap<string, string>, now: number): Partial<SearchPeriod> {
  const value = parts.get('qdr')
  if (value === undefined) return {}
  const [, unit, count = '1'] = /^([hdwmy])(\d{0,3})$/i.exec(value) ?? reject('qdr takes h, d, w, m or y')
  const preset = unitOf(unit?.toLowerCase())
  return {
    from: now - unitsMs[preset] * Math.max(1, Number(count || 1)),
    ...(Number(count || 1) === 1 && { preset }),
  }
}

const units = ['h', 'd', 'w', 'm', 'y'] as const
const unitOf = (letter: string | undefined) =>
  units.find((unit) => unit === letter) ?? reject('qdr takes h, d, w, m or y')

function dateRange(parts: ReadonlyMap<string, string>): Partial<SearchPeriod> {
  const [min, max] = [parts.get('cd_min'), parts.get('cd_max')]
  const cdr = parts.get('cdr')
  if (cdr !== undefined && cdr !== '1') reject('cdr takes 1')
  if (min === undefined && max === undefined) return cdr === '1' ? reject('cdr:1 needs cd_min or cd_max') : {}
  const from = min === undefined ? undefined : dateOf(min)
  const to = max === undefined ? undefined : dateOf(max) + dayMs - 1
  if (from !== undefined && to !== undefined && from > to) reject('cd_min lies after cd_max')
  return { from, to }
}

/** Parses MM/DD/YYYY (US format); months and days may have one digit. */
function dateOf(text: string): number {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? reject('dates are MM/DD/YYYY')
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1) reject('there is no such day')
  return date.getTime()
}

function sortOrder(parts: ReadonlyMap<string, string>): SearchPeriod['sort'] {
  const value = parts.get('sbd') ?? '0'
  if (value !== '0' && value !== '1') reject('sbd takes 0 or 1')
  return value === '1' ? 'date' : 'relevance'
}

function reject(why: string): never {
  const message = `This is no time filter: ${why}. The forms are ${forms}.`
  return fail('BAD_REQUEST', { message, details: [{ path: ['tbs'], message, code: 'custom' }] })
}
