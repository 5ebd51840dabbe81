import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fail } from '../../kernel/error.ts'
import { onlyOffered } from '../../kernel/offer.ts'
import type { AnyOperation, McpFace } from '../../kernel/operation.ts'
import {
  type Arguments,
  callsFor,
  isForModels,
  isUsual,
  operationsOf,
  type Tool,
  type ToolCall,
} from '../../kernel/tool.ts'
import type { Window } from './content.ts'
import type { Wanted } from './reading/choose.ts'
import { type ObjectSchema, portableSchema } from './tool-schema.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faces of operations of every shape
export type AnyFace = McpFace<any, any>
export type McpTool = {
  listed: ListedTool
  tool: Tool
  /** True if the tool is only for clients that support Apps. */
  isForApps: boolean
}

export type ToolChoice = {
  /** Names of the offered tools; default: all. */
  only?: readonly string[] | undefined
  /** Names of the tools that clients with deferred loading should load immediately. */
  alwaysLoad?: readonly string[] | undefined
}

/**
 * All hints are explicit: clients disagree about the protocol's defaults, and some ask for confirmation if a hint is
 * missing.
 */
const hints: Record<AnyOperation['effect'], ToolAnnotations> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
}

/** Argument of every tool that returns text. This surface handles it; the operation does not get it. */
const Length = z.object({
  maxCharacters: z.int().optional().describe('Longest answer, in characters.'),
})
/** Values out of range are clamped to the nearest limit. */
const shortest = 1000
const longest = 200_000
/** Arguments of tools that can be called again to read on. */
const WindowArguments = Length.extend({
  offset: z.int().min(0).optional().describe('Continue from this character.'),
})
const find = z.string().max(1000).optional().describe('Only passages with these words or a /regex/.')
/** Arguments of tools that return one page. */
const SectionArguments = WindowArguments.extend({
  find,
  section: z.string().max(1000).optional().describe('Only what is under this heading.'),
})
function windowOf(tool: Tool): z.ZodObject {
  if (hasSections(tool)) return SectionArguments
  const window = isRepeatable(tool) ? WindowArguments : Length
  return facesOf(tool).some(({ hasPages }) => hasPages) ? window.extend({ find }) : window
}

/** True if a call can be repeated to read the rest of its response. */
export const isRepeatable = ({ effect }: Tool): boolean => effect === 'read'

/** The tools by name, in order, with their schemas in the form of the protocol. */
export function mcpTools(tools: readonly Tool[], { only, alwaysLoad }: ToolChoice = {}): ReadonlyMap<string, McpTool> {
  const all = new Map(
    tools.map((tool) => {
      const loads = alwaysLoad?.includes(tool.name) ? 'always' : 'on demand'
      const isForApps = !isForModels(tool)
      return [tool.name, { tool, listed: listedTool(tool, loads), isForApps }]
    }),
  )
  return only ? offerOf(all, { only, apps: 'known' }) : all
}

type Offer = { only: readonly string[] | undefined; apps: 'known' | 'unknown' }

/**
 * Tools that a client requests and can use. Tools for Apps are included only together with a tool that shows an App.
 */
export function offerOf(tools: ReadonlyMap<string, McpTool>, { only, apps }: Offer): ReadonlyMap<string, McpTool> {
  const wanted = [...tools].filter(([name, { tool }]) => isForModels(tool) && (only?.includes(name) ?? isUsual(tool)))
  const showApps = apps === 'known' && wanted.some(([, { tool }]) => facesOf(tool).some(({ app }) => app))
  const names = new Set(wanted.map(([name]) => name))
  const offered = [...tools].filter(([name, { isForApps }]) => names.has(name) || (isForApps && showApps))
  if (!only) return new Map(offered)
  const all = [...tools.keys()]
  const withDescription = ({ listed, ...tool }: McpTool): McpTool => {
    const description = onlyOffered(listed.description ?? '', all, names)
    return { ...tool, listed: { ...listed, description } }
  }
  return new Map(offered.map(([name, tool]) => [name, withDescription(tool)]))
}

export const faceOf = ({ mcp }: AnyOperation): AnyFace => mcp || {}
const facesOf = (tool: Tool) => operationsOf(tool).map(faceOf)

