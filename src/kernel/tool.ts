import { z } from 'zod'
import type { Ctx } from './ctx.ts'
import { AppError, fail, toAppError } from './error.ts'
import type { Invoke } from './invoke.ts'
import { type Issue, readableIssues } from './issues.ts'
import { type AnyOperation, isTool } from './operation.ts'

/** An operation that a tool stands for, and how it is chosen. */
export type Variant = {
  readonly operation: AnyOperation
  /** Arguments that have these values; the operation does not get them. */
  readonly when?: Readonly<Record<string, string | boolean>>
  /** An argument that is there. */
  readonly given?: string
  /** The fields of the operation that are called otherwise, by the argument. */
  readonly fields?: Readonly<Record<string, string>>
  /** Input that goes without saying for agents; what they send wins. */
  readonly adds?: object
  /** Asked where the operation knows no such id. */
  readonly orElse?: Variant
}

/**
 * What agents are offered. Most operations are a tool each. Some tools stand for several, so that the list stays short
 * enough to choose from; over REST each of these keeps its own route.
 */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly effect: AnyOperation['effect']
  readonly example: object
  readonly arguments: z.ZodObject
  /** The first that fits is called. */
  readonly variants: readonly Variant[]
}

export type Arguments = Record<string, unknown>
/** `names`: the argument that a field is called by, where they differ. */
export type ToolCall = { operation: AnyOperation; input: object; names: Readonly<Record<string, string>> }

/** Whether a model is to see it; the others are for Apps. */
export const isForModels = (tool: Tool): boolean =>
  operationsOf(tool).every(({ mcp }) => !mcp || mcp.visibility !== 'app')

/** The tools of these operations, in their order; one that stands for several comes where the first of them would. */
export function toolsOf(operations: readonly AnyOperation[], merged: readonly Tool[]): Tool[] {
  const owner = new Map(merged.flatMap((tool) => operationsOf(tool).map((operation) => [operation, tool] as const)))
  const tools = operations.flatMap((operation) => owner.get(operation) ?? (isTool(operation) ? toolOf(operation) : []))
  return [...new Set(tools)]
}

function toolOf(operation: AnyOperation): Tool {
  const { name, title, about, effect, example, input, mcp } = operation
  return {
    name,
    title,
    about,
    effect,
    example,
    arguments: (mcp && mcp.arguments) || input,
    variants: [{ operation }],
  }
}

/** Each operation once. */
export const operationsOf = ({ variants }: Tool): AnyOperation[] => [
  ...new Set(variants.flatMap(chainOf).map(({ operation }) => operation)),
]

/** All that a call may hold: what the operations take, the arguments that are shown, and those that are taken beside them. */
export function formsOf({ arguments: shown, variants }: Tool): z.ZodObject[] {
  const all = variants.flatMap(chainOf)
  const inputs = all.map(({ operation: { input }, fields = {} }) => {
    return Object.keys(fields).length === 0 ? input : z.object(renamed(input.shape, turned(fields)))
  })
  return [...inputs, shown, ...all.flatMap(({ operation: { mcp } }) => (mcp && mcp.taken) || [])]
}

const chainOf = (variant: Variant): Variant[] => [variant, ...(variant.orElse ? chainOf(variant.orElse) : [])]

/**
 * The calls that the arguments stand for, each to be tried where the one before knows no such id. Fails with BAD_REQUEST where
 * the arguments that choose are wrong; all others are the operation's to check.
 */
export function callsFor(tool: Tool, args: Arguments): ToolCall[] {
  const switches = switchesOf(tool)
  const chosen = { ...args, ...checked(tool, switches, args) }
  const variant = tool.variants.find((candidate) => fits(candidate, chosen))
  if (!variant) throw new Error(`${tool.name}: its last variant fits not everything`)
  const own = picked(args, (name) => !switches.has(name))
  return chainOf(variant).map(({ operation, fields = {}, adds }) => ({
    operation,
    input: { ...adds, ...toInput(operation, renamed(own, fields)) },
    names: turned(fields),
  }))
}

const picked = <T>(values: Record<string, T>, keeps: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)))

const turned = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]))

const renamed = <T>(values: Readonly<Record<string, T>>, names: Readonly<Record<string, string>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [names[name] ?? name, value]))

const toInput = ({ mcp }: AnyOperation, args: Arguments): object => (mcp && mcp.toInput?.(args)) || args

/** How agents call an operation: the tool, the arguments that choose the operation, and arguments by field where they differ. */
export type Calling = { tool: string; fixed: Arguments; names: Readonly<Record<string, string>> }

/** Undefined where no tool calls it. */
export function callingOf(tools: readonly Tool[], operation: AnyOperation): Calling | undefined {
  const tool = tools.find((candidate) => operationsOf(candidate).includes(operation))
  const variant = tool?.variants.flatMap(chainOf).find((candidate) => candidate.operation === operation)
  if (!tool || !variant) return undefined
  return { tool: tool.name, fixed: { ...variant.when }, names: turned(variant.fields ?? {}) }
}

const fits = ({ when = {}, given }: Variant, args: Arguments): boolean =>
  Object.entries(when).every(([name, value]) => args[name] === value) &&
  (given === undefined || args[given] !== undefined)

/** Names of the arguments that choose. */
const switchesOf = ({ variants }: Tool) => new Set(variants.flatMap(({ when = {} }) => Object.keys(when)))

/** Each schema compiles a parser of its own, which costs more than reading a call. */
const choosing = new WeakMap<Tool, z.ZodObject>()

/** The arguments that choose, with their defaults. The rest may be of any size, which the operation sees to. */
function checked(tool: Tool, switches: ReadonlySet<string>, args: Arguments): Arguments {
  const schema = choosing.get(tool) ?? z.object(picked(tool.arguments.shape, (name) => switches.has(name)))
  choosing.set(tool, schema)
  const parsed = schema.safeParse(args)
  return parsed.success ? parsed.data : fail('BAD_REQUEST', { details: readableIssues(parsed.error) })
}

/** The answer of the first call whose operation knows the id; where none does, the first one says so. */
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

/** What is wrong with a field, said of the argument that it was sent as. */
function inArguments(thrown: unknown, { names }: ToolCall): unknown {
  if (!(thrown instanceof AppError) || !Array.isArray(thrown.details) || Object.keys(names).length === 0) return thrown
  const details = (thrown.details as Partial<Issue>[]).map((issue) =>
    Array.isArray(issue.path)
      ? { ...issue, path: issue.path.map((key, at) => (at === 0 && names[key]) || key) }
      : issue,
  )
  const { code, status, message, hint, cause } = thrown
  return new AppError(code, { status, message, hint, details, cause })
}
