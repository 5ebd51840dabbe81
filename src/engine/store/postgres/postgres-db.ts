import { setTimeout as sleep } from 'node:timers/promises'
import {
  callsOver,
  type Db,
  type Outcome,
  type Packed,
  type Param,
  type Parts,
  type Row,
  type Statement,
  type Value,
  type Work,
} from '../sqlite/db/db.ts'
import { type AppError, errorCode, failure } from '../../../kernel/error.ts'
import { OtherSchema } from '../tables.ts'
import { Client, type ClientConfig, type CustomTypesConfig, types as driverTypes, type QueryResult } from 'pg'
import { ownTurn } from '../../../util/async.ts'
import { prepareSchema } from './postgres-schema.ts'
import { promisify } from 'node:util'
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib'
import { isGzip } from '../../../util/file-bytes.ts'

/**
 * Writers hold a lock until they commit, so, as in SQLite, nothing that a statement reads can change meanwhile. The
 * lock is per schema: programs with data in another schema do not wait.
 */
const beginWriting = `BEGIN; SELECT pg_advisory_xact_lock(hashtext('gossamer'), hashtext(current_schema()))`
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Opens a PostgreSQL database behind one connection, created by the first call and again after it was lost. Calls run
 * in order. If the server is unreachable, calls wait for a few seconds, then fail with DATABASE_UNAVAILABLE.
 * @param url `postgres://user:password@host/database`
 */
export function openPostgres(url: string): Db {
  const { connected, current } = manageConnection(url)
  let line: Promise<unknown> = Promise.resolve()
  let closed = false

  /** Sends a call after the previous one was sent, without waiting for that one's answer. */
  const inTurn = async (send: (to: Connection) => Promise<Sent>): Promise<Outcome[]> => {
    const sent = line.then(async () => send(await connected()))
    line = sent.catch(() => {})
    return (await sent).answer
  }
  const ask = async (work: Work, parts?: Parts): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    const send = senderOf(work, parts)
    if (send === undefined) return []
    try {
      return await inTurn(send).catch((thrown: unknown) => {
        // A generator's parts were already consumed.
        if (parts === undefined && (isUnprepared(thrown) || (isLost(thrown) && isRepeatable(work)))) return inTurn(send)
        throw thrown
      })
    } catch (thrown) {
      throw refusal(thrown)
    }
  }
  return {
    ...callsOver(ask),
    async close() {
      if (closed) return
      closed = true
      await line
      const last = await current()?.catch(() => undefined)
      await (await last?.one({ sql: 'SELECT 1' }))?.answer.catch(() => {})
      await last?.close()
    },
  }
}

/**
 * Returns a function that sends the work; undefined if there is nothing to do: PostgreSQL frees space itself, and no
 * writes are batched.
 */
function senderOf(work: Work, parts?: Parts): ((to: Connection) => Promise<Sent>) | undefined {
  if (work.kind === 'statement') {
    const { statement } = work
    return (to) => (isRead(statement) ? to.one(statement) : to.all(beginWriting, [[statement]]))
  }
  if (work.kind === 'snapshot') return (to) => to.all(beginReading, [work.statements])
  if (work.kind === 'transaction') return (to) => to.all(beginWriting, parts ?? [work.statements])
  return undefined
}

const isRead = ({ sql }: Statement): boolean => /^\s*SELECT\b/i.test(sql)

/** True for reads, which may be repeated; for writes it is unknown if they were executed. */
const isRepeatable = (work: Work): boolean =>
  work.kind === 'snapshot' || (work.kind === 'statement' && isRead(work.statement))

/** True if the statement is not prepared, because the transaction that prepared it was rolled back. */
const isUnprepared = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '26000'

/** A restarted server is available after a second or two, so callers wait instead of failing. */
const patienceMs = 5000
const pauseMs = 250
/** Calls that waited during a failed connection attempt get the same error instead of starting another attempt. */
const sameAnswerMs = 500

/** Manages the connection: opened on demand, and again after it was lost. Rejects if the server is unreachable. */
function manageConnection(url: string): {
  connected(): Promise<Connection>
  current(): Promise<Connection> | undefined
} {
  let connection: Promise<Connection> | undefined
  let refused: { until: number; reason: unknown } | undefined

  async function connectPatiently(lost: () => void): Promise<Connection> {
    const endsAt = performance.now() + patienceMs
    for (;;) {
      try {
        return await connect(url, lost)
      } catch (thrown) {
        if (isLost(thrown) && performance.now() < endsAt) await sleep(pauseMs)
        else {
          refused = { until: performance.now() + sameAnswerMs, reason: thrown }
          throw thrown
        }
      }
    }
  }

  return {
    current: () => connection,
    connected() {
      if (connection !== undefined) return connection
      if (refused !== undefined && performance.now() < refused.until) return Promise.reject(refused.reason)
      const forget = () => {
        if (connection === created) connection = undefined
      }
      const created = connectPatiently(forget)
      connection = created
      created.catch(forget)
      return created
    },
  }
}

