import { describe, expect, test } from 'vitest'
import { crawlThreadsFor } from '../../src/app/wiring/crawl-threads/crawl-thread-calls.ts'
import { tempDir } from '../store/kit.ts'
import { openWorld, range, slowly } from './faults-kit.ts'
import { until } from './kit.ts'

const { crawler, siteOf } = openWorld()
const links = (from: number, count: number) => range(count).map((at) => `/page/${from + at}`)

describe('the pages that a server reads at a time', () => {
  test.each([
    ['its main thread', 3, {}],
    ['two threads', 4, { GOSSAMER_CRAWL_THREADS: '2' }],
  ])('do not exceed the setting over all crawls, in %s', async (_, most, env) => {
    const { seen, answer } = slowly(40)
    const site = await siteOf({ '*': answer })
    const dataDir = 'GOSSAMER_CRAWL_THREADS' in env ? await tempDir() : 'memory'
    const crawling = crawler({
      ...env,
      GOSSAMER_DATA_DIR: dataDir,
      GOSSAMER_CRAWL_SERVER_CONCURRENCY: String(most),
      GOSSAMER_MAX_CONCURRENCY: '32',
      GOSSAMER_CRAWL_HOST_CONCURRENCY: '32',
    })
    const urls = (at: number) => links(at * 100, 12).map((path) => site.url(path))
    // More jobs than slots.
    const jobs = range(6).map((at) => crawling.run({ urls: urls(at), maxAge: 0 }, 'batch_scrape'))
    for (const { data } of await Promise.all(jobs)) expect(data).toHaveLength(12)
    expect(seen.most).toBeLessThanOrEqual(most)
    expect(seen.most).toBeGreaterThan(1)
  })

  test('are shared by crawls, so a long crawl does not block a short one', async () => {
    const { answer } = slowly(10)
    const site = await siteOf({ '*': answer })
    const crawling = crawler({ GOSSAMER_CRAWL_SERVER_CONCURRENCY: '1', GOSSAMER_CRAWL_HOST_CONCURRENCY: '8' })
    const batch = (paths: string[]) => ({ urls: paths.map((path) => site.url(path)), maxAge: 0 })
    const long = await crawling.begin(batch(links(0, 300)), 'batch_scrape')
    await until(async () => (await crawling.status(long)).completed > 5)
    const short = await crawling.run(batch(links(1000, 5)), 'batch_scrape')
    expect(short.data).toHaveLength(5)
    expect((await crawling.status(long)).status).toBe('scraping')
  })
})

test.each([
  [
    { crawlThreads: 4, crawlServerConcurrency: undefined },
    { count: 4, pagesAtOnce: undefined },
  ],
  [
    { crawlThreads: 4, crawlServerConcurrency: 16 },
    { count: 4, pagesAtOnce: 4 },
  ],
  [
    { crawlThreads: 4, crawlServerConcurrency: 2 },
    { count: 2, pagesAtOnce: 1 },
  ],
  [
    { crawlThreads: 2, crawlServerConcurrency: 5 },
    { count: 2, pagesAtOnce: 2 },
  ],
])('threads share the concurrent pages of the settings %o', (settings, shared) =>
  expect(crawlThreadsFor(settings)).toEqual(shared),
)
