import type { Clock } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import type { WorkflowRun } from './run.ts'

/** Who a workflow works for, and until when. */
export type WorkflowCaller = Pick<WorkflowRun, 'teamId' | 'keyName' | 'signal'>
type EngineCall = Pick<Ctx, 'team' | 'jobId' | 'startedAt' | 'signal' | 'queuedMs' | 'progress' | 'warn'>

/** A scrape, map or search within a step, as a call of its own. What it warns of is collected in `notes`. */
export const callOf = (
  clock: Clock,
  { teamId, keyName, signal }: WorkflowCaller,
  notes: string[] = [],
): EngineCall => ({
  team: { id: teamId, key: keyName, permissions: [] },
  jobId: crypto.randomUUID(),
  startedAt: clock.now(),
  signal,
  queuedMs: 0,
  progress: () => {},
  warn: (note) => void notes.push(note),
})
