import { CdpError } from '../../src/engine/browser/cdp/cdp-session.ts'
import { DeadlineError } from '../../src/util/async.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { code, minute, never, ref, second, setUp, wish } from './fixture.ts'

const full = () => Promise.reject(new Error('database or disk is full'))

describe('a database that fails', () => {
  it('when a session starts leaves no browser, and a free slot for the next', async () => {
    const broken = { create: full }
    const { sessions, browsers } = await setUp({ maxSessions: 1, broken })
    for (let times = 0; times < 2; times++) await expect(sessions.create(wish(), never)).rejects.toThrow('full')
    expect(browsers.map(({ ended }) => ended)).toEqual([['closed'], ['closed']])
  })

  it('when a session ends keeps no browser alive', async () => {
    const { sessions, browsers } = await setUp({ broken: { end: full } })
    const facts = await sessions.create(wish(), never)
    expect(await sessions.close(ref(facts))).toMatchObject({ durationMs: expect.any(Number) })
    expect(browsers[0]?.ended).toEqual(['closed'])
    expect(await sessions.endpoint(facts.secrets!.cdp!)).toBeUndefined()
  })

  it('while sessions of dead processes are looked up keeps no new session from opening', async () => {
    const { sessions } = await setUp({ broken: { lost: full } })
    expect(await sessions.create(wish(), never)).toBeDefined()
  })
})

describe('a browser that fails while it opens', () => {
  it.each([
    ['did not finish in time', new DeadlineError('attach to a tab', 10_000), 'did not finish a step: attach to a tab'],
    ['went away', CdpError.ended('Target.attachToTarget', 'closed'), 'The browser of the session failed'],
  ])('because it %s fails the session', async (_, thrown, says) => {
    const { sessions, opening } = await setUp()
    opening.fails = thrown
    await expect(sessions.create(wish(), never)).rejects.toMatchObject({
      code: 'SESSION_FAILED',
      message: expect.stringContaining(says),
    })
  })
})

describe('a session whose end could not be stored', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('is ended and billed later, as if its process had died', async () => {
    let isFull = true
    const { store } = await setUp()
    const { sessions } = await setUp({
      store,
      broken: { end: (...ending) => (isFull ? full() : store.sessions.end(...ending)) },
    })
    const facts = await sessions.create(wish(), never)
    await vi.advanceTimersByTimeAsync(30 * second)
    await sessions.execute(ref(facts), code, never)
    expect(await sessions.close(ref(facts))).toMatchObject({ credits: 1 })
    isFull = false
    await vi.advanceTimersByTimeAsync(2 * minute)
    expect(await sessions.find(ref(facts))).toMatchObject({ endedAt: facts.createdAt + 30 * second })
    expect(await store.usage.since('red', 0)).toBe(1)
  })
})
