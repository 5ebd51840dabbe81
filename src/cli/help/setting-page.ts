import { settings } from '../../app/config.ts'
import { envNameOf, flagOf, isSwitch, settingKeys } from '../../app/read-config.ts'
import type { Style } from '../terminal.ts'
import { columns, section, width, wrapped } from './layout.ts'

type Key = keyof typeof settings

/** `gossamer help settings`: all of them, a line each. */
export function settingsPage(style: Style): string {
  const longest = Math.max(...settingKeys.map((key) => flagOf(key).length))
  const room = width - longest - 4
  return [
    'Settings: each is a flag of every command, and a variable: --data-dir is',
    'GOSSAMER_DATA_DIR. The flag wins. "gossamer help data-dir" says all about one.',
    '',
    ...columns(
      settingKeys.map((key) => [flagOf(key), cut(aboutOf(key), room)]),
      style,
    ),
    '',
  ].join('\n')
}

const cut = (text: string, room: number) => (text.length <= room ? text : `${text.slice(0, room - 1).trimEnd()}…`)

/** Terminals know no marks for code. */
const aboutOf = (key: Key) => (settings[key].description ?? '').replaceAll('`', '')

/** The setting that a word names: by key, flag or variable. */
export const settingNamed = (word: string): Key | undefined =>
  settingKeys.find((key) => [key, flagOf(key), flagOf(key).slice(2), envNameOf(key)].includes(word))

/** `gossamer help data-dir`: all about one setting. */
export function settingPage(key: Key, style: Style): string {
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

/** The default as people write it; empty where there is none. */
export function defaultText(key: Key): string {
  if (key === 'dataDir') return "the platform's folder for application data, such as ~/.local/share/gossamer"
  const { data } = settings[key].safeParse(undefined)
  return data === undefined ? '' : String(data)
}

/** What a setting is for, to its first pause. */
export const settingRow = (key: Key): [flag: string, about: string] => [
  flagOf(key),
  `${/^.*?(?=; |\. |\.$)/.exec(aboutOf(key))?.[0]}.`,
]
