import type { Schedule } from '../../schema/monitor/monitor.ts'
import { fail } from '../../kernel/error.ts'
import { cronOfText } from './schedule-text.ts'

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
