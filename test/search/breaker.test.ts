import { describe, expect, it } from 'vitest'
import type { ProviderErrorKind } from '../../src/contracts/search-port.ts'
import { createBreaker } from '../../src/engine/search/chain.ts'
import { fakeClock } from '../helpers/fakes.ts'
import { failing } from './kit.ts'

const second = 1000
const minute = 60 * second

/** A failed request about other sites does not count against a provider. */
const pauses: Record<Exclude<ProviderErrorKind, 'other sites'>, number> = {
  'rate limited': 3 * minute,
  'bot challenge': 60 * minute,
  'engines unresponsive': minute,
  'json disabled': 60 * minute,
  'bad key': 60 * minute,
  'quota used up': 60 * minute,
  'timed out': 30 * second,
  'unreadable answer': 5 * minute,
  unreachable: 30 * second,
  refused: 3 * minute,
}

function opened() {
  const clock = fakeClock()
  return { clock, breaker: createBreaker(clock) }
}

describe('a failed provider', () => {
  it.each(Object.entries(pauses))('is paused after: %s', (kind, ms) => {
    const { clock, breaker } = opened()
    breaker.recordError('one', failing(kind as ProviderErrorKind))
    expect(breaker.pauseReason('one')).toBe(`paused for ${ms / second} s after: ${kind}`)
    clock.pass(ms - 1)
    expect(breaker.pauseReason('one')).toBe(`paused for 1 s after: ${kind}`)
    clock.pass(1)
    expect(breaker.pauseReason('one')).toBeUndefined()
  })

  it('is paused for as long as it requested, up to a day', () => {
    const { clock, breaker } = opened()
    breaker.recordError('one', failing('rate limited', 20 * second))
    clock.pass(20 * second)
    expect(breaker.pauseReason('one')).toBeUndefined()
    breaker.recordError('one', failing('rate limited', Infinity))
    clock.pass(24 * 60 * minute)
    expect(breaker.pauseReason('one')).toBeUndefined()
  })
})
