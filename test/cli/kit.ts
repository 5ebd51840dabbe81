import type { App } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/read-config.ts'
import type { Command, CommandContext } from '../../src/cli/command.ts'
import { plain, type Style, type Terminal } from '../../src/cli/terminal-io.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { operations, tools } from '../../src/operations/index.ts'
import { fakeCtx } from '../helpers/fakes.ts'

export const silentLog = createLog('silent', () => {})

/** A terminal that records its output. */
export function fakeTerminal({
  isInteractive = false,
  style = plain,
}: { isInteractive?: boolean; style?: Style } = {}) {
  const written = { out: '', err: '' }
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    isInteractive,
    style: { out: style, err: style },
  }
  return { terminal, written }
}

type Run = Partial<Omit<CommandContext, 'words' | 'app'>> & { isInteractive?: boolean; app?: unknown }

/** Runs a command like the program, with the given settings, app and terminal. Returns its output. */
export async function runCommand(
  command: Command,
  words: readonly string[],
  { isInteractive = false, app = {}, ...context }: Run = {},
) {
  const { terminal, written } = fakeTerminal({ isInteractive })
  const code = await command({
    words,
    flags: { json: false },
    settings: {},
    config: readConfig({}, {}),
    app: app as App,
    log: silentLog,
    terminal,
    signal: AbortSignal.timeout(20_000),
    ...context,
  })
  return { code, ...written }
}

/** An app with the real operations, whose calls all return this answer. */
export const answeringApp = (invoke: (operation: AnyOperation, input: object) => Promise<unknown>) => ({
  operations,
  tools,
  newCtx: () => fakeCtx(),
  invoke,
})
