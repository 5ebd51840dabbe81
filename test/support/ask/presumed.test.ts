import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Site } from '../../helpers/site.ts'
import { service, startBrokenSite } from './kit.ts'

let site: Site
beforeAll(async () => {
  site = await startBrokenSite()
})
afterAll(() => site?.close())

test.each([
  ['Why is the result empty?', /was not empty: .*status 200 and 439 characters/],
  ['the scrape returned nothing', /was not empty/],
  ['why did my scrape fail?', /did not fail/],
  ['Why was I blocked?', /was not blocked/],
  ['Why do I get a captcha?', /was not blocked/],
  ['It timed out', /did not time out/],
  ['Why is it so slow?', /waited neither for a free slot nor by an option/],
  ['Why is the text cut off?', /was not cut short/],
  ['Why is the page in the wrong language?', /came in the language that it was asked for \(en\)/],
])('what is presumed of a scrape that shows nothing of it: %s', async (question, says) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/english') })
  const answered = await ask(question)
  expect(answered).toMatchObject({ confidence: 'high', fixParameters: null, feedback: null })
  expect(answered?.answer).toMatch(says)
  expect(answered?.answer).toContain(`The last scrape of ${site.url('/english')}`)
  expect(answered?.answer).toMatch(/jobId/)
})

test('an empty crawl is presumed of one that has pages', async () => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/shop/'), crawlEntireDomain: true, sitemap: 'skip' })
  expect((await ask('Why was my crawl empty?'))?.answer).toMatch(
    /The last crawl of .* was not empty: it brought 4 pages/,
  )
})

test('one that is named by its id is looked at, whatever came after it', async () => {
  const { call, ask } = service()
  const { id } = await call('scrape', { url: site.url('/english') })
  await call('scrape', { url: site.url('/status/404') })
  const answered = await ask('Why did this fail?', { jobId: id })
  expect(answered?.answer).toMatch(/^The scrape of .*\/english, at .* did not fail/)
})

test('an earlier scrape that shows it is explained', async () => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/status/404') })
  await call('scrape', { url: site.url('/english') })
  expect((await ask('What went wrong?'))?.answer).toMatch(/does not exist/)
})

test('nothing is disproved of a part of a page', async () => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/english') })
  for (const question of ['Why are the tables empty?', 'The page is nearly empty']) {
    const answered = await ask(question)
    expect(answered?.answer).not.toMatch(/was not empty/)
    // It is what it is by itself: the caller has not set it.
    expect(answered?.fixParameters).not.toEqual({ parsers: null })
  }
})
