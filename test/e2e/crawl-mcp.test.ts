import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bin, cleanEnv, tempDir } from '../helpers/program.ts'
import { startSite, type Site } from '../helpers/site.ts'
import { manyPages } from './crawl-pages.ts'

const folder = tempDir()
const pages = manyPages(120)
let site: Site
let client: Client

beforeAll(async () => {
  site = await startSite({ routes: pages.routes })
  client = new Client({ name: 'test', version: '1.0.0' })
  const env = cleanEnv({ GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin], env, stderr: 'ignore' }))
})
afterAll(async () => {
  await client.close()
  await site.close()
  folder.remove()
})

type Progress = { progress: number; total?: number | undefined; message?: string | undefined }

async function call(name: string, args: Record<string, unknown>, onprogress?: (progress: Progress) => void) {
  const { content, isError } = await client.callTool({ name, arguments: args }, onprogress && { onprogress })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { text, isError: isError === true }
}

const rowsOf = (text: string) => text.split('\n').filter((line) => /^\d+ \| 200 \| http/.test(line))
const idOf = (text: string) => /Job ([\w-]{36})/.exec(text)?.[1] ?? ''

it('a crawl that is waited for tells how far it is, and ends with a table of its pages', async () => {
  const heard: Progress[] = []
  const { text } = await call('crawl', { url: site.url('/many/'), limit: 115, wait: 60 }, (each) => heard.push(each))
  expect(text).toContain('completed · 115 of 115 pages')
  expect(heard.length).toBeGreaterThan(0)
  expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).toSorted((a, b) => a - b))
  expect(heard.at(-1)?.message).toMatch(/^\d+ of \d+ pages/)
  expect(rowsOf(text)).toHaveLength(100)
  // What an agent reads of 100 pages is no more than a page.
  expect(text.length).toBeLessThan(25_000)
})

it('further pages are read with skip, and none comes twice', async () => {
  const { text: first } = await call('crawl', { url: site.url('/many/'), limit: 110, wait: 60 })
  const { text: second } = await call('crawl_status', { id: idOf(first), skip: 100 })
  const addresses = [first, second].flatMap(rowsOf).map((row) => row.split(' | ')[2])
  expect(addresses).toHaveLength(110)
  expect(new Set(addresses).size).toBe(110)
  expect(second).toMatch(/^101 \| 200 \| /m)
})

it('each page of a crawl is read whole by the last column of its row', async () => {
  const { text } = await call('crawl', { url: site.url('/many/page/7'), limit: 1, wait: 60 })
  const scrapeId = rowsOf(text)[0]?.split(' | ').at(-1) ?? ''
  const page = await call('scrape_result', { jobId: scrapeId })
  expect(page).toMatchObject({ isError: false, text: expect.stringContaining('# Page 7') })
})

it('a crawl that takes longer than the wait is left running, and can be cancelled', async () => {
  const { text } = await call('crawl', { url: site.url('/held/'), wait: 1 })
  expect(text).toContain('Still running')
  const id = idOf(text)
  expect((await call('activity', { show: 'crawls' })).text).toContain(id)
  expect((await call('crawl_cancel', { id })).text).toContain('cancelled')
  expect((await call('crawl_status', { id })).text).toContain(`Job ${id}: cancelled`)
})

it('a batch answers with a table too', async () => {
  const { text } = await call('batch_scrape', { urls: [site.url('/few/one'), site.url('/few/cut')], wait: 60 })
  expect(rowsOf(text)).toHaveLength(1)
  expect(text).toContain('1 failed')
  expect((await call('crawl_status', { id: idOf(text), errors: true })).text).toContain('SCRAPE_ALL_ENGINES_FAILED')
})
