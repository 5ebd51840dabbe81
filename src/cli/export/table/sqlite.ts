import { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../../command.ts'
import { columns, type ColumnType, type Row } from './columns.ts'

const typeNames: Record<ColumnType, string> = {
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  time: 'TEXT',
  json: 'TEXT',
}

/** Writes a new SQLite database with a table `pages`. Fails with UsageError where SQLite cannot write. */
export async function writeSqlite(rows: AsyncIterable<Row>, path: string): Promise<void> {
  try {
    await fill(rows, path)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_SQLITE_ERROR')) throw cause
    throw new UsageError(`SQLite could not write ${path}: ${cause.message}`, { cause })
  }
}

async function fill(rows: AsyncIterable<Row>, path: string): Promise<void> {
  const db = new DatabaseSync(path)
  try {
    // Nobody reads the file before it is whole, so there is nothing to roll back to.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    db.exec(`CREATE TABLE pages (${columns.map(({ name, type }) => `"${name}" ${typeNames[type]}`).join(', ')})`)
    const insert = db.prepare(`INSERT INTO pages VALUES (${columns.map(() => '?').join(', ')})`)
    // One transaction; pages that do not fit into SQLite's cache of 2 MB spill to the file meanwhile.
    db.exec('BEGIN')
    for await (const row of rows) insert.run(...row)
    db.exec('COMMIT; CREATE INDEX pages_url ON pages (url)')
  } finally {
    db.close()
  }
}
