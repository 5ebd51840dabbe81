import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CdpError } from '../../src/engine/browser/cdp/cdp-session.ts'
import { DeadlineError } from '../../src/util/async.ts'
import { tempStore } from '../store/kit.ts'
import { code, minute, never, ref, second, setUp, wish } from './fixture.ts'

const useFakeTime = () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())
}

describe('a session', () => {
  it('is found, listed and used by its own team only', async () => {
    const { sessions } = await setUp()
    const facts = await sessions.create(wish(), never)
    expect(await sessions.find(ref(facts))).toMatchObject({ id: facts.id, secrets: { cdp: expect.any(String) } })
    expect(await sessions.list({ teamId: 'red' })).toMatchObject([{ id: facts.id }])
    expect(await sessions.list({ teamId: 'blue' })).toEqual([])
    await expect(sessions.snapshot({ id: facts.id, teamId: 'blue' }, {}, never)).rejects.toMatchObject({
      code: 'JOB_OF_OTHER_TEAM',
    })
    await expect(sessions.close({ id: facts.id, teamId: 'blue' })).rejects.toMatchObject({ code: 'JOB_OF_OTHER_TEAM' })
  })

  it('refuses calls after it was closed, but returns its duration and cost again', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish(), never)
    const first = await sessions.close(ref(facts))
    expect(browsers[0]?.ended).toEqual(['closed'])
    expect(await sessions.close(ref(facts))).toEqual(first)
    expect(await sessions.find(ref(facts))).toMatchObject({ endedAt: expect.any(Number) })
    await expect(sessions.execute(ref(facts), code, never)).rejects.toMatchObject({ code: 'SESSION_GONE', status: 410 })
    await expect(sessions.create(wish({ id: facts.id }), never)).rejects.toMatchObject({ code: 'SESSION_GONE' })
    expect(await sessions.list({ teamId: 'red', status: 'active' })).toEqual([])
    expect(await sessions.list({ teamId: 'red', status: 'destroyed' })).toMatchObject([{ id: facts.id }])
  })

  it('can neither be used nor closed by another process', async () => {
    const one = await setUp()
    const other = await setUp({ store: one.store })
    const facts = await one.sessions.create(wish(), never)
    await expect(other.sessions.execute(ref(facts), code, never)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('another process'),
    })
    await expect(other.sessions.close(ref(facts))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await other.sessions.find(ref(facts))).secrets).toBeUndefined()
    await one.sessions.close(ref(facts))
    await expect(other.sessions.execute(ref(facts), code, never)).rejects.toMatchObject({ code: 'SESSION_GONE' })
  })

  it('costs two credits a minute by the second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { sessions, store } = await setUp()
    const facts = await sessions.create(wish(), never)
    vi.setSystemTime(Date.now() + 90 * second)
    expect(await sessions.close(ref(facts))).toEqual({ durationMs: 90 * second, credits: 3 })
    expect(await store.usage.since('red', 0)).toBe(3)
    await sessions.close(ref(facts))
    expect(await store.usage.since('red', 0)).toBe(3)
  })

  it('ends when its browser dies, and its calls fail with SESSION_GONE', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish(), never)
    const [browser] = browsers
    const held = Promise.withResolvers<never>()
    browser!.work.gate = held.promise
    const running = sessions.execute(ref(facts), code, never)
    await expect.poll(() => browser!.work.started).toBe(1)
    browser!.die()
    await expect.poll(() => browser!.ended).toEqual(['browser'])
    held.reject(new Error('the pipe broke'))
    await expect(running).rejects.toMatchObject({ code: 'SESSION_GONE' })
  })

  it('is opened once by two concurrent calls', async () => {
    const { sessions, browsers, opening } = await setUp()
    const gate = Promise.withResolvers<void>()
    opening.gate = gate.promise
    const same = wish()
    const both = [sessions.create(same, never), sessions.create(same, never)]
    gate.resolve()
    const [one, two] = await Promise.all(both)
    expect(one).toEqual(two)
    expect(browsers).toHaveLength(1)
  })

  it('can be opened later under the same id after a failure', async () => {
    const { sessions, opening } = await setUp({ maxSessions: 1 })
    opening.fails = new Error('no browser')
    const same = wish()
    await expect(sessions.create(same, never)).rejects.toThrow('no browser')
    opening.fails = undefined
    expect(await sessions.create(same, never)).toMatchObject({ id: same.id })
  })

  it('is closed if its caller has left while it opened', async () => {
    const { sessions, browsers, opening } = await setUp({ maxSessions: 1 })
    const gate = Promise.withResolvers<void>()
    opening.gate = gate.promise
    const leaving = new AbortController()
    const making = sessions.create(wish(), leaving.signal)
    leaving.abort(new Error('gone'))
    gate.resolve()
    await expect(making).rejects.toThrow('gone')
    expect(browsers[0]?.ended).toEqual(['closed'])
    expect(await sessions.create(wish(), never)).toBeDefined()
  })
})

