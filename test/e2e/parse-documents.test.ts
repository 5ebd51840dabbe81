import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer } from '../helpers/site/route.ts'
import { createApp, localTeam } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import { createLog } from '../../src/kernel/log.ts'
import { scrape as scrapeOperation } from '../../src/operations/scrape.ts'
import { drawn } from '../attack/hostile.ts'
import { siteForAll, forAll, folderForAll } from '../helpers/for-all.ts'
import { filesToSend, pdfOf } from './parse-files.ts'

const files = await filesToSend()
const pdf = await pdfOf(3)
const folder = folderForAll()

/** Media types that files are sent with, of which one is drawn: their own, another or none. */
const types: Readonly<Record<string, (own: string) => string | undefined>> = {
  right: (own) => own,
  wrong: () => 'application/octet-stream',
  none: () => undefined,
}

const routes = Object.fromEntries(
  files.flatMap(([{ filename, contentType, bytes }]) =>
    Object.entries(types).map(([way, typeFor]) => {
      const type = typeFor(contentType)
      return [`/${way}/${encodeURIComponent(filename)}`, answer(200, type ? { 'content-type': type } : {}, bytes)]
    }),
  ),
)
const site = siteForAll({ routes: { ...routes, '/file': answer(200, { 'content-type': 'text/html' }, pdf) } })
const app = forAll(() =>
  createApp(
    readConfig({}, { GOSSAMER_DATA_DIR: join(folder.path, 'data'), GOSSAMER_ALLOW_HOSTS: '127.0.0.1' }),
    createLog('silent', () => {}),
  ),
)

async function scrape(path: string, options: object = {}) {
  const ctx = app.newCtx({ team: localTeam, signal: new AbortController().signal, baseUrl: '' })
  const { data } = (await app.invoke(scrapeOperation, { url: site.url(path), ...options }, ctx)) as {
    data: { markdown?: string; html?: string; metadata: Record<string, unknown> }
  }
  return data
}

describe.each(drawn(Object.keys(types), 3))('a file at a URL with the media type %s', (way) => {
  it.each(files)('$filename is read', async ({ filename }, says) => {
    expect((await scrape(`/${way}/${encodeURIComponent(filename)}`)).markdown).toContain(says)
  })
})

it('a PDF labelled as HTML is read as a PDF', async () => {
  expect(await scrape('/file')).toMatchObject({
    markdown: expect.stringContaining('Chapter 3'),
    metadata: { contentType: 'text/html', numPages: 3, creditsUsed: 3 },
  })
})

it('a cached file has the original number of pages and price', async () => {
  const facts = { numPages: 3, creditsUsed: 3, contentType: 'application/pdf', title: 'A report on ropes' }
  const first = await scrape('/right/report.pdf?cached')
  expect(first.metadata).toMatchObject({ ...facts, cacheState: 'miss' })
  const again = await scrape('/right/report.pdf?cached')
  expect(again.metadata).toMatchObject({ ...facts, cacheState: 'hit' })
  expect(again.markdown).toBe(first.markdown)
  const other = await scrape('/right/report.pdf?cached', { formats: ['html'] })
  expect(other).toMatchObject({ html: expect.stringContaining('Chapter 3'), metadata: { ...facts, cacheState: 'hit' } })
})

it('a cached PDF is read again for other parser options', async () => {
  await scrape('/right/report.pdf?options')
  const first = await scrape('/right/report.pdf?options', { parsers: [{ type: 'pdf', maxPages: 1 }] })
  expect(first.metadata).toMatchObject({ cacheState: 'hit', numPages: 1, creditsUsed: 1 })
  const whole = await scrape('/right/report.pdf?options', { parsers: [] })
  expect(whole.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 1 })
  expect(Buffer.from(whole.markdown ?? '', 'base64')).toEqual(Buffer.from(pdf))
})
