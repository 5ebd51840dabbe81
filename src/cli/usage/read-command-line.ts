import { parseArgs } from 'node:util'
import { flagOptions, flagOf } from '../../app/read-config.ts'
import { type CommandName, isCommand, commandNames, commandOf } from './command-table.ts'
import { type CommandFlags, everywhere, type FlagEntry, type FlagKey, flags, type Form } from './command-flags.ts'
import { UsageError } from '../command.ts'
import { didYouMean } from '../../util/words.ts'
import { operations } from '../../operations/index.ts'
import { usageError, usageText } from './syntax.ts'

/** Creates the error for an unknown command. For the name of an operation it shows the right command. */
function unknownCommand(name: string): UsageError {
  const operation = operations.find((each) => each.name === name.replaceAll('-', '_'))
  if (operation)
    return new UsageError(
      `${name} is an operation: gossamer call ${operation.name} '${JSON.stringify(operation.example)}'`,
    )
  const names = [...commandNames, '--help', '--version']
  return new UsageError(`There is no command ${name}.${didYouMean(name, names)}\n"gossamer --help" lists the commands.`)
}

/** Rejects words and flags that the command does not accept. */
function checkWords(
  name: CommandName,
  words: readonly string[],
  given: readonly { key: FlagKey; raw: string }[],
): void {
  const { forms } = commandOf(name)
  const verbs = forms.flatMap(({ verb }) => verb ?? [])
  const [first] = words
  const verb = first !== undefined && verbs.includes(first) ? first : undefined
  if (verbs.length > 0 && verb === undefined) checkVerb(name, first, verbs)
  const meant = forms.filter((form) => form.verb === verb)
  const rest = words.slice(verb === undefined ? 0 : 1)
  const counts = meant.map(countOf)
  if (rest.length > Math.max(...counts.map(({ most }) => most))) {
    const extra = rest[Math.max(...counts.map(({ most }) => most))]
    throw new UsageError(`Unexpected word: ${extra}\n${usageText(name, verb)}`)
  }
  checkFlags(name, verb, meant, given)
  if (rest.length < Math.min(...counts.map(({ least }) => least))) throw usageError(name, verb)
}

/** Returns the minimum and maximum number of words after the command and its verb. */
function countOf({ words = [] }: Form): { least: number; most: number } {
  return {
    least: words.filter((word) => !word.startsWith('[')).length,
    most: words.some((word) => word.includes('…')) ? Infinity : words.length,
  }
}

function checkVerb(name: CommandName, typed: string | undefined, verbs: readonly string[]): void {
  const standsAlone = commandOf(name).forms.some((form) => form.verb === undefined)
  if (typed === undefined && standsAlone) return
  if (typed === undefined) throw usageError(name)
  throw new UsageError(`gossamer ${name} has no subcommand ${typed}.${didYouMean(typed, verbs)}\n${usageText(name)}`)
}

function checkFlags(
  name: CommandName,
  verb: string | undefined,
  forms: readonly Form[],
  given: readonly { key: FlagKey; raw: string }[],
): void {
  const taken = new Set([...everywhere, ...forms.flatMap((form) => form.flags ?? [])])
  const stray = given.find(({ key }) => !taken.has(key))
  if (!stray) return
  const called = ['gossamer', name, ...(verb === undefined ? [] : [verb])].join(' ')
  throw new UsageError(
    `${called} takes no ${flagOf(stray.key)}; it is a flag of ${takersOf(stray.key).join(', ')}.\n${usageText(name, verb)}`,
  )
}

/** Returns the commands that accept a flag, with their verbs if only some do. */
function takersOf(key: FlagKey): string[] {
  const takers = commandNames.flatMap((name) => {
    const { forms } = commandOf(name)
    const taking = forms.filter((form) => form.flags?.includes(key))
    if (taking.length === forms.length) return [name]
    return taking.map(({ verb }) => (verb === undefined ? name : `${name} ${verb}`))
  })
  return [...new Set(takers)]
}

const ownFlags = new Map(
  Object.entries(flags).map(([key, { value, short }]: [string, FlagEntry]) => [
    flagOf(key).slice(2),
    {
      key: key as FlagKey,
      type: value === undefined ? ('boolean' as const) : ('string' as const),
      ...(short && { short }),
    },
  ]),
)
/** Every flag, in the format of node:util parseArgs. */
const options = { ...flagOptions, ...Object.fromEntries(ownFlags) }
const isSwitch = (name: string) => Object.hasOwn(options, name) && options[name]?.type === 'boolean'

