import { Client, type ClientConfig, type CustomTypesConfig, type QueryResult, types as driverTypes } from 'pg'
import { ownTurn } from '../../../util/async.ts'
import type { Outcome, Parts, Statement, Value, Packed, Param, Row } from '../sqlite/db/db.ts'
import { prepareSchema } from './postgres-schema.ts'
import { promisify } from 'node:util'
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib'
import { isGzip } from '../../../util/file-bytes.ts'

const compress = promisify(zstdCompress)
const unpackZstd = promisify(zstdDecompress)
const unpackGzip = promisify(gunzip)
/** Same compression level as the embedded database. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Converts parameters for the driver. PostgreSQL text cannot contain the NUL character, which no page needs. */
async function bound(params: readonly Param[] = []): Promise<unknown[]> {
  return Promise.all(params.map(boundOne))
}

function boundOne(param: Param): unknown {
  if (typeof param === 'string') return param.replaceAll('\0', '\uFFFD')
  if (param === null || typeof param === 'number') return param
  if (param instanceof Uint8Array) return Buffer.from(param)
  return packedOnce(param)
}

/** Caches packed bytes: a text shared by a cached page and a result is passed twice. */
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

/** Converts values to the types SQLite returns: numbers, text and bytes; true is 1. */
const types: CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (asNumber.has(type)) return Number
    if (type === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0)
    if (type === builtins.BYTEA) return driverTypes.getTypeParser(type, format)
    return String
  },
}

/** @param result of a statement. The number of changes is available only without rows. */
async function outcomeOf(result: QueryResult<Record<string, Value>>): Promise<Outcome> {
  if (result.fields.length === 0) return { rows: [], changes: result.rowCount ?? 0 }
  const packedColumns = result.fields.map(({ name }) => name).filter((name) => name.endsWith('_zst'))
  return { rows: await Promise.all(result.rows.map((row) => unpackRow(row, packedColumns))), changes: 0 }
}

/** A page may be stored as the gzip it was received as. */
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

/** A statement or transaction that was sent but not answered yet. */
export type Sent = { answer: Promise<Outcome[]> }
export type Connection = {
  /** Sends one statement. */
  one(statement: Statement): Promise<Sent>
  /**
   * Sends a transaction, each of its parts in its own turn of the event loop. A writer holds a lock from `begin` on, so
   * all possible preparation is done before.
   * @param begin the command that begins it
   */
  all(begin: string, parts: Parts): Promise<Sent>
  close(): Promise<void>
}

const connectMs = 3000
const keepAliveMs = 10_000
/** Longer than the longest transaction (a batch of 100,000 pages); a server silent for this long hangs. */
const answerMs = 120_000
/** Long enough for another program's batch of 100,000 pages. */
const lockMs = 60_000
/** A program paused within a transaction would otherwise block all other writers. */
const pauseMs = 10_000

/**
 * Opens a connection that sends without waiting for answers, so a transaction takes one round trip instead of one per
 * statement. Creates the tables of a new database. If that fails, the connection is closed.
 * @param lost called when an open connection becomes unusable
 */
export async function connect(url: string, lost: () => void): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    types,
    pipeline: true,
    application_name: 'gossamer',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: pauseMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  } as ClientConfig)
  // Errors before the connection is established reject the pending calls.
  client.on('error', () => {})
  try {
    await client.connect()
    await prepareSchema(client)
  } catch (thrown) {
    // The server may be unresponsive, so this is not awaited.
    client.end().catch(() => {})
    throw thrown
  }
  client.on('error', lost)
  client.on('end', lost)
  const send = sender(client)
  return {
    async one(statement) {
      const answer = send(statement, await bound(statement.params))
      return { answer: answer.then((outcome) => [outcome]) }
    },
    async all(begin, parts) {
      const sent: Promise<Outcome>[] = []
      let began: Promise<unknown> | undefined
      try {
        for (const statements of parts) {
          if (began !== undefined) await ownTurn()
          const values = await Promise.all(statements.map(({ params }) => bound(params)))
          began ??= command(client, begin)
          sent.push(...statements.map((statement, at) => send(statement, values[at])))
        }
      } catch (thrown) {
        // Otherwise the statements already sent would become part of the next transaction and be committed with it.
        if (began !== undefined) void command(client, 'ROLLBACK')
        throw thrown
      }
      if (began === undefined) return { answer: Promise.resolve([]) }
      return { answer: allOf([began, ...sent, command(client, 'COMMIT')], sent) }
    },
    close: () => client.end(),
  }
}

/**
 * Statements are prepared once per connection, under a name. Statements built for one call, such as multi-row inserts,
 * would fill the memory of both ends, so beyond this limit statements are sent without a name.
 */
const maxNames = 1000

function sender(client: Client) {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const name = names.get(text) ?? (names.size < maxNames ? `s${names.size}` : undefined)
    if (name !== undefined) names.set(text, name)
    return name
  }
  return ({ sql }: Statement, values: unknown[] = []): Promise<Outcome> => {
    const text = toPostgres(sql)
    const name = nameOf(text)
    const query = { text, values, ...(name !== undefined && { name }) }
    return heeded(client.query<Record<string, Value>>(query).then(outcomeOf))
  }
}

const command = (client: Client, text: string): Promise<unknown> => heeded(client.query(text))

/** Prevents unhandled rejections: the result may be awaited only after it has failed. */
function heeded<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {})
  return answer
}

/** Rejects with the first failure, which explains those of the following statements. */
async function allOf(answers: readonly Promise<unknown>[], sent: readonly Promise<Outcome>[]): Promise<Outcome[]> {
  const failed = (await Promise.allSettled(answers)).find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return Promise.all(sent)
}

/** Limits the cache, because some statements are built for one call, such as multi-row inserts. */
const maxKnown = 1000
const known = new Map<string, string>()

/**
 * Translates a statement for PostgreSQL: `?` becomes `$1`, `$2` …, and `CROSS JOIN … ON`, which fixes the join order in
 * SQLite, becomes an ordinary join, whose order PostgreSQL chooses. Everything else is written so both accept it
 * (`schema.ts`).
 */
function toPostgres(sql: string): string {
  const translated = known.get(sql)
  if (translated !== undefined) return translated
  let place = 0
  const made = sql
    .replaceAll(/'[^']*'|\?/g, (found) => (found === '?' ? `$${++place}` : found))
    .replaceAll(/\bCROSS JOIN (\S+(?: AS \w+)?\s+ON)\b/g, 'JOIN $1')
  if (known.size < maxKnown) known.set(sql, made)
  return made
}
