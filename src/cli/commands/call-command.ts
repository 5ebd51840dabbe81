import { open, rm } from 'node:fs/promises'
import { hasAccess, localTeam } from '../../app/app.ts'
import type { StepReporter } from '../../contracts/scrape-step.ts'
import { type AppError, toAppError, toBody } from '../../kernel/error.ts'
import { type Arguments, callingOf, callsFor, firstKnown, type Tool, type ToolCall } from '../../kernel/tool.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { answer, type Command, type CommandContext, isForPerson, UsageError } from '../command.ts'
import { createMessageLine, forOperator, harmless, type Style } from '../terminal-io.ts'
import { faultsIn } from '../../kernel/issues.ts'
import { allOffered } from '../../kernel/offer.ts'
import { didYouMean } from '../../util/words.ts'
import { isRecord } from '../../util/json.ts'
import { objectIn, usageError, phraseIn } from '../usage/syntax.ts'
import type { Config } from '../../app/config.ts'
import { callableOf, callAs, type Input, missing, ownCliLine, type Way, ways } from '../../kernel/written-call.ts'

const longestWaitSeconds = 300

/** `gossamer agent QUESTION [JSON]`; the question needs no shell quotes. */
export const agentCommand: Command = async (context) => {
  const { text: prompt, options } = phraseIn(context.words, { maxPages: 5 })
  if (prompt === '') throw usageError('agent')
  return call(context, 'agent', { prompt, wait: longestWaitSeconds, ...options })
}

/** `gossamer call OPERATION [JSON]` */
export const callCommand: Command = async (context) => {
  const [name, input] = context.words
  if (name === undefined) throw usageError('call')
  const fields = objectIn(input ?? '{}', { limit: 5 })
  return context.flags.as === undefined ? call(context, name, fields) : printAs(context, name, fields)
}

/** Prints the call in another notation, for `--as WAY`. */
async function printAs(context: CommandContext, name: string, input: object): Promise<number> {
  const [first] = chosenOf(context.app, name, input)()
  if (!first) throw unknownName(name, context.app)
  context.terminal.out(`${await writeCall(context, first)}\n`)
  return 0
}

type FileText = { text: string; notes: readonly string[] }

/** Callbacks about a call, in addition to its printed response. */
export type Watch = {
  reportStep?: StepReporter
  ended?(outcome: { output: object } | { error: AppError }): void
  /** Text of a response for files and pipes instead of JSON, and notes for stderr; undefined: JSON. */
  fileText?: (output: object) => FileText | undefined
  /** Path of the file that receives the response instead of stdout. */
  file?: string
}

