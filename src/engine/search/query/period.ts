import type { SearchPeriod } from '../../../contracts/search.ts'
import { fail } from '../../../kernel/error.ts'

const dayMs = 86_400_000
const unitsMs = { h: 3_600_000, d: dayMs, w: 7 * dayMs, m: 30 * dayMs, y: 365 * dayMs }
type Unit = keyof typeof unitsMs

const forms = 'qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY and sbd:1, joined by commas'

/** The time filter of the service (spec: tbs). Days are UTC, the last one included. Fails with BAD_REQUEST for anything else. */
export function periodOf(tbs: string, now: number): SearchPeriod {
  const parts = new Map(tbs.split(',').map((part) => pairOf(part.trim())))
  const known = ['qdr', 'cdr', 'cd_min', 'cd_max', 'sbd']
  for (const name of parts.keys()) if (!known.includes(name)) refuse(`${name} is not known`)
  if (parts.has('qdr') && (parts.has('cd_min') || parts.has('cd_max'))) refuse('it is either qdr or a range of dates')
  return { from: undefined, to: undefined, bare: undefined, ...recent(parts, now), ...range(parts), sort: order(parts) }
}

function pairOf(part: string): [string, string] {
  const at = part.indexOf(':')
  // A bare letter is how some clients send it.
  if (at < 0) return /^[hdwmy]$/.test(part) ? ['qdr', part] : refuse('each part is a name and a value')
  return [part.slice(0, at).toLowerCase(), part.slice(at + 1)]
}

function recent(parts: ReadonlyMap<string, string>, now: number): Partial<SearchPeriod> {
  const value = parts.get('qdr')
  if (value === undefined) return {}
  const [, unit, count = '1'] = /^([hdwmy])(\d{0,3})$/i.exec(value) ?? refuse('qdr takes h, d, w, m or y')
  const bare = (unit ?? '').toLowerCase() as Unit
  return { from: now - unitsMs[bare] * Math.max(1, Number(count || 1)), ...(Number(count || 1) === 1 && { bare }) }
}

function range(parts: ReadonlyMap<string, string>): Partial<SearchPeriod> {
  const [min, max] = [parts.get('cd_min'), parts.get('cd_max')]
  const cdr = parts.get('cdr')
  if (cdr !== undefined && cdr !== '1') refuse('cdr takes 1')
  if (min === undefined && max === undefined) return cdr === '1' ? refuse('cdr:1 needs cd_min or cd_max') : {}
  const from = min === undefined ? undefined : dateOf(min)
  const to = max === undefined ? undefined : dateOf(max) + dayMs - 1
  if (from !== undefined && to !== undefined && from > to) refuse('cd_min lies after cd_max')
  return { from, to }
}

/** MM/DD/YYYY, as in the United States; months and days may have one digit. */
function dateOf(text: string): number {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? refuse('dates are MM/DD/YYYY')
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1) refuse('there is no such day')
  return date.getTime()
}

function order(parts: ReadonlyMap<string, string>): SearchPeriod['sort'] {
  const value = parts.get('sbd') ?? '0'
  if (value !== '0' && value !== '1') refuse('sbd takes 0 or 1')
  return value === '1' ? 'date' : 'relevance'
}

function refuse(why: string): never {
  const message = `This is no time filter: ${why}. The forms are ${forms}.`
  return fail('BAD_REQUEST', { message, details: [{ path: ['tbs'], message, code: 'custom' }] })
}
