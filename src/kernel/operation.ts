import type { z } from 'zod'
import type { OperationPermission } from '../contracts/account-ports.ts'
import type { JobEndpoint } from '../schema/team.ts'
import type { Ctx } from './ctx.ts'
import type { MiddlewareError, OperationError } from './error-table.ts'
import type { AppError, ErrorCode } from './error.ts'
import type { Link } from '../contracts/fetch.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /v2/${string}`

/** Outcome of a call, for its price. */
export type Settled<I, O> =
  | { input: I; output: O; error?: undefined }
  | { input: I; output?: undefined; error: AppError }

/**
 * Input field that holds a file, as `{filename, contentType?, base64}`; a caller with the bytes passes them as
 * `FileBytes` instead of base64. Over REST the file may also be sent as the part of that name of a multipart body,
 * whose part `options` then holds the other fields as JSON.
 */
export type UploadRule = { field: string; maxBytes: number }

/** Records that a call leaves in addition to its response. */
export type JobRecord<I, O, J extends JobEndpoint = JobEndpoint> = {
  endpoint: J
  /** Subject of the call, usually a URL; null if it must not be stored. */
  target(input: I): string | null
  /** The part of the response that can be read again by id; undefined: nothing is stored. */
  keep(input: I, output: O): object | undefined
  /** The input, if it may be inspected later and the visit repeated; absent or undefined if not. */
  replay?(input: I): object | undefined
  /** True if only the fact of the call may be recorded; absent: never. The functions above are then not called. */
  isPrivate?(input: I): boolean
}

/**
 * The operation that reports the progress of a job, called with its `id`; if it `answers` with pages, with `skip` and
 * `limit` as well.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the registry
export type Follow = { operation: Operation<any, any>; answers: 'pages' | 'result' }

/** Names of the tools offered to a reader: no text for it names another. */
export type Offered = Pick<ReadonlySet<string>, 'has'>

/** An operation as agents see it. Absent parts follow from the operation itself. */
export type McpFace<I extends object, O extends object> = {
  /** The arguments shown, if the wire input is not portable to every client. */
  arguments?: z.ZodObject
  /** Arguments accepted in addition to those and the wire input, too many to show. */
  taken?: z.ZodObject
  /** Effect of a call by an agent, where agents can do less than the operation. */
  effect?: 'read' | 'create'
  /** The arguments as agents may send them; fails with BAD_REQUEST if they do more than agents may with this call. */
  forAgents?(args: Record<string, unknown>): Record<string, unknown>
  /** Turns such arguments into the input. Gets the unchecked arguments of the client; valid input passes unchanged. */
  toInput?(args: Record<string, unknown>): object
  /** Markdown-first response; if absent, or if it returns undefined, the response is JSON. */
  present?(output: O, input: I, offered: Offered): Presentation | undefined
  /** Its own arguments set the length of the response; it accepts none of the surface's. */
  isBounded?: true
  /** The response is one page: a section of it, or the passages with certain words, can be requested. */
  hasSections?: true
  /** The response is many pages (`inFull`): the passages with certain words can be requested. */
  hasPages?: true
  /**
   * The same response as a resource; its slots are input fields. With a mimeType of `image/*` it is the picture
   * alone.
   */
  resource?: { template: string; name: string; mimeType: string }
  /** False: a resource only, not a tool. */
  tool?: false
  /** Called by Apps in the chat, and hidden from the model if the client supports Apps. */
  visibility?: 'app'
  /** Address of the App (`ui://…`) that shows the response, if the client supports it. */
  app?: `ui://${string}`
  /** Data for an App in addition to the response; the model does not see it. */
  data?(output: O, input: I): object
}

/** Strongest effect that agents can have with it. */
export const effectForAgents = ({ mcp, effect }: Pick<AnyOperation, 'mcp' | 'effect'>) => (mcp && mcp.effect) || effect

/** One capability of the service. Every surface (MCP, REST, passthrough, docs) is derived from it. */
export type Operation<
  I extends object,
  O extends object,
  E extends OperationError = OperationError,
  P extends OperationPermission = OperationPermission,
  J extends JobEndpoint = JobEndpoint,
