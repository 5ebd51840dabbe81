import { expect, test } from 'vitest'
import { document, finishAll, page, world } from './crawl-kit.ts'

test('takes each page once, by its key, and says why the others are none', async () => {
  const { crawls, id, paths } = await world()
  expect(await crawls.add(id, [page('/a'), page('/b'), page('/a'), page('/a?x=1', { key: 'site.test/a' })])).toBe(2)
  expect(await crawls.add(id, [page('/b'), page('/c')])).toBe(1)
  expect(await paths()).toEqual(['/a', '/b', '/c'])
  expect(await paths()).toEqual([])
  expect((await crawls.skipped(id)).counts).toEqual({ duplicate: 1 })
})

test('never has more pages under way, done and failed than the limit, whoever takes them', async () => {
  const { crawls, id, claim, counts } = await world({ pageLimit: 5 })
  await crawls.add(
    id,
    Array.from({ length: 20 }, (_, index) => page(`/${index}`)),
  )
  const [first, second] = await Promise.all([claim({ count: 4 }), claim({ count: 4, owner: 'two' })])
  expect(first.length + second.length).toBe(5)
  await crawls.finish(first[0]!, 'one', { kind: 'dropped', reason: 'robots' })
  expect(await claim()).toHaveLength(1)
  expect(await claim()).toHaveLength(0)
  expect(await counts()).toMatchObject({ active: 5, waiting: 14, dropped: 1 })
})

test('keeps the number of pages of the crawl and of each host, and serves hosts in turn', async () => {
  const { crawls, id, claim } = await world({ maxConcurrency: 5 })
  const many = Array.from({ length: 8 }, (_, index) => page(`/${index}`))
  await crawls.add(id, [...many, page('/x', { host: 'b:443', key: 'b/x' }), page('/y', { host: 'c:443', key: 'c/y' })])
  const first = await claim({ count: 6, hostConcurrency: 3 })
  expect(first.map(({ host }) => host).toSorted()).toEqual(['b:443', 'c:443', 'site.test:443', 'site.test:443'])
  expect(await claim({ hostConcurrency: 3 })).toHaveLength(1)
  expect(await claim({ hostConcurrency: 3 })).toHaveLength(0)
})

test('leaves a host alone for its gap, and the whole crawl for its delay', async () => {
  const { crawls, id, claim, clock } = await world()
  await crawls.add(id, [page('/a'), page('/b')])
  await crawls.slowDown(id, 'site.test:443', 5000)
  await crawls.slowDown(id, 'site.test:443', 2000)
  const pages = await claim()
  expect(pages).toHaveLength(1)
  clock.advance(60_000)
  expect(await claim()).toHaveLength(0)
  await crawls.renew('one', 30_000)
  await finishAll(crawls, pages)
  clock.advance(4999)
  expect(await claim()).toHaveLength(0)
  clock.advance(1)
  expect(await claim()).toHaveLength(1)

  const slow = await world({ delayMs: 3000, maxConcurrency: 1 })
  await slow.crawls.add(slow.id, [page('/a'), page('/b', { host: 'b:443', key: 'b' })])
  await finishAll(slow.crawls, await slow.claim())
  expect(await slow.claim()).toHaveLength(0)
  slow.clock.advance(3000)
  expect(await slow.claim()).toHaveLength(1)
})

test('by level takes no page while one of less depth waits or is under way, anywhere', async () => {
  const { crawls, id, claim } = await world()
  await crawls.add(id, [
    page('/deep', { depth: 2 }),
    page('/a', { depth: 1 }),
    page('/b', { depth: 1, host: 'b:443', key: 'b' }),
  ])
  const first = await claim({ byLevel: 'by level' })
  expect(first.map(({ depth }) => depth)).toEqual([1, 1])
  await crawls.add(id, [page('/deep', { depth: 1 })])
  expect((await claim({ byLevel: 'by level' })).map(({ depth }) => depth)).toEqual([1])
  await crawls.add(id, [page('/deeper', { depth: 3 })])
  expect(await claim({ byLevel: 'by level' })).toEqual([])
})

test('gives a page to another when its lease ends, and takes nothing from whoever lost it', async () => {
  const { crawls, id, claim, clock, counts } = await world()
  await crawls.add(id, [page('/a')])
  const [mine] = await claim({ leaseMs: 1000 })
  expect(await crawls.reap()).toEqual(['one'])
  clock.advance(1000)
  expect(await crawls.reap()).toEqual([])
  const [theirs] = await claim({ owner: 'two' })
  expect(theirs).toMatchObject({ seq: mine!.seq, id: mine!.id, tries: 2 })
  expect(await crawls.finish(mine!, 'one', { kind: 'document', document: {}, credits: 1 })).toBe('lost')
  expect(await crawls.finish(theirs!, 'two', { kind: 'document', document: document('a'), credits: 1 })).toBe(
    'finished',
  )
  expect(await crawls.finish(theirs!, 'two', { kind: 'document', document: document('a'), credits: 1 })).toBe('lost')
  expect(await counts()).toMatchObject({ done: 1, active: 0, waiting: 0 })
  expect(await crawls.documents(id, { skip: 0, limit: 10, maxBytes: 1e6 })).toEqual([document('a')])
})

test('gives back what a process holds when it ends, without counting that as a try', async () => {
  const { crawls, id, claim } = await world()
  await crawls.add(id, [page('/a')])
  await claim()
  await crawls.release('one')
  expect(await claim({ owner: 'two' })).toMatchObject([{ tries: 1 }])
})

test('lets one page stand at one place: the second that is led there is a duplicate', async () => {
  const { crawls, id, claim, counts } = await world()
  await crawls.add(id, [page('/old'), page('/older'), page('/target')])
  const [old, older, target] = await claim()
  const standsAt = { key: 'site.test/new', url: 'https://site.test/new' }
  const outcome = { kind: 'document' as const, document: document('new'), credits: 1, standsAt }
  expect(await crawls.finish(old!, 'one', outcome)).toBe('finished')
  expect(await crawls.finish(older!, 'one', outcome)).toBe('duplicate')
  const known = { key: 'site.test/target', url: 'https://site.test/target' }
  await crawls.add(id, [page('/to-target')])
  const [toTarget] = await claim()
  expect(await crawls.finish(toTarget!, 'one', { ...outcome, standsAt: known })).toBe('duplicate')
  await finishAll(crawls, [target!])
  expect(await crawls.add(id, [page('/new')])).toBe(0)
  expect(await counts()).toMatchObject({ done: 2, dropped: 2 })
  expect((await crawls.find(id))?.credits).toBe(2)
  expect((await crawls.skipped(id)).counts).toEqual({ duplicate: 3 })
})

test('puts a page and its host off until it is time for another try', async () => {
  const { crawls, id, claim, clock } = await world()
  await crawls.add(id, [page('/busy'), page('/other')])
  const [busy] = await claim({ count: 1 })
  await crawls.finish(busy!, 'one', { kind: 'retry', at: clock.now() + 7000 })
  expect(await claim()).toEqual([])
  clock.advance(7000)
  expect(await claim()).toMatchObject([{ retries: 1, tries: 2 }, { retries: 0 }])
})

test('stores no more than the limit can use, and says so', async () => {
  const { crawls, id, counts } = await world({ pageLimit: 1 })
  await crawls.add(
    id,
    Array.from({ length: 150 }, (_, index) => page(`/${index}`)),
  )
  expect(await counts()).toMatchObject({ waiting: 102 })
  expect((await crawls.skipped(id)).counts).toEqual({ limit: 48 })
})
