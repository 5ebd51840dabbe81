import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import type { Log } from '../kernel/log.ts'
import type { Terminal } from './terminal-io.ts'
import type { CommandFlags } from './usage/command-flags.ts'

export type CommandContext = {
  words: readonly string[]
  flags: CommandFlags
  /** Settings from the command line, by flag without dashes. */
  settings: Readonly<Record<string, string>>
  config: Config
  app: App
  log: Log
  terminal: Terminal
  /** Messages of an MCP client over stdio that were answered before the program was loaded. */
  heard?: readonly object[] | undefined
  /** Aborts when the program is told to stop. */
  signal: AbortSignal
}

/** Runs to its end and returns the exit code: 0 done, 1 failed, 2 usage error. */
export type Command = (context: CommandContext) => Promise<number>

/** A usage error; the message shows the correct usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
