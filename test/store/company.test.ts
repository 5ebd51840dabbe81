import { expect, test } from 'vitest'
import { inCompany } from '../../src/engine/store/sqlite/crawl/frontier-finish.ts'
import type { ClaimedPage, Crawls } from '../../src/contracts/crawl-ports.ts'

const page: ClaimedPage = {
  crawlId: 'crawl',
  kind: 'crawl',
  teamId: 'default',
  keyName: null,
  seq: 1,
  id: 'page',
  url: 'http://a.test/',
  host: 'a.test',
  depth: 0,
  source: 'link',
  tries: 1,
  retries: 0,
  crawlDelayMs: 0,
}

const claim: Crawls['claim'] = async ({ count }) => Array.from({ length: count }, () => page)

const dropped = { kind: 'dropped', reason: 'duplicate' } as const

/** Claims `visited` pages and finishes `ended` of them in turn; returns the number finished at each write. */
async function writtenAt(visited: number, ended: number): Promise<number[]> {
  const written: number[] = []
  let left = ended
  const crawls = inCompany(claim, (some) => {
    written.push(ended - left)
    return some.map(async () => 'finished' as const)
  })
  const wish = { crawlId: 'crawl', workerId: 'one', leaseMs: 1, hostConcurrency: 1, order: 'as found' } as const
  await crawls.claim({ ...wish, count: visited })
  const all: Promise<unknown>[] = []
  while (left > 0) {
    left -= 1
    all.push(crawls.finish({ ...page, seq: left }, 'one', dropped))
    await Promise.resolve()
  }
  crawls.hasten()
  await Promise.all(all)
  return written
}

test.each([
  { visited: 1, ended: 1, at: [1] },
  { visited: 4, ended: 4, at: [4] },
  { visited: 16, ended: 8, at: [8] },
  { visited: 1000, ended: 70, at: [32, 64, 70] },
])('$ended of $visited pages are written after the outcomes $at', async ({ visited, ended, at }) => {
  expect(await writtenAt(visited, ended)).toEqual(at)
})

test('a page that cannot be written is no longer waited for', async () => {
  let writes = 0
  const crawls = inCompany(claim, (some) => {
    writes += 1
    return some.map(() => Promise.reject(new Error('No.')))
  })
  await expect(crawls.finish(page, 'one', dropped)).rejects.toThrow('No.')
  await expect(crawls.finish(page, 'one', dropped)).rejects.toThrow('No.')
  expect(writes).toBe(2)
})

test('few pages wait for each other only briefly', async () => {
  const together: number[] = []
  const crawls = inCompany(claim, (some) => {
    together.push(some.length)
    return some.map(async () => 'finished' as const)
  })
  const wish = { crawlId: 'crawl', workerId: 'one', leaseMs: 1, hostConcurrency: 1, order: 'as found' } as const
  await crawls.claim({ ...wish, count: 100 })
  await Promise.all([1, 2, 3].map((seq) => crawls.finish({ ...page, seq }, 'one', dropped)))
  expect(together).toEqual([3])
})

test.each([
  ['a retry', page, { kind: 'retry', at: 1 }],
  ['a returned page', page, { kind: 'returned' }],
  ['a page of a host with a crawl delay', { ...page, crawlDelayMs: 1000 }, dropped],
] as const)('%s is written at once, with those that wait', async (_, urgent, outcome) => {
  const together: number[] = []
  const crawls = inCompany(claim, (some) => {
    together.push(some.length)
    return some.map(async () => 'finished' as const)
  })
  const wish = { crawlId: 'crawl', workerId: 'one', leaseMs: 1, hostConcurrency: 1, order: 'as found' } as const
  await crawls.claim({ ...wish, count: 100 })
  const waiting = crawls.finish({ ...page, seq: 2 }, 'one', dropped)
  const written = crawls.finish(urgent, 'one', outcome)
  expect(together).toEqual([2])
  await Promise.all([waiting, written])
})
