import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { errors } from '../../kernel/error-table.ts'
import { type AppError, type ErrorCode, failure, toAppError } from '../../kernel/error.ts'
import { firstKnown, type Tool, type ToolCall } from '../../kernel/tool.ts'
import { type Fault, faultsIn } from '../../kernel/issues.ts'
import { filledIn, onlyOffered, toolWords } from '../../kernel/offer.ts'
import type { AnyOperation, Offered, Part, Presentation } from '../../kernel/operation.ts'
import { type Read, readArguments } from '../../kernel/lenient/read-leniently.ts'
import { parseJson } from '../../util/json.ts'
import { didYouMean } from '../../util/words.ts'
import { appDataKey } from './live-browser.ts'
import { type Limits, toContent } from './content.ts'
import { matcherOf } from './reading/find-passages.ts'
import { type McpOptions, progressTiming, startProgress } from './server-options.ts'
import { type Choice, partOf, type Wanted } from './reading/choose.ts'
import { createdTask, isModern, wantsTask, readTask } from './task-state.ts'
import { fromStrict, type SchemaForm } from './tool-schema.ts'
import { faceOf, isRepeatable, type McpTool, ownArguments, splitArguments } from './tools.ts'
import { asker, type Channel, directChannel, type Request, type RoundTrips } from './transport/client-channel.ts'
import type { Ctx } from '../../kernel/ctx.ts'

export type CallCtx = Ctx & { stop(): void }

/** Maximum pixels per side of a picture: models scale larger ones down, and some hosts fail at more than 8,000. */
const pictureSide = 1568

/** Ctx of a call over this channel. Call `stop` when the call is over. */
export function callCtx(options: McpOptions, { caller, abilities }: Request, channel: Channel): CallCtx {
  const reports = channel.report && startProgress(channel.report, { ...progressTiming, ...options.progress })
  const askPerson = asker(abilities, channel.elicit)
  const ctx = options.newCtx({
    ...caller,
    signal: channel.signal,
    pictureSide,
    ...(reports && { progress: reports.progress }),
    ...(askPerson && { askPerson }),
  })
  return {
    ...ctx,
    stop: () => {
      reports?.stop()
      channel.end()
    },
  }
}

/** The input with its defaults, as the operation gets it, for presenters. */
export function parsedInput(operation: AnyOperation, input: object): object {
  const parsed = operation.input.safeParse(input)
  return parsed.success ? parsed.data : input
}

/** The error of a call. An unknown one is logged with its cause, unless the call was cancelled. */
export function known(thrown: unknown, { name }: { name: string }, { signal, log }: Ctx): AppError {
  if (signal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  const error = toAppError(thrown)
  if (error.code === 'UNKNOWN_ERROR') log.error('mcp_call_failed', { tool: name, error })
  return error
}

type Answering = McpOptions & {
  offered: Offered
  /** Creates the response if the call started a job and returns a task. */
  asTask?: ((id: string, ctx: CallCtx) => Promise<CallToolResult>) | undefined
}
type Offer = { tools: ReadonlyMap<string, McpTool>; schemas: SchemaForm; roundTrips: RoundTrips }

/** Handles tools/call. A failed operation is a result too; only an unknown tool is a protocol error. */
export async function callTool(
  options: McpOptions,
  { tools, schemas, roundTrips }: Offer,
  { params }: CallToolRequest,
  request: Request,
): Promise<CallToolResult | InputRequiredResult> {
  const { tool, listed } = tools.get(params.name) ?? {}
  if (!tool || !listed) {
    const operation = /^[a-z_]{1,40}$/.test(params.name) ? params.name : 'another tool'
    options.refused?.({ teamId: request.caller.team.id, operation, error: failure('NOT_FOUND') })
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(params.name, [...tools.keys()]))
  }
  const { context, caller, abilities } = request
  const owner = `${caller.team.id} ${params.name}`
  const state = context.mcpReq.requestState<string>()
  if (state !== undefined) return roundTrips.resume(owner, state, context)
  const args = params.arguments ?? {}
  const sent = schemas === 'strict' ? fromStrict(listed, args) : args
  const answering = { ...options, offered: tools }
  const run = (channel: Channel) => answered(answering, tool, sent, callCtx(options, request, channel))
  const { jobs, invoke } = options
  if (jobs && wantsTask(tool, params, context, abilities)) {
    const asTask = async (id: string, ctx: CallCtx) =>
      createdTask(await readTask(id, { status: jobs.status, invoke, ctx }), context)
    const ctx = callCtx(options, request, directChannel(request))
    return requiredTask(await answered({ ...answering, asTask }, tool, sent, ctx), context)
  }
  // Only requests of 2026-07-28 have an envelope. Older clients can be asked while the call runs.
  const asksInRoundTrips = context.mcpReq.envelope !== undefined && abilities.elicitation?.url !== undefined
  return asksInRoundTrips ? roundTrips.begin(owner, context, run) : run(directChannel(request))
}

