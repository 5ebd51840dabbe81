import { expect, test } from 'vitest'
import { z } from 'zod'
import { monthStart } from '../../src/contracts/account-ports.ts'
import { fromCursor, monthEnd, toCursor } from '../../src/engine/account/usage-and-activity.ts'

const Position = z.object({ createdAt: z.number(), id: z.string() })
const position = { createdAt: 1_700_000_000_000, id: 'ä/+?&=' }

test('a cursor decodes to the position that it encodes, and needs no escaping in a query', () => {
  const cursor = toCursor(position)
  expect(fromCursor(Position, cursor)).toEqual(position)
  expect(encodeURIComponent(cursor)).toBe(cursor)
})

test.each([
  ['empty', ''],
  ['not base64', '%%%'],
  ['not JSON', Buffer.from('{').toString('base64url')],
  ['null', Buffer.from('null').toString('base64url')],
  ['of another shape', toCursor({ createdAt: 'yesterday', id: 1 })],
  ['of a shape with fewer fields', toCursor({ id: 'a' })],
  ['cut', toCursor(position).slice(0, 10)],
])('a cursor that is %s is refused, with the name of its field', (_, cursor) => {
  expect(() => fromCursor(Position, cursor)).toThrow(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      status: 400,
      details: [expect.objectContaining({ path: ['cursor'] })],
    }),
  )
})

test.each([
  ['2026-03-15T12:00:00.000Z', '2026-03-01', '2026-04-01'],
  ['2026-03-01T00:00:00.000Z', '2026-03-01', '2026-04-01'],
  ['2026-03-31T23:59:59.999Z', '2026-03-01', '2026-04-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['2028-02-29T10:00:00.000Z', '2028-02-01', '2028-03-01'],
  ['1970-01-01T00:00:00.000Z', '1970-01-01', '1970-02-01'],
])('%s is in the month that starts on %s and ends before %s, UTC', (moment, start, end) => {
  expect(new Date(monthStart(Date.parse(moment))).toISOString()).toBe(`${start}T00:00:00.000Z`)
  expect(new Date(monthEnd(Date.parse(moment))).toISOString()).toBe(`${end}T00:00:00.000Z`)
})