function listedTool(tool: Tool, loads: 'always' | 'on demand'): ListedTool {
  const { name, about } = tool
  const [face = {}] = facesOf(tool)
  const meta = toolMeta(face, loads)
  return {
    name,
    description: about,
    inputSchema: argumentsSchema(tool) as ListedTool['inputSchema'],
    annotations: hintsOf(tool),
    ...(meta && { _meta: meta }),
  }
}

const hintsOf = (tool: Tool): ToolAnnotations => ({
  title: tool.title,
  ...hints[tool.effect],
  openWorldHint: operationsOf(tool).some(({ world }) => world !== 'closed'),
})

/** Metadata of a tool, in keys of MCP Apps (2026-01-26) and of Anthropic. */
function toolMeta({ app, visibility }: AnyFace, loads: 'always' | 'on demand'): ListedTool['_meta'] {
  const ui = { ...(app && { resourceUri: app }), ...(visibility && { visibility: [visibility] }) }
  const meta = {
    ...(loads === 'always' && { 'anthropic/alwaysLoad': true }),
    ...(Object.keys(ui).length > 0 && { ui }),
  }
  return Object.keys(meta).length > 0 ? meta : undefined
}

/** True if the response is text that may have to be cut. */
const isCut = (tool: Tool): boolean =>
  tool.offered !== 'by name' &&
  facesOf(tool).some(
    ({ present, visibility, isBounded }) => present !== undefined && visibility !== 'app' && !isBounded,
  )

/** Arguments of the tool that this surface handles. */
export const ownArguments = (tool: Tool): z.ZodObject => (isCut(tool) ? windowOf(tool) : z.object({}))

const hasSections = (tool: Tool): boolean => facesOf(tool).some((face) => face.hasSections)

/**
 * The arguments of a tool as JSON Schema. There is no output schema: with one, clients show their model JSON instead of
 * text, and the list of tools becomes twice as long.
 */
function argumentsSchema(tool: Tool): ObjectSchema {
  const schema = portableSchema(tool.arguments)
  if (!isCut(tool)) return schema
  const own = windowOf(tool)
  const fields = [tool.arguments, ...operationsOf(tool).map(({ input }) => input)].map(({ shape }) => shape)
  const taken = Object.keys(own.shape).find((name) => fields.some((shape) => name in shape))
  if (taken) throw new Error(`${tool.name}: the argument ${taken} is taken by the MCP surface`)
  const { maxCharacters, ...others } = portableSchema(own).properties
  // Other answers are rarely too long; a cut one names the call that reads on.
  const isPages = facesOf(tool).some(({ hasSections: one, hasPages: many }) => one || many)
  const shown = isPages ? { maxCharacters, ...others } : others
  return { ...schema, properties: { ...schema.properties, ...(shown as ObjectSchema['properties']) } }
}

/**
 * Splits off the surface's own arguments, which set the part and the length of the response. Returns these, and the
 * calls that the other arguments stand for. Fails with BAD_REQUEST if the surface's own arguments are invalid.
 */
export function splitArguments(
  tool: Tool,
  sent: Arguments,
  maxCharacters: number,
): { window: Window; wanted: Wanted; calls: readonly ToolCall[] } {
  // A tool that is offered only by name returns JSON that its host parses, so the answer must be complete.
  const whole = { offset: 0, maxCharacters: tool.offered === 'by name' ? longest : maxCharacters }
  if (!isCut(tool)) return { window: whole, wanted: {}, calls: agentCalls(tool, sent) }
  const own = windowOf(tool).shape
  const ofSurface = Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(own, name)))
  const ofOperation = Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(own, name)))
  const parsed = SectionArguments.safeParse(ofSurface)
  if (!parsed.success)
    fail('BAD_REQUEST', {
      details: parsed.error.issues.map(({ path, message, code }) => ({ path, message, code })),
    })
  const { offset = 0, maxCharacters: chosen, ...wanted } = parsed.data
  const length = chosen === undefined ? maxCharacters : within(chosen)
  return { window: { offset, maxCharacters: length }, wanted, calls: agentCalls(tool, ofOperation) }
}

/** The calls that an agent's arguments stand for; fails with BAD_REQUEST if they do more than agents may. */
export function agentCalls(tool: Tool, sent: Arguments): readonly ToolCall[] {
  const allowed = facesOf(tool).reduce((args, { forAgents }) => forAgents?.(args) ?? args, sent)
  return callsFor(tool, allowed)
}

const within = (wanted: number): number => Math.min(longest, Math.max(shortest, wanted))
