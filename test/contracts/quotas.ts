import { describe, expect, test } from 'vitest'
import { opened, type OpenStore } from './store-under-test.ts'
import { aJob } from './fixtures.ts'

const leaseMs = 30_000
const limits = { maxConcurrency: 2, maxWaiting: 2 }
const ticket = (id: string, over: { teamId?: string; workerId?: string } = {}) => ({
  id,
  teamId: 'acme',
  workerId: 'me',
  ...over,
})

/** The contract of every store of quotas. */
export function describeQuotas(open: OpenStore<'quotas' | 'jobs' | 'usage'>): void {
  async function setting() {
    const stores = await opened(open)
    const other = await stores.another()
    await stores.store.quotas.renew('me', leaseMs)
    await other.quotas.renew('them', leaseMs)
    return { ...stores, mine: stores.store.quotas, theirs: other.quotas }
  }
  type Setting = Awaited<ReturnType<typeof setting>>
  const states = async ({ mine }: Setting, ...ids: string[]) => {
    const found = []
    for (const id of ids) found.push((await mine.join(ticket(id), limits)).state)
    return found
  }

  describe('slots', () => {
    test('are given in order; further calls queue, and beyond the queue calls are refused', async () => {
      const world = await setting()
      expect(await states(world, 'a', 'b', 'c', 'd', 'e')).toEqual(['held', 'held', 'waiting', 'waiting', 'full'])
      expect(await world.theirs.load('acme')).toEqual({ active: 2, waiting: 2 })
      expect(await world.theirs.load('other')).toEqual({ active: 0, waiting: 0 })
      expect((await world.mine.heldBy('me')).toSorted()).toEqual(['a', 'b'])
    })

    test('that are given back go to the first in the queue, in every process', async () => {
      const { mine, theirs } = await setting()
      for (const id of ['a', 'b']) await mine.join(ticket(id), limits)
      await theirs.join(ticket('theirs', { workerId: 'them' }), limits)
      await mine.join(ticket('mine'), limits)
      expect(await mine.leave(ticket('b'), 2)).toEqual(['theirs'])
      expect(await theirs.heldBy('them')).toEqual(['theirs'])
      expect(await mine.leave(ticket('a'), 2)).toEqual(['mine'])
    })

    test('do not exceed the limit when two processes request them concurrently', async () => {
      const { mine, theirs } = await setting()
      const requests = Array.from({ length: 40 }, (_, nth) =>
        nth % 2 === 0
          ? mine.join(ticket(`m${nth}`), { maxConcurrency: 3, maxWaiting: 20 })
          : theirs.join(ticket(`t${nth}`, { workerId: 'them' }), { maxConcurrency: 3, maxWaiting: 20 }),
      )
      const got = (await Promise.all(requests)).map(({ state }) => state)
      expect(got.filter((state) => state === 'held')).toHaveLength(3)
      expect(got.filter((state) => state === 'full')).toHaveLength(17)
    })

    test('of a killed process are free when its lease ends, not earlier', async () => {
      const { mine, theirs, clock } = await setting()
      for (const id of ['a', 'b']) await theirs.join(ticket(id, { workerId: 'them' }), limits)
      await mine.join(ticket('c'), limits)
      clock.advance(leaseMs - 1)
      await mine.renew('me', leaseMs)
      expect(await mine.advance('acme', 2)).toEqual([])
      clock.advance(1)
      expect(await mine.advance('acme', 2)).toEqual(['c'])
      expect(await mine.load('acme')).toEqual({ active: 1, waiting: 0 })
      expect(await theirs.renew('them', leaseMs)).toBe(false)
      expect(await theirs.leave(ticket('a', { workerId: 'them' }), 2)).toEqual([])
    })

    test('of a released worker are free immediately', async () => {
      const { mine, theirs } = await setting()
      await theirs.join(ticket('a', { workerId: 'them' }), limits)
      expect(await mine.workers()).toEqual(['me', 'them'])
      await mine.release('them')
      expect(await mine.load('acme')).toEqual({ active: 0, waiting: 0 })
    })

    test('follow a limit that is raised or lowered while calls wait', async () => {
      const world = await setting()
      await states(world, 'a', 'b', 'c', 'd')
      expect(await world.mine.advance('acme', 3)).toEqual(['c'])
      expect(await world.mine.leave(ticket('a'), 1)).toEqual([])
      expect(await world.mine.leave(ticket('b'), 1)).toEqual([])
      expect(await world.mine.leave(ticket('c'), 1)).toEqual(['d'])
    })
  })

  describe('calls', () => {
    const call = { teamId: 'acme', endpoint: 'scrape', limit: 3 }

    test('are limited by the minute', async () => {
      const { mine, clock } = await setting()
      clock.advance(60_000 - (clock.now() % 60_000))
      const left = async () => (await mine.countCall(call)).left
      expect([await left(), await left(), await left()]).toEqual([2, 1, 0])
      expect(await mine.countCall(call)).toEqual({ isCounted: false, left: 0 })
      clock.advance(59_999)
      expect(await mine.countCall(call)).toEqual({ isCounted: false, left: 0 })
      clock.advance(1)
      expect(await mine.countCall(call)).toEqual({ isCounted: true, left: 2 })
    })

    test('of two processes count together, by team and endpoint', async () => {
      const { mine, theirs } = await setting()
      const counted = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => (nth % 2 ? mine : theirs).countCall({ ...call, limit: 7 })),
      )
      expect(counted.filter(({ isCounted }) => isCounted)).toHaveLength(7)
      expect(await mine.countCall({ ...call, endpoint: 'crawl' })).toMatchObject({ isCounted: true })
      expect(await mine.countCall({ ...call, teamId: 'other' })).toMatchObject({ isCounted: true })
    })
  })

  describe('credits', () => {
    const since = 0
    const hold = (jobId: string, over: { credits?: number; workerId?: string } = {}) => ({
      jobId,
      teamId: 'acme',
      workerId: 'me',
      credits: 1,
      limit: 10,
      since,
      ...over,
    })

    test('are reserved up to the last one, by two processes together', async () => {
      const { mine, theirs } = await setting()
      const held = await Promise.all(
        Array.from({ length: 30 }, (_, nth) =>
          nth % 2 ? mine.holdCredits(hold(`m${nth}`)) : theirs.holdCredits(hold(`t${nth}`, { workerId: 'them' })),
        ),
      )
      expect(held.filter(Boolean)).toHaveLength(10)
    })

    test('that are reserved become charged in one step', async () => {
      const { mine, store } = await setting()
      expect(await mine.holdCredits(hold('a', { credits: 9 }))).toBe(true)
      expect(await mine.holdCredits(hold('b', { credits: 2 }))).toBe(false)
      await store.jobs.record({ ...aJob({ id: 'a' }), teamId: 'acme', credits: 4 })
      expect(await store.usage.since('acme', 0)).toBe(4)
      expect(await mine.holdCredits(hold('c', { credits: 7 }))).toBe(false)
      expect(await mine.holdCredits(hold('d', { credits: 6 }))).toBe(true)
    })

    test('that are released, or were reserved by a process that ended, can be used again', async () => {
      const { mine, theirs, clock } = await setting()
      await mine.holdCredits(hold('a', { credits: 5 }))
      await theirs.holdCredits(hold('b', { credits: 5, workerId: 'them' }))
      await mine.releaseCredits('a')
      expect(await mine.holdCredits(hold('c', { credits: 6 }))).toBe(false)
      clock.advance(leaseMs)
      await mine.renew('me', leaseMs)
      expect(await mine.holdCredits(hold('d', { credits: 10 }))).toBe(true)
    })
  })
}
