import { expect, test } from 'vitest'
import { startCrawlSite } from '../helpers/crawl-site.ts'
import { judge } from '../helpers/site/crawl-judge.ts'
import { forAll } from '../helpers/for-all.ts'
import { useTestNames, startCrawling } from './kit.ts'

useTestNames()
const site = forAll(() => startCrawlSite({ slowMs: 1, retryAfterS: 0 }))
const crawling = forAll(() => startCrawling({ GOSSAMER_BROWSER_PATH: '' }))

/** Only some pages, because a host that needed a browser is visited with one for a while, which is slow. */
const few = { includePaths: ['^/odd/$', 'script', '^/files/'], sitemap: 'skip' } as const

test('a page written by a script is rendered, and its links are followed', async () => {
  const expected = site.expected({ path: '/odd/', ...few, scripts: 'run', host: '127.0.0.1', crawlEntireDomain: true })
  const wish = { url: site.url('/odd/'), ...few, crawlEntireDomain: true }
  const { data, errors } = await crawling.run(wish)
  const documents = data.map(({ metadata }) => metadata.url)
  expect(judge(expected, { documents, errors: errors.map(({ url }) => url) })).toEqual({
    missing: [],
    unexpected: [],
    twice: [],
    trapped: {},
  })
  const markdownOf = (path: string) => data.find(({ metadata: { url } }) => url.endsWith(path))?.markdown
  expect(documents.map((url) => new URL(url).pathname)).toContain('/odd/behind-script')
  expect(markdownOf('/odd/script-only')).toContain('Written by a script')
  expect(markdownOf('/files/report.pdf')).toContain('The report of the harbour says this.')
})
