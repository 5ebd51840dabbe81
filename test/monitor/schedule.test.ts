import { describe, expect, test } from 'vitest'
import { cronOfText, readSchedule, nextTurn } from '../../src/engine/monitor/monitor-settings.ts'
import { AppError } from '../../src/kernel/error.ts'
import type { Schedule } from '../../src/schema/monitor-schema.ts'

/** Id of a monitor that starts without an offset. */
const prompt = '00000000-0000-4000-8000-000000000000'
/** Id of a monitor that starts with almost the largest offset. */
const late = 'ffffffff-0000-4000-8000-000000000000'
const noon = Date.UTC(2026, 2, 15, 12)

async function turns(cron: string, timezone: string, from: string, count: number): Promise<string[]> {
  const found: string[] = []
  let after: number | null = Date.parse(from)
  while (found.length < count && after !== null) {
    after = await nextTurn({ cron, timezone }, prompt, after)
    if (after !== null) found.push(new Date(after).toISOString().replace(':00.000Z', 'Z'))
  }
  return found
}

async function faultOf(schedule: Partial<Schedule>) {
  const thrown = await readSchedule({ timezone: 'UTC', ...schedule }, noon).catch((error: unknown) => error)
  if (!(thrown instanceof AppError)) throw new Error('It was accepted.')
  const [fault] = thrown.details as { path: string[]; message: string }[]
  return { code: thrown.code, at: fault?.path.join('.'), message: fault?.message }
}

describe('a schedule in words', () => {
  test.each([
    ['every 30 minutes', '*/30 * * * *'],
    ['Every  minute', '* * * * *'],
    ['every 60 minutes', '0 * * * *'],
    ['every 120 min', '0 */2 * * *'],
    ['hourly', '0 * * * *'],
    ['every other hour', '0 */2 * * *'],
    ['every 6 hours', '0 */6 * * *'],
    ['every 24 hours', '0 0 * * *'],
    ['daily', '0 0 * * *'],
    ['daily at 9:00', '0 9 * * *'],
    ['every day at 5:30 pm', '30 17 * * *'],
    ['daily at 12am', '0 0 * * *'],
    ['daily at noon', '0 12 * * *'],
    ['weekdays at 17:30', '30 17 * * 1-5'],
    ['on weekends at 8', '0 8 * * 0,6'],
    ['weekly', '0 0 * * 1'],
    ['every monday at 8am', '0 8 * * 1'],
    ['on mondays, wednesdays and fridays at 8am', '0 8 * * 1,3,5'],
    ['monthly at 6:15', '15 6 1 * *'],
  ])('%s is %s', (text, cron) => expect(cronOfText(text)).toBe(cron))

  test.each([
    'every 45 minutes',
    'every 7 hours',
    'every 0 minutes',
    'every 2 days',
    'every 30 minutes at 9',
    'daily at 25:00',
    'daily at 13pm',
    'daily at 9:75',
    'every moonday',
    'sometimes',
    '',
  ])('%s is not understood', (text) => expect(cronOfText(text)).toBeUndefined())
})

const lateness = async (cron: string, id: string) => (await nextTurn({ cron, timezone: 'UTC' }, id, noon)) ?? 0
const spread = async (cron: string) => (await lateness(cron, late)) - (await lateness(cron, prompt))

describe('a schedule', () => {
  test('is stored as cron, with the words', async () => {
    const schedule = { text: 'daily at 9:00', timezone: 'Europe/Berlin' }
    expect(await readSchedule(schedule, noon)).toEqual({ cron: '0 9 * * *', ...schedule })
    expect(await readSchedule({ cron: ' 0  9 * * MON ', timezone: 'UTC' }, noon)).toMatchObject({ cron: '0 9 * * MON' })
  })

  test.each<[Partial<Schedule>, string, RegExp]>([
    [{ cron: '61 * * * *' }, 'schedule.cron', /^Not a cron expression: .*minute/],
    [{ cron: '* * * *' }, 'schedule.cron', /five fields/],
    [{ cron: '* * * * * *' }, 'schedule.cron', /five fields/],
    [{ cron: '@daily' }, 'schedule.cron', /five fields/],
    [{ cron: '0 0 30 2 *' }, 'schedule.cron', /never/],
    [{ cron: '0 9 * * *', timezone: 'Mars/Base' }, 'schedule.timezone', /time zone/],
    [{ text: 'every 45 minutes' }, 'schedule.text', /evenly/],
  ])('%j is refused', async (schedule, at, message) => {
    expect(await faultOf(schedule)).toEqual({ code: 'BAD_REQUEST', at, message: expect.stringMatching(message) })
  })

  test('follows the clocks of its time zone', async () => {
    expect(await turns('0 9 * * *', 'America/New_York', '2026-03-07T00:00Z', 3)).toEqual([
      '2026-03-07T14:00Z',
      '2026-03-08T13:00Z',
      '2026-03-09T13:00Z',
    ])
  })

  test('runs once if a local time occurs twice, and if it does not occur', async () => {
    expect(await turns('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ])
    expect(await turns('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ])
    expect(await turns('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:10Z', 4)).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-25T01:00Z',
      '2026-10-25T01:30Z',
      '2026-10-25T02:00Z',
    ])
  })

  test('is shifted by a tenth of its interval, a minute at most, differently for each monitor', async () => {
    expect(await spread('* * * * *')).toBe(5999)
    expect(await spread('0 9 * * *')).toBe(59_999)
  })
})
