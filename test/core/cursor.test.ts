import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromCursor, toCursor } from '../../src/engine/account/usage-and-activity.ts'

const Position = z.object({ createdAt: z.number(), id: z.string() })
const position = { createdAt: 1_700_000_000_000, id: 'ä/+?&=' }

test('a cursor decodes to the position that it encodes', () => {
  expect(fromCursor(Position, toCursor(position))).toEqual(position)
})

test('a cursor needs no escaping in a query', () => {
  const cursor = toCursor(position)
  expect(encodeURIComponent(cursor)).toBe(cursor)
})

test.each([
  ['nothing', ''],
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['null', Buffer.from('null').toString('base64url')],
  ['another shape', toCursor({ createdAt: 'yesterday', id: 1 })],
  ['a shape with less', toCursor({ id: 'a' })],
  ['a cut cursor', toCursor(position).slice(0, 10)],
])('a cursor that is %s is a bad request at the field cursor', (_, cursor) => {
  expect(() => fromCursor(Position, cursor)).toThrow(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      status: 400,
      details: [expect.objectContaining({ path: ['cursor'] })],
    }),
  )
})
