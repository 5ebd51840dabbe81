import { expect, test, vi } from 'vitest'
import { createCrawler } from '../../src/engine/crawl/runner/crawler.ts'
import { overriding } from '../../src/util/async.ts'
import { logBook } from '../contracts/fixtures.ts'
import { openCrawlThread, openSite } from './kit.ts'

const claim = () => Promise.reject(new Error('The database is busy.'))

test('a crawler whose run of a crawl failed rests once that crawl is cancelled', async () => {
  const { ports, crawl } = await openCrawlThread()
  const { url } = await openSite(0)
  const { log, lines } = logBook()
  const rested = vi.fn<() => void>()
  const crawler = createCrawler(
    { ...ports, crawls: overriding(ports.crawls, { claim }) },
    { hostConcurrency: 8, userAgent: 'test', log, eventWritten: () => {}, rested },
  )
  const id = await crawl(url, {}, crawler)
  await vi.waitFor(() => expect(lines).not.toEqual([]), 5000)
  await ports.crawls.cancel(id)
  await vi.waitFor(() => expect(rested).toHaveBeenCalledOnce(), 5000)
  await crawler.close()
})
