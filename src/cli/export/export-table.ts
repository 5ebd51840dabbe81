import { constants, copyFile, open, rename, rm, rmdir } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../command.ts'
import { type CrawlRecord, linesFile, noteFile, openRecord } from './crawl-record.ts'
import { exists, linesOf } from './jsonl.ts'
import type { Document, DocumentFields, Metadata } from '../../schema/scrape/document.ts'

export type TableKind = 'csv' | 'jsonl'
/** Target of `--out`, as an absolute path. */
export type Target = { kind: 'folder' | TableKind; path: string }

const kinds = new Map<string, TableKind>([
  ['.csv', 'csv'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
])

/** Extensions of unsupported file types. A folder with such a name would be unexpected. */
const otherFiles = new Set('.json .tsv .xls .xlsx .xml .md .txt .zip .sqlite .sqlite3 .db .parquet'.split(' '))

/**
 * Returns the target of `--out`: a file if its extension is that of a format, otherwise a folder. Fails with
 * UsageError.
 */
export function targetOf(out: string): Target {
  const ending = extname(out).toLowerCase()
  if (otherFiles.has(ending))
    throw new UsageError(
      `--out: pages are not written as ${ending}. Name a file that ends in .csv or .jsonl, or a folder.`,
    )
  return { kind: kinds.get(ending) ?? 'folder', path: resolve(out) }
}

export type ExportTable = CrawlRecord & {
  /** Creates the file from the stored pages. It appears under its name only once it is complete. */
  finish(signal: AbortSignal): Promise<void>
}

/** Path of the folder that stores the pages of a crawl until its table is written. */
export const stageOf = (file: string) => `${file}.part`

const Line = z.object({ fetched: z.string(), metadata: z.object({ url: z.string(), scrapeId: z.string() }) })

/** Fails with UsageError if the file exists, because files are never overwritten. */
export async function refuseExisting(file: string): Promise<void> {
  if (await exists(file)) throw new UsageError(`${file} already exists. Give --out another name, or remove it.`)
}

/**
 * Opens a table of pages. They are stored as lines in a folder next to it until the crawl is over, because a crawl
 * can be resumed from lines.
 */
export async function openTable(
  { path, kind }: { path: string; kind: TableKind },
  begin: 'new' | 'resumed',
  now: () => number,
): Promise<ExportTable> {
  const stage = stageOf(path)
  const record = await openRecord(stage, begin, {
    lineOf: async (document) => ({
      fetched: document.metadata.cachedAt ?? new Date(now()).toISOString(),
      ...document,
    }),
    seen: (line) => void Line.parse(line),
  })
  const temporary = join(stage, 'table')
  let isFinished = false
  return {
    ...record,
    finish: async (signal) => {
      try {
        await rm(temporary, { force: true })
        await writers[kind](join(stage, linesFile), temporary, signal)
        await settled(temporary)
        await refuseExisting(path)
        await rename(temporary, path)
        isFinished = true
      } finally {
        await rm(temporary, { force: true })
      }
    },
    close: async () => {
      await record.close()
      if (isFinished) for (const name of [linesFile, noteFile]) await rm(join(stage, name), { force: true })
      // The folder is kept if it is not empty.
      await rmdir(stage).catch(() => {})
    },
  }
}

type TableWriter = (lines: string, to: string, signal: AbortSignal) => Promise<void>

const writers: Record<TableKind, TableWriter> = {
  jsonl: async (lines, to, signal) => {
    signal.throwIfAborted()
    await copyFile(lines, to, constants.COPYFILE_FICLONE)
  },
  csv: (lines, to, signal) => writeCsv(rowsOf(lines, signal), to),
}

async function* rowsOf(lines: string, signal: AbortSignal): AsyncGenerator<Row> {
  const file = await open(lines)
  try {
    for await (const line of linesOf(file)) {
      signal.throwIfAborted()
      yield rowOf(JSON.parse(line.toString('utf8')) as PageLine)
    }
  } finally {
    await file.close()
  }
}

/** Waits until the file is on disk: after a power cut, a name must not exist without its content. */
async function settled(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Characters buffered before a write. */
const chunk = 1024 * 1024

/** Writes a CSV file (RFC 4180): UTF-8 without a byte order mark, CR LF line ends, a header line. */
export async function writeCsv(rows: AsyncIterable<Row>, path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    let text = `${columns.map(({ name }) => name).join(',')}\r\n`
    for await (const row of rows) {
      text += `${row.map(csvCell).join(',')}\r\n`
      if (text.length < chunk) continue
      await file.appendFile(text)
      text = ''
    }
    await file.appendFile(text)
  } finally {
    await file.close()
  }
}

/**
 * Text that a spreadsheet would read as a formula (OWASP, CSV injection), including full-width forms and formulas after
 * characters that spreadsheets skip.
 */
const formula = /^(?:[\p{C}\p{Z}]*[=+\-@＝＋－＠]|[\t\r\n])/u

/**
 * Formats a cell. Text is always quoted, to distinguish it from an empty cell. A possible formula gets a leading
 * apostrophe, with which spreadsheets show it as text.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  return `"${formula.test(cell) ? "'" : ''}${cell.replaceAll('"', '""')}"`
}

/** Stored form of a page until the table is written. `fetched`: when it, or its cached copy, was fetched (ISO 8601). */
type PageLine = Document & { fetched: string }

/** `json`: JSON text. */
type ColumnType = 'text' | 'number' | 'json'
type Cell = string | number | null
/** One cell per column, in order. */
type Row = readonly Cell[]
type Column = { name: string; type: ColumnType; valueOf: (line: PageLine) => unknown }

/** Column type of each format. TypeScript reports a missing format. */
const formats = {
  markdown: 'text',
  summary: 'text',
  html: 'text',
  rawHtml: 'text',
  screenshot: 'text',
  audio: 'text',
  video: 'text',
  answer: 'text',
  highlights: 'text',
  links: 'json',
  images: 'json',
  attributes: 'json',
  json: 'json',
  product: 'json',
  menu: 'json',
  branding: 'json',
  actions: 'json',
  changeTracking: 'json',
  pages: 'json',
} as const satisfies Record<keyof DocumentFields, ColumnType>

const fact = (name: keyof Metadata & string, type: ColumnType = 'text'): Column => ({
  name,
  type,
  valueOf: ({ metadata }) => metadata[name],
})

/** Columns of every table. They do not depend on the requested formats, so that programs can rely on them. */
export const columns: readonly Column[] = [
  fact('url'),
  fact('sourceURL'),
  fact('title'),
  fact('description'),
  fact('language'),
  fact('statusCode', 'number'),
  fact('contentType'),
  { name: 'fetched', type: 'text', valueOf: ({ fetched }) => fetched },
  fact('cacheState'),
  fact('creditsUsed', 'number'),
  fact('scrapeId'),
  fact('error'),
  { name: 'warning', type: 'text', valueOf: ({ warning }) => warning },
  ...Object.entries(formats).map(([name, type]): Column => ({
    name,
    type,
    valueOf: (line) => line[name as keyof typeof formats],
  })),
  { name: 'metadata', type: 'json', valueOf: ({ metadata }) => metadata },
]

const rowOf = (line: PageLine): Row => columns.map(({ type, valueOf }) => cellOf(type, valueOf(line)))

function cellOf(type: ColumnType, value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (type === 'number') return typeof value === 'number' ? value : null
  return type !== 'json' && typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
}