/** Adds colours to the headings and URLs of a result. */
const coloured = (text: string, style: Style) =>
  text
    .replace(/^#{1,6} .*$/gm, (heading) => style('bold', heading))
    .replace(/https?:\/\/[^\s<>()[\]"]+/g, (url) => style('cyan', url))

/** Runs one operation or tool and prints its response: as text for a person, as JSON for a program. */
export async function call(
  context: CommandContext,
  name: string,
  input: object,
  { reportStep, ended, fileText, file }: Watch = {},
): Promise<number> {
  const { app, terminal, signal } = context
  const chosen = chosenOf(app, name, input)
  const line = createMessageLine(terminal.err)
  const isText = isForPerson(context)
  const progress = isText ? (_done: number, _total: number | undefined, message: string) => line.say(message) : () => {}
  const target = file === undefined ? undefined : await newFile(file, terminal)
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '', progress, reportStep })
  try {
    const { operation, input: sent, output } = await firstKnown(app.invoke, chosen(), ctx).finally(line.clear)
    if (target === undefined && isText) terminal.out(coloured(forPerson(operation, output, sent), terminal.style.out))
    else await writeResponse(terminal, fileText?.(output) ?? { text: `${JSON.stringify(output)}\n`, notes: [] }, target)
    ended?.({ output })
    return 0
  } catch (thrown) {
    await target?.remove()
    // A failure must not be printed as JSON if the output is the text of a page.
    const code = showFailure(context, thrown, 'call', fileText !== undefined || isText)
    ended?.({ error: toAppError(thrown) })
    return code
  }
}

type ResponseFile = Awaited<ReturnType<typeof newFile>>

/** Writes a response to a file or stdout, and its notes to stderr. */
async function writeResponse(
  { out, err }: CommandContext['terminal'],
  { text, notes }: FileText,
  file: ResponseFile | undefined,
): Promise<void> {
  if (file) await file.write(text)
  else out(text)
  for (const note of notes) err(`${harmless(note)}\n`)
}

/** Time limit for work in progress after a signal to stop, in which its last pages are written. */
const graceMs = 1500

/**
 * Creates a function that runs operations by name. Calls in progress when the signal aborts have a short time to
 * finish.
 */
export function callerOf({ app }: CommandContext, signal: AbortSignal) {
  const ending = new AbortController()
  const end = () => void setTimeout(() => ending.abort(), graceMs).unref()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return async <Output>(name: string, input: object): Promise<Output> => {
    const operation = app.operations.find((each) => each.name === name)
    if (!operation) throw new UsageError(`This version has no operation ${name}.`)
    const ctx = app.newCtx({ team: localTeam, signal: ending.signal, baseUrl: '' })
    return (await app.invoke(operation, input, ctx)) as Output
  }
}

/** Creates a file for the response, before the call, so that a wrong path fails early. Fails if the file exists. */
async function newFile(path: string, { err }: CommandContext['terminal']) {
  const file = await open(path, 'wx').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be written: ${cause.code === 'EEXIST' ? 'it exists already' : cause.message}.`)
  })
  return {
    async write(text: string): Promise<void> {
      await file.writeFile(text)
      await file.close()
      err(`Written to ${path}.\n`)
    },
    async remove(): Promise<void> {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

/** Prints a failure as text on stderr or as JSON on stdout; returns the exit code. */
export function showFailure(
  context: CommandContext,
  thrown: unknown,
  what: string,
  isText: boolean = isForPerson(context),
): number {
  const { terminal, log } = context
  const error = toAppError(thrown)
  if (error.code === 'UNKNOWN_ERROR') log.error(`${what} failed`, { code: error.code, cause: error.cause })
  if (isText) terminal.err(errorText(error, context))
  else terminal.out(`${JSON.stringify(toBody(error))}\n`)
  return 1
}

type Offer = Pick<CommandContext['app'], 'operations' | 'tools'>

/**
 * Returns the calls that a name means; each after the first is made only if the one before it does not know the id. A
 * name of both an operation and a tool means the tool if only the tool has one of the arguments, such as `show` of
 * `activity`.
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

/**
 * Formats an error. Hints are adapted to the operator, except those of a remote service, which has another operator.
 */
export function errorText(
  { code, message, hint = '', details }: AppError,
  { terminal, config }: Pick<CommandContext, 'terminal' | 'config'>,
): string {
  const advice = config.remoteUrl === undefined ? forOperator(hint) : hint
  const lines = [message, ...detailLines(details), ...(advice ? [advice] : [])].map((line) => `${harmless(line)}\n`)
  return `${terminal.style.err('red', `${code}:`)} ${lines.join('')}`
}

/** Formats invalid fields or other details, one per line. */
function detailLines(details: unknown): string[] {
  const faults = faultsIn(details)
  if (faults.length > 0) return faults.map(({ path, message }) => `  ${path}: ${message}`)
  if (!isRecord(details)) return details === undefined ? [] : [JSON.stringify(details)]
  return Object.entries(details).map(
    ([key, value]) => `  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}

/**
 * Writes a call in the notation of curl, MCP, the command line, the SDK or the library. Fails with UsageError if it
 * cannot be made in that way.
 */
async function writeCall(
  { app, config, flags, log }: CommandContext,
  { operation, input }: Pick<ToolCall, 'operation' | 'input'>,
): Promise<string> {
  const way = wayOf(flags.as ?? '')
  const callable = callableOf(operation, app.tools)
  // A call that this machine runs itself needs no server.
  if (way === 'cli' && config.remoteUrl === undefined) return ownCliLine(callable, input as Input)
  const hasKey = await needsKey({ app, config }).catch((cause: unknown) => {
    log.warn('the keys could not be read', { cause })
    return true
  })
  const text = callAs(way, callable, input as Input, { origin: originOf(config), hasKey })
  if (text === undefined) throw new UsageError(`--as ${way}: ${missing[way] ?? 'That way has no such call.'}`)
  return text
}

function wayOf(text: string): Way {
  const way = ways.find((each) => each === text)
  if (way) return way
  throw new UsageError(`--as takes ${ways.join(', ')}, but got: ${text}.${didYouMean(text, ways)}`)
}

/** Returns the URL of the remote server, or of the one that `gossamer serve` starts with the same settings. */
function originOf({ remoteUrl, publicUrl, host, port }: Config): string {
  const own = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
  // An apostrophe would end the quoted text around it.
  return (remoteUrl ?? publicUrl ?? own).replace(/\/+$/, '').replaceAll("'", '%27')
}

async function needsKey({ app, config }: Pick<CommandContext, 'app' | 'config'>): Promise<boolean> {
  if (config.remoteUrl !== undefined) return config.remoteKey !== undefined
  if (hasAccess(config)) return true
  const { keys } = await app.store()
  return (await keys.list()).length > 0
}

/** `gossamer tools`: tools offered to agents, and the REST route of each. */
export const toolsCommand: Command = async (context) => {
  const { app, terminal } = context
  const style = terminal.style.out
  const rows = app.operations.map((operation) => {
    const { name, route, title, about } = operation
    return { name, route, title, about, tool: callingOf(app.tools, operation)?.tool ?? null }
  })
  const lineOf = ({ name, route, about, tool }: (typeof rows)[number]) => {
    const note = tool === null ? ' (REST only)' : tool === name ? '' : ` (tool ${tool})`
    return `${style('bold', name)}${note}\n  ${style('dim', route)}\n  ${about}\n`
  }
  return answer(context, rows, rows.map(lineOf))
}
