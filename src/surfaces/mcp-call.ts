import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { appDataKey } from './mcp-apps.ts'
import { defaultLimits, toContent } from './mcp-content.ts'
import { type CallCtx, callCtx, known, parsedInput } from './mcp-ctx.ts'
import { offPair } from './mcp-cut.ts'
import { toErrorResult } from './mcp-error.ts'
import { directLine, type Line, type Request } from './mcp-line.ts'
import type { McpOptions } from './mcp-options.ts'
import type { Rounds } from './mcp-rounds.ts'
import { type McpTool, splitArguments } from './mcp-tools.ts'

type Offer = { tools: ReadonlyMap<string, McpTool>; rounds: Rounds }

/** Answers tools/call. A failure of the operation is an answer too; only an unknown tool is a protocol error. */
export async function callTool(
  options: McpOptions,
  { tools, rounds }: Offer,
  { params }: CallToolRequest,
  request: Request,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = tools.get(params.name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
  const { context, guest, abilities } = request
  const owner = `${guest.team.id} ${params.name}`
  const state = context.mcpReq.requestState<string>()
  if (state !== undefined) return rounds.resume(owner, state, context)
  const run = (line: Line) => answered(options, tool, params.arguments ?? {}, callCtx(options, request, line))
  // Only requests of 2026-07-28 come with an envelope; older clients are asked while the call runs.
  const isAskedInRounds = context.mcpReq.envelope !== undefined && abilities.elicitation?.url !== undefined
  return isAskedInRounds ? rounds.begin(owner, context, run) : run(directLine(request))
}

/** Never rejects. */
async function answered(
  options: McpOptions,
  tool: McpTool,
  sent: Record<string, unknown>,
  ctx: CallCtx,
): Promise<CallToolResult> {
  try {
    return await answer(options, tool, sent, ctx)
  } catch (thrown) {
    return toErrorResult(known(thrown, tool.operation, ctx), tool.operation, sent)
  } finally {
    ctx.stop()
  }
}

async function answer(
  { caller, limits: chosen }: McpOptions,
  tool: McpTool,
  sent: Record<string, unknown>,
  ctx: CallCtx,
): Promise<CallToolResult> {
  const { operation, face } = tool
  const limits = { ...defaultLimits, ...chosen }
  const { window, input } = splitArguments(tool, sent, limits.maxCharacters)
  const output = await caller(operation, input, ctx)
  const parsed = parsedInput(operation, input)
  const data = face.data && { _meta: { [appDataKey]: face.data(output, parsed) } }
  if (!face.present) return { ...toJsonResult(output, limits.maxCharacters), ...data }
  const made = { tool: operation.name, arguments: sent, isRepeatable: operation.effect === 'read' }
  const content = toContent(face.present(output, parsed), window, limits, made)
  return { content, ...data }
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
