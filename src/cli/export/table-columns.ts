import type { Document, DocumentFields, Metadata } from '../../schema/scrape/document.ts'

/** Stored form of a page until the table is written. `fetched`: when it, or its cached copy, was fetched (ISO 8601). */
export type PageLine = Document & { fetched: string }

/** `json`: JSON text. */
type ColumnType = 'text' | 'number' | 'json'
export type Cell = string | number | null
/** One cell per column, in order. */
export type Row = readonly Cell[]
export type Column = { name: string; type: ColumnType; valueOf: (line: PageLine) => unknown }

/** A format that is missing here does not compile. */
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
} as const satisfies Record<keyof DocumentFields, ColumnType>

const fact = (name: keyof Metadata & string, type: ColumnType = 'text'): Column => ({
  name,
  type,
  valueOf: ({ metadata }) => metadata[name],
})

/** Every table has all columns, whatever formats were requested, so programs can rely on them. */
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

export const rowOf = (line: PageLine): Row => columns.map(({ type, valueOf }) => cellOf(type, valueOf(line)))

function cellOf(type: ColumnType, value: unknown): Cell {
  if (value === undefined || value === null) return null
  if (type === 'number') return typeof value === 'number' ? value : null
  return type !== 'json' && typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
}
