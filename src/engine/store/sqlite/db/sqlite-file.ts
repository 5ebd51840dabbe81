import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Outcome, Param, Row, Statement, Value } from './db.ts'
import { tight } from './sqlite-wire.ts'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { gunzip, isGzip } from '../../../../util/file-bytes.ts'

/** Level 1 compresses HTML within one percent of level 3, and a third faster. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Below this size a compressor costs more than it saves. */
const minPacked = 2048

/** Packs content into a zstd frame, short content uncompressed. */
export function pack(content: Uint8Array): Uint8Array {
  return content.byteLength < minPacked ? plainFrame(content) : zstdCompressSync(content, packing)
}

const magic = 0xfd2fb528
/** Size of frame header and block header. */
const headerBytes = 12
/** Frame descriptor: content size in four bytes, no window. */
const singleSegment = 0xa0
/** Flags of the last, raw block; its size is in the higher bits. */
const lastRawBlock = 1

/** Creates a frame with one raw block (RFC 8878, 3.1.1), which any zstd decoder reads. */
function plainFrame(content: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafeSlow(headerBytes + content.byteLength)
  frame.writeUInt32LE(magic, 0)
  frame.writeUInt8(singleSegment, 4)
  frame.writeUInt32LE(content.byteLength, 5)
  frame.writeUIntLE((content.byteLength << 3) | lastRawBlock, 9, 3)
  frame.set(content, headerBytes)
  return frame
}

/** Returns the content of a frame written by `plainFrame`; undefined for any other frame. */
function plainContent(frame: Uint8Array): Uint8Array | undefined {
  if (frame.byteLength < headerBytes || frame.byteLength > headerBytes + minPacked) return undefined
  const { buffer, byteOffset, byteLength } = frame
  const view = new DataView(buffer, byteOffset, byteLength)
  const size = byteLength - headerBytes
  const isPlain =
    view.getUint32(0, true) === magic &&
    view.getUint8(4) === singleSegment &&
    view.getUint32(5, true) === size &&
    (view.getUint16(9, true) | (view.getUint8(11) << 16)) === ((size << 3) | lastRawBlock)
  return isPlain ? frame.subarray(headerBytes) : undefined
}

/** Minimum chunk size in Node. */
const minChunk = 64
/** Larger content is decoded in several chunks. */
const maxChunk = 16 * 2 ** 20

/** Maximum decompressed size of a stored gzip, which is a page that was decompressed before. */
const maxUnzipped = 64 * 2 ** 20

/**
 * Unpacks a zstd frame, or a gzip body stored as received. Decodes into one buffer of the right size: joining the
 * default chunks of 16 kB would take 50 % longer.
 */
export function unpack(frame: Uint8Array): Uint8Array {
  if (isGzip(frame)) return gunzip(frame, maxUnzipped)
  const plain = plainContent(frame)
  if (plain) return plain
  const size = contentSize(frame)
  if (size === undefined) return zstdDecompressSync(frame)
  return zstdDecompressSync(frame, { chunkSize: Math.min(maxChunk, Math.max(minChunk, size)) })
}

/** Returns the content size that a zstd frame states in its header (RFC 8878, 3.1.1.1); undefined without one. */
function contentSize(frame: Uint8Array): number | undefined {
  const { buffer, byteOffset, byteLength } = frame
  if (byteLength < 14) return undefined
  const view = new DataView(buffer, byteOffset, byteLength)
  const descriptor = view.getUint8(4)
  const isSingle = (descriptor & 0x20) !== 0
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const flag = descriptor >> 6
  if (flag === 0) return isSingle ? view.getUint8(at) : undefined
  if (flag === 1) return view.getUint16(at, true) + 256
  return flag === 2 ? view.getUint32(at, true) : undefined
}

/** Lock timeout; with it, a caller gets an error within five seconds. */
export const busyTimeoutMs = 3000
const logFileBytes = 16 * 2 ** 20
/**
 * Number of pages at which the log is copied to the database file: large enough that a page that changes repeatedly is
 * copied only once.
 */
const logFilePages = 4000
/** Cache per connection. Twice as much saves no more reads. */
const cacheBytes = 8 * 2 ** 20
const pagesASlice = 512