const maxNameLength = 100

function unknownTool(sent: string, names: readonly string[]): string {
  const name = sent.slice(0, maxNameLength)
  return `Unknown tool: ${name}.${didYouMean(name, names) || ` The tools are: ${names.join(', ')}.`}`
}

/** The result, if it is a task. Throws otherwise, because a client that requested a task can read no other result. */
function requiredTask(result: CallToolResult, context: ServerContext): CallToolResult {
  if (isModern(context) || 'task' in result) return result
  const [first] = result.content
  const why = result.isError && first?.type === 'text' ? first.text : 'This call starts no job: call it without task'
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why)
}

/** Result of a tool call. Never rejects. */
export async function answered(
  options: Answering,
  tool: Tool,
  sent: Record<string, unknown>,
  ctx: CallCtx,
): Promise<CallToolResult> {
  const read = ctx.handling === 'strict' ? { input: sent } : readArguments(tool, ownArguments(tool), sent)
  try {
    return await answer(options, tool, read, ctx)
  } catch (thrown) {
    return toErrorResult(withNextStep(known(thrown, tool, ctx), options), tool, read)
  } finally {
    ctx.stop()
  }
}

export const defaultLimits: Limits = { maxCharacters: 20_000, maxImageBytes: 3_000_000 }

async function answer(
  { invoke, limits: chosen, offered, asTask }: Answering,
  tool: Tool,
  { input: sent, warning }: Read,
  ctx: CallCtx,
): Promise<CallToolResult> {
  const limits = { ...defaultLimits, ...chosen }
  const { window, wanted, calls } = splitArguments(tool, sent, limits.maxCharacters)
  const choice = await choiceOf(wanted)
  const notes = warning === undefined ? [] : [warning]
  const { operation, input, output } = await firstKnown(invoke, asTask ? calls.map(withoutWait) : calls, {
    ...ctx,
    notes,
  })
  if (asTask && operation.follow && 'id' in output) return asTask(String(output.id), ctx)
  const face = faceOf(operation)
  const parsed = parsedInput(operation, input)
  const data = face.data && { _meta: { [appDataKey]: face.data(output, parsed) } }
  const shown = face.present?.(output, parsed, offered) ?? asJson(output)
  const self = { tool: tool.name, arguments: sent, isRepeatable: isRepeatable(tool) }
  const whole = withWarning(within(shown, offered), output)
  const room = { maxCharacters: window.maxCharacters, isChosen: 'maxCharacters' in sent }
  const content = toContent(choice ? partOf(whole, choice, room) : whole, window, limits, self)
  return { content, ...(shown.isFailure && { isError: true }), ...data }
}

/** Undefined if the whole page is requested. Fails with BAD_REQUEST before any page is visited. */
export async function choiceOf({ find, section }: Wanted): Promise<Choice | undefined> {
  const wanted = { find: find?.trim() || undefined, section: section?.trim() || undefined }
  if (wanted.find === undefined && wanted.section === undefined) return undefined
  return { wanted, matcher: wanted.find === undefined ? undefined : await matcherOf(wanted.find) }
}

/** The call without its `wait`: a client that gets a task polls it instead. */
const withoutWait = (call: ToolCall): ToolCall =>
  call.operation.follow ? { ...call, input: { ...call.input, wait: undefined } } : call

