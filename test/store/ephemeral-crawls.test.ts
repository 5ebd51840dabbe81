import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { holdInMemory } from '../../src/engine/store/ephemeral-crawls.ts'
import { aCrawl, aDelivery, page } from '../contracts/fixtures.ts'
import { tempStore } from './kit.ts'

async function twoStores(memoryMaxBytes = 2 ** 26) {
  const { store: kept, clock } = await tempStore()
  const { store: held } = await tempStore({ clock, memoryMaxBytes })
  const opened: string[] = []
  const store = holdInMemory(kept, {
    clock,
    open: async () => {
      opened.push('held')
      return held
    },
  })
  return { store, kept, held, opened, clock }
}

const pages = ['/a', '/b'].map((path) => page(path, { source: 'given' }))
const request = { workerId: 'w', count: 1, leaseMs: 60_000, hostConcurrency: 2, order: 'as found' as const }

test('an ordinary crawl opens no store in memory', async () => {
  const { store, kept, opened } = await twoStores()
  const crawl = aCrawl()
  await store.crawls.start(crawl, pages)
  expect(await kept.crawls.find(crawl.id)).toBeDefined()
  expect([await store.crawls.reap(), opened]).toEqual([[], []])
})

test('the database contains only the credits of a crawl with zero data retention', async () => {
  const { store, kept } = await twoStores()
  const crawl = aCrawl({ isEphemeral: true })
  await store.crawls.start(crawl, pages, aDelivery({ crawlId: crawl.id }))
  const [claimed] = await store.crawls.claim({ ...request, crawlId: crawl.id })
  const document = { markdown: '# Hello' }
  expect(await store.crawls.finish(claimed!, 'w', { kind: 'document', document, credits: 4 })).toBe('finished')
  expect(await store.crawls.finish(claimed!, 'w', { kind: 'document', document, credits: 4 })).toBe('lost')

  expect(await kept.crawls.find(crawl.id)).toBeUndefined()
  expect(await kept.deliveries.nextDueAt()).toBeUndefined()
  expect(await kept.usage.since('team', 0)).toBe(4)
  expect(await store.crawls.running('team')).toMatchObject([{ id: crawl.id, credits: 4 }])
  expect(await store.crawls.document(claimed!.id)).toEqual({
    teamId: 'team',
    crawlId: crawl.id,
    document,
    isEphemeral: true,
  })
  expect(await store.deliveries.claim('w', 10, 60_000)).toMatchObject([{ crawlId: crawl.id, teamId: 'team' }])
})

test('crawls and events of both kinds are listed together, oldest first', async () => {
  const { store, clock } = await twoStores()
  const ids: string[] = []
  for (const isEphemeral of [true, false, true]) {
    clock.advance(1)
    const crawl = aCrawl({ isEphemeral, createdAt: clock.now() })
    ids.push(crawl.id)
    await store.crawls.start(crawl, pages, aDelivery({ crawlId: crawl.id }))
  }
  expect((await store.crawls.running()).map(({ id }) => id)).toEqual(ids)
  const queues = await store.deliveries.claim('w', 10, 60_000)
  expect(queues.map(({ crawlId }) => crawlId).toSorted()).toEqual(ids.toSorted())
  for (const crawlId of ids) {
    const { due } = await store.deliveries.look(crawlId, 5)
    expect(due).toHaveLength(1)
    expect(await store.deliveries.read(due[0]!.id)).toMatchObject({ crawlId })
    await store.deliveries.sent(due[0]!.id)
    await store.deliveries.leave(crawlId, 'w')
  }
  expect(await store.deliveries.nextDueAt()).toBeUndefined()
})

test('a crawl in memory is deleted an hour after its end, with its pages', async () => {
  const { store, clock } = await twoStores()
  const crawl = aCrawl({ isEphemeral: true, createdAt: clock.now(), expiresAt: clock.now() + 3_600_000 })
  await store.crawls.start(crawl, pages.slice(0, 1))
  const [claimed] = await store.crawls.claim({ ...request, crawlId: crawl.id })
  await store.crawls.finish(claimed!, 'w', { kind: 'document', document: {}, credits: 1 })
  expect(await store.crawls.complete(crawl.id)).toBe(true)
  clock.advance(3_600_001)
  expect([await store.crawls.find(crawl.id), await store.crawls.document(claimed!.id)]).toEqual([undefined, undefined])
})

test('a crawl whose memory is full ends with a message and the pages read so far', async () => {
  const { store, kept } = await twoStores(2 ** 20)
  const crawl = aCrawl({ isEphemeral: true })
  await store.crawls.start(crawl, pages)
  const [claimed] = await store.crawls.claim({ ...request, crawlId: crawl.id })
  const document = { rawHtml: randomBytes(2 ** 20).toString('hex') }
  await store.crawls.finish(claimed!, 'w', { kind: 'document', document, credits: 1 })
  expect(await store.crawls.failures(crawl.id)).toMatchObject([{ url: claimed!.url, code: 'STORAGE_FULL' }])
  expect(await store.crawls.claim({ ...request, crawlId: crawl.id })).toEqual([])
  expect(await store.crawls.complete(crawl.id)).toBe(true)
  expect(await store.crawls.find(crawl.id)).toMatchObject({
    status: 'completed',
    warnings: [expect.stringContaining('memory')],
  })
  expect(await kept.usage.since('team', 0)).toBe(0)
})
