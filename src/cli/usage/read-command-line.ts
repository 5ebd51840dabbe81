import { parseArgs } from 'node:util'
import { flagOptions } from '../../app/read-config.ts'
import { type CommandName, isCommand } from './commands.ts'
import type { CommandFlags } from './flags.ts'
import { type GivenFlag, options, ownFlag, readFlag } from './read-flag.ts'
import { checkWords, unknownCommand } from './words.ts'

export type CommandLine = {
  command: Exclude<CommandName, 'help'>
  words: readonly string[]
  flags: CommandFlags
  /** By flag without dashes, as text. */
  settings: Readonly<Record<string, string>>
}
export type Asked =
  | { asksFor: 'version' }
  | { asksFor: 'help'; topic: string | undefined }
  | ({ asksFor: 'run' } & CommandLine)

/** What a command line asks for. Fails with UsageError at the first word that it does not know. */
export function readCommandLine(argv: readonly string[]): Asked {
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true })
  const typed = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const [name = 'stdio', ...words] = typed
  const asks = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  if (asks.includes('help')) return { asksFor: 'help', topic: typed[0] === 'help' ? typed[1] : typed[0] }
  if (asks.includes('version')) return { asksFor: 'version' }
  const command = isCommand(name) ? name : undefined
  if (command === undefined && tokens[0]?.kind === 'positional') throw unknownCommand(name)
  // An unknown flag before the command has no value, so that what was meant as one looks like the command.
  const given = tokens.flatMap((token) =>
    token.kind === 'option' ? [readFlag({ ...token, word: argv[token.index] ?? '' }, command)] : [],
  )
  if (command === undefined) throw unknownCommand(name)
  return sorted(command, words, given)
}

function sorted(command: CommandName, words: readonly string[], given: readonly GivenFlag[]): Asked {
  const own = given.flatMap((flag) => ownFlag(flag) ?? [])
  checkWords(command, words, own)
  if (command === 'help') return { asksFor: 'help', topic: words[0] }
  const settings = given.filter(({ name }) => Object.hasOwn(flagOptions, name))
  return {
    asksFor: 'run',
    command,
    words,
    flags: Object.fromEntries(own.map(({ key, value }) => [key, value])) as CommandFlags,
    settings: Object.fromEntries(settings.map(({ name, text }) => [name, text])),
  }
}
