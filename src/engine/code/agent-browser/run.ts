import type { Context } from '../playwright/context.ts'
import type { Page } from '../playwright/page.ts'
import { CommandError, type CommandFile, type CommandState, parseArguments } from './arguments.ts'
import { commands } from './commands.ts'

const help = `Commands: ${Object.keys(commands).join(' ')}`

/** Runs one agent-browser command (https://github.com/vercel-labs/agent-browser); returns its output and exit code. Never rejects because the command failed. */
export async function runCommand(
  context: Context,
  state: CommandState,
  given: readonly string[],
): Promise<{ text: string; exitCode: number; file?: CommandFile }> {
  const parsed = parseArguments(given)
  try {
    const [name = '', ...words] = parsed.words
    if (name === '' || name === 'help') return { text: `${help}\n`, exitCode: name === '' ? 1 : 0 }
    if (!Object.hasOwn(commands, name)) throw new CommandError(`Unknown command: ${name}. ${help}`)
    const page = await currentPage(context, state)
    const said = await commands[name]!({ ...parsed, words, page, context, state })
    const { text, file, data } =
      typeof said === 'string' ? { text: said } : { file: undefined, data: undefined, ...said }
    const shown = parsed.options.has('json') ? JSON.stringify({ success: true, data: data ?? text }) : text
    return { text: ended(shown), exitCode: 0, ...(file && { file }) }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const text = parsed.options.has('json') ? JSON.stringify({ success: false, error: message }) : `✗ ${message}`
    return { text: ended(text), exitCode: 1 }
  }
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

async function currentPage(context: Context, state: CommandState): Promise<Page> {
  return context.pageOf(state.pageId) ?? context.pages().at(-1) ?? (await context.newPage())
}
