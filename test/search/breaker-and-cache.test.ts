import { describe, expect, it } from 'vitest'
import type { ProviderErrorKind } from '../../src/contracts/search-port.ts'
import { createBreaker, createResponseCache } from '../../src/engine/search/chain.ts'
import { parsePeriod } from '../../src/engine/search/query/parse-query.ts'
import { fakeClock } from '../helpers/fakes.ts'
import { requestFor, failing, hits, provider } from './kit.ts'

const second = 1000
const minute = 60 * second

/** Pauses by kind of error; `other sites` does not pause a provider. */
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

  it('is paused for the time that it demands, up to a day', () => {
    const { clock, breaker } = opened()
    breaker.recordError('one', failing('rate limited', 20 * second))
    clock.pass(20 * second)
    expect(breaker.pauseReason('one')).toBeUndefined()
    breaker.recordError('one', failing('rate limited', Infinity))
    clock.pass(24 * 60 * minute)
    expect(breaker.pauseReason('one')).toBeUndefined()
  })
})

const one = provider('one', [])

function cached() {
  const clock = fakeClock()
  const answers = createResponseCache(clock)
  answers.store(one, requestFor(), hits('a'))
  return { clock, answers }
}

describe('a cached answer', () => {
  it.each([
    ['query', { query: 'spider web' }],
    ['team', { teamId: 'other' }],
    ['limit', { limit: 3 }],
    ['country', { country: 'DE' }],
    ['category', { category: 'github' as const }],
    ['domains', { includeDomains: ['a.example'] }],
    ['source', { source: 'news' as const }],
  ])('is not used for another %s', (_, wish) => expect(cached().answers.fresh(one, requestFor(wish))).toBeUndefined())

  it('does not depend on the time left to the caller', () => {
    const hurried = requestFor({ endsAt: 5, signal: AbortSignal.timeout(50) })
    expect(cached().answers.fresh(one, hurried)).toEqual(hits('a'))
  })

  it('is used again a moment later for the last day', () => {
    const { clock, answers } = cached()
    const lastDay = () => requestFor({ period: parsePeriod('qdr:d', clock.now()) })
    answers.store(one, lastDay(), hits('today'))
    clock.pass(minute)
    expect(answers.fresh(one, lastDay())).toEqual(hits('today'))
    expect(answers.fresh(one, requestFor({ period: parsePeriod('qdr:w', clock.now()) }))).toBeUndefined()
  })

  it('is not stored with retention none', () => {
    const answers = createResponseCache(fakeClock())
    answers.store(one, requestFor({ retention: 'none' }), hits('a'))
    expect(answers.stale(one, requestFor())).toBeUndefined()
  })
})
