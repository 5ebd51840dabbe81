import type { Worker } from 'node:worker_threads'
import { startThread, threadUrl } from '../../../../util/threads.ts'
import { ownTurn } from '../../../../util/async.ts'
import { failure, unpackThrown } from '../../../../kernel/error.ts'
import { callsOver, type Db, type Outcome, type Param, type Parts, type Statement, type Work } from './db.ts'
import { type Answer, buffersOf, OpenRefused, type Refusal, type Request } from './sqlite-wire.ts'

type Waiting = { resolve(outcomes: Outcome[]): void; reject(reason: Error): void }
const noParts: Parts = []
type Thread = { worker: Worker; waiting: Map<number, Waiting>; sending: Set<Promise<void>>; gone: Promise<void> }

/** Size of the young generation in MB: a small one is collected often, which frees packed and sent bytes soon. */
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

  const startWatched = (): Thread => {
    const started = watch(start(path), () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  const ask = (work: Work, parts: Parts = noParts): Promise<Outcome[]> => {
    if (closed) return Promise.reject(new Error('The store is closed.'))
    closed = work.kind === 'close'
    thread ??= startWatched()
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
  if (parts === noParts) post(thread, request)
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

/** Copies the bytes of work before they are transferred, because the caller keeps the originals. */
function movableWork(work: Work): Work {
  if (work.kind === 'statement') return { ...work, statement: movable(work.statement) }
  return 'statements' in work ? { ...work, statements: work.statements.map(movable) } : work
}

function movable(statement: Statement): Statement {
  return { ...statement, params: (statement.params ?? []).map(ownParam) }
}

function ownParam(param: Param): Param {
  if (param instanceof Uint8Array) return new Uint8Array(param)
  const inner = param !== null && typeof param === 'object' ? param.packed : undefined
  return inner instanceof Uint8Array ? { packed: new Uint8Array(inner) } : param
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
