import { extname, resolve } from 'node:path'
import { UsageError } from '../command.ts'

export type TableKind = 'csv' | 'jsonl'
/** What `--out` names, with its whole path. */
export type Target = { kind: 'folder' | TableKind; path: string }

const kinds = new Map<string, TableKind>([
  ['.csv', 'csv'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
])

/** Endings of files that are not written. A folder of such a name would surprise. */
const otherFiles = new Set('.json .tsv .xls .xlsx .xml .md .txt .zip .sqlite .sqlite3 .db .parquet'.split(' '))

/** A folder, or one file whose kind its ending tells. Fails with UsageError where the ending is that of another file. */
export function targetOf(out: string): Target {
  const ending = extname(out).toLowerCase()
  if (otherFiles.has(ending))
    throw new UsageError(
      `--out: pages are not written as ${ending}. Name a file that ends in .csv or .jsonl, or a folder.`,
    )
  return { kind: kinds.get(ending) ?? 'folder', path: resolve(out) }
}
