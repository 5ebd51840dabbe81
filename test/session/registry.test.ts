import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { code, never, ref, second, setUp, wish } from './fixture.ts'

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

  it('that was closed is refused to every call, but returns its duration and cost again', async () => {
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

  it('is over for another process too, which cannot use a session of another process', async () => {
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

  it('whose browser dies is over, and fails its calls with SESSION_GONE', async () => {
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

  it('that another call opens is waited for, and opened once', async () => {
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

  it('that cannot be opened leaves its id free', async () => {
    const { sessions, opening } = await setUp({ maxSessions: 1 })
    opening.fails = new Error('no browser')
    const same = wish()
    await expect(sessions.create(same, never)).rejects.toThrow('no browser')
    opening.fails = undefined
    expect(await sessions.create(same, never)).toMatchObject({ id: same.id })
  })

  it('is closed again if its caller has left meanwhile', async () => {
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

  it('is lower if other teams may need sessions, and the refusal says so', async () => {
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

describe('the limit of one team', () => {
  it('counts its sessions in all processes, and does not close those of others', async () => {
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
})

describe('the key of an endpoint', () => {
  it('opens only its own kind of endpoint, until the session ends', async () => {
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
})
