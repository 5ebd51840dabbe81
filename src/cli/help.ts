import { flagOf, settingKeys, envNameOf, isSwitch } from '../app/read-config.ts'
import { UsageError } from './command.ts'
import type { Style } from './terminal-io.ts'
import { didYouMean } from '../util/words.ts'
import { commandNames, isCommand, commandOf, type CommandName } from './usage/command-table.ts'
import { version } from '../version.ts'
import { everywhere, flags, type FlagEntry, type FlagKey, type Form } from './usage/command-flags.ts'
import { flagText, partsOf } from './usage/syntax.ts'
import { settings } from '../app/config.ts'

/** Width of the text: at most 80 columns, because longer lines are hard to read. */
const width = Math.min(80, process.stdout.columns || 80)

/** Breaks text into lines of at most `room` columns; a longer word gets its own line. */
function wrapped(text: string, room = width): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Formats names and descriptions as two columns. */
function columns(rows: readonly (readonly [name: string, about: string])[], style: Style, indent = 2): string[] {
  const named = Math.max(...rows.map(([name]) => name.length))
  const left = indent + named + 2
  return rows.flatMap(([name, about]) =>
    wrapped(about, width - left).map((line, at) =>
      at === 0
        ? `${' '.repeat(indent)}${style('bold', name)}${' '.repeat(named - name.length + 2)}${line}`.trimEnd()
        : `${' '.repeat(left)}${line}`,
    ),
  )
}

const section = (title: string, lines: readonly string[], style: Style): string[] =>
  lines.length === 0 ? [] : ['', style(['bold', 'underline'], title), ...lines]

type Key = keyof typeof settings

/** `gossamer help settings`: all settings, one line each. */
function settingsPage(style: Style): string {
  const longest = Math.max(...settingKeys.map((key) => flagOf(key).length))
  const room = width - longest - 4
  return [
    'Settings: each is a flag of every command, and a variable: --data-dir is',
    'GOSSAMER_DATA_DIR. The flag wins. "gossamer help data-dir" describes one.',
    '',
    ...columns(
      settingKeys.map((key) => [flagOf(key), cut(aboutOf(key), room)]),
      style,
    ),
    '',
  ].join('\n')
}