/** Drops `readOn` if its tool is not offered. */
const within = ({ readOn, ...shown }: Presentation, offered: Offered): Presentation =>
  readOn && offered.has(readOn.tool) ? { ...shown, readOn } : shown

/** Adds the warning of an output before all else, unless its presentation already shows the warning. */
function withWarning(presentation: Presentation, output: { warning?: unknown }): Presentation {
  const { warning } = output
  if (typeof warning !== 'string' || warning === '' || presentation.isJson) return presentation
  const { parts, inFull } = presentation
  const isMentioned = parts.some((part) => part.kind === 'text' && part.text.includes(warning))
  if (isMentioned) return presentation
  const note: Part = { kind: 'text', text: `Warning: ${warning}` }
  return { ...presentation, parts: [note, ...parts], ...(inFull && { inFull: [note, ...inFull] }) }
}

const asJson = (output: object): Presentation => ({
  parts: [{ kind: 'text', text: JSON.stringify(output) }],
  isJson: true,
})

/** The error with a next step for this client: the general hint may name tools that it was not offered. */
function withNextStep(error: AppError, { tools, nextSteps = {}, offered }: Answering): AppError {
  const { code } = error
  const names = tools.map(({ name }) => name)
  const ways = Object.hasOwn(nextSteps, code) ? nextSteps[code] : undefined
  const isUsual = Object.hasOwn(errors, code) && error.hint === errors[code as ErrorCode].hint
  const hint = ways && isUsual ? firstPossible(ways, names, offered) : onlyOffered(error.hint ?? '', names, offered)
  return error.with({ hint })
}

/** The first alternative that names only offered tools. */
export function firstPossible(ways: readonly string[], names: readonly string[], offered: Offered): string | undefined {
  const words = toolWords(names.filter((name) => offered.has(name)))
  for (const way of ways) {
    const hint = filledIn(way, words)
    if (hint !== undefined) return hint
  }
  return undefined
}

const maxDetails = 1000

/** An error as text that a model can act on: code and cause, each faulty field, a valid example, the next step. */
export function toErrorResult(error: AppError, tool: Tool, { input, warning }: Read): CallToolResult {
  const faults = faultsIn(error.details)
  const remark = error.warning ?? warning
  const lines = [
    `${error.code}: ${error.message}`,
    ...faults.filter(({ message }) => message !== error.message).map((fault) => `- ${faultLine(fault, input)}`),
    ...(remark === undefined ? [] : [`Warning: ${remark}`]),
    ...(faults.length === 0 ? detailLines(error) : []),
    ...(error.hint ? [`Next: ${faults.length === 0 ? error.hint : withExample(error.hint, tool)}`] : []),
  ]
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] }
}

/** The example of an operation may differ from a call of the tool, which merges several or renames fields. */
function withExample(hint: string, { arguments: shown, example }: Tool): string {
  const [step = '', sent] = hint.split(' Example: ')
  const isCall = sent !== undefined && shown.strict().safeParse(parseJson(sent)).success
  return `${step} Example: ${isCall ? sent : JSON.stringify(example)}`
}

function faultLine({ path, message, code }: Fault, input: unknown): string {
  const kind = /received/i.test(message) || code === 'unrecognized_keys' ? undefined : kindOf(valueAt(input, path))
  return `${path || 'arguments'}: ${message}${kind === undefined ? '' : ` (got ${kind})`}`
}

/** Type of a value without its content: arguments may contain cookies and keys. */
function kindOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return `a string of ${value.length} characters`
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function valueAt(input: unknown, path: string): unknown {
  const keys = path.match(/[^.[\]]+/g) ?? []
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    input,
  )
}

/** The details of an error, unless the message already contains all of them. */
function detailLines({ code, details, message }: AppError): string[] {
  if (details === undefined || details === null || code === 'UNKNOWN_ERROR') return []
  const isInMessage = (detail: unknown) => typeof detail === 'string' && message.includes(detail)
  if (Object.values(details).flat().every(isInMessage)) return []
  return [`Details: ${JSON.stringify(details).slice(0, maxDetails)}`]
}
