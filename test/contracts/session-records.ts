import { describe, expect, test } from 'vitest'
import { aJob, fakeClock } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const noon = fakeClock().now()
const started = {
  id: 'one',
  kind: 'browser' as const,
  teamId: 'team',
  keyName: 'laptop',
  createdAt: noon,
  expiresAt: noon + 600_000,
  streamWebView: true,
  nodeId: null,
}
const record = { ...started, lastActivityAt: noon, endedAt: null, why: null, credits: 0 }
const ending = { endedAt: noon + 90_000, why: 'closed' as const, credits: 3 }

/** The contract of every store of session records. */
export function describeSessionRecords(open: OpenStore<'sessions' | 'usage' | 'jobs'>): void {
  async function world() {
    const stores = await opened(open)
    return { ...stores, sessions: stores.store.sessions, usage: stores.store.usage }
  }

  describe('a session that begins', () => {
    test.each([{}, { kind: 'interact' as const, keyName: null }, { streamWebView: false }])(
      'is found with its settings: %o',
      async (changes) => {
        const { sessions } = await world()
        expect(await sessions.create({ ...started, ...changes })).toBe(true)
        expect(await sessions.find('one')).toEqual({ ...record, ...changes })
        expect(await sessions.find('two')).toBeUndefined()
      },
    )

    test('starts once, even if other servers start it or it has ended', async () => {
      const { sessions } = await world()
      const all = await Promise.all(['team', 'other', 'third'].map((teamId) => sessions.create({ ...started, teamId })))
      expect(all).toEqual([true, false, false])
      await sessions.end('one', ending)
      expect(await sessions.create(started)).toBe(false)
      expect(await sessions.find('one')).toEqual({ ...record, ...ending })
    })
  })

  describe('a session that ends', () => {
    test('is over, and its credits are charged to its key', async () => {
      const { sessions, usage } = await world()
      await sessions.create(started)
      expect(await sessions.end('one', ending)).toBe(true)
      expect(await sessions.find('one')).toEqual({ ...record, ...ending })
      expect(await usage.months({ teamId: 'team', byKey: true })).toMatchObject([{ keyName: 'laptop', credits: 3 }])
    })

    test('is charged once, by the first to end it', async () => {
      const { sessions, usage } = await world()
      await sessions.create(started)
      const all = await Promise.all(
        [3, 4, 5].map((credits) => sessions.end('one', { ...ending, endedAt: noon + credits, credits })),
      )
      expect(all).toEqual([true, false, false])
      expect(await sessions.end('one', { ...ending, why: 'ttl', credits: 100 })).toBe(false)
      expect(await sessions.find('one')).toMatchObject({ why: 'closed', credits: 3, endedAt: noon + 3 })
      expect(await usage.since('team', 0)).toBe(3)
    })

    test('is charged in addition to the scrape with the same id', async () => {
      const { sessions, usage, store } = await world()
      await store.jobs.record(aJob({ id: 'one', credits: 1 }))
      await sessions.create({ ...started, kind: 'interact' })
      await sessions.end('one', ending)
      expect(await usage.since('team', 0)).toBe(4)
    })
  })

  test('the list of sessions has the newest of one team first, filtered by whether they are over', async () => {
    const { sessions } = await world()
    await sessions.create({ ...started, id: 'a' })
    await sessions.create({ ...started, id: 'b', createdAt: noon + 2 })
    await sessions.create({ ...started, id: 'c', createdAt: noon + 1 })
    await sessions.create({ ...started, id: 'd', createdAt: noon + 3, teamId: 'other' })
    await sessions.end('c', ending)
    const ids = async (query: object) => (await sessions.list({ teamId: 'team', ...query })).map(({ id }) => id)
    expect(await ids({})).toEqual(['b', 'c', 'a'])
    expect(await ids({ status: 'active' })).toEqual(['b', 'a'])
    expect(await ids({ status: 'destroyed' })).toEqual(['c'])
    expect(await ids({ teamId: 'other' })).toEqual(['d'])
    expect(await ids({ teamId: 'nobody' })).toEqual([])
    expect(await sessions.list({ teamId: 'team', status: 'destroyed' })).toEqual([
      { ...record, id: 'c', createdAt: noon + 1, lastActivityAt: noon + 1, ...ending },
    ])
  })

  describe('sessions without renewal', () => {
    test('are lost, until they are ended', async () => {
      const { sessions, clock } = await world()
      await sessions.create(started)
      await sessions.create({ ...started, id: 'two' })
      clock.advance(30_000)
      await sessions.renew([{ id: 'two', lastActivityAt: noon + 10_000 }])
      expect(await sessions.lost(noon)).toEqual([])
      expect(await sessions.lost(noon + 1)).toEqual([{ id: 'one', createdAt: noon, renewedAt: noon }])
      expect((await sessions.lost(noon + 60_000)).map(({ id, renewedAt }) => [id, renewedAt])).toEqual([
        ['one', noon],
        ['two', noon + 30_000],
      ])
      await sessions.end('one', { ...ending, why: 'process' })
      expect(await sessions.lost(noon + 1)).toEqual([])
    })

    test('have a time of last activity that never decreases', async () => {
      const { sessions } = await world()
      await sessions.create(started)
      await sessions.renew([{ id: 'one', lastActivityAt: noon + 20_000 }])
      await sessions.renew([{ id: 'one', lastActivityAt: noon + 10_000 }])
      expect(await sessions.find('one')).toMatchObject({ lastActivityAt: noon + 20_000 })
    })

    test('stay lost after a late renewal', async () => {
      const { sessions, clock } = await world()
      await sessions.create(started)
      await sessions.end('one', ending)
      clock.advance(100_000)
      await sessions.renew([
        { id: 'one', lastActivityAt: clock.now() },
        { id: 'never started', lastActivityAt: clock.now() },
      ])
      await sessions.renew([])
      expect(await sessions.find('one')).toEqual({ ...record, ...ending })
      expect(await sessions.find('never started')).toBeUndefined()
    })
  })

  test('sessions are found after a restart', async () => {
    const { sessions, restart } = await world()
    await sessions.create(started)
    await sessions.create({ ...started, id: 'two' })
    await sessions.end('two', ending)
    const { sessions: later } = await restart()
    expect(await later.find('one')).toEqual(record)
    expect(await later.create({ ...started, id: 'two' })).toBe(false)
    expect(await later.lost(noon + 1)).toEqual([{ id: 'one', createdAt: noon, renewedAt: noon }])
  })

  test('a session begins and ends once, even in two processes', async () => {
    const { sessions: one, another } = await world()
    const { sessions: two, usage } = await another()
    const began = await Promise.all([one.create(started), two.create(started)])
    expect(began.filter(Boolean)).toHaveLength(1)
    const ended = await Promise.all([one.end('one', ending), two.end('one', ending)])
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await usage.since('team', 0)).toBe(3)
  })
}
