import { outcomeOf } from '../../kernel/error.ts'
import type { CachedPage } from '../../contracts/stored-pages.ts'
import type { Store } from '../../engine/store/store.ts'

/** Kinds of measurement. `cache` is a page cache lookup; its outcome is `hit` or `miss`. */
type TaskKind = 'call' | 'fetch' | 'render' | 'read' | 'model' | 'store' | 'objects' | 'cache'

/** A task. `name` is from a list fixed at build time, never from a request. */
export type Task = {
  kind: TaskKind
  name: string
  /** Job id of a call; appears only in traces. */
  jobId?: string | undefined
}

/** Result of a task. `outcome` is `ok` or an error code. */
export type Done = Pick<Task, 'kind' | 'name'> & { outcome: string; ms: number }

/** W3C trace context, as headers. */
type TraceHeaders = Readonly<Record<string, string>>

/** Reports counts, durations and outcomes of tasks to the operator, and nothing from pages or requests. */
export type Telemetry = {
  /** Runs and counts the task, as part of the current trace. Returns or throws what the task does. */
  measure<T>(task: Task, run: () => Promise<T>): Promise<T>
  /** Counts measurements taken in another thread. */
  record(done: Done): void
  /** Runs within the trace named by the request, if any. */
  continued<T>(headers: Headers, run: () => T): T
  /** Headers that pass the current trace to another service; empty without a trace. */
  traceHeaders(): TraceHeaders
  /** All counters in the Prometheus text format; absent if nothing is counted. */
  exposition?(): Promise<string>
}

/** Telemetry that is switched off. */
export const noTelemetry: Telemetry = {
  measure: (_task, run) => run(),
  record() {},
  continued: (_headers, run) => run(),
  traceHeaders: () => ({}),
}

/** Returns a store whose ports are measured by name, such as `pages.find`, and whose page cache counts hits. */
export function measuredStore(store: Store, telemetry: Telemetry): Store {
  const { measure, record } = telemetry
  const ports = Object.entries(store).map(([name, port]) => [
    name,
    isPort(port) ? measuredPort(name, port, measure) : port,
  ])
  const measured = Object.fromEntries(ports) as Store
  const { find } = measured.pages
  const counted = (page: CachedPage | undefined) => {
    record({ kind: 'cache', name: 'find', outcome: page ? 'hit' : 'miss', ms: 0 })
    return page
  }
  return { ...measured, pages: { ...measured.pages, find: async (key) => counted(await find(key)) } }
}

type Port = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

const isPort = (part: unknown): part is Port => typeof part === 'object' && part !== null

function measuredPort(name: string, port: Port, measure: Telemetry['measure']): Port {
  const calls = Object.entries(port).map(([call, run]) => {
    const task: Task = { kind: 'store', name: `${name}.${call}` }
    return [call, (...args: unknown[]) => measure(task, () => run(...args))] as const
  })
  return Object.fromEntries(calls)
}

/** Runs a task and records its outcome and duration. */
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
