import { describe, expect, it } from 'vitest'
import { createResponseCache } from '../../src/engine/search/chain.ts'
import { parsePeriod } from '../../src/engine/search/query/parse-query.ts'
import { fakeClock } from '../helpers/fakes.ts'
import { asked, hits, provider } from './kit.ts'

const minute = 60_000
const one = provider('one', [])

function kept() {
  const clock = fakeClock()
  const answers = createResponseCache(clock)
  answers.store(one, asked(), hits('a'))
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
  ])('belongs to one %s', (_, wish) => {
    expect(kept().answers.fresh(one, asked(wish))).toBeUndefined()
  })

  it('does not depend on the time left to the caller', () => {
    const hurried = asked({ endsAt: 5, signal: AbortSignal.timeout(50) })
    expect(kept().answers.fresh(one, hurried)).toEqual(hits('a'))
  })

  it('about the last day is reused a moment later', () => {
    const { clock, answers } = kept()
    const lastDay = () => asked({ period: parsePeriod('qdr:d', clock.now()) })
    answers.store(one, lastDay(), hits('today'))
    clock.pass(minute)
    expect(answers.fresh(one, lastDay())).toEqual(hits('today'))
    expect(answers.fresh(one, asked({ period: parsePeriod('qdr:w', clock.now()) }))).toBeUndefined()
  })

  it('is not stored if nothing may be', () => {
    const answers = createResponseCache(fakeClock())
    answers.store(one, asked({ retention: 'none' }), hits('a'))
    expect(answers.stale(one, asked())).toBeUndefined()
  })
})
