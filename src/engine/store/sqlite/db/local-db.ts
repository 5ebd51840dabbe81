import { setTimeout as pause } from 'node:timers/promises'
import { errorCode, failure } from '../../../../kernel/error.ts'
import type { OutageCode } from '../../store.ts'
import { ownTurn } from '../../../../util/async.ts'
import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from './db.ts'
import { OtherSchema } from '../../tables.ts'
import { prepareSchema } from './sqlite-schema.ts'
import { busyTimeoutMs, openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { lockedByOther, OpenRefused } from './sqlite-wire.ts'

/** SQLite result code (sqlite.org/rescode.html). */
const busy = 5
const notADatabase = 26
/** Result codes of an unreachable, damaged or full database; the statement itself is valid. */
const outages = new Map<number, OutageCode>([
  [busy, 'DATABASE_UNAVAILABLE'], // locked by another program
  [8, 'DATABASE_UNAVAILABLE'], // read-only file system
  [10, 'DATABASE_UNAVAILABLE'], // disk I/O error
  [11, 'DATABASE_DAMAGED'],
  [13, 'STORAGE_FULL'],
  [14, 'DATABASE_UNAVAILABLE'], // the file, or one of its companion files, cannot be opened
  [notADatabase, 'DATABASE_DAMAGED'],
])
/** Lock timeout for statements that follow one whose timeout expired. */
const shortWaitMs = 25
const reopenAfterMs = 50
/** Maximum number of calls per round, so neither the first caller nor another writing process waits long. */
const maxTogether = 32

export type LocalDb = Db & {
  /** Runs any work; long work is not grouped with others. */
  ask(work: Work, size?: 'usual' | 'long'): Promise<Outcome[]>
}
type Call = { work: Work; isLong: boolean; resolve(outcomes: Outcome[]): void; reject(reason: Error): void }

/**
 * Opens a SQLite file (or ':memory:') in this thread, which blocks while it works. Calls run in order; transactions
 * from one turn of the event loop are written together. Bytes of a call are not copied: the caller must not change them
 * until the call resolves. Fails with OpenRefused.
 */
export async function openLocalDb(path: string): Promise<LocalDb> {
  const file = await openPatiently(path)
  const queue: Call[] = []
  let closed = false
  const isIdle = () => queue.length === 0
  const runNext = () => {
    runAll(file, queue.splice(0, maxTogether))
    if (!isIdle()) setImmediate(runNext)
  }
  const enqueue = (work: Work, isLong: boolean): Promise<Outcome[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
    const call = { work, isLong, resolve, reject }
    // Only transactions gain from being grouped.
    if (isIdle() && work.kind !== 'transaction') runAll(file, [call])
    else {
      if (isIdle()) setImmediate(runNext)
      queue.push(call)
    }
    return promise
  }
  const ask = async (work: Work, size = 'usual'): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    return enqueue(work, size === 'long')
  }
  const gathering = new Set<Promise<unknown>>()
  const askInParts = async (work: Work, parts: Parts): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    const asking = together(parts).then((statements) => enqueue({ ...work, kind: 'transaction', statements }, true))
    const settled = asking.catch(() => {})
    gathering.add(settled)
    return asking.finally(() => gathering.delete(settled))
  }
  return {
    ...callsOver((work, parts) => (parts === undefined ? ask(work) : askInParts(work, parts))),
    ask,
    async close() {
      if (closed) return
      closed = true
      await Promise.all(gathering)
      await enqueue({ kind: 'close' }, false)
    },
  }
}

async function together(parts: Parts): Promise<Statement[]> {
  const all: Statement[] = []
  for (const statements of parts) {
    for (const each of statements) all.push(each)
    await ownTurn()
  }
  return all
}

/** Retries opening, because SQLite does not wait for a lock while several processes switch a new file to WAL. */
async function openPatiently(path: string): Promise<SqliteFile> {
  const giveUpAt = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return openSqliteFile(path, prepareSchema)
    } catch (thrown) {
      if (codeOf(thrown) !== busy || performance.now() > giveUpAt) throw refusalOf(thrown)
    }
    await pause(reopenAfterMs)
  }
}

const codeOf = (thrown: unknown): number =>
  thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 0xff : 0

function refusalOf(thrown: unknown): OpenRefused {
  const message = messageOf(thrown)
  if (thrown instanceof OtherSchema) return new OpenRefused(thrown.isNewer ? 'newer' : 'older', message)
  if (codeOf(thrown) === busy) return new OpenRefused('locked', message)
  if (codeOf(thrown) === notADatabase) return new OpenRefused('foreign', message)
  return new OpenRefused(outages.get(codeOf(thrown)) === 'DATABASE_DAMAGED' ? 'damaged' : 'unusable', message)
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Runs calls in order. Consecutive small transactions are committed together and resolve after the commit. */
function runAll(file: SqliteFile, calls: readonly Call[]): void {
  for (let at = 0; at < calls.length;) {
    const small = calls.slice(at).findIndex((call) => !isSmall(call))
    const group = calls.slice(at, small === -1 ? undefined : at + Math.max(1, small))
    if (group.length === 1 || !writeTogether(file, group)) group.forEach((call) => answer(file, call))
    at += group.length
  }
}

/** True for a transaction that may be grouped with others; one sent in parts takes long enough by itself. */
const isSmall = ({ work, isLong }: Call): boolean => work.kind === 'transaction' && !isLong

/** Writes a group of transactions together. Returns false if one of them fails; each is then tried separately. */
function writeTogether(file: SqliteFile, group: readonly Call[]): boolean {
  try {
    const outcomes = file.together(group.map(({ work }) => ('statements' in work ? work.statements : [])))
    group.forEach(({ resolve }, at) => resolve(outcomes[at] ?? []))
    file.waitFor(busyTimeoutMs)
    return true
  } catch (thrown) {
    if (codeOf(thrown) !== busy) return false
    group.forEach(({ reject }) => reject(refused(file, thrown)))
    return true
  }
}

/** Converts an error. If the file is locked, shortens the wait of the statements queued behind this one. */
function refused(file: SqliteFile, thrown: unknown): Error {
  const cause = new Error(`The database refused a statement: ${messageOf(thrown)}.`)
  const code = isUnreadable(thrown) ? 'DATABASE_DAMAGED' : outages.get(codeOf(thrown))
  if (codeOf(thrown) !== busy) return code === undefined ? cause : failure(code, { cause })
  file.waitFor(shortWaitMs)
  return failure('DATABASE_UNAVAILABLE', { ...lockedByOther, cause })
}

/** True if stored content could not be unpacked: SQLite does not detect damage within a value. */
const isUnreadable = (thrown: unknown): boolean => /^Z(?:STD)?_/.test(errorCode(thrown) ?? '')

function answer(file: SqliteFile, { work, resolve, reject }: Call): void {
  try {
    const outcomes = outcomesOf(file, work)
    // Reads succeed even while the file is locked.
    if (outcomes.some(({ changes }) => changes > 0)) file.waitFor(busyTimeoutMs)
    resolve(outcomes)
  } catch (thrown) {
    reject(refused(file, thrown))
  }
}

function outcomesOf(file: SqliteFile, work: Work): Outcome[] {
  if (work.kind === 'statement') return [file.execute(work.statement)]
  if (work.kind === 'transaction') return file.transaction(work.statements)
  if (work.kind === 'snapshot') return file.snapshot(work.statements)
  if (work.kind === 'compact') return [{ rows: [], changes: Number(file.compact()) }]
  if (work.kind === 'close') file.close()
  return []
}
