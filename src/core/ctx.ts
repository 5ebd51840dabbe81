import type { Log } from './log.ts'
import type { Ports } from './ports.ts'

/** Options that an operator grants to a team (spec: enterprise-only options). */
export const permissions = ['zeroDataRetention', 'ignoreRobotsTxt', 'searchEnterprise', 'localFiles'] as const
export type Permission = (typeof permissions)[number]

/** Who calls. `key` is the name of the API key, null where none is needed (stdio, the command line). */
export type Team = { id: string; key: string | null; permissions: readonly Permission[] }

export type Progress = (done: number, total: number | undefined, message: string) => void

/** What one call carries through every layer. Nothing in it outlives the call. */
export type Ctx = {
  readonly team: Team
  /** Id of this call: the job id, and `metadata.scrapeId` of a scrape. */
  readonly jobId: string
  /** When the call came in, ms since the epoch; timeouts count from here. */
  readonly startedAt: number
  readonly signal: AbortSignal
  /** Scheme and host under which the caller reached us, without a trailing slash; links in answers start with it. */
  readonly baseUrl: string
  readonly log: Log
  readonly progress: Progress
  /** A job that is begun twice with one key is begun once. */
  readonly idempotencyKey?: string | undefined
  /** A note for the answer's `warning`. */
  readonly warn: (note: string) => void
  /** How long the call waited for a free slot, ms. */
  readonly queuedMs: number
  readonly ports: Ports
}

/** What a surface knows of a call; the rest of its Ctx is filled in by the app. */
export type CtxInit = Pick<Ctx, 'team' | 'signal' | 'baseUrl'> & Partial<Pick<Ctx, 'progress' | 'idempotencyKey'>>
export type NewCtx = (init: CtxInit) => Ctx
