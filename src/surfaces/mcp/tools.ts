import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fail } from '../../kernel/error.ts'
import { type AnyOperation, isTool, type McpFace } from '../../kernel/operation.ts'
import type { Window } from './content.ts'
import { type ObjectSchema, portableSchema } from './schema.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faces of operations of every shape
type AnyFace = McpFace<any, any>
export type McpTool = { tool: Tool; operation: AnyOperation; face: AnyFace }

export type ToolChoice = {
  /** Names of the tools offered; all when absent. */
  only?: readonly string[] | undefined
  /** Names of the tools that clients with deferred loading should load at once. */
  alwaysLoad?: readonly string[] | undefined
}

/** Whether it is idempotent says nothing of what only reads, and of the rest what goes without saying. */
const hints: Record<AnyOperation['effect'], ToolAnnotations> = {
  read: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  create: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  change: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
}

/** Arguments of every tool that answers with text; they are for the surface and never reach the operation. */
const Length = z.object({
  maxCharacters: z.int().optional().describe('Maximum answer length.'),
})
/** What is wanted beyond these is taken for the nearest of them. */
const shortest = 1000
const longest = 200_000
/** What cannot be done again without harm cannot be read on by doing it again. */
const WindowArguments = Length.extend({
  offset: z.int().min(0).optional().describe('Continue a truncated answer here.'),
})
const windowOf = (effect: AnyOperation['effect']): z.ZodObject => (effect === 'read' ? WindowArguments : Length)

/** The tools by name, in the order of the operations. Schemas are converted here, once. */
export function mcpTools(operations: readonly AnyOperation[], choice: ToolChoice = {}): ReadonlyMap<string, McpTool> {
  const offered = operations.filter((operation) => isTool(operation) && (choice.only?.includes(operation.name) ?? true))
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
  const meta = toolMeta(face, loads)
  return {
    name,
    title,
    description: about,
    inputSchema: argumentsSchema(operation, face) as Tool['inputSchema'],
    annotations: { ...hints[effect] },
    ...(meta && { _meta: meta }),
  }
}

/** Keys of MCP Apps (2026-01-26), and Anthropic's own. */
function toolMeta({ app, visibility }: AnyFace, loads: 'always' | 'on demand'): Tool['_meta'] {
  const ui = { ...(app && { resourceUri: app }), ...(visibility && { visibility: [visibility] }) }
  const meta = {
    ...(loads === 'always' && { 'anthropic/alwaysLoad': true }),
    ...(Object.keys(ui).length > 0 && { ui }),
  }
  return Object.keys(meta).length > 0 ? meta : undefined
}

/** Whether answers are text that may have to be cut. */
const isCut = ({ present, visibility, isBounded }: AnyFace): boolean =>
  present !== undefined && visibility !== 'app' && !isBounded

/** There is no output schema: clients that know one show their model JSON instead of text, and it doubles the list. */
function argumentsSchema(operation: AnyOperation, face: AnyFace): ObjectSchema {
  const shown: z.ZodObject = face.arguments ?? operation.input
  if (!isCut(face)) return portableSchema(shown)
  const own = windowOf(operation.effect)
  const taken = Object.keys(own.shape).find((name) => name in shown.shape || name in operation.input.shape)
  if (taken) throw new Error(`${operation.name}: the argument ${taken} is taken by the MCP surface`)
  const schema = portableSchema(shown)
  return { ...schema, properties: { ...schema.properties, ...portableSchema(own).properties } }
}

/** Takes the surface's own arguments out. Fails with BAD_REQUEST when they are out of range. */
export function splitArguments(
  { face, operation }: McpTool,
  sent: Record<string, unknown>,
  maxCharacters: number,
): { window: Window; input: object } {
  const { offset, maxCharacters: wanted, ...rest } = withoutNulls(sent)
  const isRepeatable = operation.effect === 'read'
  const args = { ...rest, ...(!isRepeatable && offset !== undefined && { offset }) }
  const input = face.toInput ?? ((given: Record<string, unknown>) => given)
  if (!isCut(face)) return { window: { offset: 0, maxCharacters }, input: input(withoutNulls(sent)) }
  const parsed = WindowArguments.safeParse({ ...(isRepeatable && { offset }), maxCharacters: wanted })
  if (!parsed.success)
    fail('BAD_REQUEST', {
      details: parsed.error.issues.map(({ path, message, code }) => ({ path, message, code })),
    })
  const length = parsed.data.maxCharacters === undefined ? maxCharacters : within(parsed.data.maxCharacters)
  return { window: { offset: parsed.data.offset ?? 0, maxCharacters: length }, input: input(args) }
}

const within = (wanted: number): number => Math.min(longest, Math.max(shortest, wanted))

/** Models write null for what they leave out; no schema here takes null at this level. */
function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