describe('the limit of sessions', () => {
  it('counts sessions that are being opened, and names those of the team', async () => {
    const { sessions } = await setUp({ maxSessions: 2 })
    const mine = await sessions.create(wish(), never)
    await sessions.create(wish({ teamId: 'blue' }), never)
    await expect(sessions.create(wish(), never)).rejects.toMatchObject({
      code: 'SESSION_LIMIT',
      status: 429,
      details: { maxSessions: 2, sessions: [mine.id] },
    })
    await sessions.close(ref(mine))
    expect(await sessions.create(wish(), never)).toBeDefined()
  })

  it('holds for many concurrent requests', async () => {
    const { sessions, browsers } = await setUp({ maxSessions: 3 })
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => sessions.create(wish(), never)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(browsers).toHaveLength(3)
  })

  it('reserves sessions for other teams, and the error names its reason', async () => {
    const { sessions } = await setUp({ maxSessions: 2, hasOthers: true })
    const mine = await sessions.create(wish(), never)
    await expect(sessions.create(wish(), never)).rejects.toMatchObject({ details: { sessions: [mine.id] } })
    await sessions.create(wish({ teamId: 'blue' }), never)
    await expect(sessions.create(wish({ teamId: 'late' }), never)).rejects.toMatchObject({
      code: 'SESSION_LIMIT',
      message: 'All browser sessions are in use.',
      hint: expect.stringContaining('Wait until one ends'),
      details: { sessions: [] },
    })
    await sessions.close(ref(mine))
    expect(await sessions.create(wish(), never)).toBeDefined()
  })
})

it('the limit of one team counts sessions of the team in all processes, and sessions of other teams not at all', async () => {
  const { sessions, store } = await setUp({ maxSessions: 5, maxOfTeam: 2 })
  const { sessions: elsewhere } = await setUp({ maxSessions: 5, maxOfTeam: 2, store })
  const mine = await sessions.create(wish(), never)
  await elsewhere.create(wish(), never)
  await expect(sessions.create(wish(), never)).rejects.toMatchObject({
    code: 'SESSION_LIMIT',
    details: { maxSessions: 2, sessions: [mine.id] },
  })
  expect(await sessions.create(wish({ teamId: 'blue' }), never)).toBeDefined()
  await sessions.close(ref(mine))
  expect(await elsewhere.create(wish(), never)).toBeDefined()
})

it('the key of an endpoint opens only its own kind of endpoint, until the session ends', async () => {
  const { sessions } = await setUp()
  const facts = await sessions.create(wish(), never)
  const keys = facts.secrets as { cdp: string; view: string; control: string }
  expect(new Set(Object.values(keys)).size).toBe(3)
  expect(await sessions.endpoint(keys.cdp)).toMatchObject({ kind: 'cdp' })
  expect(await sessions.endpoint(keys.view)).toMatchObject({ kind: 'view', role: 'view' })
  expect(await sessions.endpoint(keys.control)).toMatchObject({ kind: 'view', role: 'control' })
  expect(await sessions.endpoint('nothing')).toBeUndefined()
  await sessions.close(ref(facts))
  for (const key of Object.values(keys)) expect(await sessions.endpoint(key)).toBeUndefined()
})

