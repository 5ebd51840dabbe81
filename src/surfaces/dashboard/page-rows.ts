import { isRecord } from '../../util/json.ts'

/** A page of a crawl in a table. */
export type PageRow = { url: string; title: string; status: number; scrapeId: string; characters: number }

/** An answer of `crawl_status` with its pages as rows, without what they say: that may be megabytes. */
export function withRows(output: object): { rows: PageRow[] } {
  const { data, ...state } = output as { data?: unknown }
  return { ...state, rows: Array.isArray(data) ? data.filter(isRecord).map(rowOf) : [] }
}

function rowOf({ markdown, metadata }: Record<string, unknown>): PageRow {
  const facts = isRecord(metadata) ? metadata : {}
  return {
    url: textOf(facts['url'] ?? facts['sourceURL']),
    title: textOf(facts['title']),
    status: Number(facts['statusCode'] ?? 0),
    scrapeId: textOf(facts['scrapeId']),
    characters: textOf(markdown).length,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
