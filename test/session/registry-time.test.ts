import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tempStore } from '../store/kit.ts'
import { code, minute, never, ref, second, setUp, wish } from './fixture.ts'

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('without use ends a session', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish({ activityTtlMs: minute }), never)
    await vi.advanceTimersByTimeAsync(50 * second)
    await sessions.snapshot(ref(facts), {}, never)
    await vi.advanceTimersByTimeAsync(50 * second)
    expect(browsers[0]?.ended).toEqual([])
    await vi.advanceTimersByTimeAsync(11 * second)
    await vi.waitFor(() => expect(browsers[0]?.ended).toEqual(['activityTtl']), 20_000)
  })

  it('also counts for viewers who only watch', async () => {
    const { sessions, browsers } = await setUp()
    const facts = await sessions.create(wish({ activityTtlMs: minute }), never)
    await vi.advanceTimersByTimeAsync(50 * second)
    await sessions.state(ref(facts), never)
    await sessions.screenshot(ref(facts), never)
    await sessions.find(ref(facts))
    await vi.advanceTimersByTimeAsync(11 * second)
    await vi.waitFor(() => expect(browsers[0]?.ended).toEqual(['activityTtl']), 20_000)
  })

  it('does not count for running code, which ends with the ttl of the session', async () => {
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

  it('restarts with each act of a client or a viewer', async () => {
    const { sessions, browsers } = await setUp()
    await sessions.create(wish({ activityTtlMs: minute }), never)
    for (let times = 0; times < 4; times++) {
      await vi.advanceTimersByTimeAsync(40 * second)
      browsers[0]!.ears.activity()
    }
    expect(browsers[0]?.ended).toEqual([])
  })

  it('in a process that died is billed until its last heartbeat', async () => {
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
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('report sessions that open and end, and changes once a second', async () => {
    const { sessions, browsers } = await setUp()
    const told: string[] = []
    sessions.listen((event) => told.push(event.kind))
    const facts = await sessions.create(wish(), never)
    for (let times = 0; times < 50; times++) browsers[0]!.ears.changed()
    expect(told).toEqual(['list', 'changed'])
    await vi.advanceTimersByTimeAsync(1001)
    expect(told).toEqual(['list', 'changed', 'changed'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(told).toEqual(['list', 'changed', 'changed'])
    await sessions.close(ref(facts))
    expect(told.at(-1)).toBe('list')
  })
})
