import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import type { Log } from '../kernel/log.ts'
import type { Terminal } from './terminal.ts'

/** What the command line said beside the settings. */
export type CommandFlags = {
  json: boolean
  formats?: string | undefined
  team?: string | undefined
  /** Where a crawl is written to. */
  out?: string | undefined
  warc?: string | undefined
  resume?: boolean | undefined
  limit?: string | undefined
  /** A host whose pages are meant. */
  site?: string | undefined
  /** An age, such as 30d. */
  olderThan?: string | undefined
}

export type CommandContext = {
  words: readonly string[]
  flags: CommandFlags
  config: Config
  app: App
  log: Log
  terminal: Terminal
  /** Aborts when the program is told to end. */
  signal: AbortSignal
}

/** Runs to its end and answers with the exit code: 0 done, 1 failed, 2 wrongly called. */
export type Command = (context: CommandContext) => Promise<number>

/** The command line was wrong: the message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
