import type { Worker } from 'node:worker_threads'
import { startThread, threadUrl } from '../../../../util/threads.ts'
import { ownTurn } from '../../../../util/async.ts'
import { failure, unpackThrown } from '../../../../kernel/error.ts'
import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from './db.ts'
import {
  type Answer,
  buffersOf,
  lockedByOther,
  movable,
  movableWork,
  OpenRefused,
  type Refusal,
  type Request,
} from './sqlite-wire.ts'
import { isBuiltin } from 'node:module'
import { identityOf, memoryInsteadOf, ownedFile, setAside, whyRefused } from './database-file.ts'
import type { StoreLocation, StoreOptions } from '../../store.ts'

type Waiting = { resolve(outcomes: Outcome[]): void; reject(reason: Error): void }
const none: Parts = []
type Thread = { worker: Worker; waiting: Map<number, Waiting>; sending: Set<Promise<void>>; gone: Promise<void> }

/** A small young generation is collected soon, which frees bytes that were packed or sent. */
const youngMb = 2

const startWorker = (path: string): Worker =>
  startThread(threadUrl('sqlite-worker', import.meta.url), { workerData: path, youngMb })

/**
 * Opens a SQLite file (or ':memory:') in a worker thread, started by the first call and again after it died.
 * Calls are sent immediately and answered in order. An idle database does not keep the process alive.
 */
