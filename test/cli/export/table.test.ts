import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { columns, openTable, type TableKind } from '../../../src/cli/export/export-table.ts'
import type { Document } from '../../../src/schema/scrape/document.ts'
import { folderForEach } from '../../helpers/for-all.ts'
import { allPages, id, linesIn, noteIn, runCrawl, start, stoppedAt, toyCrawl } from './toy-crawl.ts'

const dir = folderForEach()

const kinds = ['csv', 'jsonl'] as const
type Read = Record<string, unknown>

/** Reads a CSV file by RFC 4180, where fields in quotes may contain commas, quotes and line breaks. */
function readCsv(path: string): Read[] {
  const rows: string[][] = [[]]
  for (const [, field = '', end] of readFileSync(path, 'utf8').matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)!.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end !== ',') rows.push([])
  }
  const [names = [], ...records] = rows.slice(0, -1)
  return records.map((record) => Object.fromEntries(names.map((name, at) => [name, record[at]])))
}

/** Rows that another program reads from the file. */
const readers: Record<TableKind, (path: string) => Promise<Read[]>> = {
  csv: async (path) => readCsv(path),
  jsonl: async (path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const { metadata, ...fields } = JSON.parse(line) as { metadata: Read }
        return { ...metadata, ...fields }
      }),
}

const metadata = {
  url: 'http://a.test/',
  sourceURL: 'http://a.test/old',
  scrapeId: 's',
  creditsUsed: 1.5,
  concurrencyLimited: false,
}

/** Writes the pages as `gossamer crawl` does, and returns the path of the file. */
async function tableOf(kind: TableKind, pages: readonly Document[], signal = new AbortController().signal) {
  const path = join(dir.path, `pages.${kind}`)
  const table = await openTable({ path, kind }, 'new', () => 0)
  await table.note({ id, url: start, status: 'scraping' })
  try {
    for (const page of pages) await table.write(page)
    await table.finish(signal)
  } finally {
    await table.close()
  }
  return path
}

describe.each(kinds)('--out pages.%s', (kind) => {
  test('contains every page, and leaves no other file', async () => {
    const path = join(dir.path, 'made', `pages.${kind}`)
    const { code, stdout, stderr } = await runCrawl(toyCrawl(3), [start], { flags: { out: path } })
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({ code: 0, stdout: { completed: 3, out: path } })
    expect(stderr).toContain(`Pages: ${path}`)
    const rows = await readers[kind](path)
    expect(rows.map(({ url }) => url)).toEqual(allPages(3))
    expect(rows.map(({ markdown }) => markdown)).toEqual(['# Page 0', '# Page 1', '# Page 2'])
    expect(readdirSync(join(dir.path, 'made'))).toEqual([basename(path)])
  })

  test('keeps text verbatim, whatever it contains', async () => {
    const markdown = 'a "quoted", b;\r\n\n\tc\u0000 — 漢字 🕸 \ud800\n'
    const [row] = await readers[kind](await tableOf(kind, [{ markdown, links: ['http://a.test/,"'], metadata }]))
    expect(row).toMatchObject({
      markdown: kind === 'jsonl' ? markdown : markdown.toWellFormed(),
      sourceURL: metadata.sourceURL,
    })
    expect(kind === 'jsonl' ? row?.['links'] : JSON.parse(row?.['links'] as string)).toEqual(['http://a.test/,"'])
    expect(Number(row?.['creditsUsed'])).toBe(1.5)
    expect(new Date(row?.['fetched'] as string).getTime()).toBe(0)
    if (kind !== 'jsonl') expect(Object.keys(row ?? {})).toEqual(columns.map(({ name }) => name))
  })

  test('leaves no file if it is stopped, and is written whole by --resume', async () => {
    const path = join(dir.path, `pages.${kind}`)
    const toy = toyCrawl(6)
    const { code, stderr } = await stoppedAt(2, toy, { out: path })
    expect(code).toBe(130)
    expect(stderr).toContain(`gossamer crawl --resume --out ${path}`)
    expect(readdirSync(dir.path)).toEqual([`pages.${kind}.part`])
    expect(linesIn(`${path}.part`).length).toBe(noteIn(`${path}.part`)['written'])

    expect((await runCrawl(toy, [], { flags: { out: path, resume: true } })).code).toBe(0)
    expect((await readers[kind](path)).map(({ url }) => url)).toEqual(allPages(6))
    expect(readdirSync(dir.path)).toEqual([`pages.${kind}`])
  })

  test('never overwrites a file, and keeps its pages if one appears', async () => {
    const path = join(dir.path, `pages.${kind}`)
    writeFileSync(path, 'mine')
    for (const flags of [{ out: path }, { out: path, resume: true }])
      await expect(runCrawl(toyCrawl(1), flags.resume ? [] : [start], { flags })).rejects.toThrow('already exists')
    rmSync(path)
    const toy = toyCrawl(2)
    toy.toy.onPoll = () => writeFileSync(path, 'mine')
    const { code, stderr } = await runCrawl(toy, [start], { flags: { out: path } })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--resume --out') })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    rmSync(path)
    toy.toy.onPoll = () => {}
    expect((await runCrawl(toy, [], { flags: { out: path, resume: true } })).code).toBe(0)
    expect((await readers[kind](path)).length).toBe(2)
  })
})

async function* noRows() {}

test.skipIf(!existsSync('/dev/full'))('writing a CSV file fails if the disk is full', async () => {
  const { writeCsv } = await import('../../../src/cli/export/export-table.ts')
  await expect(writeCsv(noRows(), '/dev/full')).rejects.toThrow('ENOSPC')
})

test('a formula is plain text in a spreadsheet', async () => {
  const titles = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\uFEFF=1', '＝1', 'plain', "'=1", '1-1=0', '']
  const path = await tableOf(
    'csv',
    titles.map((title) => ({ metadata: { ...metadata, title } })),
  )
  const read = (await readers.csv(path)).map(({ title }) => title)
  expect(read).toEqual(titles.map((title, index) => (index < 9 ? `'${title}` : title)))
})

test.each([
  ['a file of another kind', 'pages.xlsx', 'pages are not written as .xlsx'],
  ['a database', 'pages.sqlite', 'pages are not written as .sqlite'],
  ['a Parquet file', 'pages.parquet', 'pages are not written as .parquet'],
  ['a place that cannot be created', 'file/pages.csv', 'cannot be created'],
])('%s is refused before a crawl begins', async (_, name, message) => {
  writeFileSync(join(dir.path, 'file'), '')
  const toy = toyCrawl(1)
  await expect(runCrawl(toy, [start], { flags: { out: join(dir.path, name) } })).rejects.toThrow(message)
  expect(toy.calls).toEqual([])
})
