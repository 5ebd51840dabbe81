import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { threadEnv, threadUrl } from '../../../../util/thread-url.ts'
import { failure } from '../../../../kernel/error.ts'
import type { Db, Outcome, Param, Statement } from './db.ts'
import { type Answer, buffersOf, movable, type Refusal, type Request } from './sqlite-wire.ts'

/** The database file cannot be used; `refusal` says in which way. */
export class OpenRefused extends Error {
  override readonly name = 'OpenRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal, message: string) {
    super(message)
    this.refusal = refusal
  }
}

type Work = { kind: 'statement'; statement: Statement } | { kind: 'transaction' | 'snapshot'; statements: Statement[] }
type Waiting = { resolve(outcomes: Outcome[]): void; reject(reason: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting>; gone: Promise<void> }

/** Bytes that were packed or sent wait for the next collection of young objects, which a small space has come soon. */
const youngMb = 2

/** Node 22 warns on stderr that its SQLite is experimental; nobody who reads that can act on it. */
const startWorker = (path: string): Worker =>
  new Worker(threadUrl('sqlite-worker', import.meta.url), {
    workerData: path,
    env: threadEnv(getCompileCacheDir()),
    resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })

/**
 * A SQLite file (or ':memory:') behind one thread, started by the first call and again after it died.
 * Calls are sent at once and answered in their order. An idle database does not keep the process alive.
 */
export function openSqlite(path: string, start: (path: string) => Worker = startWorker): Db {
  let thread: Thread | undefined
  let lastId = 0
  let closed = false

  const startThread = (): Thread => {
    const started = watch(start(path), () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  const ask = (request: Work | { kind: 'compact' | 'close' }): Promise<Outcome[]> => {
    if (closed) return Promise.reject(new Error('The store is closed.'))
    closed = request.kind === 'close'
    thread ??= startThread()
    return send(thread, { ...request, id: ++lastId } as Request)
  }
  const askOne = async (sql: string, params: readonly Param[] = []): Promise<Outcome> => {
    const [outcome] = await ask({ kind: 'statement', statement: movable({ sql, params }) })
    return outcome ?? { rows: [], changes: 0 }
  }

  return {
    all: async (sql, params) => (await askOne(sql, params)).rows,
    run: async (sql, params) => (await askOne(sql, params)).changes,
    snapshot: async (statements) =>
      (await ask({ kind: 'snapshot', statements: statements.map(movable) })).map(({ rows }) => rows),
    transaction: (statements) => ask({ kind: 'transaction', statements: statements.map(movable) }),
    compact: async () => (await ask({ kind: 'compact' }))[0]?.changes === 1,
    async close() {
      const running = thread
      if (running !== undefined && !closed) await ask({ kind: 'close' })
      closed = true
      // an idle thread does not hold the process, but whoever waits for its end must see it
      running?.worker.ref()
      await running?.gone
    },
  }
}

function send({ worker, waiting }: Thread, request: Request): Promise<Outcome[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
  waiting.set(request.id, { resolve, reject })
  worker.ref()
  worker.postMessage(request, buffersOf(statementsOf(request).flatMap(({ params }) => params ?? [])))
  return promise
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
    rejectAll(new Error('The database thread stopped before it answered; the next call starts it again.', { cause }))
    end()
  })
  return { worker, waiting, gone }
}

function settle(waiting: Map<number, Waiting>, answer: Exclude<Answer, { refused: Refusal }>): void {
  const call = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (!('failed' in answer)) call?.resolve(answer.outcomes)
  else if (answer.isFull) call?.reject(failure('STORAGE_FULL'))
  else call?.reject(new Error(`The database refused a statement: ${answer.failed}.`))
}
