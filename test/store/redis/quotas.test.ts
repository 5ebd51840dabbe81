import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCrawl, aWorkflow } from '../../contracts/fixtures.ts'
import { describeKeyedCalls } from '../../contracts/keyed-calls.ts'
import { describeQuotas } from '../../contracts/quotas.ts'
import { opened } from '../../contracts/store-under-test.ts'
import { noRedis, type Redis, startRedis } from '../../helpers/redis.ts'
import { openOverRedis } from './redis-under-test.ts'

const leaseMs = 30_000
const limits = { maxConcurrency: 1, maxWaiting: 5 }
const ticket = (id: string, workerId = 'me') => ({ id, teamId: 'acme', workerId })

describe.skipIf(noRedis !== undefined)(`Redis${noRedis === undefined ? '' : `: ${noRedis}`}`, () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.close())
  const open = openOverRedis(() => redis.url)
  describeQuotas(open)
  describeKeyedCalls(open)

  async function world() {
    const made = await opened(open)
    const { quotas: mine } = made.store
    const { quotas: theirs } = await made.another()
    await mine.renew('me', leaseMs)
    await theirs.renew('them', leaseMs)
    return { ...made, mine, theirs }
  }

  test('counts slots itself: the database knows of none', async () => {
    const { mine, store } = await world()
    await mine.join(ticket('a'), limits)
    expect((await store.workload()).slots).toEqual({ held: 0, waiting: 0 })
    expect(await mine.load('acme')).toEqual({ active: 1, waiting: 0 })
  })

  test.each([
    ['is killed', async () => redis.kill(), async () => redis.start()],
    ['hangs', async () => redis.freeze(), async () => redis.thaw()],
  ])(
    'where Redis %s, calls go on by the database, and go back once it answers',
    { timeout: 60_000 },
    async (_how, go, comeBack) => {
      const { mine, theirs, lines } = await world()
      expect(await mine.join(ticket('a'), limits)).toMatchObject({ state: 'held' })
      expect(await mine.join(ticket('b'), limits)).toMatchObject({ state: 'waiting' })
      await go()
      try {
        // Whoever waited in Redis is first in the line of the database, where nobody has a slot yet.
        expect(await mine.heldBy('me')).toEqual(['b'])
        expect(await theirs.join(ticket('c', 'them'), limits)).toMatchObject({ state: 'waiting' })
        expect(await mine.leave(ticket('b'), 1)).toEqual(['c'])
        expect(await theirs.heldBy('them')).toEqual(['c'])
        expect(await mine.countCall({ teamId: 'acme', endpoint: 'scrape', limit: 1 })).toEqual({
          isCounted: true,
          left: 0,
        })
        expect(await mine.countCall({ teamId: 'acme', endpoint: 'scrape', limit: 1 })).toEqual({
          isCounted: false,
          left: 0,
        })
        expect(await mine.leave(ticket('a'), 1)).toEqual([])
        expect(await mine.renew('me', leaseMs)).toBe(true)
      } finally {
        await comeBack()
      }
      const answersAgain = () => lines.some(({ event }) => event === 'Redis answers again')
      await expect.poll(async () => (await mine.renew('me', leaseMs), answersAgain())).toBe(true)
      expect(await theirs.leave(ticket('c', 'them'), 1)).toEqual([])
      await theirs.renew('them', leaseMs)
      await expect.poll(async () => mine.load('acme')).toEqual({ active: 0, waiting: 0 })
      expect(await theirs.join(ticket('d', 'them'), limits)).toMatchObject({ state: 'held' })
      expect(await mine.join(ticket('e'), limits)).toMatchObject({ state: 'waiting' })
    },
  )

  test('tells other programs of a job, but not of what begins none', async () => {
    const { store, another } = await world()
    const other = await another()
    let heard = 0
    const end = other.listen?.(() => void heard++)
    await expect.poll(() => heard).toBeGreaterThan(0)
    const before = heard
    await expect
      .poll(async () => {
        await store.crawls.start(aCrawl(), [])
        return heard
      })
      .toBeGreaterThan(before)
    const later = heard
    await store.workflows.start(aWorkflow())
    await expect.poll(() => heard).toBeGreaterThan(later)
    await end?.()
  })
})

test('a server that is not there holds nobody up', async () => {
  const made = await opened(async () => {
    const { openSqliteStore } = await import('../sqlite-under-test.ts')
    return openSqliteStore()
  })
  const { withRedis } = await import('../../../src/engine/store/redis/with-redis.ts')
  const { logBook } = await import('../../contracts/fixtures.ts')
  const { log, lines } = logBook()
  const store = withRedis(made.store, 'redis://127.0.0.1:1/0', { clock: made.clock, log })
  await store.quotas.renew('me', leaseMs)
  expect(await store.quotas.join(ticket('a'), limits)).toMatchObject({ state: 'held' })
  expect(lines.map(({ event }) => event)).toEqual([
    'Redis does not answer; limits are kept in the database until it does',
  ])
  await store.close()
})