export function openSqlite(path: string, start: (path: string) => Worker = startWorker): Db {
  let thread: Thread | undefined
  let lastId = 0
  let closed = false

  const begin = (): Thread => {
    const started = watch(start(path), () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  const ask = (work: Work, parts: Parts = none): Promise<Outcome[]> => {
    if (closed) return Promise.reject(new Error('The store is closed.'))
    closed = work.kind === 'close'
    thread ??= begin()
    return send(thread, { ...movableWork(work), id: ++lastId }, parts)
  }

  return {
    ...callsOver(ask),
    async close() {
      const running = thread
      await Promise.all(running?.sending ?? [])
      if (running !== undefined && !closed) await ask({ kind: 'close' })
      closed = true
      // An idle thread does not keep the process alive, but a caller of close must see it end.
      running?.worker.ref()
      await running?.gone
    },
  }
}

/** Sends a request; immediately if it has no parts. */
function send(thread: Thread, request: Request, parts: Parts): Promise<Outcome[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
  thread.waiting.set(request.id, { resolve, reject })
  thread.worker.ref()
  if (parts === none) post(thread, request)
  else {
    const sent = sendParts(thread, request, parts).catch((thrown: Error) => {
      thread.waiting.delete(request.id)
      post(thread, { id: request.id, kind: 'drop' })
      reject(thrown)
    })
    thread.sending.add(sent)
    void sent.then(() => thread.sending.delete(sent))
  }
  return promise
}

async function sendParts(thread: Thread, request: Request, parts: Parts): Promise<void> {
  const { id } = request
  for (const statements of parts) {
    post(thread, { id, kind: 'part', statements: statements.map(movable) })
    await ownTurn()
    if (!thread.waiting.has(id)) return
  }
  post(thread, request)
}

function post({ worker }: Thread, request: Request): void {
  worker.postMessage(request, buffersOf(statementsOf(request).flatMap(({ params }) => params ?? [])))
}

function statementsOf(request: Request): readonly Statement[] {
  if (request.kind === 'statement') return [request.statement]
  return 'statements' in request ? request.statements : []
}

function watch(worker: Worker, forget: () => void): Thread {
  const waiting = new Map<number, Waiting>()
  const { promise: gone, resolve: end } = Promise.withResolvers<void>()
  let cause: unknown
  const rejectAll = (reason: Error) => {
    forget()
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  }
  worker.on('message', (answer: Answer) => {
    if ('refused' in answer) return rejectAll(new OpenRefused(answer.refused, answer.message))
    settle(waiting, answer)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (thrown) => {
    cause = thrown
  })
  worker.on('exit', () => {
    const stopped = new Error('The database thread stopped before it answered; the next call starts it again.', {
      cause,
    })
    rejectAll(failure('DATABASE_UNAVAILABLE', { cause: stopped }))
    end()
  })
  return { worker, waiting, sending: new Set(), gone }
}

function settle(waiting: Map<number, Waiting>, answer: Exclude<Answer, { refused: Refusal }>): void {
  const call = waiting.get(answer.id)
  waiting.delete(answer.id)
  if ('thrown' in answer) call?.reject(unpackThrown(answer.thrown))
  else call?.resolve(answer.outcomes)
}

type Opened = { db: Db; place: StoreLocation }
type Tools = Pick<StoreOptions, 'clock' | 'log' | 'memoryMaxBytes' | 'thread'>

/**
 * Opens a database on the first call. A file that cannot be opened is replaced by an in-memory database, which `place`
 * reports from then on. If Node has no SQLite, every call fails with DATABASE_UNAVAILABLE.
 */
export function openLazily(asked: StoreLocation, tools: Tools): { db: Db; place(): StoreLocation } {
  let place = asked
  let opening: Promise<Opened> | undefined
  let closed = false
  const opened = async (): Promise<Db> => {
    if (closed) throw new Error('The store is closed.')
    opening ??= open(asked, tools)
    const found = await opening.catch((thrown: unknown) => {
      opening = undefined
      throw thrown
    })
    place = found.place
    return found.db
  }
  return {
    place: () => place,
    db: {
      all: async (sql, params) => (await opened()).all(sql, params),
      run: async (sql, params) => (await opened()).run(sql, params),
      snapshot: async (statements) => (await opened()).snapshot(statements),
      transaction: async (statements) => (await opened()).transaction(statements),
      transactionInParts: async (parts) => (await opened()).transactionInParts(parts),
      compact: async () => (await opened()).compact(),
      async close() {
        closed = true
        await (await opening?.catch(() => undefined))?.db.close()
      },
    },
  }
}

async function open(asked: StoreLocation, tools: Tools): Promise<Opened> {
  // Desktop programs bundle their own Node, which may lack it.
  if (!isBuiltin('node:sqlite')) throw failure('DATABASE_UNAVAILABLE', noSqlite)
  if (asked.path === null) return { db: await openMemory(tools), place: asked }
  const { path } = asked
  if (tools.thread === 'this one') return { db: await openHere(path), place: asked }
  const identity = await identityOf(path)
  try {
    return { db: await openFile(path), place: asked }
  } catch (thrown) {
    if (isRefused(thrown, 'locked')) throw failure('DATABASE_UNAVAILABLE', { ...lockedByOther, cause: thrown })
    // Beginning afresh would lose the keys and teams that a backup has, or the owner can still read.
    if (isRefused(thrown, 'damaged')) throw failure('DATABASE_DAMAGED', { cause: thrown })
    const found = isRefused(thrown, 'foreign') ? await openAfresh(path, identity, tools) : inMemory(path, thrown)
    if (found.place.warning !== undefined) tools.log.warn('store', { warning: found.place.warning })
    return found
  }
}

const noSqlite = {
  message:
    'This Node has no SQLite (node:sqlite), which holds jobs, sessions and the cache. Pages are read without it.',
  hint: 'Run Gossamer with Node from nodejs.org: put its path in the "command" of the client.',
}

async function openMemory({ memoryMaxBytes }: Tools): Promise<Db> {
  const db = openSqlite(':memory:')
  if (memoryMaxBytes !== undefined) {
    const [row] = await db.all('PRAGMA page_size')
    await db.all(`PRAGMA max_page_count = ${Math.ceil(memoryMaxBytes / Number(row?.page_size))}`)
  }
  return db
}

/** Opens the file in this worker thread. The main thread handles a file that cannot be used. */
const openHere = async (path: string): Promise<Db> => (await import('./local-db.ts')).openLocalDb(path)

const isRefused = (thrown: unknown, why: Refusal): boolean => thrown instanceof OpenRefused && thrown.refusal === why

async function openFile(path: string): Promise<Db> {
  const db = openSqlite(path)
  await db.all('SELECT 1')
  return db
}

async function openAfresh(path: string, identity: string | undefined, { clock }: Tools): Promise<Opened> {
  try {
    const aside = await setAside(path, identity, clock.now())
    await ownedFile(path)
    const db = await openFile(path)
    const warning = `${path} was corrupt and a new file was created. ${aside === undefined ? 'Another process moved the old one aside.' : `The old one is kept as ${aside}.`}`
    return { db, place: { kind: 'file', path, warning } }
  } catch (thrown) {
    return inMemory(path, thrown)
  }
}

function inMemory(path: string, thrown: unknown): Opened {
  const [refusal, message] =
    thrown instanceof OpenRefused
      ? ([thrown.refusal, thrown.message] as const)
      : (['unusable', String(thrown)] as const)
  return { db: openSqlite(':memory:'), place: memoryInsteadOf(path, whyRefused(refusal, message)) }
}
