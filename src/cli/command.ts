import type { App } from '../app/app.ts'
import type { Config } from '../app/config.ts'
import type { Log } from '../kernel/log.ts'
import { harmless, type Terminal } from './terminal-io.ts'
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
  replayed?: readonly object[] | undefined
  /** Aborts when the program receives a signal to stop. */
  signal: AbortSignal
}

/** Runs a command and returns the exit code: 0 done, 1 failed, 2 usage error. */
export type Command = (context: CommandContext) => Promise<number>

/** True if the output is text for a person, false if it is JSON for a program. */
export const isForPerson = ({ terminal, flags }: Pick<CommandContext, 'terminal' | 'flags'>): boolean =>
  terminal.isInteractive && !flags.json

/** Prints facts: `lines` for a person, JSON for a program. Returns the exit code of success. */
export function answer(context: CommandContext, facts: unknown, lines: readonly string[]): number {
  const shown = isForPerson(context) ? lines : [harmless(JSON.stringify(facts))]
  for (const line of shown) context.terminal.out(`${line}\n`)
  return 0
}

/** A usage error; the message shows the correct usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