/** A flag and its value, both as text. */
type GivenFlag = { name: string; raw: string; text: string }
type OptionToken = {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
  /** The word that contains it: one dash may start several flags. */
  word: string
}

/** Reads a flag: a switch such as `--strict`, `--strict=false` or `--no-strict`, or a flag with a value. */
function readFlag(token: OptionToken, command: CommandName | undefined): GivenFlag {
  const { name: typed, rawName: raw, value, inlineValue } = token
  const isNegated = !Object.hasOwn(options, typed) && typed.startsWith('no-') && isSwitch(typed.slice('no-'.length))
  const name = isNegated ? typed.slice('no-'.length) : typed
  if (!Object.hasOwn(options, name)) throw unknownFlag(token.word.replace(/=.*/s, ''), command)
  if (isNegated && value !== undefined) throw new UsageError(`${raw} takes no value.`)
  if (isNegated) return { name, raw, text: 'false' }
  if (isSwitch(name)) return { name, raw, text: value ?? 'true' }
  if (value === undefined) throw new UsageError(`${raw} needs a value.`)
  if (!inlineValue && /^-./.test(value))
    throw new UsageError(`${raw} needs a value, but is followed by ${value}. If that is the value: ${raw}=${value}`)
  return { name, raw, text: value }
}

function unknownFlag(word: string, command: CommandName | undefined): UsageError {
  const meant = didYouMean(
    word,
    Object.keys(options).map((name) => `--${name}`),
  )
  const advice =
    meant === '' && !word.startsWith('--')
      ? `Words that begin with a dash come after --, such as: gossamer ${command ?? 'search'} … -- ${word}`
      : `"gossamer help ${command ?? 'COMMAND'}" lists the flags of a command, "gossamer help settings" the settings.`
  return new UsageError(`There is no flag ${word}.${meant}\n${advice}`)
}

/** Returns a flag with its value; undefined if it is a setting. */
function ownFlag({ name, raw, text }: GivenFlag): { key: FlagKey; raw: string; value: string | boolean } | undefined {
  const own = ownFlags.get(name)
  if (!own) return undefined
  const { key, type } = own
  if (type === 'boolean' && !/^(?:true|false|0|1)$/i.test(text))
    throw new UsageError(`${raw} takes true or false, but got: ${text}`)
  if (text === '') throw new UsageError(`${raw} needs a value.`)
  return { key, raw, value: type === 'boolean' ? /^(?:true|1)$/i.test(text) : text }
}

export type CommandLine = {
  command: Exclude<CommandName, 'help'>
  words: readonly string[]
  flags: CommandFlags
  /** Values as text, by flag without dashes. */
  settings: Readonly<Record<string, string>>
}
export type ParsedLine =
  | { kind: 'version' }
  | { kind: 'help'; topic: string | undefined }
  | ({ kind: 'run' } & CommandLine)

/** Parses a command line. Fails with UsageError at the first unknown word. */
export function readCommandLine(argv: readonly string[]): ParsedLine {
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true })
  const typed = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const [name = 'stdio', ...words] = typed
  const flagNames = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  if (flagNames.includes('help')) return { kind: 'help', topic: typed[0] === 'help' ? typed[1] : typed[0] }
  if (flagNames.includes('version')) return { kind: 'version' }
  const command = isCommand(name) ? name : undefined
  if (command === undefined && tokens[0]?.kind === 'positional') throw unknownCommand(name)
  // An unknown flag before the command has no value, so its intended value looks like the command.
  const given = tokens.flatMap((token) =>
    token.kind === 'option' ? [readFlag({ ...token, word: argv[token.index] ?? '' }, command)] : [],
  )
  if (command === undefined) throw unknownCommand(name)
  return sorted(command, words, given)
}

function sorted(command: CommandName, words: readonly string[], given: readonly GivenFlag[]): ParsedLine {
  const own = given.flatMap((flag) => ownFlag(flag) ?? [])
  checkWords(command, words, own)
  if (command === 'help') return { kind: 'help', topic: words[0] }
  const settings = given.filter(({ name }) => Object.hasOwn(flagOptions, name))
  return {
    kind: 'run',
    command,
    words,
    flags: Object.fromEntries(own.map(({ key, value }) => [key, value])) as CommandFlags,
    settings: Object.fromEntries(settings.map(({ name, text }) => [name, text])),
  }
}
