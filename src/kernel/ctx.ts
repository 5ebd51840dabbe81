import type { Ports } from '../contracts/ports.ts'
import type { Permission } from '../contracts/account-ports.ts'
import type { TellStep } from '../contracts/scrape-step.ts'
import type { Log } from './log.ts'

/** Whether input is taken at its word alone (RFC 7240, 4.4). */
export type Handling = 'strict' | 'lenient'

/** Who calls. `key` is the name of the API key, null where none is needed (stdio, the command line). */
export type Team = { id: string; key: string | null; permissions: readonly Permission[] }

export type Progress = (done: number, total: number | undefined, message: string) => void

/** Something only a person can do, and the address at which to do it. */
export type PersonRequest = { message: string; url: string }
/**
 * Shows it to the person behind the client and waits until that is over. `done` is what the person says, or, of clients
 * that can only open an address, that it was opened: look before going on. `declined` is also no answer in time.
 * Rejects when the signal fires.
 */
export type AskPerson = (request: PersonRequest, signal: AbortSignal) => Promise<'done' | 'declined' | 'unsupported'>

/** Calls of an endpoint in the running minute. */
export type Rate = { endpoint: string; limit: number; left: number; resetSeconds: number }

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
  /** Its lines name the job, and the request. */
  readonly log: Log
  readonly progress: Progress
  /** Absent: lenient. */
  readonly handling?: Handling | undefined
  /** What is asked for twice with one key is done once. */
  readonly idempotencyKey?: string | undefined
  /** Name of the operation whose input was read as it is meant and validated before it came here. */
  readonly checked?: string | undefined
  /** What the surface noted of the call, for the answer's `warning`. */
  readonly notes?: readonly string[] | undefined
  /** A note for the answer's `warning`. */
  readonly warn: (note: string) => void
  /** Called where nothing of the answer may be stored, its pictures included. */
  readonly keepNothing?: (() => void) | undefined
  /** Tells the caller of its rate; absent where nothing can be told. */
  readonly tellRate?: ((rate: Rate) => void) | undefined
  /** Tells what the scrape of this call does, and why; absent where nobody asks. */
  readonly tellStep?: TellStep | undefined
  /** Called once the job has begun, after which its input is needed no more. */
  readonly begun?: (() => void) | undefined
  /** Whether whoever called writes the answer as JSON and nothing else, so that documents may be in it as they were stored. */
  readonly takesStored?: boolean | undefined
  /** Most pixels of a side of a picture that the client takes; absent where pictures come as requested. */
  readonly pictureSide?: number | undefined
  /** Absent where the client cannot show its person an address. */
  readonly askPerson?: AskPerson | undefined
  /** How long the call waited for a free slot, ms. */
  readonly queuedMs: number
  readonly ports: Ports
}

/** What a surface knows of a call; the rest of its Ctx is filled in by the app. */
export type CtxInit = Pick<Ctx, 'team' | 'signal' | 'baseUrl'> &
  Partial<
    Pick<
      Ctx,
      'progress' | 'handling' | 'idempotencyKey' | 'tellRate' | 'tellStep' | 'askPerson' | 'takesStored' | 'pictureSide'
    >
  > & {
    /** Of the HTTP request, for the log. */
    requestId?: string | undefined
  }
export type NewCtx = (init: CtxInit) => Ctx
