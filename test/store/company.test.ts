import { expect, test } from 'vitest'
import { groupOutcomes } from '../../src/engine/store/sqlite/crawl/frontier-finish.ts'
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

/** A crawl of which `count` pages are being visited; `together` has the size of each write. */
async function visiting(count: number) {
  const together: number[] = []
  const crawls = groupOutcomes(claim, (some) => {
    together.push(some.length)
    return some.map(async () => 'finished' as const)
  })
  const request = { crawlId: 'crawl', workerId: 'one', leaseMs: 1, hostConcurrency: 1, order: 'as found' } as const
  await crawls.claim({ ...request, count })
  return { crawls, together }
}

test.each([
  { visited: 1, ended: 1, sizes: [1] },
  { visited: 4, ended: 4, sizes: [4] },
  { visited: 16, ended: 8, sizes: [8] },
  { visited: 1000, ended: 70, sizes: [32, 32, 6] },
])('$ended of $visited pages are written in groups of $sizes', async ({ visited, ended, sizes }) => {
  const { crawls, together } = await visiting(visited)
  const all = Array.from({ length: ended }, (_, seq) => crawls.finish({ ...page, seq }, 'one', dropped))
  crawls.flush()
  await Promise.all(all)
  expect(together).toEqual(sizes)
})

test('an outcome that cannot be written does not delay the next one', async () => {
  let writes = 0
  const crawls = groupOutcomes(claim, (some) => {
    writes += 1
    return some.map(() => Promise.reject(new Error('No.')))
  })
  await expect(crawls.finish(page, 'one', dropped)).rejects.toThrow('No.')
  await expect(crawls.finish(page, 'one', dropped)).rejects.toThrow('No.')
  expect(writes).toBe(2)
})

test('a few outcomes are written together after a short wait', async () => {
  const { crawls, together } = await visiting(100)
  await Promise.all([1, 2, 3].map((seq) => crawls.finish({ ...page, seq }, 'one', dropped)))
  expect(together).toEqual([3])
})

test.each([
  ['a retry', page, { kind: 'retry', at: 1 }],
  ['a returned page', page, { kind: 'returned' }],
  ['a page of a host with a crawl delay', { ...page, crawlDelayMs: 1000 }, dropped],
] as const)('%s is written immediately, with those that wait', async (_, urgent, outcome) => {
  const { crawls, together } = await visiting(100)
  const waiting = crawls.finish({ ...page, seq: 2 }, 'one', dropped)
  const written = crawls.finish(urgent, 'one', outcome)
  expect(together).toEqual([2])
  await Promise.all([waiting, written])
})
