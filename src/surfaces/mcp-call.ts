import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceRequest,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Ctx } from '../core/ctx.ts'
import { type AppError, failure, toAppError } from '../core/error.ts'
import type { AnyOperation } from '../core/operation.ts'
import { defaultLimits, toContent } from './mcp-content.ts'
import { offPair } from './mcp-cut.ts'
import { toErrorResult } from './mcp-error.ts'
import type { Guest, McpOptions } from './mcp-options.ts'
import { progressTiming, startProgress } from './mcp-progress.ts'
import { type McpResource, matchResource, toContents } from './mcp-resources.ts'
import { type McpTool, splitArguments } from './mcp-tools.ts'

type CallCtx = Ctx & { stop(): void }

/** Answers tools/call. A failure of the operation is an answer too; only an unknown tool is a protocol error. */
export async function callTool(
  options: McpOptions,
  tools: ReadonlyMap<string, McpTool>,
  guest: Guest,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const tool = tools.get(params.name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
  const sent = params.arguments ?? {}
  const ctx = callCtx(options, guest, context)
  try {
    return await answer(options, tool, sent, ctx)
  } catch (thrown) {
    return toErrorResult(known(thrown, tool.operation, ctx), tool.operation, sent)
  } finally {
    ctx.stop()
  }
}

/** Answers resources/read with the whole answer of the operation behind the address. */
export async function readResource(
  options: McpOptions,
  resources: readonly McpResource[],
  guest: Guest,
  { params: { uri } }: ReadResourceRequest,
  context: ServerContext,
): Promise<ReadResourceResult> {
  const { operation, input, mimeType } = matchResource(resources, uri)
  const ctx = callCtx(options, guest, context)
  try {
    const output = await options.caller(operation, input, ctx)
    const face = operation.mcp || {}
    if (!face.present) return { contents: [{ uri, mimeType, text: JSON.stringify(output) }] }
    return { contents: toContents(uri, mimeType, face.present(output, parsedInput(operation, input))) }
  } catch (thrown) {
    throw toProtocolError(known(thrown, operation, ctx), uri)
  } finally {
    ctx.stop()
  }
}

async function answer(
  { caller, limits: chosen }: McpOptions,
  tool: McpTool,
  sent: Record<string, unknown>,
  ctx: Ctx,
): Promise<CallToolResult> {
  const { operation, face } = tool
  const limits = { ...defaultLimits, ...chosen }
  const { window, input } = splitArguments(tool, sent, limits.maxCharacters)
  const output = await caller(operation, input, ctx)
  if (!face.present) return toJsonResult(output, limits.maxCharacters)
  const presentation = face.present(output, parsedInput(operation, input))
  return { content: toContent(presentation, window, limits, { tool: operation.name, arguments: sent }) }
}

/** Output that is complete as JSON, for the model and for programs alike; as text only where it is too long. */
function toJsonResult(output: object, maxCharacters: number): CallToolResult {
  const text = JSON.stringify(output)
  if (text.length <= maxCharacters)
    return { content: [{ type: 'text', text }], structuredContent: output as Record<string, unknown> }
  const cut = text.slice(0, offPair(text, maxCharacters - 200))
  const note = `[The first ${cut.length} of ${text.length} characters of JSON. Ask for less, for example with a smaller limit.]`
  return { content: [{ type: 'text', text: `${cut}\n${note}` }] }
}

function callCtx(options: McpOptions, guest: Guest, { mcpReq, http }: ServerContext): CallCtx {
  const { _meta: meta, signal: cancelled, notify } = mcpReq
  const progressToken = meta?.progressToken
  const reports =
    progressToken === undefined
      ? undefined
      : startProgress(
          (note) => {
            notify({ method: 'notifications/progress', params: { progressToken, ...note } }).catch(() => {})
          },
          { ...progressTiming, ...options.progress },
        )
  // A closed response cancels the call, also in sessions: an answer that nobody can fetch is not worth making.
  const signal = http?.req ? AbortSignal.any([cancelled, http.req.signal]) : cancelled
  const ctx = options.newCtx({ ...guest, signal, ...(reports && { progress: reports.progress }) })
  return { ...ctx, stop: () => reports?.stop() }
}

/** Presenters get what the operation got: input with its defaults. */
function parsedInput(operation: AnyOperation, input: object): object {
  const parsed = operation.input.safeParse(input)
  return parsed.success ? parsed.data : input
}

function toProtocolError(error: AppError, uri: string): ProtocolError {
  if (error.status === 404 || error.code === 'BAD_REQUEST') return new ResourceNotFoundError(uri)
  const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, `${error.code}: ${error.message}`, { uri, code: error.code, hint: error.hint })
}

/** What is not known is logged with its cause, unless it is only how the work ended when it was cancelled. */
function known(thrown: unknown, { name }: AnyOperation, { signal, log }: Ctx): AppError {
  if (signal.aborted) return failure('REQUEST_CANCELLED', { cause: thrown })
  const error = toAppError(thrown)
  if (error.code === 'UNKNOWN_ERROR') log.error('mcp_call_failed', { tool: name, error })
  return error
}
