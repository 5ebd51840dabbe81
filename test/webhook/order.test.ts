import { describe, expect, test, vi } from 'vitest'
import type { Delivery } from '../../src/contracts/job-ports.ts'
import { type Answer, openBench, patience, startReceiver } from './kit.ts'
import { aDelivery } from '../contracts/fixtures.ts'

const secondMs = 1000

/** Creates the events of one crawl, and a receiver that rejects those that `refuses` returns true for. */
async function crawlWorld({ pages, refuses }: { pages: number; refuses: (body: string, atMs: number) => boolean }) {
  const bench = await openBench()
  const beganAt = bench.clock.now()
  const accepted: string[] = []
  const answer: Answer = ({ body }, response) => {
    const isRefused = refuses(body, bench.clock.now() - beganAt)
    if (!isRefused) accepted.push(body)
    response.writeHead(isRefused ? 503 : 200).end()
  }
  const receiver = await startReceiver(answer)
  const make = (body: string, type: string): Delivery =>
    aDelivery({ url: receiver.url(), body, type, createdAt: bench.clock.now() })
  const deliverer = bench.deliverer()
  const settled = async () => {
    deliverer.wake()
    await vi.waitUntil(async () => {
      const dueAt = await bench.deliveries.nextDueAt()
      return (await bench.deliveries.workers()).length === 0 && (dueAt ?? Infinity) > bench.clock.now()
    }, patience)
  }
  return {
    ...bench,
    receiver,
    accepted,
    addStart: () => bench.add(make('start', 'crawl.started')),
    addPages: (from = 0, to = pages) =>
      bench.add(...Array.from({ length: to - from }, (_, nth) => make(`page ${from + nth}`, 'crawl.page'))),
    addEnd: () => bench.add(make('end', 'crawl.completed')),
    settled,
    /** Advances the clock second by second. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        bench.clock.advance(secondMs)
        await settled()
      }
    },
  }
}

const everyPage = (pages: number) => Array.from({ length: pages }, (_, nth) => `page ${nth}`).toSorted()

function expectInOrder(accepted: readonly string[], pages: number): void {
  expect(accepted[0]).toBe('start')
  expect(accepted.at(-1)).toBe('end')
  expect(accepted.slice(1, -1).toSorted()).toEqual(everyPage(pages))
}

test('the start is sent before all pages, which are sent concurrently, and the end after them', async () => {
  const bench = await openBench()
  const held: (() => void)[] = []
  const receiver = await startReceiver((_, response) => void held.push(() => response.end()))
  const pages = Array.from({ length: 12 }, () => aDelivery({ url: receiver.url() }))
  const end = aDelivery({ url: receiver.url(), type: 'crawl.completed' })
  const start = aDelivery({ url: receiver.url(), type: 'crawl.started' })
  await bench.add(end, ...pages, start)
  bench.deliverer().wake()
  const bodies = () => receiver.requests.map(({ body }) => body)
  await vi.waitUntil(() => held.length === 1, patience)
  expect(bodies()).toEqual([start.body])
  held[0]?.()
  await vi.waitUntil(() => held.length === 9, patience)
  const sent = pages.slice(0, 8).map(({ body }) => body)
  expect(bodies().slice(1).toSorted()).toEqual(sent.toSorted())
  for (let answered = 1; answered <= pages.length; answered += 1) held[answered]?.()
  await vi.waitUntil(() => held.length === 13, patience)
  expect(bodies()).not.toContain(end.body)
  held.slice(1).forEach((answer) => answer())
  await vi.waitUntil(() => held.length === 14, patience)
  expect(bodies().at(-1)).toBe(end.body)
  held.at(-1)?.()
  await bench.done()
})

describe('after an outage of the receiver', () => {
  test.each([1, 4, 7, 12, 61, 64, 70, 400])('events arrive in order: %i seconds', async (away) => {
    const pages = 12
    const world = await crawlWorld({ pages, refuses: (_, at) => at < away * secondMs })
    await world.addStart()
    await world.settled()
    await world.addPages(0, 6)
    await world.pass(3)
    await world.addPages(6)
    await world.addEnd()
    await world.pass(1500)
    expectInOrder(world.accepted, pages)
    expect(await world.isDone()).toBe(true)
  })

  test('a page that completes meanwhile is sent after the start', async () => {
    const world = await crawlWorld({ pages: 3, refuses: (_, at) => at < 12 * secondMs })
    await world.addStart()
    await world.settled()
    await world.pass(20)
    await world.addPages(0, 1)
    await world.settled()
    await world.pass(10)
    expect(world.accepted).toEqual(['start', 'page 0'])
    await world.addPages(1)
    await world.addEnd()
    await world.settled()
    expectInOrder(world.accepted, 3)
  })

  test('a receiver that is unreachable for long gets few attempts, and no event of an hour is lost', async () => {
    const pages = 200
    const world = await crawlWorld({ pages, refuses: (_, at) => at <= 3600 * secondMs })
    await world.addStart()
    await world.addPages()
    await world.settled()
    for (let minute = 0; minute < 60; minute += 1) {
      world.clock.advance(60 * secondMs)
      await world.settled()
    }
    expect(world.receiver.requests.length).toBeLessThan(150)
    world.clock.advance(1200 * secondMs)
    await world.settled()
    world.clock.advance(1200 * secondMs)
    await world.settled()
    expect(world.accepted.length).toBeGreaterThan(pages - 20)
  })
})

describe('an event that keeps failing', () => {
  test.each(['start', 'page 0', 'page 5', 'page 11'])('delays the others by ten seconds at most: %s', async (bad) => {
    const pages = 12
    const world = await crawlWorld({ pages, refuses: (body) => body === bad })
    await world.addStart()
    await world.addPages()
    await world.addEnd()
    await world.settled()
    await world.pass(10)
    expect(world.accepted).toHaveLength(pages + 1)
    expect(world.accepted.at(-1)).toBe('end')
    const heardOnce = world.receiver.requests.length
    await world.pass(49)
    expect(world.receiver.requests.length).toBe(heardOnce)
  })

  test('does not delay pages that complete later', async () => {
    const world = await crawlWorld({ pages: 40, refuses: (body) => body === 'start' })
    await world.addStart()
    await world.settled()
    await world.addPages(0, 1)
    await world.settled()
    await world.pass(10)
    expect(world.accepted).toEqual(['page 0'])
    const before = world.receiver.requests.length
    for (let page = 1; page < 40; page += 1) {
      await world.addPages(page, page + 1)
      await world.settled()
      expect(world.accepted).toHaveLength(page + 1)
    }
    expect(world.receiver.requests.length - before).toBe(39)
  })
})
