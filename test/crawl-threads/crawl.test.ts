import { describe, expect, test } from 'vitest'
import { crowdedPage, hugePage, openCrawlThread, openSite } from './kit.ts'

type Open = Awaited<ReturnType<typeof openCrawlThread>>
type Site = Awaited<ReturnType<typeof openSite>>

async function whenOver({ read }: Open, id: string) {
  await expect.poll(async () => (await read(id))?.crawl.status, { interval: 100 }).not.toBe('scraping')
  const { crawl, documents } = (await read(id))!
  const docs = documents.map((each) => each.read() as { metadata: { sourceURL: string }; markdown?: string })
  return { crawl, docs }
}

/** Expects every page once, and a charge for each. */
async function expectWhole(thread: Open, site: Site, id: string): Promise<void> {
  const { crawl, docs } = await whenOver(thread, id)
  const paths = docs.map(({ metadata }) => new URL(metadata.sourceURL).pathname)
  expect(paths.toSorted()).toEqual(site.pages.toSorted())
  expect(crawl).toMatchObject({ status: 'completed', credits: site.pages.length, counts: { failed: 0 } })
  expect(await thread.ports.usage.since('local', 0)).toBe(site.pages.length)
}

async function expectWholeOf(thread: Open, site: Site, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await whenOver(thread, id)).docs).toHaveLength(site.pages.length)
}

const endsOf = ({ lines }: Open) => lines.filter(({ event }) => event === 'a crawl thread ended').length

describe('a crawl in a crawl thread', () => {
  test('returns every page once, and fetches pages in that thread only', async () => {
    const [thread, site] = [await openCrawlThread(), await openSite(40)]
    await expectWhole(thread, site, await thread.crawl(site.url))
    expect(site.pages.map((path) => site.visits.get(path))).toEqual(site.pages.map(() => 1))
    expect(thread.lines.filter(({ level }) => level !== 'debug')).toEqual([])
    expect(thread.ofMain).toEqual([])
  })

  test('loses its thread, but no pages, if a page computes for too long', async () => {
    const limits = { maxCpuMs: 500, longestPage: Infinity }
    const [thread, site] = [await openCrawlThread(limits), await openSite(30, { '/huge': hugePage })]
    await expectWhole(thread, site, await thread.crawl(site.url))
    expect(endsOf(thread)).toBe(1)
  })

  test('loses its thread, but no pages, if a page uses up all memory', async () => {
    const limits = { heapMb: 48, maxCpuMs: 60_000, longestPage: Infinity }
    const [thread, site] = [await openCrawlThread(limits), await openSite(30, { '/crowded': crowdedPage })]
    await expectWhole(thread, site, await thread.crawl(site.url))
    expect(endsOf(thread)).toBe(1)
  })

  test('has long pages read in the pool of readers', async () => {
    const [thread, site] = [await openCrawlThread({ maxCpuMs: 300 }), await openSite(5, { '/huge': hugePage })]
    await expectWhole(thread, site, await thread.crawl(site.url))
    expect(endsOf(thread)).toBe(0)
  })

  test('has files converted in child processes', async () => {
    const [thread, site] = [await openCrawlThread(), await openSite(2, { '/t.csv': 'name,size\noak,20\n' })]
    const { docs } = await whenOver(thread, await thread.crawl(site.url))
    const table = docs.find(({ metadata }) => metadata.sourceURL.endsWith('.csv'))
    expect(table?.markdown).toContain('| oak | 20 |')
  })

  test('stays in the main thread with zero data retention', async () => {
    const [thread, site] = [await openCrawlThread(), await openSite(5)]
    const [kept, unkept] = [await thread.crawl(site.url), await thread.crawl(site.url, { zeroDataRetention: true })]
    await expectWholeOf(thread, site, [kept, unkept])
    expect(new Set(thread.ofMain)).toEqual(new Set([unkept]))
  })

  test('continues after another program was closed in the middle of it', async () => {
    const site = await openSite(60)
    const first = await openCrawlThread()
    const id = await first.crawl(site.url)
    await expect.poll(() => site.visits.get('/') ?? 0).toBe(1)
    await first.threads.close()
    const second = await openCrawlThread({}, first.dataDir)
    second.threads.wake()
    await expectWhole(second, site, id)
  })

  test('is shared by the crawl threads of two programs', async () => {
    const site = await openSite(80)
    const first = await openCrawlThread()
    const second = await openCrawlThread({}, first.dataDir)
    const id = await first.crawl(site.url)
    second.threads.wake()
    await expectWhole(first, site, id)
    expect(site.pages.map((path) => site.visits.get(path))).toEqual(site.pages.map(() => 1))
  })
})
