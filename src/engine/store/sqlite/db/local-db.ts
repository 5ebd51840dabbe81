import { setTimeout as pause } from 'node:timers/promises'
import { failure } from '../../../../kernel/error.ts'
import type { OutageCode } from '../../store.ts'
import { ownTurn } from '../../../../util/async.ts'
import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from './db.ts'
import { OtherSchema } from '../../tables.ts'
import { prepareSchema } from './sqlite-schema.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { OpenRefused } from './sqlite-wire.ts'

/** Codes of SQLite (sqlite.org/rescode.html). */
const busy = 5
/** Result codes of an unreachable or full database; the statement itself is valid. */
const outages = new Map<number, OutageCode>([
  [busy, 'DATABASE_UNAVAILABLE'], // another program holds the lock
  [8, 'DATABASE_UNAVAILABLE'], // the disk is mounted for reading only
  [10, 'DATABASE_UNAVAILABLE'], // the disk cannot be read or written
  [13, 'STORAGE_FULL'],
  [14, 'DATABASE_UNAVAILABLE'], // the file, or the one beside it, cannot be opened
])
const corruptCodes = new Set([11, 26])
const giveUpAfterMs = 10_000
const reopenAfterMs = 50
/** Few enough that neither who asked first nor another process that wants to write waits for long. */
const maxTogether = 32
/** How long a transaction that need not be written at once waits for others. */
const gatheringMs = 25

export type LocalDb = Db & {
  /** Any piece of work; one that is long is not written together with others. */
  ask(work: Work, size?: 'usual' | 'long'): Promise<Outcome[]>
}
type Asked = { work: Work; isLong: boolean; resolve(outcomes: Outcome[]): void; reject(reason: Error): void }

/**
 * A SQLite file (or ':memory:') in this thread, which waits while it works. Calls are carried out in their order;
 * transactions that come in one turn of the event loop are written together, those that may wait in groups. Bytes of a call are not copied: whoever
 * gives them leaves them as they are until it is answered. Fails with OpenRefused.
 */
export async function openLocalDb(path: string): Promise<LocalDb> {
  const file = await openPatiently(path)
  const line: Asked[] = []
  const waiting: Asked[] = []
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const isIdle = () => line.length === 0
  const work = () => {
    carryOut(file, line.splice(0, maxTogether))
    if (!isIdle()) setImmediate(work)
  }
  const queue = (some: readonly Asked[]) => {
    if (isIdle() && some.length > 0) setImmediate(work)
    line.push(...some)
  }
  const hasten = () => {
    clearTimeout(timer)
    timer = undefined
    queue(waiting.splice(0))
  }
  const gather = (one: Asked) => {
    if (waiting.push(one) >= maxTogether) hasten()
    else timer ??= setTimeout(hasten, gatheringMs)
  }
  const enqueue = (asked: Work, isLong: boolean): Promise<Outcome[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
    const one = { work: asked, isLong, resolve, reject }
    if (asked.kind === 'hasten' || asked.kind === 'close') hasten()
    // A question need not wait for company as a transaction does.
    if (isSoon(one)) gather(one)
    else if (isIdle() && asked.kind !== 'transaction') carryOut(file, [one])
    else queue([one])
    return promise
  }
  const ask = async (asked: Work, size = 'usual'): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    return enqueue(asked, size === 'long')
  }
  const gathering = new Set<Promise<unknown>>()
  const askInParts = async (asked: Work, parts: Parts): Promise<Outcome[]> => {
    if (closed) throw new Error('The store is closed.')
    const asking = together(parts).then((statements) => enqueue({ ...asked, kind: 'transaction', statements }, true))
    const settled = asking.catch(() => {})
    gathering.add(settled)
    return asking.finally(() => gathering.delete(settled))
  }
  return {
    ...callsOver((asked, parts) => (parts === undefined ? ask(asked) : askInParts(asked, parts))),
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

/** SQLite does not wait for a lock while a fresh file is switched to WAL by several processes at once, so we do. */
async function openPatiently(path: string): Promise<SqliteFile> {
  const giveUpAt = performance.now() + giveUpAfterMs
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
  return new OpenRefused(corruptCodes.has(codeOf(thrown)) ? 'corrupt' : 'unusable', message)
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Transactions that come one after the other are written together; each is answered when all are on the disk. */
function carryOut(file: SqliteFile, line: readonly Asked[]): void {
  for (let at = 0; at < line.length;) {
    const many = line.slice(at).findIndex((asked) => !isSmall(asked))
    const group = line.slice(at, many === -1 ? undefined : at + Math.max(1, many))
    if (group.length === 1 || !writeTogether(file, group)) group.forEach((asked) => answer(file, asked))
    at += group.length
  }
}

const isSoon = ({ work, isLong }: Asked): boolean => work.kind === 'transaction' && work.when === 'soon' && !isLong

/** One that came in parts takes long enough by itself. */
const isSmall = ({ work, isLong }: Asked): boolean => work.kind === 'transaction' && !isLong

/** False where one of them cannot be written: each is then tried by itself. */
function writeTogether(file: SqliteFile, group: readonly Asked[]): boolean {
  try {
    const outcomes = file.together(group.map(({ work }) => ('statements' in work ? work.statements : [])))
    group.forEach(({ resolve }, at) => resolve(outcomes[at] ?? []))
    return true
  } catch {
    return false
  }
}

function answer(file: SqliteFile, { work, resolve, reject }: Asked): void {
  try {
    resolve(outcomesOf(file, work))
  } catch (thrown) {
    const refused = new Error(`The database refused a statement: ${messageOf(thrown)}.`)
    const code = outages.get(codeOf(thrown))
    reject(code === undefined ? refused : failure(code, { cause: refused }))
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
