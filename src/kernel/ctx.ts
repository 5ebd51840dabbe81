import type { Ports } from '../contracts/ports.ts'
import type { KeyLimits, Permission } from '../contracts/account-ports.ts'
import type { StepReporter } from '../contracts/scrape-step.ts'
import type { Log } from './log.ts'

/** Strictness of input validation (RFC 7240, 4.4). */
export type Handling = 'strict' | 'lenient'

/** The caller. `key` is the name of the API key; null if the call needs no key (stdio, the command line). */
export type Team = {
  id: string
  key: string | null
  permissions: readonly Permission[]
  /** Limits of the key; absent if it has none. */
  limits?: KeyLimits | undefined
}

export type Progress = (done: number, total: number | undefined, message: string) => void

/** An action that only a person can do, and the address for it. */
export type PersonRequest = { message: string; url: string }
/**
 * Shows the request to the person at the client and waits for the outcome. `done`: the person confirmed. If the client
 * can only open an address, it means that the address was opened, so check the result before continuing. `declined`:
 * refused or not answered in time. Rejects when the signal fires.
 */
export type AskPerson = (request: PersonRequest, signal: AbortSignal) => Promise<'done' | 'declined' | 'unsupported'>

/** Calls of an endpoint in the current minute. */
export type Rate = { endpoint: string; limit: number; left: number; resetSeconds: number }

/** Data of one call, passed through every layer. Nothing in it outlives the call. */
export type Ctx = {
  readonly team: Team
  /** Id of this call: the job id, and `metadata.scrapeId` of a scrape. */
  readonly jobId: string
  /** Time of arrival, ms since the epoch; timeouts count from here. */
  readonly startedAt: number
  readonly signal: AbortSignal
  /**
   * Scheme and host under which the caller reached this server, without a trailing slash; links in responses start
   * with it.
   */
  readonly baseUrl: string
  /** Each line names the job and the request. */
  readonly log: Log
  readonly progress: Progress
  /** Default: lenient. */
  readonly handling?: Handling | undefined
  /** Repeated calls with the same key run once. */
  readonly idempotencyKey?: string | undefined
  /** Name of the operation, if its input has already been normalised and validated. */
  readonly checked?: string | undefined
  /** Notes of the surface for the `warning` of the response. */
  readonly notes?: readonly string[] | undefined
  /** Adds a note to the `warning` of the response. */
  readonly warn: (note: string) => void
  /** Called if nothing of the response may be stored, not even its pictures. */
  readonly keepNothing?: (() => void) | undefined
  /** Reports the caller's rate; absent if the surface cannot report it. */
  readonly reportRate?: ((rate: Rate) => void) | undefined
  /** Reports the steps of this call's scrape; absent if the caller did not ask for them. */
  readonly reportStep?: StepReporter | undefined
  /** Called once the job has started, when its input is no longer needed. */
  readonly started?: (() => void) | undefined
  /** True if the caller only writes the response as JSON, so documents may stay in their stored form (StoredJson). */
  readonly takesStored?: boolean | undefined
  /** Maximum side of a picture that the client accepts, pixels; absent if pictures are not limited. */
  readonly pictureSide?: number | undefined
  /** Absent if the client cannot show an address to a person. */
  readonly askPerson?: AskPerson | undefined
  /** Time that the call waited for a free slot, ms. */
  readonly queuedMs: number
  readonly ports: Ports
}

/** Facts that a surface knows about a call; the app adds the rest of its Ctx. */
export type CtxInit = Pick<Ctx, 'team' | 'signal' | 'baseUrl'> &
  Partial<
    Pick<
      Ctx,
      | 'progress'
      | 'handling'
      | 'idempotencyKey'
      | 'reportRate'
      | 'reportStep'
      | 'askPerson'
      | 'takesStored'
      | 'pictureSide'
    >
  > & {
    /** Id of the HTTP request, for the log. */
    requestId?: string | undefined
  }
export type NewCtx = (init: CtxInit) => Ctx
