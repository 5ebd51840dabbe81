import { z } from 'zod'
import type { Ctx } from './ctx.ts'
import { AppError, fail, toAppError } from './error.ts'
import type { Invoke } from './invoke.ts'
import { type Issue, readableIssues } from './issues.ts'
import { type AnyOperation, effectForAgents } from './operation.ts'
import { ownValue } from '../util/json.ts'

/** An operation that a tool calls, and the arguments that select it. */
export type Variant = {
  readonly operation: AnyOperation
  /** Arguments that must have these values; they are not passed to the operation. */
  readonly when?: Readonly<Record<string, string | boolean>>
  /** An argument that must be present. */
  readonly given?: string
  /** Renamed fields of the operation, by argument. */
  readonly fields?: Readonly<Record<string, string>>
  /** Defaults for agents; the arguments they send take precedence. */
  readonly adds?: object
  /** Tried if the operation does not know the id. */
  readonly orElse?: Variant
}

/**
 * A tool for agents. Most operations are one tool each. Some tools combine several, which keeps the list short; over
 * REST each operation has its own route.
 */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly effect: AnyOperation['effect']
  readonly example: object
  readonly arguments: z.ZodObject
  /** The first variant that matches is called. */
  readonly variants: readonly Variant[]
  /** Not part of the set `all`: offered only if its name, or a set that contains it, is chosen. */
  readonly offered?: 'by name'
}

export type Arguments = Record<string, unknown>
/** `names`: argument names by field, if they differ. */
export type ToolCall = { operation: AnyOperation; input: object; names: Readonly<Record<string, string>> }

/** True if models see the tool; other tools are for Apps. */
export const isForModels = (tool: Tool): boolean =>
  operationsOf(tool).every(({ mcp }) => !mcp || mcp.visibility !== 'app')

/** True if models see the tool unless other tools are chosen. */
export const isUsual = (tool: Tool): boolean => isForModels(tool) && tool.offered === undefined

/** True if an operation is offered to agents as a tool. */
const isTool = ({ mcp }: { mcp?: AnyOperation['mcp'] | undefined }): boolean => mcp !== false && mcp?.tool !== false

/** Returns the tools of these operations, in order. A combined tool has the position of its first operation. */
export function toolsOf(operations: readonly AnyOperation[], merged: readonly Tool[]): Tool[] {
  const owner = new Map(merged.flatMap((tool) => operationsOf(tool).map((operation) => [operation, tool] as const)))
  const tools = operations.flatMap((operation) => owner.get(operation) ?? (isTool(operation) ? toolOf(operation) : []))
  return [...new Set(tools)]
}

function toolOf(operation: AnyOperation): Tool {
  const { name, title, about, example, input, mcp } = operation
  return {
    name,
    title,
    about,
    effect: effectForAgents(operation),
    example,
    arguments: (mcp && mcp.arguments) || input,
    variants: [{ operation }],
  }
}

/** Returns the operations that a tool can call, each once. */
export const operationsOf = ({ variants }: Tool): AnyOperation[] => [
  ...new Set(variants.flatMap(chainOf).map(({ operation }) => operation)),
]

/** Returns the schemas of all that a call may contain: input of the operations, and arguments, shown or not. */
export function formsOf({ arguments: shown, variants }: Tool): z.ZodObject[] {
  const all = variants.flatMap(chainOf)
  const inputs = all.map(({ operation: { input }, fields = {} }) => {
    return Object.keys(fields).length === 0 ? input : z.object(renamed(input.shape, inverted(fields)))
  })
  return [...inputs, shown, ...all.flatMap(({ operation: { mcp } }) => (mcp && mcp.taken) || [])]
}

const chainOf = (variant: Variant): Variant[] => [variant, ...(variant.orElse ? chainOf(variant.orElse) : [])]

/**
 * Returns the calls that the arguments stand for; each is tried if the one before it does not know the id. Fails with
 * BAD_REQUEST if the selecting arguments are invalid; the operation checks all others.
 */
