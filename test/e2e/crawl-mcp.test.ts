import { expect, it } from 'vitest'
import { forAll, folderForAll, siteForAll } from '../helpers/for-all.ts'
import { type McpClient, stdioClient } from '../helpers/mcp-client.ts'
import { manyPages } from './crawl-pages.ts'

const folder = folderForAll()
const site = siteForAll({ routes: manyPages(120).routes })
const client = forAll(() =>
  stdioClient({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }),
)

type Progress = { progress: number; total?: number | undefined; message?: string | undefined }
const call: McpClient['call'] = (...args) => client.call(...args)

const rowsOf = (text: string) => text.split('\n').filter((line) => /^\d+ \| \//.test(line))
const idOf = (text: string) => /Job ([\w-]{36})/.exec(text)?.[1] ?? ''

it('a crawl with wait reports progress, and ends with a table of its pages', async () => {
  const messages: Progress[] = []
  const onprogress = (each: Progress) => void messages.push(each)
  const { text } = await call('crawl', { url: site.url('/many/'), limit: 115, wait: 60 }, { onprogress })
  expect(text).toContain('completed · 115 of 115 pages')
  expect(messages.length).toBeGreaterThan(0)
  expect(messages.map(({ progress }) => progress)).toEqual(
    messages.map(({ progress }) => progress).toSorted((a, b) => a - b),
  )
  expect(messages[0]?.message).toBe(`crawl ${idOf(text)} has started`)
  expect(messages.at(-1)?.message).toMatch(/^\d+ of \d+ pages/)
  expect(rowsOf(text)).toHaveLength(100)
  // The table limits its text, however many pages there are.
  expect(text.length).toBeLessThan(25_000)
})

it('skip returns the following pages, each once', async () => {
  const { text: first } = await call('crawl', { url: site.url('/many/'), limit: 110, wait: 60 })
  const { text: second } = await call('crawl_status', { id: idOf(first), skip: 100, maxCharacters: 2000 })
  const addresses = [first, second].flatMap(rowsOf).map((row) => row.split(' | ')[1])
  expect(addresses).toHaveLength(110)
  expect(new Set(addresses).size).toBe(110)
  expect(second).toMatch(/^101 \| \//m)
})

it('each page of a crawl is returned whole by its row or its URL', async () => {
  const { text } = await call('crawl', { url: site.url('/many/'), limit: 30, wait: 60 })
  const id = idOf(text)
  const [row = '', path = ''] = (rowsOf(text).find((line) => /page\/7 /.test(line)) ?? '').split(' | ')
  const byRow = await call('scrape_result', { id, row: Number(row) })
  expect(byRow).toMatchObject({ isError: false, text: expect.stringContaining('# Page 7') })
  expect(await call('scrape_result', { id, url: site.url(`/many${path}`) })).toMatchObject({
    isError: false,
    text: expect.stringContaining('# Page 7'),
  })
  for (const [args, expected] of [
    [{ row: 31 }, 'No page is in row 31'],
    [{ url: site.url('/many/none') }, 'no page of this URL'],
    [{}, 'id of a job of many pages'],
  ] as const)
    expect(await call('scrape_result', { id, ...args })).toMatchObject({
      isError: true,
      text: expect.stringContaining(expected),
    })
})

it('find searches all pages of a job, and returns the row of each hit', async () => {
  const { text } = await call('crawl', { url: site.url('/many/'), limit: 40, wait: 60, find: 'page 17' })
  const [, row = ''] = /^\[row (\d+), 0(?: Page 17)?\]$/m.exec(text) ?? []
  expect(text).toContain('# Page 17')
  expect(rowsOf(text)).toEqual([])
  const id = idOf(text)
  expect((await call('scrape_result', { id, row: Number(row) })).text).toContain('# Page 17')
  expect((await call('crawl_status', { id, find: 'zeppelin' })).text).toContain('No match for "zeppelin"')
})

it('a cancelled wait does not cancel the job, whose id is in the first progress message', async () => {
  const messages: string[] = []
  const controller = new AbortController()
  const started = Promise.withResolvers<void>()
  const onprogress = ({ message = '' }: Progress) => {
    messages.push(message)
    started.resolve()
  }
  const waiting = call('crawl', { url: site.url('/held/'), wait: 60 }, { onprogress, signal: controller.signal })
  await started.promise
  controller.abort()
  await expect(waiting).rejects.toThrow()
  const [, id = ''] = /^crawl ([\w-]{36}) has started$/.exec(messages[0] ?? '') ?? []
  expect((await call('crawl_status', { id, wait: 1 })).text).toContain(`Job ${id}: scraping`)
  const until = call('crawl_status', { id, wait: 60 })
  expect((await call('crawl_cancel', { id })).text).toContain('cancelled')
  expect((await until).text).toContain(`Job ${id}: cancelled`)
})

it('a crawl that exceeds its wait continues, and can be cancelled', async () => {
  const { text } = await call('crawl', { url: site.url('/held/'), wait: 1 })
  expect(text).toContain('Still running')
  const id = idOf(text)
  expect((await call('activity', { show: 'crawls' })).text).toContain(id)
  expect((await call('crawl_cancel', { id })).text).toContain('cancelled')
  expect((await call('crawl_status', { id })).text).toContain(`Job ${id}: cancelled`)
})

it('a batch with wait returns the same kind of table', async () => {
  const { text } = await call('batch_scrape', { urls: [site.url('/few/one'), site.url('/few/cut')], wait: 60 })
  expect(text).toContain('The only one.')
  expect(text).toContain('1 failed')
  expect((await call('crawl_status', { id: idOf(text), errors: true })).text).toContain('SCRAPE_ALL_ENGINES_FAILED')
})