/** A SQLite file. Use it only from the thread that opened it. */
export type SqliteFile = {
  execute(statement: Statement): Outcome
  snapshot(statements: readonly Statement[]): Outcome[]
  transaction(statements: readonly Statement[]): Outcome[]
  /** Runs several transactions as one, all or none, so shared pages are written to disk once. */
  together(transactions: readonly (readonly Statement[])[]): Outcome[][]
  compact(): boolean
  /** Sets the time for which statements wait for a lock. */
  waitFor(ms: number): void
  close(): void
}

/** @param path of the file, or ':memory:' */
export function openSqliteFile(path: string, prepareSchema: (db: DatabaseSync) => void): SqliteFile {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    // auto_vacuum takes effect only if set before the first table is created
    db.exec('PRAGMA auto_vacuum = INCREMENTAL')
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${logFileBytes}; PRAGMA wal_autocheckpoint = ${logFilePages};
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheBytes / 1024}`)
    prepareSchema(db)
  } catch (thrown) {
    db.close()
    throw thrown
  }
  const prepared = new Map<string, Prepared>()
  let lockTimeoutMs = busyTimeoutMs
  const execute = ({ sql, params = [], unless }: Statement): Outcome => {
    const isMoot = unless !== undefined && execute(unless).rows.length > 0
    return isMoot ? { rows: [], changes: 0 } : runStatement(memo(prepared, sql, db), params)
  }
  const executeAll = (statements: readonly Statement[]) => statements.map(execute)
  return {
    execute,
    // The first SELECT fixes the snapshot. In WAL mode readers and writers do not block each other.
    snapshot: (statements) => within(db, 'BEGIN', () => statements.map(execute)),
    transaction: (statements) => immediately(db, () => executeAll(statements)),
    together: (transactions) => immediately(db, () => transactions.map(executeAll)),
    compact: () => compact(db),
    waitFor(ms) {
      if (ms !== lockTimeoutMs) db.exec(`PRAGMA busy_timeout = ${ms}`)
      lockTimeoutMs = ms
    },
    close: () => db.close(),
  }
}

/** Runs the work under the write lock: a lock taken midway would fail if another process had written in between. */
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

/** Maximum number of prepared statements: some are built for one call, such as multi-row inserts. */
const maxPrepared = 1000
type Prepared = { statement: StatementSync; hasRows: boolean; packedColumns: readonly string[] }

function memo(prepared: Map<string, Prepared>, sql: string, db: DatabaseSync): Prepared {
  const known = prepared.get(sql)
  if (known !== undefined) return known
  // A bare parameter as limit makes SQLite prepare the statement again on each run.
  const statement = db.prepare(sql.replaceAll('LIMIT ?', 'LIMIT ? + 0'))
  const columns = statement.columns().map(({ name }) => name)
  const created = {
    statement,
    hasRows: columns.length > 0,
    packedColumns: columns.filter((name) => name.endsWith('_zst')),
  }
  if (prepared.size < maxPrepared) prepared.set(sql, created)
  return created
}

function runStatement({ statement, hasRows, packedColumns }: Prepared, params: readonly Param[]): Outcome {
  const bound = params.map(valueOf)
  if (!hasRows) return { rows: [], changes: Number(statement.run(...bound).changes) }
  const rows = statement.all(...bound) as Row[]
  return { rows: packedColumns.length === 0 ? rows : rows.map((row) => unpackRow(row, packedColumns)), changes: 0 }
}

function valueOf(param: Param): Value {
  if (param === null || typeof param !== 'object' || param instanceof Uint8Array) return param
  return pack(typeof param.packed === 'string' ? Buffer.from(param.packed) : param.packed)
}

function unpackRow(row: Row, columns: readonly string[]): Row {
  const unpacked = columns.map((name) => {
    const value = row[name]
    return [name, value instanceof Uint8Array ? tight(unpack(value)) : (value ?? null)] as const
  })
  return { ...row, ...Object.fromEntries(unpacked) }
}

/**
 * Shrinks the file by one slice if more than a quarter of it is empty; smaller gaps are reused. Returns true if more
 * than a quarter is still empty.
 */
function compact(db: DatabaseSync): boolean {
  const isLoose = () => pragma(db, 'freelist_count') * 4 > pragma(db, 'page_count')
  if (!isLoose()) return false
  db.exec(`PRAGMA incremental_vacuum(${pagesASlice})`)
  return isLoose()
}

export function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0)
}
