import { expect, test } from 'vitest'
import { jobWithLinks } from '../../src/operations/jobs.ts'
import { documentWithLinks } from '../../src/operations/present/present-document.ts'
import type { Document } from '../../src/schema/scrape/document.ts'

const metadata = {
  sourceURL: 'https://example.com/',
  url: 'https://example.com/',
  scrapeId: 'a',
  cacheState: 'miss',
  creditsUsed: 1,
  concurrencyLimited: false,
} as const
const actions = {
  screenshots: ['one', 'two'],
  scrapes: [{ url: 'https://example.com/', html: 'data:image/png;base64,AA==' }],
  javascriptReturns: [{ type: 'string', value: 'data:image/png;base64,AA==' }],
  pdfs: ['three'],
}
const page: Document = { markdown: 'text', images: ['data:image/png;base64,AA=='], metadata }
const link = async (file: string, until?: number) => `link to ${file}${until === undefined ? '' : ` until ${until}`}`

test('files from the browser are linked in order, and parts of the page itself are not', async () => {
  expect(await documentWithLinks({ ...page, screenshot: 'shot', actions }, link)).toEqual({
    ...page,
    screenshot: 'link to shot',
    actions: { ...actions, screenshots: ['link to one', 'link to two'], pdfs: ['link to three'] },
  })
})

test('links in the pages of a job last no longer than the job', async () => {
  const job = {
    status: 'completed',
    expiresAt: new Date(5000).toISOString(),
    data: [{ ...page, screenshot: 'shot' }, page],
  }
  expect(await jobWithLinks(job, link)).toEqual({
    ...job,
    data: [{ ...page, screenshot: 'link to shot until 5000' }, page],
  })
})
