import type { z } from 'zod'
import type { OperationPermission } from '../contracts/account-ports.ts'
import type { JobEndpoint } from '../schema/team.ts'
import type { Ctx } from './ctx.ts'
import type { MiddlewareError, OperationError } from './error-table.ts'
import type { AppError, ErrorCode } from './error.ts'
import type { Link } from '../contracts/fetch.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Route = `${Method} /v2/${string}`

/** How a call ended, for its price. */
export type Settled<I, O> =
  | { input: I; output: O; error?: undefined }
  | { input: I; output?: undefined; error: AppError }

/**
 * The input field that holds a file, as `{filename, contentType?, base64}`; whoever has its bytes passes them on as `FileBytes`
 * in place of the base64. Over REST it may also come as the part of that name of a multipart body, whose part `options` then
 * holds the other fields as JSON.
 */
export type UploadRule = { field: string; maxBytes: number }

/** What a call leaves behind besides its answer. */
export type JobRecord<I, O, J extends JobEndpoint = JobEndpoint> = {
  endpoint: J
  /** What the call was about, usually a URL; null where it must not be kept. */
  target(input: I): string | null
  /** The part of the answer that can be read again by id; undefined keeps nothing. */
  keep(input: I, output: O): object | undefined
  /** The input, where it may be looked into later and the visit made again; absent or undefined: it may not. */
  replay?(input: I): object | undefined
  /** Whether nothing of the call may be written down but that it was made; absent: never. Then the parts above are not asked. */
  isPrivate?(input: I): boolean
}

/**
 * The operation that tells how far a job is, called with its `id`; where it `answers` with pages, with `skip` and `limit`
 * as well.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in the registry
export type Follow = { operation: Operation<any, any>; answers: 'pages' | 'result' }

/** The tools that a reader was offered, by their names: no text for it names another. */
export type Offered = Pick<ReadonlySet<string>, 'has'>

/** What agents see of an operation. Absent parts follow from the operation itself. */
export type McpFace<I extends object, O extends object> = {
  /** The arguments shown, where the wire input is not portable to every client. */
  arguments?: z.ZodObject
  /** Arguments that are taken beside those and the wire input, too many to show. */
  taken?: z.ZodObject
  /** Turns such arguments into the input. Gets what the client sent, unchecked; anything that is already input passes unchanged. */
  toInput?(args: Record<string, unknown>): object
  /** Markdown-first answer; without it, and where it is undefined, the answer is JSON. */
  present?(output: O, input: I, offered: Offered): Presentation | undefined
  /**
   * What it can change it changes only if asked to: a call made again with `offset` reads its answer on. Calls that only read can
   * be read on anyway.
   */
  readsOn?: true
  /** Its own arguments say how long the answer is; it takes none of the surface for that. */
  isBounded?: true
  /** The answer is one page: a section of it, or the passages with some words, can be asked for instead of the whole. */
  hasSections?: true
  /** The answer is many pages (`inFull`): the passages with some words can be asked for instead. */
  hasPages?: true
  /** The same answer as a resource; its slots are input fields. One whose mimeType is `image/*` is the picture alone. */
  resource?: { template: string; name: string; mimeType: string }
  /** False: it is a resource and no tool. */
  tool?: false
  /** For Apps shown in the chat to call, hidden from the model where the client knows Apps. */
  visibility?: 'app'
  /** Address of the App (`ui://…`) that shows the answer where the client can. */
  app?: `ui://${string}`
  /** What an App gets beside the answer; the model does not see it. */
  data?(output: O, input: I): object
}

/** Whether agents are offered it as a tool. */
export const isTool = ({ mcp }: { mcp?: AnyOperation['mcp'] | undefined }): boolean =>
  mcp !== false && mcp?.tool !== false

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
   * Purpose of a call, from which the hints of the MCP tool follow. `change` can lose data, `create` cannot. Visiting a page counts
   * as a change only if acting on the page is the purpose of the call.
   */
  readonly effect: 'read' | 'create' | 'change' | 'destroy'
  /** Set on calls that touch nothing but what this program keeps or was handed. */
  readonly world?: 'closed'
  /** A complete valid input, for docs, error texts and tests. */
  readonly example: object
  readonly input: z.ZodObject & z.ZodType<I>
  readonly output: z.ZodObject & z.ZodType<O>
  /** What it can answer besides what surfaces and middleware do. */
  readonly errors: readonly E[]
  /** Set on calls that are jobs: they get an activity row and can be read again. */
  readonly job?: JobRecord<I, O, J>
  /** Set on calls that take a file. */
  readonly upload?: UploadRule
  /** Set on calls whose input may be larger than that of others: bytes of a body, whatever the setting says. */
  readonly maxBodyBytes?: number
  /** Credits; absent = free. */
  price?(settled: Settled<I, O>): number
  /** Credits it will cost at least, as far as the input tells; 1 if absent. They are held back while it runs. */
  reserve?(input: I): number
  permissions?(input: I): readonly P[]
  /** Calls that take one of the team's slots, with the time they may take in all, in ms. */
  limitMs?(input: I): number
  /** Set on calls that begin a job and answer its `id`; the input field `wait` has them wait for it. */
  readonly follow?: Follow
  /** Set on calls that tell how far a job is: the input field `wait` has them wait for its end. What they answer with is as in `follow`. */
  readonly awaits?: Follow['answers']
  /** Set on calls without `job` of which a second one must not do again what the first has done. */
  readonly repeats?: 'first answer'
  /** Set on calls that tell how far a job is (JobState): over a WebSocket its results come as they are made. */
  readonly watch?: 'documents'
  /** Set on calls whose answer may hold pictures and PDFs as data URLs: the answer with what `link` makes of each. */
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

/** Whether a call may carry an idempotency key: what it begins is begun once, and asked for again it is answered again. */
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

/** An answer as an agent reads it. Surfaces decide how much of it fits, and what a picture or a link looks like on the wire. */
export type Presentation = {
  parts: readonly Part[]
  /** The whole that `parts` is an overview of, shown instead where all of it has room in the answer. */
  inFull?: readonly Part[]
  /** The call was served, but what was asked for failed. */
  isFailure?: true
  /** The call that reads on where this answer had to be cut: its tool and arguments. */
  readOn?: { tool: string; arguments: Record<string, unknown> }
}

export type Part =
  /** Our own words. */
  | { kind: 'text'; text: string }
  /** Text of a web page: shown in a marked block, because it may hold instructions that are not ours. */
  | { kind: 'page'; text: string; origin: string; label: string }
  | { kind: 'image'; base64: string; mimeType: string }
  /** Of resources alone. */
  | { kind: 'file'; base64: string; mimeType: string }
  | { kind: 'link'; uri: string; name: string; mimeType: string; size?: number }

/** How far a job is, as every operation that reads one answers it. */
export type JobProgress = { status: string; completed: number; total: number }

/** The same of a job that brings pages, with some of them. */
export type JobState = JobProgress & {
  /** Results from the number asked for on, in the order they came. */
  data: readonly object[]
  /** Why it failed as a whole. */
  error?: string
  warning?: string
}

const underWay = ['scraping', 'processing']

export const isFinished = ({ status }: Pick<JobProgress, 'status'>): boolean => !underWay.includes(status)