> = {
  readonly name: string
  readonly route: Route
  readonly aliases?: readonly Route[]
  readonly title: string
  readonly about: string
  /**
   * Purpose of a call, which determines the hints of the MCP tool. `change` can lose data, `create` cannot. Visiting
   * a page is a change only if acting on the page is the purpose of the call.
   */
  readonly effect: 'read' | 'create' | 'change' | 'destroy'
  /** Set on calls that access only data stored in or passed to this program. */
  readonly world?: 'closed'
  /** A complete valid input, for docs, error texts and tests. */
  readonly example: object
  readonly input: z.ZodObject & z.ZodType<I>
  readonly output: z.ZodObject & z.ZodType<O>
  /** Errors in addition to those of surfaces and middleware. */
  readonly errors: readonly E[]
  /** Set on calls that are jobs: they get an activity row and their results can be read again. */
  readonly job?: JobRecord<I, O, J>
  /** Set on calls that accept a file. */
  readonly upload?: UploadRule
  /** Set on calls with larger inputs than others: maximum bytes of a body, whatever the setting. */
  readonly maxBodyBytes?: number
  /** Credits; absent = free. */
  price?(settled: Settled<I, O>): number
  /** Minimum credits of the call, estimated from the input; default 1. Reserved while it runs. */
  reserve?(input: I): number
  permissions?(input: I): readonly P[]
  /** Set on calls that use one of the team's slots: their time limit in ms. */
  limitMs?(input: I): number
  /** Set on calls that start a job and return its `id`; the input field `wait` makes them wait for it. */
  readonly follow?: Follow
  /**
   * Set on calls that report the progress of a job: the input field `wait` makes them wait for its end. Results are
   * as in `follow`.
   */
  readonly awaits?: Follow['answers']
  /** Set on calls without `job` whose effect must not be repeated by a second call. */
  readonly repeats?: 'first answer'
  /** Set on calls that report progress (JobState): over a WebSocket, results are sent as they are created. */
  readonly watch?: 'documents'
  /** Set on calls whose response may contain pictures and PDFs as data URLs: replaces each by the result of `link`. */
  withLinks?(output: O, link: Link, input: I): Promise<O>
  readonly mcp?: false | McpFace<I, O>
  run(input: I, ctx: Ctx): Promise<O>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds operations of every shape
export type AnyOperation = Operation<any, any>

type Slot<P> = P extends `${string}:${infer N}/${infer R}` ? N | Slot<R> : P extends `${string}:${infer N}` ? N : never
type SlotsAreFields<R, I> = [Slot<R>] extends [keyof I] ? unknown : { slotIsNoInputField: Exclude<Slot<R>, keyof I> }

/** A slot of the route that is not an input field does not compile. */
export function defineOperation<
  I extends object,
  O extends object,
  const R extends Route,
  const E extends OperationError = never,
  const P extends OperationPermission = never,
  const J extends JobEndpoint = never,
>(operation: Omit<Operation<I, O, E, P, J>, 'route'> & { route: R & SlotsAreFields<R, I> }): Operation<I, O, E, P, J> {
  return operation
}

type Unused<A extends AnyOperation> =
  | Exclude<OperationError, A['errors'][number]>
  | Exclude<OperationPermission, ReturnType<NonNullable<A['permissions']>>[number]>
  | Exclude<JobEndpoint, NonNullable<A['job']>['endpoint']>

/** All operations of the service. An error, permission or endpoint that none of them uses does not compile. */
export function defineOperations<A extends AnyOperation>(
  all: readonly A[] & ([Unused<A>] extends [never] ? unknown : { usedByNoOperation: Unused<A> }),
): readonly AnyOperation[] {
  return all
}

/**
 * True if a call may carry an idempotency key: its work is started once, and a repeated call gets the same response.
 */
export const takesIdempotencyKey = ({ job, repeats }: AnyOperation): boolean =>
  job !== undefined || repeats !== undefined

type ErrorSource = 'permissions' | 'price' | 'job' | 'limitMs' | 'follow' | 'repeats'
const errorSources: Readonly<Record<MiddlewareError | 'SCRAPE_TIMEOUT', readonly ErrorSource[]>> = {
  PERMISSION_REQUIRED: ['permissions'],
  INSUFFICIENT_CREDITS: ['price'],
  IDEMPOTENCY_KEY_REUSED: ['job', 'repeats'],
  RATE_LIMITED: ['job'],
  QUEUE_FULL: ['limitMs'],
  SCRAPE_TIMEOUT: ['limitMs'],
  REQUEST_CANCELLED: ['limitMs'],
  STORAGE_FULL: ['follow'],
}

/** Errors of an operation and of the middleware that it needs. */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const sources = Object.entries(errorSources) as [ErrorCode, readonly ErrorSource[]][]
  const ofMiddleware = sources.flatMap(([code, parts]) => (parts.some((part) => operation[part]) ? [code] : []))
  return [...new Set([...operation.errors, ...ofMiddleware])]
}

/** A response as an agent reads it. Surfaces decide how much of it fits, and how pictures and links are encoded. */
export type Presentation = {
  parts: readonly Part[]
  /** The full text that `parts` summarises, shown instead if it fits in the response. */
  inFull?: readonly Part[]
  /** The call succeeded, but the requested work failed. */
  isFailure?: true
  /** The host parses the text, so nothing may be put before it. */
  isJson?: true
  /** The call that reads the rest of a response that was cut: tool and arguments. */
  readOn?: { tool: string; arguments: Record<string, unknown> }
}

export type Part =
  /** Text of the program. */
  | { kind: 'text'; text: string }
  /** Text of a web page: shown in a marked block, because it may contain instructions of others. */
  | { kind: 'page'; text: string; origin: string; label: string }
  | { kind: 'image'; base64: string; mimeType: string }
  /** Set on resources only. */
  | { kind: 'file'; base64: string; mimeType: string }
  | { kind: 'link'; uri: string; name: string; mimeType: string; size?: number }

/** Progress of a job, as returned by every operation that reads one. */
export type JobProgress = { status: string; completed: number; total: number }

/** The same for a job that yields pages, with some of its pages. */
export type JobState = JobProgress & {
  /** Results from the requested index on, in order of arrival. */
  data: readonly object[]
  /** Why the whole job failed. */
  error?: string
  warning?: string
}

const underWay = ['scraping', 'processing']

export const isFinished = ({ status }: Pick<JobProgress, 'status'>): boolean => !underWay.includes(status)