describe('the lifetime of a session', () => {
  useFakeTime()

  it('ends after a time without calls', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish({ activityTtlMs: minute }), never)
    await vi.advanceTimersByTimeAsync(50 * second)
    await sessions.snapshot(ref(facts), {}, never)
    await vi.advanceTimersByTimeAsync(50 * second)
    expect(browsers[0]?.ended).toEqual([])
    await vi.advanceTimersByTimeAsync(11 * second)
    await vi.waitFor(() => expect(browsers[0]?.ended).toEqual(['activityTtl']), 20_000)
  })

  it('is not extended by viewers who only watch', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish({ activityTtlMs: minute }), never)
    await vi.advanceTimersByTimeAsync(50 * second)
    await sessions.state(ref(facts), never)
    await sessions.screenshot(ref(facts), never)
    await sessions.find(ref(facts))
    await vi.advanceTimersByTimeAsync(11 * second)
    await vi.waitFor(() => expect(browsers[0]?.ended).toEqual(['activityTtl']), 20_000)
  })

  it('continues while code runs, until the ttl', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish({ ttlMs: 3 * minute, activityTtlMs: 30 * second }), never)
    const held = Promise.withResolvers<void>()
    browsers[0]!.work.gate = held.promise
    const running = sessions.execute(ref(facts), code, never)
    running.catch(() => undefined)
    await vi.waitFor(() => expect(browsers[0]?.work.started).toBe(1), 60_000)
    await vi.advanceTimersByTimeAsync(2 * minute)
    expect(browsers[0]?.ended).toEqual([])
    await vi.advanceTimersByTimeAsync(61 * second)
    await vi.waitFor(() => expect(browsers[0]?.ended).toEqual(['ttl']), 20_000)
    held.resolve()
    await running
  })

  it('is extended by each act of a client or a viewer', async () => {
    const { sessions, browsers } = await setUp()
    await sessions.create(wish({ activityTtlMs: minute }), never)
    for (let times = 0; times < 4; times++) {
      await vi.advanceTimersByTimeAsync(40 * second)
      browsers[0]!.callbacks.activity()
    }
    expect(browsers[0]?.ended).toEqual([])
  })

  it('ends with the last heartbeat of a process that died', async () => {
    const { store } = await tempStore({ clock: { now: Date.now } })
    const createdAt = Date.now()
    const dead = { ...wish(), nodeId: null, createdAt, expiresAt: createdAt + 10 * minute }
    await store.sessions.create(dead)
    vi.setSystemTime(createdAt + 30 * second)
    await store.sessions.renew([{ id: dead.id, lastActivityAt: createdAt }])
    vi.setSystemTime(createdAt + 5 * minute)
    const { sessions } = await setUp({ store })
    expect(await sessions.list({ teamId: 'red', status: 'active' })).toEqual([])
    expect(await store.sessions.find(dead.id)).toMatchObject({ why: 'process', credits: 1 })
    await expect(sessions.execute(ref(dead), code, never)).rejects.toMatchObject({ code: 'SESSION_GONE' })
  })
})

describe('notifications', () => {
  useFakeTime()

  it('report sessions that open and end, and changes once a second', async () => {
    const { sessions, browsers } = await setUp()
    const events: string[] = []
    sessions.listen((event) => events.push(event.kind))
    const facts = await sessions.create(wish(), never)
    for (let times = 0; times < 50; times++) browsers[0]!.callbacks.changed()
    expect(events).toEqual(['list', 'changed'])
    await vi.advanceTimersByTimeAsync(1001)
    expect(events).toEqual(['list', 'changed', 'changed'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(events).toEqual(['list', 'changed', 'changed'])
    await sessions.close(ref(facts))
    expect(events.at(-1)).toBe('list')
  })
})

const full = () => Promise.reject(new Error('database or disk is full'))

describe('a database error', () => {
  it('at the start of a session leaves no browser, and does not count for the limit', async () => {
    const broken = { create: full }
    const { sessions, browsers } = await setUp({ maxSessions: 1, broken })
    for (let times = 0; times < 2; times++) await expect(sessions.create(wish(), never)).rejects.toThrow('full')
    expect(browsers.map(({ ended }) => ended)).toEqual([['closed'], ['closed']])
  })

  it('at the end of a session does not keep its browser alive', async () => {
    const { sessions, browsers } = await setUp({ broken: { end: full } })
    const facts = await sessions.create(wish(), never)
    expect(await sessions.close(ref(facts))).toMatchObject({ durationMs: expect.any(Number) })
    expect(browsers[0]?.ended).toEqual(['closed'])
    expect(await sessions.endpoint(facts.secrets!.cdp!)).toBeUndefined()
  })

  it('in the search for sessions of dead processes does not prevent a new session', async () => {
    const { sessions } = await setUp({ broken: { lost: full } })
    expect(await sessions.create(wish(), never)).toBeDefined()
  })
})

it.each([
  ['did not finish in time', new DeadlineError('attach to a tab', 10_000), 'did not finish a step: attach to a tab'],
  ['went away', CdpError.ended('Target.attachToTarget', 'closed'), 'The browser of the session failed'],
])('a browser that fails while it opens fails the session: %s', async (_, thrown, says) => {
  const { sessions, opening } = await setUp()
  opening.fails = thrown
  await expect(sessions.create(wish(), never)).rejects.toMatchObject({
    code: 'SESSION_FAILED',
    message: expect.stringContaining(says),
  })
})

describe('a session that ended during a database error', () => {
  useFakeTime()

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
