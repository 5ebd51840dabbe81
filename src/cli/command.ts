import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import type { Log } from '../kernel/log.ts'
import type { Terminal } from './terminal-io.ts'
import type { CommandFlags } from './usage/command-flags.ts'

export type CommandContext = {
  words: readonly string[]
  flags: CommandFlags
  /** The settings that the command line gives, by flag without dashes. */
  settings: Readonly<Record<string, string>>
  config: Config
  app: App
  log: Log
  terminal: Terminal
  /** What an MCP client over stdio has said, and heard the answers to, before the program was loaded. */
  heard?: readonly object[] | undefined
  /** Aborts when the program is told to end. */
  signal: AbortSignal
}

/** Runs to its end and answers with the exit code: 0 done, 1 failed, 2 wrongly called. */
export type Command = (context: CommandContext) => Promise<number>

/** The command line was wrong: the message says how it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
