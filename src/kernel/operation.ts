import type { z } from 'zod'
import type { OperationPermission } from '../contracts/account-ports.ts'
import type { JobEndpoint } from '../schema/team.ts'
import type { Ctx } from './ctx.ts'
import type { MiddlewareError, OperationError } from './error-table.ts'
import type { AppError, ErrorCode } from './error.ts'
import type { Link } from '../contracts/fetch.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /v2/${string}`

export const hasBody = (method: Method): boolean => method === 'POST' || method === 'PATCH'

export function partsOf(route: Route): { method: Method; template: string } {
  const [method, template] = route.split(' ') as [Method, string]
  return { method, template }
}

/** Outcome of a call, from which its price follows. */
export type Settled<I, O> =
  | { input: I; output: O; error?: undefined }
  | { input: I; output?: undefined; error: AppError }

/**
 * Input field with a file, as `{filename, contentType?, base64}`; callers in this process may pass `FileBytes` instead
 * of base64. Over REST, a multipart body may contain the file as the part of that name, and the other fields as JSON in
 * the part `options`.
 */
export type UploadRule = { field: string; maxBytes: number }

/** Data that is stored of a call. */
export type JobRecord<I, O, J extends JobEndpoint = JobEndpoint> = {
  endpoint: J
  /** Subject of the call, usually a URL; null if it must not be stored. */
  target(input: I): string | null
  /** The part of the response that can be read again by id; undefined if nothing may be stored. */
  keep(input: I, output: O): object | undefined
  /** The input, if it may be shown later and the visit repeated; absent or undefined if not. */
  replay?(input: I): object | undefined
  /** True if nothing but the fact of the call may be recorded; the functions above are then not called. */
  isPrivate?(input: I): boolean
}

/**
 * The operation that reports the progress of a job. Its input is the `id` of the job, and for a job with pages also
 * `skip` and `limit`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the registry
export type Follow = { operation: Operation<any, any>; answers: 'pages' | 'result' }

/** Names of the tools offered to an agent. Texts for the agent name no other tool. */
export type Offered = Pick<ReadonlySet<string>, 'has'>

/** An operation as agents see it. Absent fields have the values of the operation. */
export type McpFace<I extends object, O extends object> = {
  /** The arguments shown, if the wire input is not portable to every client. */
  arguments?: z.ZodObject
  /** Arguments that are accepted but not shown, because they are too many. */
  taken?: z.ZodObject
  /** Effect of a call by an agent, if agents may do less than the operation can. */
  effect?: 'read' | 'create'
  /** Checks arguments of an agent; fails with BAD_REQUEST if agents may not make such a call. */
  forAgents?(args: Record<string, unknown>): Record<string, unknown>
  /** Turns arguments, which are not validated yet, into the input. Valid input is returned unchanged. */
  toInput?(args: Record<string, unknown>): object
  /** Markdown-first response; if absent, or if it returns undefined, the response is JSON. */
  present?(output: O, input: I, offered: Offered): Presentation | undefined
  /** The operation has arguments for the length of the response, so the surface adds none. */
  isBounded?: true
  /** The response is one page: agents can request a section of it, or the passages with certain words. */
  hasSections?: true
  /** The response contains many pages (`inFull`): agents can request the passages with certain words. */
  hasPages?: true
  /** Resource with the same content. Slots of the template are input fields; `image/*` returns only the picture. */
  resource?: { template: string; name: string; mimeType: string }
  /** False if the operation is only a resource, not a tool. */
  tool?: false
  /** `app`: Apps in the chat call the tool. It is hidden from the model if the client supports Apps. */
  visibility?: 'app'
  /** Address of the App (`ui://…`) that shows the response, if the client supports it. */
  app?: `ui://${string}`
  /** Data for an App in addition to the response; the model does not see it. */
  data?(output: O, input: I): object
}

