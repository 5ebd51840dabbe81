import { outcomeOf } from '../../kernel/error.ts'
import type { CachedPage } from '../../contracts/stored-pages.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Middleware } from '../../kernel/invoke.ts'

/** What is measured. `cache` is a look into the page cache, which ends as `hit` or `miss`. */
type TaskKind = 'call' | 'fetch' | 'render' | 'read' | 'model' | 'store' | 'objects' | 'cache'

/** One piece of work. `name` comes from a list that is fixed when the program is built, never from a request. */
export type Task = {
  kind: TaskKind
  name: string
  /** Of a call: its job. It stands in traces alone. */
  jobId?: string | undefined
}

/** How a task went. `outcome` is `ok`, or the code of its error. */
export type Done = Pick<Task, 'kind' | 'name'> & { outcome: string; ms: number }

/** W3C trace context, as headers. */
type TraceHeaders = Readonly<Record<string, string>>

/** Tells the operator what the program does: how often, how long, how it ended. Nothing of a page or a request goes in. */
export type Telemetry = {
  /** Runs the task, counts it, and makes it a part of the trace in which it was begun. Settles as the task does. */
  measure<T>(task: Task, run: () => Promise<T>): Promise<T>
  /** Counts what was measured elsewhere. */
  record(done: Done): void
  /** Runs within the trace that a request came with, if it came with one. */
  continued<T>(headers: Headers, run: () => T): T
  /** Names the running trace to another service; empty where there is none. */
  traceHeaders(): TraceHeaders
  /** All that was counted, in the text format of Prometheus; absent where nothing is. */
  exposition?(): Promise<string>
}

/** Of a program that nobody watches. */
export const noTelemetry: Telemetry = {
  measure: (_task, run) => run(),
  record() {},
  continued: (_headers, run) => run(),
  traceHeaders: () => ({}),
}

/** Counts and times every call, with the code it ended with. */
export const measureCalls =
  ({ measure }: Pick<Telemetry, 'measure'>): Middleware =>
  ({ name }, next) =>
  (input, ctx) =>
    measure({ kind: 'call', name, jobId: ctx.jobId }, () => next(input, ctx))

/** A store whose ports are measured by their names, such as `pages.find`, and whose page cache counts hits. */
export function measuredStore(store: Store, telemetry: Telemetry): Store {
  const { measure, record } = telemetry
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    isPort(port) ? measuredPort(name, port, measure) : port,
  ])
  const measured = Object.fromEntries(ports) as Store
  const { find } = measured.pages
  const lookedUp = (found: CachedPage | undefined) => {
    record({ kind: 'cache', name: 'find', outcome: found ? 'hit' : 'miss', ms: 0 })
    return found
  }
  return { ...measured, pages: { ...measured.pages, find: async (key) => lookedUp(await find(key)) } }
}

type Port = Readonly<Record<string, (...asked: unknown[]) => Promise<unknown>>>

const isPort = (part: unknown): part is Port => typeof part === 'object' && part !== null

function measuredPort(name: string, port: Port, measure: Telemetry['measure']): Port {
  const calls = Object.entries(port).map(([call, run]) => {
    const task: Task = { kind: 'store', name: `${name}.${call}` }
    return [call, (...asked: unknown[]) => measure(task, () => run(...asked))] as const
  })
  return Object.fromEntries(calls)
}

export type Gathered = Telemetry & {
  /** What was measured since the last call. */
  take(): Done[]
}

/** For a thread whose measures are counted by another: they cross together, since each message costs both. */
export function gatherTelemetry(): Gathered {
  const gathered: Done[] = []
  const record = (done: Done) => void gathered.push(done)
  return { ...noTelemetry, record, measure: (task, run) => timed(task, run, record), take: () => gathered.splice(0) }
}

/** Runs a task and records how it went. */
export async function timed<T>({ kind, name }: Task, run: () => Promise<T>, record: (done: Done) => void): Promise<T> {
  const startedAt = performance.now()
  const ended = (outcome: string) => record({ kind, name, outcome, ms: performance.now() - startedAt })
  try {
    const result = await run()
    ended('ok')
    return result
  } catch (thrown) {
    ended(outcomeOf(thrown))
    throw thrown
  }
}
