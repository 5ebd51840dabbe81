/** What is measured. `cache` is a look into the page cache, which ends as `hit` or `miss`. */
export type TaskKind = 'call' | 'fetch' | 'render' | 'read' | 'model' | 'store' | 'objects' | 'cache'

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
export type TraceHeaders = Readonly<Record<string, string>>

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
