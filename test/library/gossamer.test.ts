import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { createGossamer, GossamerError } from '../../src/library/gossamer.ts'
import { forAll, folderForAll, siteForAll } from '../helpers/for-all.ts'
import { answer, html, numberIn, type Route } from '../helpers/site/route.ts'

const count = 12
const pathOf = (page: number) => `/library/${page}`

/** Each page names the next two and takes a moment. */
const page: Route = async (exchange) => {
  const number = numberIn(exchange.url)
  const links = [1, 2].map((step) => (number + step) % count).map((next) => `<a href="${pathOf(next)}">${next}</a>`)
  await wait(20)
  return html(`<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${links.join(' ')}</p></main>`)(exchange)
}

/** An endless site: a caller that does not stop keeps reading. */
const endless: Route = async (exchange) => {
  const number = numberIn(exchange.url)
  await wait(20)
  return html(`<main><h1>Page ${number}</h1><a href="/endless/${number + 1}">next</a></main>`)(exchange)
}

const site = siteForAll({
  routes: { '/library/*': page, '/endless/*': endless, '/robots.txt': answer(404, {}) },
})
const dir = folderForAll()
const settings = { dataDir: dir.path, allowHosts: ['127.0.0.1'], crawlThreads: 0 }
const gossamer = forAll(() => createGossamer(settings))

const wholeSite = () => ({
  url: site.url(pathOf(0)),
  crawlEntireDomain: true,
  sitemap: 'skip',
  scrapeOptions: { maxAge: 0 },
})
const endlessSite = () => ({ ...wholeSite(), url: site.url('/endless/1') })
const statusOf = (id: string) => gossamer['crawlStatus']!({ id })

/** Returns the id of the newest crawl: functions that read pages return the id only at the end. */
async function newestCrawl(): Promise<string> {
  const { data } = (await gossamer['activity']!({ limit: 1, endpoint: 'crawl' })) as { data: { id: string }[] }
  return data[0]!.id
}

test('the library has a function for every operation, and two that read pages for each kind of job with pages', () => {
  const names = operations.map(({ name }) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
  const readers = ['crawlPages', 'crawlEach', 'batchScrapePages', 'batchScrapeEach']
  expect(Object.keys(gossamer).toSorted()).toEqual([...names, ...readers, 'close'].toSorted())
})

test('functions return the response of the operation', async () => {
  const answered = await gossamer['scrape']!({ url: site.url('/article') })
  expect(answered).toMatchObject({ data: { markdown: expect.stringContaining('#'), metadata: { statusCode: 200 } } })
})

test('two calls with the same idempotency key start one job', async () => {
  const call = () => gossamer['crawl']!({ url: site.url(pathOf(3)), limit: 1 }, { idempotencyKey: key })
  const key = crypto.randomUUID()
  expect(await call()).toEqual(await call())
})

test('functions reject with the error of the operation: a code, a hint, and the invalid fields', async () => {
  const failed = gossamer['scrape']!({ url: 'not a url' })
  await expect(failed).rejects.toBeInstanceOf(GossamerError)
  await expect(failed).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400, details: [{ path: ['url'] }] })
  await expect(failed).rejects.toHaveProperty('hint', expect.stringMatching(/\w/))
})

test('private addresses are refused unless a setting allows them', async () => {
  await using guarded = createGossamer({ dataDir: 'memory' })
  await expect(guarded['scrape']!({ url: site.url('/article') })).rejects.toMatchObject({
    code: 'SCRAPE_ADDRESS_REFUSED',
  })
})

test('invalid settings are refused by name', () => {
  const wrong = { maxConcurrency: 0, allowHost: ['127.0.0.1'] } as object
  expect(() => createGossamer(wrong)).toThrow(
    expect.objectContaining({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/maxConcurrency.*allowHost \(Unknown field/),
      details: [
        expect.objectContaining({ path: ['maxConcurrency'] }),
        expect.objectContaining({ path: ['allowHost'] }),
      ],
    }),
  )
})