/** Effect of the operation if an agent calls it. */
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
  /** A valid input, shown in docs and error texts and used by tests. */
  readonly example: object
  readonly input: z.ZodObject & z.ZodType<I>
  readonly output: z.ZodObject & z.ZodType<O>
  /** Errors in addition to those of surfaces and middleware. */
  readonly errors: readonly E[]
  /** Set on calls that are jobs: they appear in the activity, and their results can be read again. */
  readonly job?: JobRecord<I, O, J>
  /** Set on calls that accept a file. */
  readonly upload?: UploadRule
  /** Maximum bytes of a body, in place of the setting. */
  readonly maxBodyBytes?: number
  /** Credits; absent = free. */
  price?(settled: Settled<I, O>): number
  /** Credits that are reserved while the call runs, estimated from the input; default 1. */
  reserve?(input: I): number
  permissions?(input: I): readonly P[]
  /** Set on calls that use a slot of the team: their time limit in ms. */
  limitMs?(input: I): number
  /**
   * Set on calls that start a job and return its `id`. The input `wait` delays the answer until the job or the time
   * ends.
   */
  readonly follow?: Follow
  /**
   * Set on calls that report the progress of a job. The input `wait` delays the answer until the job or the time ends.
   */
  readonly awaits?: Follow['answers']
  /** Set on calls without `job` that must not take effect twice if the client repeats them. */
  readonly repeats?: 'first answer'
  /** Set on calls that report progress (JobState): a WebSocket sends the results as soon as each exists. */
  readonly watch?: 'documents'
  /** Replaces pictures and PDFs, which are data URLs in the response, by the result of `link`. */
  withLinks?(output: O, link: Link, input: I): Promise<O>
  readonly mcp?: false | McpFace<I, O>
  run(input: I, ctx: Ctx): Promise<O>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the registry holds operations of every shape
export type AnyOperation = Operation<any, any>

type Slot<P> = P extends `${string}:${infer N}/${infer R}` ? N | Slot<R> : P extends `${string}:${infer N}` ? N : never
type SlotsAreFields<R, I> = [Slot<R>] extends [keyof I] ? unknown : { slotIsNoInputField: Exclude<Slot<R>, keyof I> }

/** Defines an operation. It does not compile if a slot of the route is not an input field. */
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

/** Lists all operations. It does not compile if no operation uses an error, a permission or an endpoint. */
export function defineOperations<A extends AnyOperation>(
  all: readonly A[] & ([Unused<A>] extends [never] ? unknown : { usedByNoOperation: Unused<A> }),
): readonly AnyOperation[] {
  return all
}

/** True if calls may have an idempotency key: a repeated call gets the response of the first, and starts nothing. */
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

/** Returns the errors of an operation and of the middleware that it needs. */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const sources = Object.entries(errorSources) as [ErrorCode, readonly ErrorSource[]][]
  const ofMiddleware = sources.flatMap(([code, parts]) => (parts.some((part) => operation[part]) ? [code] : []))
  return [...new Set([...operation.errors, ...ofMiddleware])]
}

/** A response as an agent reads it. Surfaces decide how much of it fits, and how pictures and links are encoded. */
export type Presentation = {
  parts: readonly Part[]
  /** Full text, of which `parts` is the summary. It is shown in place of `parts` if it fits into the response. */
  inFull?: readonly Part[]
  /** The call succeeded, but the requested work failed. */
  isFailure?: true
  /** The client parses the text, so nothing may precede it. */
  isJson?: true
  /** The call that reads the rest of a response that was cut: tool and arguments. */
  readOn?: { tool: string; arguments: Record<string, unknown> }
}

export type Part =
  /** Text written by Gossamer. */
  | { kind: 'text'; text: string }
  /** Text of a web page. It is shown in a marked block, because it may contain instructions of its author. */
  | { kind: 'page'; text: string; origin: string; label: string }
  | { kind: 'image'; base64: string; mimeType: string }
  /** Only in resources. */
  | { kind: 'file'; base64: string; mimeType: string }
  | { kind: 'link'; uri: string; name: string; mimeType: string; size?: number }

/** Progress of a job, as returned by every operation that reads one. */
export type JobProgress = { status: string; completed: number; total: number }

/** Progress of a job with pages, and some of the pages. */
export type JobState = JobProgress & {
  /** Results from the requested index on, in the order in which they were stored. */
  data: readonly object[]
  /** Why the whole job failed. */
  error?: string
  warning?: string
}

const unfinished = ['scraping', 'processing']

export const isFinished = ({ status }: Pick<JobProgress, 'status'>): boolean => !unfinished.includes(status)
