import { z } from 'zod'
import { localTeam } from '../../app/app.ts'
import { type AppError, toAppError, toBody } from '../../kernel/error.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { harmless, type Style } from '../terminal.ts'
import { didYouMean } from '../../util/closest.ts'
import { usageError } from '../usage/syntax.ts'
import { objectIn } from '../usage/values.ts'

/** `gossamer scrape URL [JSON]` */
export const scrapeCommand: Command = async (context) => {
  const [url, more] = context.words
  if (url === undefined) throw usageError('scrape')
  const formats = context.flags.formats?.split(',').map((format) => format.trim())
  return call(context, 'scrape', {
    url,
    ...(formats && { formats }),
    ...objectIn(more ?? '{}', { onlyMainContent: false }),
  })
}

const longestWaitSeconds = 300

/** `gossamer agent QUESTION [JSON]`; the words of the question need no quotes of the shell. */
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
  return call(context, name, objectIn(input ?? '{}', { limit: 5 }))
}

/** Runs one operation and prints its answer: for a person as text, for a program as JSON. */
export async function call(context: CommandContext, name: string, input: object): Promise<number> {
  const { app, terminal, flags, signal } = context
  const operation = app.operations.find((each) => each.name === name.replaceAll('-', '_'))
  if (!operation) throw unknownOperation(name, app)
  const isForPerson = terminal.isInteractive && !flags.json
  const progress = isForPerson
    ? (_done: number, _total: number | undefined, message: string) => terminal.err(`${message}\n`)
    : () => {}
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '', progress })
  try {
    const given = operation.mcp ? (operation.mcp.toInput?.(input as Record<string, unknown>) ?? input) : input
    const output = await app.invoke(operation, given, ctx)
    terminal.out(isForPerson ? forPerson(operation, output, given) : `${JSON.stringify(output)}\n`)
    return 0
  } catch (thrown) {
    return showFailure(context, thrown, 'call')
  }
}

/** Tells a person or a program why a command failed; the number is the exit code. */
export function showFailure({ terminal, flags, log }: CommandContext, thrown: unknown, what: string): number {
  const error = toAppError(thrown)
  if (error.cause !== undefined) log.error(`${what} failed`, { code: error.code, cause: error.cause })
  if (terminal.isInteractive && !flags.json) terminal.err(errorText(error, terminal.style.err))
  else terminal.out(`${JSON.stringify(toBody(error))}\n`)
  return 1
}

function unknownOperation(name: string, { operations }: CommandContext['app']): UsageError {
  const names = operations.map((each) => each.name)
  return new UsageError(
    `There is no operation ${name}.${didYouMean(name, names)}\nThe operations are: ${names.join(', ')}.`,
  )
}

function forPerson(operation: AnyOperation, output: object, input: object): string {
  const presented = operation.mcp ? operation.mcp.present?.(output, input) : undefined
  if (!presented) return `${harmless(JSON.stringify(output, null, 2))}\n`
  const texts = presented.parts.flatMap((part) => (part.kind === 'text' || part.kind === 'page' ? [part.text] : []))
  return `${harmless(texts.join('\n\n'))}\n`
}

export function errorText({ code, message, hint, details }: AppError, style: Style): string {
  const lines = [message, ...detailLines(details), ...(hint ? [hint] : [])].map((line) => `${harmless(line)}\n`)
  return `${style('red', `${code}:`)} ${lines.join('')}`
}

const Faults = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))

/** Wrong fields a line each; other details as they are. */
function detailLines(details: unknown): string[] {
  const { data } = Faults.safeParse(details)
  if (data) return data.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  return details === undefined ? [] : [JSON.stringify(details)]
}
