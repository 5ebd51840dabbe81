import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Outcome, Param, Row, Statement, Value } from './db.ts'
import { tight } from './sqlite-wire.ts'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { gunzip, isGzip } from '../../../../util/file-bytes.ts'

/** Level 1 packs HTML as tightly as level 3 within a percent and writes a third faster. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Below it a compressor costs more to make than it saves. */
const leastPacked = 512

/** Packs into a frame of zstd; what is short stands in it as it is. */
export function pack(content: Uint8Array): Uint8Array {
  return content.byteLength < leastPacked ? plainFrame(content) : zstdCompressSync(content, packing)
}

const magic = 0xfd2fb528
/** Of frame and block. */
const headerBytes = 12
/** The size of the content follows in four bytes, and no window does. */
const singleSegment = 0xa0
/** Of a block of bytes as they are, with which the frame ends; its size stands above. */
const lastRawBlock = 1

/** A frame around one raw block (RFC 8878, 3.1.1): whoever unpacks zstd reads it. */
function plainFrame(content: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafeSlow(headerBytes + content.byteLength)
  frame.writeUInt32LE(magic, 0)
  frame.writeUInt8(singleSegment, 4)
  frame.writeUInt32LE(content.byteLength, 5)
  frame.writeUIntLE((content.byteLength << 3) | lastRawBlock, 9, 3)
  frame.set(content, headerBytes)
  return frame
}

/** What stands in such a frame; undefined of any other. */
function plainContent(frame: Uint8Array): Uint8Array | undefined {
  if (frame.byteLength < headerBytes || frame.byteLength > headerBytes + leastPacked) return undefined
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

/** The least that Node takes for a chunk. */
const leastChunk = 64
/** What is larger comes in several chunks. */
const mostChunk = 16 * 2 ** 20

/** Bytes that a gzip may become: what is stored as one is a page that was read already. */
const mostUnzipped = 64 * 2 ** 20

/**
 * Unpacks a frame of zstd, or the gzip that a page came in. Into one buffer of the right size: in chunks of the usual 16 kB, put
 * together afterwards, it takes half as long again.
 */
export function unpack(frame: Uint8Array): Uint8Array {
  if (isGzip(frame)) return gunzip(frame, mostUnzipped)
  const plain = plainContent(frame)
  if (plain) return plain
  const size = contentSize(frame)
  if (size === undefined) return zstdDecompressSync(frame)
  return zstdDecompressSync(frame, { chunkSize: Math.min(mostChunk, Math.max(leastChunk, size)) })
}

/** How long the content of a zstd frame is, in bytes, if its header says so (RFC 8878, 3.1.1.1). */
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

const busyTimeoutMs = 5000
const logFileBytes = 16 * 2 ** 20
/** A page that is written again and again goes into the database file once for each log: this many fill the log. */
const logFilePages = 4000
/** Of each connection. Twice as much saves no more reads. */
const cacheBytes = 8 * 2 ** 20
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
      PRAGMA journal_size_limit = ${logFileBytes}; PRAGMA wal_autocheckpoint = ${logFilePages};
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheBytes / 1024}`)
    prepareSchema(db)
  } catch (thrown) {
    db.close()
    throw thrown
  }
  const prepared = new Map<string, Prepared>()
  const execute = ({ sql, params = [], unless }: Statement): Outcome => {
    const isMoot = unless !== undefined && execute(unless).rows.length > 0
    return isMoot ? { rows: [], changes: 0 } : runStatement(memo(prepared, sql, db), params)
  }
  const executeAll = (statements: readonly Statement[]) => statements.map(execute)
  return {
    execute,
    // The first SELECT fixes the moment. In WAL mode it waits for no writer, and no writer for it.
    snapshot: (statements) => within(db, 'BEGIN', () => statements.map(execute)),
    transaction: (statements) => immediately(db, () => executeAll(statements)),
    together: (transactions) => immediately(db, () => transactions.map(executeAll)),
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

/** Some statements are made for one call, such as those that insert many rows. */
const maxPrepared = 1000
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
  if (prepared.size < maxPrepared) prepared.set(sql, made)
  return made
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
