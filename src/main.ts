import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type App, createApp } from './app/app.ts'
import type { Config } from './app/config.ts'
import { configFaults, flagOptions, readConfig } from './app/read-config.ts'
import { type Command, type CommandFlags, UsageError } from './cli/command.ts'
import { processTerminal } from './cli/terminal.ts'
import { AppError } from './kernel/error.ts'
import { createLog } from './kernel/log.ts'
import { version } from './version.ts'

/** Loaded when asked for: the server over stdio must not pay for the others. */
const commands: Record<string, () => Promise<Command>> = {
  stdio: async () => (await import('./cli/commands/stdio.ts')).stdioCommand,
  serve: async () => (await import('./cli/commands/serve.ts')).serveCommand,
  scrape: async () => (await import('./cli/commands/call.ts')).scrapeCommand,
  call: async () => (await import('./cli/commands/call.ts')).callCommand,
  search: async () => (await import('./cli/commands/search.ts')).searchCommand,
  crawl: async () => (await import('./cli/commands/crawl.ts')).crawlCommand,
  tools: async () => (await import('./cli/commands/tools.ts')).toolsCommand,
  keys: async () => (await import('./cli/commands/keys.ts')).keysCommand,
  index: async () => (await import('./cli/commands/index-pages.ts')).indexCommand,
  profile: async () => (await import('./cli/commands/profile.ts')).profileCommand,
  browser: async () => (await import('./cli/commands/browser.ts')).browserCommand,
  doctor: async () => (await import('./cli/commands/doctor.ts')).doctorCommand,
}

/** How long open work may take to end once the program is told to. */
const closeGraceMs = 8000
/** When a program that was told to end is ended by force, whatever it waits for: containers are killed after ten seconds. */
const forcedEndMs = 9000

export function main(): void {
  // Much of what is waited for keeps no process alive, and one whose loop empties meanwhile ends with code 0.
  setInterval(() => {}, 2 ** 30)
  // oxlint-disable-next-line node/no-process-env -- the one place where the environment is read
  void run(process.argv.slice(2), process.env).then((code) =>
    process.exit(Math.max(code, Number(process.exitCode ?? 0))),
  )
}

async function run(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { err, out } = processTerminal
  try {
    const { values, positionals } = parsed(argv)
    const { help, version: wantsVersion, ...rest } = values
    const { flags, settings } = sorted(rest)
    const [name = 'stdio', ...words] = positionals
    if (wantsVersion) out(`${version}\n`)
    if (help) out((await import('./cli/commands/help.ts')).helpText())
    if (help || wantsVersion) return 0
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) throw new UsageError(`There is no command ${name}. "gossamer --help" lists the commands.`)
    return await withApp(readConfig(settings, env), async (app, config, signal, log) =>
      (await command())({ words, flags, config, app, log, terminal: processTerminal, signal }),
    )
  } catch (thrown) {
    err(`${faultText(thrown)}\n`)
    return thrown instanceof AppError ? 1 : 2
  }
}

type Values = Record<string, string | boolean | undefined>

function parsed(argv: string[]): { values: Values; positionals: string[] } {
  const own = {
    json: { type: 'boolean' },
    help: { type: 'boolean' },
    version: { type: 'boolean' },
    formats: { type: 'string' },
    team: { type: 'string' },
    out: { type: 'string' },
    warc: { type: 'string' },
    resume: { type: 'boolean' },
    limit: { type: 'string' },
    site: { type: 'string' },
    'older-than': { type: 'string' },
  } as const
  return parseArgs({ args: argv, options: { ...flagOptions, ...own }, allowPositionals: true })
}

/** What the command line says to a command, apart from what it sets. */
function sorted({ json, formats, team, out, warc, resume, limit, site, 'older-than': olderThan, ...settings }: Values) {
  const text = (value: Values[string]) => (typeof value === 'string' ? value : undefined)
  const texts = { formats: text(formats), team: text(team), out: text(out), warc: text(warc), limit: text(limit) }
  const which = { site: text(site), olderThan: text(olderThan) }
  const flags: CommandFlags = { json: json === true, resume: resume === true, ...texts, ...which }
  return { flags, settings }
}

type Work = (app: App, config: Config, signal: AbortSignal, log: ReturnType<typeof createLog>) => Promise<number>

async function withApp(config: Config, work: Work): Promise<number> {
  const log = createLog(config.logLevel, processTerminal.err)
  const made = createApp(config, log)
  // A command may need it closed before its own end.
  let closing: Promise<void> | undefined
  const app = { ...made, close: () => (closing ??= made.close()) }
  const signal = endSignal()
  try {
    return await work(app, config, signal, log)
  } finally {
    await withinGrace(app.close())
    await (signal.aborted ? withinGrace(written(process.stdout)) : written(process.stdout))
  }
}

async function withinGrace(ending: Promise<void>): Promise<void> {
  const grace = Promise.withResolvers<void>()
  setTimeout(grace.resolve, closeGraceMs).unref()
  await Promise.race([ending, grace.promise])
}

/** Exiting drops what a slow reader of a pipe has not taken yet, so the end waits until all is written or nobody reads. */
const written = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => void stream.write('', () => resolve()))

/** Aborts at the first signal to end, or when nobody reads stdout any more; a second signal ends at once. */
function endSignal(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (ending.signal.aborted) process.exit(130)
      ending.abort()
      setTimeout(() => process.exit(130), forcedEndMs).unref()
    })
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that has gone has read what it wanted; anything else lost the output.
    if (code !== 'EPIPE') process.exitCode = 1
    ending.abort()
  })
  process.stderr.on('error', () => {})
  return ending.signal
}

function faultText(thrown: unknown): string {
  if (thrown instanceof z.ZodError)
    return ['Some settings are not valid:', ...configFaults(thrown).map((fault) => `  ${fault}`)].join('\n')
  if (thrown instanceof AppError) return `${thrown.code}: ${thrown.message}${thrown.hint ? `\n${thrown.hint}` : ''}`
  return thrown instanceof Error ? thrown.message : String(thrown)
}
