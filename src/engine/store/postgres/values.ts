import { promisify } from 'node:util'
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib'
import { type CustomTypesConfig, type QueryResult, types as driverTypes } from 'pg'
import { isGzip } from '../../../util/bytes/gzip.ts'
import type { Outcome, Packed, Param, Row, Value } from '../sqlite/db/db.ts'

const compress = promisify(zstdCompress)
const unpackZstd = promisify(zstdDecompress)
const unpackGzip = promisify(gunzip)
/** As the embedded database packs. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** What the driver sends. A text of PostgreSQL cannot hold the character 0, which no page needs. */
export async function bound(params: readonly Param[] = []): Promise<unknown[]> {
  return Promise.all(params.map(boundOne))
}

function boundOne(param: Param): unknown {
  if (typeof param === 'string') return param.replaceAll('\0', '\uFFFD')
  if (param === null || typeof param === 'number') return param
  if (param instanceof Uint8Array) return Buffer.from(param)
  return packedOnce(param)
}

/** A text that a page of the cache and a result have in common is given twice. */
const packedBytes = new WeakMap<Packed, Promise<Buffer>>()

function packedOnce(given: Packed): Promise<Buffer> {
  const { packed } = given
  const bytes = packedBytes.get(given) ?? compress(typeof packed === 'string' ? Buffer.from(packed) : packed, packing)
  packedBytes.set(given, bytes)
  return bytes
}

const { builtins } = driverTypes
const asNumber = new Set<number>([
  builtins.INT8,
  builtins.INT4,
  builtins.INT2,
  builtins.FLOAT8,
  builtins.FLOAT4,
  builtins.NUMERIC,
])

/** Values as SQLite gives them: numbers, texts and bytes; true is 1. */
export const types: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (asNumber.has(type)) return Number
    if (type === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0)
    if (type === builtins.BYTEA) return driverTypes.getTypeParser(type, format)
    return String
  },
}

/** @param result of a statement. Only one without rows tells how many it changed. */
export async function outcomeOf(result: QueryResult<Record<string, Value>>): Promise<Outcome> {
  if (result.fields.length === 0) return { rows: [], changes: result.rowCount ?? 0 }
  const packedColumns = result.fields.map(({ name }) => name).filter((name) => name.endsWith('_zst'))
  return { rows: await Promise.all(result.rows.map((row) => unpackRow(row, packedColumns))), changes: 0 }
}

/** A page may be kept as the gzip that it came in. */
const unpack = (value: Uint8Array) => (isGzip(value) ? unpackGzip(value) : unpackZstd(value))

async function unpackRow(row: Row, packedColumns: readonly string[]): Promise<Row> {
  const unpacked = await Promise.all(
    packedColumns.map(async (name) => {
      const value = row[name]
      return [name, value instanceof Uint8Array ? new Uint8Array(await unpack(value)) : (value ?? null)] as const
    }),
  )
  return Object.fromEntries([
    ...Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? new Uint8Array(value) : value]),
    ...unpacked,
  ])
}