test('the library reads nothing from the environment', async () => {
  process.env['GOSSAMER_ALLOW_HOSTS'] = '127.0.0.1'
  try {
    await using guarded = createGossamer({ dataDir: 'memory' })
    await expect(guarded['scrape']!({ url: site.url('/article') })).rejects.toHaveProperty('code')
  } finally {
    delete process.env['GOSSAMER_ALLOW_HOSTS']
  }
})

test('crawlPages yields each page of a crawl once, and returns its final state', async () => {
  const urls: string[] = []
  const pages = gossamer.crawlPages!(wholeSite())
  let next = await pages.next()
  for (; !next.done; next = await pages.next()) urls.push(next.value.metadata.url)
  expect(urls.toSorted()).toEqual(Array.from({ length: count }, (_, each) => site.url(pathOf(each))).toSorted())
  expect(next.value).toMatchObject({ status: 'completed', completed: count, id: expect.any(String) })
})

test('crawlPages cancels a crawl whose pages are not read to the end', async () => {
  for await (const { metadata } of gossamer.crawlPages!(endlessSite())) {
    expect(metadata.url).toContain('/endless/')
    break
  }
  expect(await statusOf(await newestCrawl())).toMatchObject({ status: 'cancelled' })
})

test('crawlPages cancels a crawl when its signal fires, and rejects with the reason', async () => {
  const reason = new Error('enough')
  const stop = new AbortController()
  const reading = gossamer.crawlEach!(endlessSite(), () => stop.abort(reason), { signal: stop.signal })
  await expect(reading).rejects.toBe(reason)
  expect(await statusOf(await newestCrawl())).toMatchObject({ status: 'cancelled' })
})

test('crawlEach passes pages to a function, a limited number at a time', async () => {
  const seen = { busy: 0, most: 0 }
  const three = Promise.withResolvers<void>()
  const end = await gossamer.crawlEach!(
    wholeSite(),
    async () => {
      seen.busy += 1
      seen.most = Math.max(seen.most, seen.busy)
      if (seen.busy === 3) three.resolve()
      await three.promise
      await wait(5)
      seen.busy -= 1
    },
    { concurrency: 3 },
  )
  expect(end).toMatchObject({ status: 'completed', completed: count })
  expect(seen).toEqual({ most: 3, busy: 0 })
})

test.each([0, 1.5, Number.NaN, Infinity])('crawlEach starts nothing with concurrency %s', async (concurrency) => {
  const before = await newestCrawl()
  const reading = gossamer.crawlEach!(wholeSite(), () => undefined, { concurrency })
  await expect(reading).rejects.toThrow(`concurrency: Expected a whole number from 1 to 1000, received ${concurrency}`)
  expect(await newestCrawl()).toEqual(before)
})

test('crawlEach cancels a crawl if a handler throws, and aborts the other handlers', async () => {
  const aborted: boolean[] = []
  let isFirst = true
  const reading = gossamer.crawlEach!(
    endlessSite(),
    async (_, { signal }) => {
      if (isFirst) {
        isFirst = false
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted.push(signal.aborted)
      } else throw new TypeError('no such field')
    },
    { concurrency: 2 },
  )
  await expect(reading).rejects.toThrow(new TypeError('no such field'))
  expect(aborted).toEqual([true])
  expect(await statusOf(await newestCrawl())).toMatchObject({ status: 'cancelled' })
})

test('a batch is read like a crawl', async () => {
  const urls = [4, 5, 6].map((each) => site.url(pathOf(each)))
  const seen: string[] = []
  for await (const { metadata } of gossamer.batchScrapePages!({ urls })) seen.push(metadata.url)
  expect(seen.toSorted()).toEqual(urls)
})

test('close ends work in progress and refuses later calls', async () => {
  const closing = createGossamer({ ...settings, dataDir: 'memory' })
  const slow = closing['scrape']!({ url: site.url('/hang') })
  const ended = expect(slow).rejects.toMatchObject({ code: 'REQUEST_CANCELLED', message: 'Gossamer was closed.' })
  await Promise.all([closing.close(), closing.close()])
  await ended
  await expect(closing['scrape']!({ url: site.url('/article') })).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
})
