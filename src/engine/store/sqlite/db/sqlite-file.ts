import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Outcome, Param, Row, Statement, Value } from './db.ts'
import { tight } from './sqlite-wire.ts'

const busyTimeoutMs = 5000
const logFileBytes = 16 * 2 ** 20
/** Level 1 packs HTML as tightly as level 3 within a percent and writes a third faster. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const pagesASlice = 512

/** A SQLite file, used from the thread that opened it. */
export type SqliteFile = {
  execute(statement: Statement): Outcome
  snapshot(statements: readonly Statement[]): Outcome[]
  transaction(statements: readonly Statement[]): Outcome[]
  /** The same for several at once, all of them or none: what they all write to is then written to the disk once. */
  together(transactions: readonly (readonly Statement[])[]): Outcome[][]
  compact(): boolean
  close(): void
}

/** @param path of the file, or ':memory:'. */
export function openSqliteFile(path: string, prepareSchema: (db: DatabaseSync) => void): SqliteFile {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    // auto_vacuum only takes hold before the first table is made
    db.exec('PRAGMA auto_vacuum = INCREMENTAL')
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${logFileBytes}`)
    prepareSchema(db)
  } catch (thrown) {
    db.close()
    throw thrown
  }
  const prepared = new Map<string, Prepared>()
  const execute = (statement: Statement) => runStatement(memo(prepared, statement.sql, db), statement.params ?? [])
  return {
    execute,
    // The first SELECT fixes the moment. In WAL mode it waits for no writer, and no writer for it.
    snapshot: (statements) => within(db, 'BEGIN', () => statements.map(execute)),
    transaction: (statements) => immediately(db, () => statements.map(execute)),
    together: (transactions) => immediately(db, () => transactions.map((statements) => statements.map(execute))),
    compact: () => compact(db),
    close: () => db.close(),
  }
}

/** Runs the work under the write lock: a lock taken halfway through would fail when another process wrote in between. */
export const immediately = <T>(db: DatabaseSync, work: () => T): T => within(db, 'BEGIN IMMEDIATE', work)

function within<T>(db: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (thrown) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw thrown
  }
}

type Prepared = { statement: StatementSync; hasRows: boolean; packedColumns: readonly string[] }

function memo(prepared: Map<string, Prepared>, sql: string, db: DatabaseSync): Prepared {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  const statement = db.prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  const made = {
    statement,
    hasRows: columns.length > 0,
    packedColumns: columns.filter((name) => name.endsWith('_zst')),
  }
  prepared.set(sql, made)
  return made
}

function runStatement({ statement, hasRows, packedColumns }: Prepared, params: readonly Param[]): Outcome {
  const bound = params.map(pack)
  if (!hasRows) return { rows: [], changes: Number(statement.run(...bound).changes) }
  const rows = statement.all(...bound) as Row[]
  return { rows: packedColumns.length === 0 ? rows : rows.map((row) => unpackRow(row, packedColumns)), changes: 0 }
}

function pack(param: Param): Value {
  if (param === null || typeof param !== 'object' || param instanceof Uint8Array) return param
  const content = typeof param.packed === 'string' ? Buffer.from(param.packed) : param.packed
  return zstdCompressSync(content, packing)
}

function unpackRow(row: Row, columns: readonly string[]): Row {
  const unpacked = columns.map((name) => {
    const value = row[name]
    return [name, value instanceof Uint8Array ? tight(zstdDecompressSync(value)) : (value ?? null)] as const
  })
  return { ...row, ...Object.fromEntries(unpacked) }
}

/** Freed pages are reused, so a file is only made smaller when a quarter of it is empty. */
function compact(db: DatabaseSync): boolean {
  const isLoose = () => pragma(db, 'freelist_count') * 4 > pragma(db, 'page_count')
  if (!isLoose()) return false
  db.exec(`PRAGMA incremental_vacuum(${pagesASlice})`)
  return isLoose()
}

export function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
}
