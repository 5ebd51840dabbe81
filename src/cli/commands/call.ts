import { localTeam } from '../../app/app.ts'
import { type AppError, toAppError, toBody } from '../../kernel/error.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Command, type CommandContext, UsageError } from '../command.ts'
import { parseJsonObject } from '../../util/json.ts'

/** `gossamer scrape URL [JSON]` */
export const scrapeCommand: Command = async (context) => {
  const [url, more] = context.words
  if (url === undefined)
    throw new UsageError('usage: gossamer scrape URL [OPTIONS_JSON] [--formats markdown,links] [--json]')
  const formats = context.flags.formats?.split(',').map((format) => format.trim())
  return call(context, 'scrape', { url, ...(formats && { formats }), ...parseObject(more ?? '{}') })
}

/** `gossamer call OPERATION [JSON]` */
export const callCommand: Command = async (context) => {
  const [name, input] = context.words
  if (name === undefined)
    throw new UsageError('usage: gossamer call OPERATION [JSON], such as: gossamer call activity \'{"limit": 5}\'')
  return call(context, name, parseObject(input ?? '{}'))
}

export function parseObject(text: string): object {
  const value = parseJsonObject(text)
  if (!value) throw new UsageError(`Expected a JSON object such as {"limit": 5}, but got: ${text}`)
  return value
}

/** Runs one operation and prints its answer: for a person as text, for a program as JSON. */
export async function call(context: CommandContext, name: string, input: object): Promise<number> {
  const { app, terminal, flags, signal } = context
  const operation = app.operations.find((each) => each.name === name.replaceAll('-', '_'))
  if (!operation)
    throw new UsageError(
      `There is no operation ${name}. The operations are: ${app.operations.map((each) => each.name).join(', ')}.`,
    )
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
    const error = toAppError(thrown)
    if (error.cause !== undefined) context.log.error('call failed', { code: error.code, cause: error.cause })
    terminal[isForPerson ? 'err' : 'out'](isForPerson ? errorText(error) : `${JSON.stringify(toBody(error))}\n`)
    return 1
  }
}

function forPerson(operation: AnyOperation, output: object, input: object): string {
  const presented = operation.mcp ? operation.mcp.present?.(output, input) : undefined
  if (!presented) return `${harmless(JSON.stringify(output, null, 2))}\n`
  const texts = presented.parts.flatMap((part) => (part.kind === 'text' || part.kind === 'page' ? [part.text] : []))
  return `${harmless(texts.join('\n\n'))}\n`
}

/** A terminal obeys control characters, and a page must not command it: they are shown as U+FFFD. */
export const harmless = (text: string) => text.replace(/\r\n/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '\uFFFD')

export function errorText({ code, message, hint, details }: AppError): string {
  const facts = details === undefined ? [] : [JSON.stringify(details)]
  return [`${code}: ${message}`, ...facts, ...(hint ? [hint] : [])].map((line) => `${harmless(line)}\n`).join('')
}
