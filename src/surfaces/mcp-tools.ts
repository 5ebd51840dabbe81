import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fail } from '../core/error.ts'
import type { AnyOperation, McpFace } from '../core/operation.ts'
import type { Window } from './mcp-content.ts'
import { type ObjectSchema, portableSchema } from './mcp-schema.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faces of operations of every shape
type AnyFace = McpFace<any, any>
export type McpTool = { tool: Tool; operation: AnyOperation; face: AnyFace }

export type ToolChoice = {
  /** Names of the tools offered; all when absent. */
  only?: readonly string[] | undefined
  /** Names of the tools that clients with deferred loading should load at once. */
  alwaysLoad?: readonly string[] | undefined
}

const hints: Record<AnyOperation['effect'], ToolAnnotations> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
}

/** Arguments of every tool that answers with text; they are for the surface and never reach the operation. */
const WindowArguments = z.object({
  offset: z.int().min(0).optional().describe('Read on from this character of a cut answer.'),
  maxCharacters: z.int().min(1000).max(200_000).optional().describe('Longest answer wanted, in characters.'),
})

/** The tools by name, in the order of the operations. Schemas are converted here, once. */
export function mcpTools(operations: readonly AnyOperation[], choice: ToolChoice = {}): ReadonlyMap<string, McpTool> {
  const offered = operations.filter(({ name, mcp }) => mcp !== false && (choice.only?.includes(name) ?? true))
  return new Map(
    offered.map((operation) => {
      const face: AnyFace = operation.mcp || {}
      const isLoaded = choice.alwaysLoad?.includes(operation.name) ?? false
      return [operation.name, { tool: toTool(operation, face, isLoaded ? 'always' : 'on demand'), operation, face }]
    }),
  )
}

function toTool(operation: AnyOperation, face: AnyFace, loads: 'always' | 'on demand'): Tool {
  const { name, title, about, effect } = operation
  return {
    name,
    title,
    description: about,
    inputSchema: argumentsSchema(operation, face) as Tool['inputSchema'],
    annotations: { ...hints[effect] },
    ...(loads === 'always' && { _meta: { 'anthropic/alwaysLoad': true } }),
  }
}

/** There is no output schema: clients that know one show their model JSON instead of text, and it doubles the list. */
function argumentsSchema(operation: AnyOperation, face: AnyFace): ObjectSchema {
  const shown: z.ZodObject = face.arguments ?? operation.input
  if (!face.present) return portableSchema(shown)
  const taken = Object.keys(WindowArguments.shape).find((name) => name in shown.shape || name in operation.input.shape)
  if (taken) throw new Error(`${operation.name}: the argument ${taken} is taken by the MCP surface`)
  const schema = portableSchema(shown)
  return { ...schema, properties: { ...schema.properties, ...portableSchema(WindowArguments).properties } }
}

/** Takes the surface's own arguments out. Fails with BAD_REQUEST when they are out of range. */
export function splitArguments(
  { face }: McpTool,
  sent: Record<string, unknown>,
  maxCharacters: number,
): { window: Window; input: object } {
  const { offset, maxCharacters: wanted, ...args } = withoutNulls(sent)
  const input = face.toInput ?? ((rest: Record<string, unknown>) => rest)
  if (!face.present) return { window: { offset: 0, maxCharacters }, input: input(withoutNulls(sent)) }
  const parsed = WindowArguments.safeParse({ offset, maxCharacters: wanted })
  if (!parsed.success)
    fail('BAD_REQUEST', {
      details: parsed.error.issues.map(({ path, message, code }) => ({ path, message, code })),
    })
  return {
    window: { offset: parsed.data.offset ?? 0, maxCharacters: parsed.data.maxCharacters ?? maxCharacters },
    input: input(args),
  }
}

/** Models write null for what they leave out; no schema here takes null at this level. */
function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
