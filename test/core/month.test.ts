import { expect, test } from 'vitest'
import { monthStart } from '../../src/contracts/account-ports.ts'
import { monthEnd } from '../../src/engine/account/usage-and-activity.ts'

test.each([
  ['2026-03-15T12:00:00.000Z', '2026-03-01', '2026-04-01'],
  ['2026-03-01T00:00:00.000Z', '2026-03-01', '2026-04-01'],
  ['2026-03-31T23:59:59.999Z', '2026-03-01', '2026-04-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['2028-02-29T10:00:00.000Z', '2028-02-01', '2028-03-01'],
  ['1970-01-01T00:00:00.000Z', '1970-01-01', '1970-02-01'],
])('%s is in the month from %s to %s, UTC', (moment, start, end) => {
  expect(new Date(monthStart(Date.parse(moment))).toISOString()).toBe(`${start}T00:00:00.000Z`)
  expect(new Date(monthEnd(Date.parse(moment))).toISOString()).toBe(`${end}T00:00:00.000Z`)
})

test('months follow each other without a gap', () => {
  const end = monthEnd(Date.UTC(2026, 0, 10))
  expect(monthStart(end)).toBe(end)
  expect(monthStart(end - 1)).toBeLessThan(end)
})