/**
 * SQLSTATE codes and their classes (postgresql.org/docs/current/errcodes-appendix.html): no connection, shutdown by the
 * operator, too many connections, refused credentials, missing database, lock timeout, idle in a transaction.
 */
const unavailable = /^(?:08|57P|53300|28|3D000|55P03|25P03)/
/** Error codes of the operating system and of TLS. */
const unreachable = /^(?:ECONN|ENOT|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET|CERT_|ERR_(?:SSL|TLS)|\w*_?CERT(?:IFICATE)?\w*$)/
/** Error messages of the driver, which has no codes. */
const lostMessage = /connection (?:terminated|ended|timeout|closed)|(?:read )?timeout|not queryable|client was closed/i
const diskFull = '53100'
/** A damaged table or index. */
const damaged = /^XX00[12]$/

/** True if the request itself may be valid: the server is unreachable, refuses the connection or is shutting down. */
function isLost(thrown: unknown): boolean {
  const code = errorCode(thrown) ?? ''
  if (unavailable.test(code) || unreachable.test(code)) return true
  return thrown instanceof Error && lostMessage.test(thrown.message)
}

/**
 * Converts an error to DATABASE_UNAVAILABLE, STORAGE_FULL, DATABASE_DAMAGED, or an Error that describes the faulty
 * statement.
 */
export function refusal(thrown: unknown): AppError | Error {
  if (isLost(thrown)) return failure('DATABASE_UNAVAILABLE', { cause: thrown })
  if (thrown instanceof OtherSchema)
    return failure('DATABASE_UNAVAILABLE', {
      message: `The database was written by ${thrown.isNewer ? 'a later' : 'an earlier'} version of this program: ${thrown.message}.`,
      hint: `${thrown.isNewer ? 'Update this program, or name' : 'Name'} a new database in GOSSAMER_DATABASE_URL; this one is left as it is.`,
      cause: thrown,
    })
  if (errorCode(thrown) === diskFull) return failure('STORAGE_FULL', { cause: thrown })
  if (damaged.test(errorCode(thrown) ?? '')) return failure('DATABASE_DAMAGED', { cause: thrown })
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Error(`The database refused a statement: ${message}.`, { cause: thrown })
}

const compress = promisify(zstdCompress)
const unpackZstd = promisify(zstdDecompress)
const unpackGzip = promisify(gunzip)
/** Same compression level as in SQLite. */
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

/** Caches packed bytes for statements that are sent a second time. */
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

/** A page that was received as gzip may be stored as gzip. */
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
type Sent = { answer: Promise<Outcome[]> }
type Connection = {
  /** Sends one statement. */
  one(statement: Statement): Promise<Sent>
  /**
   * Sends a transaction, each of its parts in its own turn of the event loop. A writer holds a lock from `begin` on, so
   * the first part is prepared before `begin` is sent.
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
const idlePauseMs = 10_000

/**
 * Opens a connection that sends without waiting for answers, so a transaction takes one round trip instead of one per
 * statement. Creates the tables of a new database. If that fails, the connection is closed.
 * @param lost called when an open connection becomes unusable
 */
async function connect(url: string, lost: () => void): Promise<Connection> {
  const client = new Client({
    connectionString: url,
    types,
    pipeline: true,
    application_name: 'gossamer',
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idlePauseMs,
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
    return markedHandled(client.query<Record<string, Value>>(query).then(outcomeOf))
  }
}

const command = (client: Client, text: string): Promise<unknown> => markedHandled(client.query(text))

/** Prevents unhandled rejections: the result may be awaited only after it has failed. */
function markedHandled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {})
  return answer
}

/** Rejects with the first failure, which explains those of the following statements. */
async function allOf(answers: readonly Promise<unknown>[], sent: readonly Promise<Outcome>[]): Promise<Outcome[]> {
  const failed = (await Promise.allSettled(answers)).find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return Promise.all(sent)
}

/** Maximum number of cached translations: some statements are built for one call, such as multi-row inserts. */
const maxKnown = 1000
const known = new Map<string, string>()

/**
 * Translates a statement for PostgreSQL: `?` becomes `$1`, `$2` …, and `CROSS JOIN … ON`, which fixes the join order in
 * SQLite, becomes an ordinary join, whose order PostgreSQL chooses. Everything else is SQL that both accept.
 */
function toPostgres(sql: string): string {
  const translated = known.get(sql)
  if (translated !== undefined) return translated
  let place = 0
  const result = sql
    .replaceAll(/'[^']*'|\?/g, (match) => (match === '?' ? `$${++place}` : match))
    .replaceAll(/\bCROSS JOIN (\S+(?: AS \w+)?\s+ON)\b/g, 'JOIN $1')
  if (known.size < maxKnown) known.set(sql, result)
  return result
}