const cut = (text: string, room: number) => (text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`)

/** Returns the description of a setting without backticks, which terminals do not render. */
const aboutOf = (key: Key) => (settings[key].description ?? '').replaceAll('`', '')

/** Finds a setting by its key, flag or variable. */
const settingNamed = (word: string): Key | undefined =>
  settingKeys.find((key) => [key, flagOf(key), flagOf(key).slice(2), envNameOf(key)].includes(word))

/** `gossamer help data-dir`: one setting in detail. */
function settingPage(key: Key, style: Style): string {
  const value = defaultText(key)
  const use = isSwitch(key) ? `${flagOf(key)}, --no-${flagOf(key).slice(2)}` : `${flagOf(key)} VALUE`
  return [
    ...wrapped(aboutOf(key)),
    ...section('Flag', [`  ${use}`], style),
    ...section('Variable', [`  ${envNameOf(key)}=${isSwitch(key) ? 'true' : 'VALUE'}`], style),
    ...section('Default', [`  ${value === '' ? 'not set' : value}`], style),
    '',
  ].join('\n')
}

/** Returns the default of a setting as text; empty without a default. */
export function defaultText(key: Key): string {
  if (key === 'dataDir') return "the platform's folder for application data, such as ~/.local/share/gossamer"
  const { data } = settings[key].safeParse(undefined)
  return data === undefined ? '' : String(data)
}

/** Returns the flag of a setting, and its description up to the first semicolon or full stop. */
export const settingRow = (key: Key): [flag: string, about: string] => [
  flagOf(key),
  `${/^.*?(?=; |\. |\.$)/.exec(aboutOf(key))?.[0]}.`,
]

/** `gossamer help COMMAND`: usage of a command, on one screen. */
function commandPage(name: CommandName, style: Style): string {
  const { about, forms, notes, examples, settings: used = [] } = commandOf(name)
  const own = [...new Set(forms.flatMap((form) => form.flags ?? []))]
  const rows = own.map((key) => flagRow(key, flags[key]))
  return [
    ...wrapped(`${name}: ${about}`).map((line, at) => (at === 0 ? line.replace(name, style('bold', name)) : line)),
    ...section('Usage', usage(name, forms, style), style),
    ...(notes === undefined ? [] : ['', ...wrapped(notes)]),
    ...section('Flags', rows.length === 0 ? [] : columns(rows, style), style),
    ...section('Settings', used.length === 0 ? [] : columns(used.map(settingRow), style), style),
    ...section('Examples', examples.flatMap(exampleLines), style),
    '',
    `Every command also takes ${everywhere.map(flagOf).join(', ')} and the settings.`,
    '',
  ].join('\n')
}

/** Formats the forms of a command: with descriptions beside them if all are short, otherwise below. */
function usage(name: CommandName, forms: readonly Form[], style: Style): string[] {
  const calls = forms.map((form, nth) => {
    const isLikeBefore = form.flags !== undefined && forms.slice(0, nth).some((other) => other.flags === form.flags)
    const parts = isLikeBefore ? [...partsOf(name, { ...form, flags: [] }), '[same flags]'] : partsOf(name, form)
    return { call: parts.join(' '), about: form.about ?? '' }
  })
  const longest = Math.max(...calls.map(({ call }) => call.length))
  if (longest <= width / 2)
    return columns(
      calls.map(({ call, about }) => [call, about]),
      style,
    )
  return calls.flatMap(({ call, about }) => [
    ...wrapped(call, width - 6).map((line, at) => `${' '.repeat(at === 0 ? 2 : 6)}${style('bold', line)}`),
    ...(about === '' ? [] : [`      ${about}`]),
  ])
}

function flagRow(key: FlagKey, { short, about }: FlagEntry): [string, string] {
  return [short === undefined ? flagText(key) : `-${short}, ${flagText(key)}`, about]
}

const exampleLines = (example: string) =>
  wrapped(example, width - 6).map((line, at) => `  ${at === 0 ? '' : '    '}${line}`)

/** `gossamer --help`: overview of the program, on one screen. */
function overview(style: Style): string {
  const groups = Map.groupBy(commandNames, (name) => commandOf(name).group)
  const longest = Math.max(...commandNames.map((name) => name.length))
  return [
    `${style('bold', 'gossamer')} ${version}: the web for AI agents`,
    'usage: gossamer [COMMAND] [WORDS] [FLAGS]    (stdio, if there is no command)',
    ...[...groups].flatMap(([group, names]) =>
      section(
        group,
        columns(
          names.map((name) => [name.padEnd(longest), commandOf(name).about]),
          style,
        ),
        style,
      ),
    ),
    ...section(
      'Flags of every command',
      columns(
        everywhere.map((key) => flagRow(key, flags[key])),
        style,
      ),
      style,
    ),
    '',
    '"gossamer help COMMAND" explains one, "gossamer help settings" the settings.',
    '',
  ].join('\n')
}

/** `gossamer help [COMMAND | SETTING | settings]` */
export function helpText(topic: string | undefined, style: Style): string {
  if (topic === undefined) return overview(style)
  if (isCommand(topic)) return commandPage(topic, style)
  if (topic === 'settings') return settingsPage(style)
  const setting = settingNamed(topic)
  if (setting !== undefined) return settingPage(setting, style)
  const topics = [...commandNames, 'settings', ...settingKeys.map((key) => flagOf(key).slice(2))]
  throw new UsageError(
    `There is no command ${topic}.${didYouMean(topic, topics)}\n"gossamer --help" lists the commands, "gossamer help settings" the settings.`,
  )
}
