import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/engine/net/http/answer-head.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['3', 3000],
  ['1.5', 1500],
  ['-5', 0],
  ['120, 120', 120_000],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [' ', undefined],
  [undefined, undefined],
])('Retry-After %j is a pause of %s ms', (value, ms) => expect(retryAfterMs(value, now)).toBe(ms))
