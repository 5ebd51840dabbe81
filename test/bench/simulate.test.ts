import { expect, test } from 'vitest'
import { spreadPages } from '../../bench/simulate/frontier.ts'
import { type Load, simulate } from '../../bench/simulate/simulate.ts'

const nothing = { answer: 0, cpu: 0, claim: 0, finish: 0, upkeep: 0 }
const load: Load = {
  workers: 1,
  pagesAtOnce: 8,
  cores: 1,
  pages: 4000,
  hosts: 100,
  skew: 0,
  hostConcurrency: 8,
  crawlDelayMs: 0,
  times: { ...nothing, answer: 200 },
  spread: 0,
  seed: 1,
}
/** Checks that a speed is slightly below that of Little's law: start, end and pauses between claims take time. */
function expectAbout(measured: number, law: number): void {
  expect(measured).toBeLessThanOrEqual(law * 1.001)
  expect(measured).toBeGreaterThan(law * 0.9)
}

test("the throughput of a worker follows Little's law: concurrent pages divided by the time of a page", () => {
  const { pagesPerSecond, bound } = simulate(load)
  expectAbout(pagesPerSecond, 8 / 0.2)
  expect(bound).toBe('pages at once')
  // Workers that finish at the same moment would choose the same hosts, and some would get no page; the spread avoids
  // that.
  expectAbout(simulate({ ...load, workers: 5, spread: 0.05 }).pagesPerSecond, (5 * 8) / 0.2)
})

test('the throughput of a host is limited by its concurrent pages, however many workers there are', () => {
  for (const workers of [1, 3, 20]) {
    const { pagesPerSecond, bound } = simulate({ ...load, workers, pagesAtOnce: 64, hosts: 1, hostConcurrency: 4 })
    expectAbout(pagesPerSecond, 4 / 0.2)
    expect(bound).toBe('hosts')
  }
})

test('a crawl delay lets one page through at a time, and pauses after it', () => {
  const slow = { ...load, pages: 100, hosts: 2, crawlDelayMs: 1000, workers: 4 }
  const { pagesPerSecond, bound } = simulate(slow)
  expect(pagesPerSecond).toBeLessThanOrEqual(2 / 1.2 + 0.05)
  expect(pagesPerSecond).toBeGreaterThan((2 / 1.2) * 0.9)
  expect(bound).toBe('hosts')
})

test('a skewed crawl is limited by its largest host, and a crawl with few pages for many workers ends', () => {
  const pages = spreadPages(4000, 100, 1)
  expect(pages.reduce((sum, count) => sum + count, 0)).toBe(4000)
  expect(pages[0]).toBeGreaterThan(2 * (pages[2] ?? 0))
  const { seconds, bound } = simulate({ ...load, workers: 50, skew: 1 })
  expect(seconds).toBeGreaterThan(((pages[0] ?? 0) / 8) * 0.2)
  expect(bound).toBe('hosts')
  expect(simulate({ ...load, workers: 50, pages: 3 }).seconds).toBeLessThan(1)
})

test('the same seed gives the same figures, another seed different ones', () => {
  const varied = { ...load, spread: 0.5, times: { answer: 200, cpu: 10, claim: 3, finish: 2, upkeep: 1 } }
  expect(simulate(varied)).toEqual(simulate(varied))
  expect(simulate({ ...varied, seed: 2 }).seconds).not.toBe(simulate(varied).seconds)
})
