import { describe, expect, it } from 'vitest'
import type { ProviderErrorKind } from '../../src/contracts/search-port.ts'
import { failureOf, noon, open } from '../helpers/fakes.ts'
import { chainOf, failing, hits, namesOf, provider } from './kit.ts'

const soon = noon + 400

describe('a failure', () => {
  it('by all providers is an error, not an empty success', async () => {
    const { search } = chainOf([provider('one', failing('bad key')), provider('two', failing('bot challenge'))])
    expect(await search()).toEqual({
      hits: [],
      notes: ['one failed (bad key): It is bad key.', 'two failed (bot challenge): It is bot challenge.'],
      isUnanswered: true,
      isLate: false,
    })
  })

  it('by all providers leaves the results of the local index', async () => {
    const { search } = chainOf([provider('one', failing('unreachable'))], hits('read'))
    const found = await search()
    expect(namesOf(found.hits)).toEqual(['read'])
    expect(found).toMatchObject({ isUnanswered: false, notes: [expect.stringContaining('one failed (unreachable)')] })
  })

  it('outweighs an empty result of a lesser provider', async () => {
    const lesser = provider('encyclopedia', [], { weight: 0.6 })
    const { search } = chainOf([provider('one', failing('bot challenge')), lesser])
    expect((await search()).isUnanswered).toBe(true)
  })

  it('pauses the provider for the time that it demands, with a warning', async () => {
    const one = provider('one', failing('rate limited', 90_000))
    const { search, clock } = chainOf([one, provider('two', hits('a'))])
    await search({ limit: 1 })
    const again = await search({ limit: 1, query: 'other words' })
    expect(again.notes).toEqual(['Without one (paused for 90 s after: rate limited).'])
    expect(one.requests).toHaveLength(1)
    clock.pass(90_000)
    one.behave(hits('back'))
    expect(namesOf((await search({ limit: 1, query: 'other words' })).hits)).toEqual(['back'])
  })

  it('by the only available provider is retried once, and it stays in use', async () => {
    const one = provider('one', () => (one.requests.length === 1 ? Promise.reject(failing('unreachable')) : hits('a')))
    const { search } = chainOf([one])
    const found = await search()
    expect(namesOf(found.hits)).toEqual(['a'])
    expect([found.notes, found.isUnanswered, one.requests.length]).toEqual([[], false, 2])
    await search({ query: 'other words' })
    expect(one.requests).toHaveLength(3)
  })

  it.each<ProviderErrorKind>(['rate limited', 'bad key', 'timed out'])(
    'of the only provider is final: %s',
    async (kind) => {
      const one = provider('one', failing(kind))
      await chainOf([one]).search()
      expect(one.requests).toHaveLength(1)
    },
  )

  it('leads to the next provider immediately, if there is one', async () => {
    const one = provider('one', failing('unreachable'))
    const { search } = chainOf([one, provider('two', hits('a'))])
    expect(namesOf((await search({ limit: 1 })).hits)).toEqual(['a'])
    expect(one.requests).toHaveLength(1)
  })

  it.each([
    ['a string', 'oops'],
    ['nothing', undefined],
    ['an error of the program', new TypeError('x of undefined')],
    ['an AbortError of its own', new DOMException('gone', 'AbortError')],
  ])('that is %s is reported without its text', async (_, thrown) => {
    const one = provider('one', () => {
      throw thrown
    })
    const found = await chainOf([one, provider('two', hits('a'))]).search({ limit: 1 })
    expect(namesOf(found.hits)).toEqual(['a'])
    expect(found.notes).toEqual(['Without one (unreadable answer).'])
  })
})

describe('a provider that hangs', () => {
  it('gets only a part of the time, so the next one has some', async () => {
    const { search } = chainOf([provider('one', 'hangs'), provider('two', hits('a'))])
    const found = await search({ endsAt: soon, limit: 1 })
    expect(namesOf(found.hits)).toEqual(['a'])
    expect(found.notes).toEqual(['Without one (timed out).'])
  })

  it('is aborted', async () => {
    const aborted = open<unknown>()
    const one = provider('one', ({ signal }) => {
      signal.addEventListener('abort', () => aborted.give(signal.reason))
      return new Promise(() => {})
    })
    await chainOf([one]).search({ endsAt: soon })
    expect(await aborted.promise).toBeInstanceOf(Error)
  })

  it('is not called without time left', async () => {
    const one = provider('one', hits('a'))
    const found = await chainOf([one], hits('read')).search({ endsAt: noon })
    expect(found).toMatchObject({ hits: hits('read'), notes: ['one was not queried: no time was left.'] })
    expect(one.requests).toEqual([])
  })

  it('does not delay the answer, even if the index hangs too', async () => {
    const found = await chainOf([provider('one', 'hangs')], 'hangs').search({ endsAt: soon })
    expect(found).toMatchObject({ hits: [], isUnanswered: true, isLate: true })
  })
})

describe('a call that is cancelled', () => {
  it.each(['one', 'local'])('ends immediately while %s hangs', async (who) => {
    const caller = new AbortController()
    const one = provider('one', who === 'one' ? 'hangs' : hits('a'))
    const { search } = chainOf([one], who === 'local' ? 'hangs' : [])
    const searching = failureOf(search({ signal: caller.signal }))
    caller.abort(new Error('cancelled'))
    expect(await searching).toEqual(new Error('cancelled'))
  })

  it('queries no provider if it was cancelled before', async () => {
    const one = provider('one', hits('a'))
    const { search } = chainOf([one])
    expect(await failureOf(search({ signal: AbortSignal.abort(new Error('cancelled')) }))).toEqual(
      new Error('cancelled'),
    )
    expect(one.requests).toEqual([])
  })
})
