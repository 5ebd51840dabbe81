import { expect, test } from 'vitest'
import { coerce } from '../../src/engine/understand/json/fit-values.ts'

const date = { type: 'string', format: 'date' }

test.each([
  ['Currently not available', { type: 'boolean' }, false],
  ['no longer in stock', { type: 'boolean' }, false],
  ['Available now', { type: 'boolean' }, true],
  ['Issue 5', date, undefined],
  ['Chapter 12', { type: 'string', format: 'date-time' }, undefined],
  ['4 March 2026', date, '2026-03-04'],
  ['2026年3月4日 10:00', date, '2026-03-04'],
  ['4 March 2026', { type: 'string', format: 'date-time' }, '2026-03-04T00:00:00.000Z'],
  ['2026-03-04T10:00:00+02:00', { type: 'string', format: 'date-time' }, '2026-03-04T10:00:00+02:00'],
  ['１，２９９円', { type: 'number' }, 1299],
])('%j as %j is not an invention', (value, rule, expected) => expect(coerce(value, rule)).toEqual(expected))