export function callsFor(tool: Tool, args: Arguments): ToolCall[] {
  const switches = switchesOf(tool)
  const chosen = { ...args, ...checked(tool, switches, args) }
  const variant = tool.variants.find((candidate) => fits(candidate, chosen))
  if (!variant) throw new Error(`${tool.name}: its last variant must match every call`)
  const own = picked(args, (name) => !switches.has(name))
  return chainOf(variant).map(({ operation, fields = {}, adds }) => ({
    operation,
    input: { ...adds, ...toInput(operation, renamed(own, fields)) },
    names: inverted(fields),
  }))
}

const picked = <T>(values: Record<string, T>, keeps: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)))

const inverted = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]))

const renamed = <T>(values: Readonly<Record<string, T>>, names: Readonly<Record<string, string>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [ownValue(names, name) ?? name, value]))

const toInput = ({ mcp }: AnyOperation, args: Arguments): object => (mcp && mcp.toInput?.(args)) || args

/** Call of an operation by agents: the tool, the arguments that select the operation, and renamed arguments by field. */
export type Calling = { tool: string; fixed: Arguments; names: Readonly<Record<string, string>> }

/** Returns how agents call an operation; undefined if no tool calls it. */
export function callingOf(tools: readonly Tool[], operation: AnyOperation): Calling | undefined {
  const tool = tools.find((candidate) => operationsOf(candidate).includes(operation))
  const variant = tool?.variants.flatMap(chainOf).find((candidate) => candidate.operation === operation)
  if (!tool || !variant) return undefined
  return { tool: tool.name, fixed: withoutDefaults(tool, variant.when ?? {}), names: inverted(variant.fields ?? {}) }
}

/** Leaves out selecting arguments that have their default. */
const withoutDefaults = ({ arguments: { shape } }: Tool, fixed: Arguments): Arguments =>
  Object.fromEntries(Object.entries(fixed).filter(([name, value]) => shape[name]?.safeParse(undefined).data !== value))

const fits = ({ when = {}, given }: Variant, args: Arguments): boolean =>
  Object.entries(when).every(([name, value]) => args[name] === value) &&
  (given === undefined || args[given] !== undefined)

/** Names of the selecting arguments. */
const switchesOf = ({ variants }: Tool) => new Set(variants.flatMap(({ when = {} }) => Object.keys(when)))

/** Schemas of the selecting arguments. They are reused, because zod compiles a parser for each. */
const switchSchemas = new WeakMap<Tool, z.ZodObject>()

/** Returns the selecting arguments, with their defaults. */
function checked(tool: Tool, switches: ReadonlySet<string>, args: Arguments): Arguments {
  const schema = switchSchemas.get(tool) ?? z.object(picked(tool.arguments.shape, (name) => switches.has(name)))
  switchSchemas.set(tool, schema)
  const parsed = schema.safeParse(args)
  return parsed.success ? parsed.data : fail('BAD_REQUEST', { details: readableIssues(parsed.error) })
}

/** Returns the response of the first call whose operation knows the id. If none does, throws the error of the first. */
export async function firstKnown(
  invoke: Invoke,
  [call, ...others]: readonly ToolCall[],
  ctx: Ctx,
): Promise<ToolCall & { output: object }> {
  if (!call) throw new Error('a tool calls at least one operation')
  try {
    return { ...call, output: await invoke(call.operation, call.input, ctx) }
  } catch (thrown) {
    if (others.length === 0 || toAppError(thrown).status !== 404) throw inArguments(thrown, call)
    return firstKnown(invoke, others, ctx).catch((later: unknown) => {
      throw toAppError(later).status === 404 ? thrown : later
    })
  }
}

/** Renames fields in an error to the arguments that were sent. */
function inArguments(thrown: unknown, { names }: ToolCall): unknown {
  if (!(thrown instanceof AppError) || !Array.isArray(thrown.details) || Object.keys(names).length === 0) return thrown
  const details = (thrown.details as Partial<Issue>[]).map((issue) =>
    Array.isArray(issue.path)
      ? { ...issue, path: issue.path.map((key, at) => (at === 0 && names[key]) || key) }
      : issue,
  )
  return thrown.with({ details })
}
