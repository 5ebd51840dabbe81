import { outcomeOf } from '../../kernel/error.ts'
import { type Done, noTelemetry, type Task, type Telemetry } from './telemetry.ts'

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
