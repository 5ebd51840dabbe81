import { expect, test } from 'vitest'
import { failureOf } from '../helpers/fakes.ts'
import { aCrawl, finishAll, page, world } from './crawl-kit.ts'
import { tempStore } from './kit.ts'

test('ends a crawl only when nothing is left, and counts what waited as beyond the limit', async () => {
  const { crawls, id, claim, counts } = await world({ pageLimit: 2, isKickedOff: false })
  await crawls.add(id, [page('/a'), page('/b'), page('/c')])
  const pages = await claim()
  await finishAll(crawls, pages)
  expect(await crawls.complete(id)).toBe(false)
  await crawls.endKickOff(id, { warnings: ['one', 'one', 'two'] })
  expect(await crawls.complete(id)).toBe(true)
  expect(await crawls.complete(id)).toBe(false)
  expect(await counts()).toEqual({ waiting: 0, active: 0, done: 2, failed: 0, dropped: 1 })
  expect((await crawls.skipped(id)).counts).toEqual({ limit: 1 })
  expect(await crawls.find(id)).toMatchObject({ status: 'completed', warnings: ['one', 'two'], credits: 2 })
})

test('tells failures and bills pages once, in the ledger of the team', async () => {
  const { store, crawls, id, claim, clock } = await world()
  await crawls.add(id, [page('/a'), page('/b')])
  const [a, b] = await claim()
  await crawls.finish(a!, 'one', { kind: 'document', document: {}, credits: 5 })
  await crawls.finish(b!, 'one', { kind: 'failed', code: 'SCRAPE_SITE_ERROR', message: 'It broke.' })
  expect(await crawls.failures(id)).toEqual([
    { id: b!.id, url: 'https://site.test/b', at: clock.now(), code: 'SCRAPE_SITE_ERROR', message: 'It broke.' },
  ])
  expect(await store.usage.since('team', 0)).toBe(5)
})

test('answers results in the order they came, as many as fit and one at least', async () => {
  const { crawls, id, claim } = await world()
  await crawls.add(id, [page('/a'), page('/b'), page('/c')])
  const pages = await claim()
  for (const [index, each] of pages.entries())
    await crawls.finish(each, 'one', { kind: 'document', document: { n: index, text: 'x'.repeat(1000) }, credits: 0 })
  const numbers = async (skip: number, maxBytes: number) =>
    (await crawls.documents(id, { skip, limit: 10, maxBytes })).map((each) => (each as { n: number }).n)
  expect(await numbers(0, 1e6)).toEqual([0, 1, 2])
  expect(await numbers(1, 2100)).toEqual([1, 2])
  expect(await numbers(0, 10)).toEqual([0])
  expect(await numbers(3, 1e6)).toEqual([])
  expect(await crawls.document(pages[1]!.id)).toMatchObject({ teamId: 'team', document: { n: 1 } })
})

test('cancels once, and what was under way is lost', async () => {
  const { crawls, id, claim, counts } = await world()
  await crawls.add(id, [page('/a'), page('/b')])
  const [a] = await claim({ count: 1 })
  expect(await crawls.cancel(id)).toBe(true)
  expect(await crawls.cancel(id)).toBe(false)
  expect(await crawls.finish(a!, 'one', { kind: 'document', document: {}, credits: 1 })).toBe('lost')
  expect(await crawls.add(id, [page('/c')])).toBe(0)
  expect(await claim()).toEqual([])
  expect(await counts()).toEqual({ waiting: 0, active: 0, done: 0, failed: 0, dropped: 2 })
  expect(await crawls.running()).toEqual([])
})

test('lets one process kick a crawl off, and another when that one has died', async () => {
  const { crawls, id, clock } = await world({ isKickedOff: false })
  expect(await crawls.takeKickOff(id, 'one', 1000)).toBe(true)
  expect(await crawls.takeKickOff(id, 'two', 1000)).toBe(false)
  clock.advance(1000)
  expect(await crawls.takeKickOff(id, 'two', 1000)).toBe(true)
  await crawls.endKickOff(id, { error: { code: 'SCRAPE_DNS_RESOLUTION_ERROR', message: 'No such host.' } })
  expect(await crawls.find(id)).toMatchObject({ status: 'failed', error: { code: 'SCRAPE_DNS_RESOLUTION_ERROR' } })
  expect(await crawls.takeKickOff(id, 'one', 1000)).toBe(false)
})

test('refuses a second job with the same idempotency key of a team', async () => {
  const { store } = await tempStore()
  const { crawls } = store
  await crawls.begin(aCrawl({ idempotencyKey: 'k' }), [])
  expect(await failureOf(crawls.begin(aCrawl({ idempotencyKey: 'k' }), []))).toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
  await crawls.begin(aCrawl({ idempotencyKey: 'k', teamId: 'other' }), [])
  await crawls.begin(aCrawl(), [])
})

test('forgets a crawl and all it brought when its time is over, but never one that runs', async () => {
  const { crawls, id, claim, clock } = await world()
  await crawls.add(id, [page('/a')])
  const pages = await claim()
  await finishAll(crawls, pages)
  clock.advance(2 * 86_400_000)
  expect(await crawls.find(id)).toBeDefined()
  await crawls.complete(id)
  clock.advance(86_400_000 - 1)
  expect(await crawls.find(id)).toBeDefined()
  clock.advance(1)
  expect(await crawls.find(id)).toBeUndefined()
  await crawls.begin(aCrawl({ createdAt: clock.now(), expiresAt: clock.now() + 1000 }), [])
  await expect.poll(() => crawls.document(pages[0]!.id)).toBeUndefined()
})

test('adds to a batch while it runs', async () => {
  const { crawls, id, counts } = await world({ kind: 'batch_scrape', pageLimit: 1 })
  expect(await crawls.append(id, [page('/a'), page('/b')])).toBe(true)
  expect(await counts()).toMatchObject({ waiting: 2 })
  expect((await crawls.find(id))?.pageLimit).toBe(3)
  await crawls.cancel(id)
  expect(await crawls.append(id, [page('/c')])).toBe(false)
})
