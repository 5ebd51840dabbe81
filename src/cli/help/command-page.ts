import { flagOf } from '../../app/read-config.ts'
import type { Style } from '../terminal.ts'
import { type CommandName, commandOf } from '../usage/commands.ts'
import type { Form } from '../usage/entry.ts'
import { everywhere, type FlagEntry, type FlagKey, flags } from '../usage/flags.ts'
import { flagText, partsOf } from '../usage/syntax.ts'
import { columns, section, width, wrapped } from './layout.ts'
import { settingRow } from './setting-page.ts'

/** `gossamer help COMMAND`: how a command is called, on one screen. */
export function commandPage(name: CommandName, style: Style): string {
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

/** A form whose line is full says what it does below. */
function usage(name: CommandName, forms: readonly Form[], style: Style): string[] {
  const calls = forms.map((form) => ({ call: partsOf(name, form).join(' '), about: form.about ?? '' }))
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

export function flagRow(key: FlagKey, { short, about }: FlagEntry): [string, string] {
  return [short === undefined ? flagText(key) : `-${short}, ${flagText(key)}`, about]
}

const exampleLines = (example: string) =>
  wrapped(example, width - 6).map((line, at) => `  ${at === 0 ? '' : '    '}${line}`)
