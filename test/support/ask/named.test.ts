import { expect, test } from 'vitest'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()

test.each([
  'Why is the result of my scrape empty?',
  'why did my scrape fail?',
  'Why was my scrape blocked?',
  'Why is my scrape so slow?',
])('a scrape without the problem in question is described, with its settings: %s', async (question) => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/english'), blockAds: false })
  const answered = await ask(question)
  expect(answered).toMatchObject({ confidence: 'medium', fixParameters: null, feedback: null })
  expect(answered?.answer).toMatch(/The last scrape of .*\/english, at .* came with status 200 and 439 characters/)
  expect(answered?.answer).toMatch(/set blockAds to false/)
  expect(answered?.answer).toMatch(/jobId/)
})

test('a crawl that has pages is described', async () => {
  const { crawl, ask } = service()
  await crawl({ url: site.url('/shop/'), crawlEntireDomain: true, sitemap: 'skip' })
  expect((await ask('Why was my crawl empty?'))?.answer).toMatch(/The last crawl of .* brought 4 pages, and 0 failed/)
})

test.each(['Why is it empty?', 'It timed out', 'Why was I blocked?', 'What went wrong?'])(
  'words alone select no job: %s',
  async (question) => {
    const { call, ask } = service()
    await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
    await call('scrape', { url: site.url('/wall') })
    const answered = await ask(question)
    expect(answered).toMatchObject({ confidence: 'low', fixParameters: null, feedback: expect.anything() })
    expect(answered?.answer).not.toMatch(/slow-page|\/wall/)
  },
)

test('an earlier scrape with the problem is explained', async () => {
  const { call, ask } = service()
  await call('scrape', { url: site.url('/status/404') })
  await call('scrape', { url: site.url('/english') })
  expect((await ask('What went wrong with my scrape?'))?.answer).toMatch(/does not exist/)
})
