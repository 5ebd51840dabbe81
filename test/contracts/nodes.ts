import { describe, expect, test } from 'vitest'
import { fakeClock } from './fixtures.ts'
import { opened, type OpenStore } from './store-under-test.ts'

const startedAt = fakeClock().now()
const facts = { process: 'host 7 1000', version: '1.2.3', schema: 3, settings: { GOSSAMER_ADMIN_KEY: null } }
const one = { id: 'one', role: 'browser' as const, url: 'http://10.0.0.1:3000', startedAt }
const two = { id: 'two', role: 'api' as const, url: null, startedAt: startedAt + 1 }

/** The contract of every store of nodes. */
export function describeNodes(open: OpenStore<'nodes' | 'sessions'>): void {
  describe('a server that shares the database', () => {
    test('is listed until its lease ends or it leaves', async () => {
      const { store, clock, another } = await opened(open)
      const other = await another()
      await store.nodes.renew({ ...two, facts }, 10_000)
      await other.nodes.renew({ ...one, facts }, 5000)
      expect(await store.nodes.alive()).toEqual([
        { ...one, sessions: 0 },
        { ...two, sessions: 0 },
      ])
      clock.advance(5000)
      expect(await store.nodes.alive()).toEqual([{ ...two, sessions: 0 }])
      await other.nodes.renew({ ...one, facts }, 5000)
      await store.nodes.leave('two')
      expect(await store.nodes.alive()).toEqual([{ ...one, sessions: 0 }])
    })

    test('is listed with its live browsers, and loses them at the end of its lease', async () => {
      const { store, clock } = await opened(open)
      await store.nodes.renew({ ...one, facts }, 10_000)
      const session = {
        kind: 'browser',
        teamId: 'team',
        keyName: null,
        createdAt: startedAt,
        expiresAt: startedAt + 60_000,
        streamWebView: true,
      } as const
      for (const [id, nodeId] of [
        ['a', 'one'],
        ['b', 'one'],
        ['c', 'gone'],
        ['d', null],
      ] as const)
        await store.sessions.create({ ...session, id, nodeId })
      await store.sessions.end('b', { endedAt: clock.now(), why: 'closed', credits: 1 })
      expect((await store.nodes.alive()).map(({ sessions }) => sessions)).toEqual([1])
      expect(await store.sessions.find('c')).toMatchObject({ nodeId: 'gone' })
      const lost = async () => (await store.sessions.lost(startedAt - 1)).map(({ id }) => id)
      expect(await lost()).toEqual(['c'])
      clock.advance(10_000)
      expect((await lost()).toSorted()).toEqual(['a', 'c'])
    })

    test('reports its details, its clock and its end, for ten minutes', async () => {
      const { store, clock, another } = await opened(open)
      await store.nodes.renew({ ...one, facts }, 60_000)
      const [entry] = await store.nodes.entered()
      expect(entry).toMatchObject({ ...one, facts, sessions: 0, pages: 0, isAlive: true })
      expect(entry?.silentMs).toBeLessThan(60_000)
      // The database uses the real time, the test a fake clock.
      expect(Math.abs((entry?.clockAheadMs ?? NaN) - (clock.now() - Date.now()))).toBeLessThan(60_000)
      const other = await another()
      await other.nodes.renew({ ...two, facts }, 0)
      expect((await store.nodes.entered()).map(({ id, isAlive }) => [id, isAlive])).toEqual([
        ['one', true],
        ['two', false],
      ])
      clock.advance(600_001)
      await store.nodes.renew({ ...one, facts }, 60_000)
      expect((await store.nodes.entered()).map(({ id }) => id)).toEqual(['one'])
    })
  })
}
