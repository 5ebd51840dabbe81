import type { Schedule } from '../../schema/monitor-schema.ts'
import { fail } from '../../kernel/error.ts'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const amount = /^every (?:(\d+|other) )?(minute|min|hour|day|week|month)s?$/
const daily = /^(?:daily|nightly|(?:on |every )?(weekday|weekend|day)s?)$/
const times: Record<string, string> = { noon: '0 12', midnight: '0 0' }

/** The cron expression of a schedule in words; undefined where it is not understood, or no cron expression says it. */
export function cronOfText(given: string): string | undefined {
  const text = given.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [what = '', time] = text.split(/ at /, 2)
  const at = time === undefined ? '0 0' : minuteAndHour(time)
  if (at === undefined) return undefined
  const [, count, unit] = amount.exec(regular(what)) ?? []
  if (unit !== undefined)
    return everySo(count === 'other' ? 2 : Number(count ?? 1), unit, { at, isTimed: time !== undefined })
  const [named, kind] = daily.exec(what) ?? []
  if (named !== undefined) return `${at} * * ${{ weekday: '1-5', weekend: '0,6' }[kind ?? ''] ?? '*'}`
  const listed = dayNumbers(what)
  return listed && `${at} * * ${listed}`
}

const regular = (what: string) => ({ hourly: 'every hour', weekly: 'every week', monthly: 'every month' })[what] ?? what

type Time = { at: string; isTimed: boolean }

function everySo(count: number, unit: string, { at, isTimed }: Time): string | undefined {
  const date = { day: '* * *', week: '* * 1', month: '1 * *' }[unit]
  if (date !== undefined) return count === 1 ? `${at} ${date}` : undefined
  return isTimed ? undefined : everyMinutes(unit === 'hour' ? count * 60 : count)
}

const step = (every: number) => (every === 1 ? '*' : `*/${every}`)

/** An hour has 60 minutes and a day 24 hours: what does not divide them evenly would have one gap shorter than the rest. */
function everyMinutes(count: number): string | undefined {
  if (count < 60) return count > 0 && 60 % count === 0 ? `${step(count)} * * * *` : undefined
  const hours = count / 60
  if (hours === 24) return '0 0 * * *'
  return Number.isInteger(hours) && 24 % hours === 0 ? `0 ${step(hours)} * * *` : undefined
}

function minuteAndHour(time: string): string | undefined {
  const named = times[time]
  if (named !== undefined) return named
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(time) ?? []
  if (hours === undefined || Number(minutes) > 59) return undefined
  const hour = Number(hours)
  if (half === undefined) return hour < 24 ? `${Number(minutes)} ${hour}` : undefined
  if (hour < 1 || hour > 12) return undefined
  return `${Number(minutes)} ${(hour % 12) + (half === 'pm' ? 12 : 0)}`
}

/** `every monday and thursday` */
function dayNumbers(what: string): string | undefined {
  const names = what.replace(/^(?:weekly )?(?:on |every )/, '').split(/, and |, | and /)
  const numbers = names.map((name) => days.indexOf(name.replace(/s$/, '')))
  return numbers.includes(-1) ? undefined : [...new Set(numbers)].toSorted().join(',')
}

/** When a monitor is checked. `text` is how its caller said it. */
export type KeptSchedule = { cron: string; timezone: string; text?: string }

/** Checks are spread over a tenth of the time between two, at most over a minute, so that not all begin at :00. */
const share = 0.1
const longestSpreadMs = 60_000
const examples = '"every 30 minutes", "every 2 hours", "daily at 9:00", "weekdays at 17:30" or "every monday at 8am"'

/** Fails with BAD_REQUEST where the schedule cannot be understood or never comes. */
export async function keptSchedule({ cron, text, timezone }: Schedule, now: number): Promise<KeptSchedule> {
  if (!isTimeZone(timezone)) refuse('timezone', 'Not a time zone. Send an IANA name, such as Europe/Berlin.')
  const field = text === undefined ? 'cron' : 'text'
  const said = cron ?? cronOfText(text ?? '')
  if (said === undefined)
    return refuse(field, `Not understood, or not evenly spaced. Say it like ${examples}, or send cron.`)
  const pattern = said.trim().split(/\s+/).join(' ')
  if (pattern.split(' ').length !== 5)
    refuse(field, 'A cron expression has five fields: minute, hour, day of month, month, day of week.')
  const kept = { cron: pattern, timezone, ...(text !== undefined && { text }) }
  const first = await following(kept, now).catch((thrown: unknown) => refuse(field, faultOf(thrown)))
  if (first === null) refuse(field, 'There is no such date, so it would never be checked.')
  return kept
}

/**
 * When the monitor is checked next after a moment: at the next time of the schedule, and always the same bit later; null
 * when it has none. Of a local time that comes twice the first counts, and one that the clocks skip comes when they do.
 */
export async function nextTurn(schedule: KeptSchedule, monitorId: string, after: number): Promise<number | null> {
  const time = await following(schedule, after)
  const second = time === null ? null : await following(schedule, time)
  if (time === null || second === null) return time
  const part = Number.parseInt(monitorId.slice(0, 8), 16) / 2 ** 32
  return time + Math.floor(Math.min(longestSpreadMs, (second - time) * share) * part)
}

async function following({ cron, timezone }: KeptSchedule, after: number): Promise<number | null> {
  const { Cron } = await import('croner')
  return new Cron(cron, { timezone, mode: '5-part' }).nextRun(new Date(after))?.getTime() ?? null
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const faultOf = (thrown: unknown) =>
  `Not a cron expression: ${(thrown instanceof Error ? thrown.message : '').replace(/^Cron\w+: /, '')}`

const refuse = (field: string, message: string): never =>
  fail('BAD_REQUEST', { details: [{ path: ['schedule', field], message, code: 'custom' }] })
