import { setTimeout as sleep } from 'node:timers/promises'
import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from '../sqlite/db/db.ts'
import { connect, type Connection, type Sent } from './postgres-connection.ts'
import { type AppError, failure, errorCode } from '../../../kernel/error.ts'
import { OtherSchema } from '../tables.ts'

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
  const { connected, current } = reach(url)
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

/** True if the statement was to be prepared in an earlier transaction that was rolled back. */
const isUnprepared = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === '26000'

/** A restarted server is available after a second or two, so callers wait instead of failing. */
const patienceMs = 5000
const pauseMs = 250
/** Calls that waited during a failed connection attempt get the same error instead of starting another attempt. */
const sameAnswerMs = 500

/** Manages the connection: opened on demand, and again after it was lost. Rejects if the server is unreachable. */
function reach(url: string): { connected(): Promise<Connection>; current(): Promise<Connection> | undefined } {
  let connection: Promise<Connection> | undefined
  let refused: { until: number; reason: unknown } | undefined

  async function look(lost: () => void): Promise<Connection> {
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
        if (connection === made) connection = undefined
      }
      const made = look(forget)
      connection = made
      made.catch(forget)
      return made
    },
  }
}

/**
 * SQLSTATE classes (postgresql.org/docs/current/errcodes-appendix.html): no connection, shutdown by the operator, too
 * many connections, lock timeout, idle in a transaction.
 */
const unavailable = /^(?:08|57P|53300|28|3D000|55P03|25P03)/
/** Error codes of the operating system and of TLS. */
const unreachable = /^(?:ECONN|ENOT|EAI_|EPIPE|ETIMEDOUT|EHOST|ENET|CERT_|ERR_(?:SSL|TLS)|\w*_?CERT(?:IFICATE)?\w*$)/
/** Error messages of the driver, which has no codes. */
const lost = /connection (?:terminated|ended|timeout|closed)|(?:read )?timeout|not queryable|client was closed/i
const diskFull = '53100'

/** True if the request itself is valid: the server was unreachable or is shutting down. */
function isLost(thrown: unknown): boolean {
  const code = errorCode(thrown) ?? ''
  if (unavailable.test(code) || unreachable.test(code)) return true
  return thrown instanceof Error && lost.test(thrown.message)
}

/** Converts an error to DATABASE_UNAVAILABLE, STORAGE_FULL, or an Error that describes the faulty statement. */
export function refusal(thrown: unknown): AppError | Error {
  if (isLost(thrown)) return failure('DATABASE_UNAVAILABLE', { cause: thrown })
  if (thrown instanceof OtherSchema)
    return failure('DATABASE_UNAVAILABLE', {
      message: `The database was written by ${thrown.isNewer ? 'a later' : 'an earlier'} version of this program: ${thrown.message}.`,
      hint: `${thrown.isNewer ? 'Update this program, or name' : 'Name'} a new database in GOSSAMER_DATABASE_URL; this one is left as it is.`,
      cause: thrown,
    })
  if (errorCode(thrown) === diskFull) return failure('STORAGE_FULL', { cause: thrown })
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Error(`The database refused a statement: ${message}.`, { cause: thrown })
}
