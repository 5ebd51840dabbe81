import { z } from 'zod'
import { createApp } from './app/app.ts'
import type { Config } from './app/config.ts'
import { configFaults, readConfig } from './app/read-config.ts'
import type { CommandContext } from './cli/command.ts'
import { commands } from './cli/load-command.ts'
import { harmless, processTerminal, type Style } from './cli/terminal-io.ts'
import { type CommandLine, readCommandLine } from './cli/usage/read-command-line.ts'
import { AppError } from './kernel/error.ts'
import { createLog, type Log } from './kernel/log.ts'
import { version } from './version.ts'

/** Maximum duration of a graceful shutdown. */
const closeGraceMs = 8000
/** Time until the process exits regardless of open work: containers are killed after ten seconds. */
const forcedEndMs = 9000

/** `replayed` contains the messages of an MCP client over stdio that have been answered already. */
export function main(replayed?: readonly object[]): void {
  // Keeps the process alive: otherwise it would end with code 0 while it waits for work that does not keep it alive.
  setInterval(() => {}, 2 ** 30)
  // oxlint-disable-next-line node/no-process-env -- the one place where the environment is read
  void run(process.argv.slice(2), process.env, replayed).then((code) =>
    process.exit(Math.max(code, Number(process.exitCode ?? 0))),
  )
}

async function run(argv: string[], env: NodeJS.ProcessEnv, replayed?: readonly object[]): Promise<number> {
  const { err, out, style } = processTerminal
  const signal = endSignal()
  try {
    if (argv[0] === 'complete') return await complete(argv.slice(1))
    const line = readCommandLine(argv)
    if (line.kind === 'version') out(`${version}\n`)
    else if (line.kind === 'help') out((await import('./cli/help.ts')).helpText(line.topic, style.out))
    else if (line.command === 'completion') out((await import('./cli/completion.ts')).completionScript(line.words[0]))
    else return await runCommand(line.command, line, readConfig(line.settings, env), { replayed, signal })
    await written(process.stdout)
    return 0
  } catch (thrown) {
    err(`${faultText(thrown)}\n`)
    return thrown instanceof AppError ? 1 : 2
  }
}

/** Refuses nothing in a line that is still being typed. */
async function complete(typed: readonly string[]): Promise<number> {
  processTerminal.out((await import('./cli/completion.ts')).completions(typed))
  await written(process.stdout)
  return 0
}

async function runCommand(
  name: keyof typeof commands,
  { words, flags, settings }: CommandLine,
  config: Config,
  { replayed, signal }: Pick<CommandContext, 'replayed' | 'signal'>,
): Promise<number> {
  const log = createLog(config.logLevel, logWriter())
  const telemetry = name === 'serve' ? await openTelemetry(log) : undefined
  const made = createApp(config, log, { callers: name === 'serve' ? 'over HTTP' : 'own user', telemetry })
  if (config.remoteUrl === undefined) telemetry?.watchWorkload(async () => (await made.store()).workload())
  // A command may need the app closed before it ends.
  let closing: Promise<void> | undefined
  const app = { ...made, close: () => (closing ??= made.close().finally(() => telemetry?.close())) }
  try {
    const command = await commands[name]()
    return await command({ words, flags, settings, config, app, log, terminal: processTerminal, replayed, signal })
  } finally {
    await withinGrace(app.close())
    await (signal.aborted ? withinGrace(written(process.stdout)) : written(process.stdout))
  }
}

async function openTelemetry(log: Log) {
  const { openTelemetry: open } = await import('./app/telemetry/open-telemetry.ts')
  // oxlint-disable-next-line node/no-process-env -- these variables belong to OpenTelemetry, not to our settings
  return open(process.env, log)
}

const Entry = z.looseObject({ time: z.string(), level: z.string(), event: z.string() })
const ErrorFacts = z.looseObject({ name: z.string(), message: z.string() })
const colours: Record<string, Parameters<Style>[0]> = { error: 'red', warn: 'yellow', info: 'green', debug: 'gray' }

/** Converts structured log lines to readable text. */
export const readableLog =
  ({ write, style, columns }: { write(text: string): void; style: Style; columns(): number }) =>
  (line: string): void => {
    const { time, level, event, ...facts } = Entry.parse(JSON.parse(line))
    const clock = new Date(time).toTimeString().slice(0, 8)
    const texts = Object.entries(facts).map(([name, value]) => `${name}: ${textOf(value)}`)
    const text = harmless(`${event}${texts.length > 0 ? ` (${texts.join(', ')})` : ''}`).replace(/\s+/g, ' ')
    const length = `${clock} ${level} ${text}`.length
    // Part of a progress bar may remain in the line.
    const blanks = ' '.repeat(Math.max(0, columns() - 1 - length))
    write(`${style('dim', clock)} ${style(colours[level] ?? 'gray', level)} ${text}${blanks}\n`)
  }

/** The messages of an error and its causes: the stack is for the structured log. */
function textOf(value: unknown): string {
  const { data: error } = ErrorFacts.safeParse(value)
  if (error) return `${error.message}${error['cause'] === undefined ? '' : ` ← ${textOf(error['cause'])}`}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Prints lines to a terminal and JSON to a program. */
function logWriter(): (line: string) => void {
  const { stderr } = process
  const { err, style } = processTerminal
  if (!stderr.isTTY) return err
  // The line may contain a message about a running call.
  const write = (text: string) => err(`\r\u001B[K${text}`)
  return readableLog({ write, style: style.err, columns: () => stderr.columns || 80 })
}

async function withinGrace(ending: Promise<void>): Promise<void> {
  const grace = Promise.withResolvers<void>()
  setTimeout(grace.resolve, closeGraceMs).unref()
  await Promise.race([ending, grace.promise])
}

/** Waits until a slow reader of a pipe has taken everything or has gone, because exiting would drop the rest. */
const written = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => void stream.write('', () => resolve()))

/** Aborts on the first termination signal, or when stdout is closed; a second signal exits immediately. */
function endSignal(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (ending.signal.aborted) process.exit(130)
      ending.abort()
      setTimeout(() => process.exit(130), forcedEndMs).unref()
    })
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A closed pipe is normal; any other error means that output was lost.
    if (code !== 'EPIPE') process.exitCode = 1
    ending.abort()
  })
  process.stderr.on('error', () => {})
  return ending.signal
}

function faultText(thrown: unknown): string {
  if (thrown instanceof z.ZodError)
    return ['Some settings are not valid:', ...configFaults(thrown).map((fault) => `  ${fault}`)].join('\n')
  if (thrown instanceof AppError)
    return `${processTerminal.style.err('red', `${thrown.code}:`)} ${thrown.message}${thrown.hint ? `\n${thrown.hint}` : ''}`
  return thrown instanceof Error ? thrown.message : String(thrown)
}
