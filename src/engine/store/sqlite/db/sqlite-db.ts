import type { Worker } from 'node:worker_threads'
import { startThread, threadUrl } from '../../../../util/threads.ts'
import { ownTurn } from '../../../../util/async.ts'
import { failure, unpackThrown } from '../../../../kernel/error.ts'
import { callsOver, type Db, type Outcome, type Parts, type Statement, type Work } from './db.ts'
import { type Answer, buffersOf, movable, movableWork, OpenRefused, type Refusal, type Request } from './sqlite-wire.ts'

type Waiting = { resolve(outcomes: Outcome[]): void; reject(reason: Error): void }
const none: Parts = []
type Thread = { worker: Worker; waiting: Map<number, Waiting>; sending: Set<Promise<void>>; gone: Promise<void> }

/** Bytes that were packed or sent wait for the next collection of young objects, which a small space has come soon. */
const youngMb = 2

const startWorker = (path: string): Worker =>
  startThread(threadUrl('sqlite-worker', import.meta.url), { workerData: path, youngMb })

/**
 * A SQLite file (or ':memory:') behind one thread, started by the first call and again after it died.
 * Calls are sent at once and answered in their order. An idle database does not keep the process alive.
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
      // an idle thread does not hold the process, but whoever waits for its end must see it
      running?.worker.ref()
      await running?.gone
    },
  }
}

/** Without parts it is sent at once. */
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
