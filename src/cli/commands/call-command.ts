import { z } from 'zod'
import { localTeam } from '../../app/app.ts'
import type { TellStep } from '../../contracts/scrape-step.ts'
import { type AppError, toAppError, toBody } from '../../kernel/error.ts'
import { type Arguments, callsFor, firstKnown, type Tool, type ToolCall } from '../../kernel/tool.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { harmless, type Style } from '../terminal-io.ts'
import { allOffered } from '../../kernel/offer.ts'
import { didYouMean } from '../../util/words.ts'
import { usageError, objectIn } from '../usage/syntax.ts'

const longestWaitSeconds = 300

/** `gossamer agent QUESTION [JSON]`; the question needs no shell quotes. */
export const agentCommand: Command = async (context) => {
  const { words } = context
  const last = words.at(-1) ?? ''
  const hasOptions = words.length > 1 && last.startsWith('{')
  const prompt = (hasOptions ? words.slice(0, -1) : words).join(' ')
  if (prompt.trim() === '') throw usageError('agent')
  const options = objectIn(hasOptions ? last : '{}', { maxPages: 5 })
  return call(context, 'agent', { prompt, wait: longestWaitSeconds, ...options })
}

/** `gossamer call OPERATION [JSON]` */
export const callCommand: Command = async (context) => {
  const [name, input] = context.words
  if (name === undefined) throw usageError('call')
  const given = objectIn(input ?? '{}', { limit: 5 })
  return context.flags.as === undefined ? call(context, name, given) : printAs(context, name, given)
}

/** `--as WAY`: prints the call in another notation. */
async function printAs(context: CommandContext, name: string, input: object): Promise<number> {
  const { writeCall } = await import('../call-as.ts')
  const [first] = chosenOf(context.app, name, input)()
  if (!first) throw unknownName(name, context.app)
  context.terminal.out(`${await writeCall(context, first)}\n`)
  return 0
}

/** Callbacks about a call, in addition to its printed response. */
export type Watch = { tellStep?: TellStep; ended?(outcome: { output: object } | { error: AppError }): void }

/** Runs one operation or tool and prints its response: as text for a person, as JSON for a program. */
export async function call(
  context: CommandContext,
  name: string,
  input: object,
  { tellStep, ended }: Watch = {},
): Promise<number> {
  const { app, terminal, flags, signal } = context
  const chosen = chosenOf(app, name, input)
  const isForPerson = terminal.isInteractive && !flags.json
  const progress = isForPerson
    ? (_done: number, _total: number | undefined, message: string) => terminal.err(`${message}\n`)
    : () => {}
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '', progress, tellStep })
  try {
    const { operation, input: given, output } = await firstKnown(app.invoke, chosen(), ctx)
    terminal.out(isForPerson ? forPerson(operation, output, given) : `${JSON.stringify(output)}\n`)
    ended?.({ output })
    return 0
  } catch (thrown) {
    const code = showFailure(context, thrown, 'call')
    ended?.({ error: toAppError(thrown) })
    return code
  }
}

/** Reports a failure to a person or a program; returns the exit code. */
export function showFailure({ terminal, flags, log }: CommandContext, thrown: unknown, what: string): number {
  const error = toAppError(thrown)
  if (error.cause !== undefined) log.error(`${what} failed`, { code: error.code, cause: error.cause })
  if (terminal.isInteractive && !flags.json) terminal.err(errorText(error, terminal.style.err))
  else terminal.out(`${JSON.stringify(toBody(error))}\n`)
  return 1
}

type Offer = Pick<CommandContext['app'], 'operations' | 'tools'>

/**
 * The calls that a name stands for, each tried if the one before does not know the id. A name of both an operation
 * and a tool means the tool if an argument belongs to the tool alone, such as `show` of `activity`.
 */
function chooseByName({ operations, tools }: Offer, name: string, input: object): (() => ToolCall[]) | undefined {
  const operation = operations.find((each) => each.name === name)
  const tool = tools.find((each) => each.name === name)
  const args = { ...input } as Arguments
  if (tool && !(operation && Object.keys(args).every((key) => !isOfToolAlone(key, tool, operation))))
    return () => callsFor(tool, args)
  if (!operation) return undefined
  const toInput = operation.mcp ? operation.mcp.toInput : undefined
  return () => [{ operation, input: toInput?.(args) ?? args, names: {} }]
}

function chosenOf(offer: Offer, name: string, input: object): () => ToolCall[] {
  const chosen = chooseByName(offer, name.replaceAll('-', '_'), input)
  if (!chosen) throw unknownName(name, offer)
  return chosen
}

const isOfToolAlone = (key: string, tool: Tool, { input, mcp }: AnyOperation) =>
  key in tool.arguments.shape && !(key in input.shape) && !(mcp && mcp.arguments && key in mcp.arguments.shape)

function unknownName(name: string, { operations, tools }: Offer): UsageError {
  const names = [...new Set([...operations, ...tools].map((each) => each.name))]
  return new UsageError(
    `There is no operation ${name}.${didYouMean(name, names)}\nThe operations and tools are: ${names.join(', ')}.`,
  )
}

function forPerson(operation: AnyOperation, output: object, input: object): string {
  const presented = operation.mcp ? operation.mcp.present?.(output, input, allOffered) : undefined
  if (!presented) return `${harmless(JSON.stringify(output, null, 2))}\n`
  const texts = presented.parts.flatMap((part) => (part.kind === 'text' || part.kind === 'page' ? [part.text] : []))
  return `${harmless(texts.join('\n\n'))}\n`
}

export function errorText({ code, message, hint, details }: AppError, style: Style): string {
  const lines = [message, ...detailLines(details), ...(hint ? [hint] : [])].map((line) => `${harmless(line)}\n`)
  return `${style('red', `${code}:`)} ${lines.join('')}`
}

const Faults = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))

/** Invalid fields, one per line; other details unchanged. */
function detailLines(details: unknown): string[] {
  const { data } = Faults.safeParse(details)
  if (data) return data.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  return details === undefined ? [] : [JSON.stringify(details)]
}
