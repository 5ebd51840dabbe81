import { flagOf } from '../../app/read-config.ts'
import { UsageError } from '../command.ts'
import { type CommandName, commandOf } from './commands.ts'
import type { Form } from './entry.ts'
import { type FlagEntry, type FlagKey, flags } from './flags.ts'

/** `--out DIR` */
export function flagText(key: FlagKey): string {
  const { value }: FlagEntry = flags[key]
  return value === undefined ? flagOf(key) : `${flagOf(key)} ${value}`
}

/** The parts of a call in the order in which they are typed: `gossamer`, `keys`, `add`, `NAME`, `[--team TEAM]`. */
export function partsOf(name: CommandName, { verb, words = [], flags: own = [], needs = [] }: Form): string[] {
  const optional = own.filter((key) => !needs.includes(key))
  return [
    'gossamer',
    name,
    ...(verb === undefined ? [] : [verb]),
    ...words,
    ...needs.map(flagText),
    ...optional.map((key) => `[${flagText(key)}]`),
  ]
}

/** The forms of a command; of those with verbs the one that is named, if it is. */
function formsOf(name: CommandName, verb?: string): readonly Form[] {
  const { forms } = commandOf(name)
  const named = forms.filter((form) => form.verb === verb)
  return verb !== undefined && named.length > 0 ? named : forms
}

/** How the command is called. */
export function usageText(name: CommandName, verb?: string): string {
  return `usage: ${formsOf(name, verb)
    .map((form) => partsOf(name, form).join(' '))
    .join('\n       ')}`
}

export const usageError = (name: CommandName, verb?: string) => new UsageError(usageText(name, verb))

/** How many words a form takes after the command and its verb. */
export function countOf({ words = [] }: Form): { least: number; most: number } {
  return {
    least: words.filter((word) => !word.startsWith('[')).length,
    most: words.some((word) => word.includes('…')) ? Infinity : words.length,
  }
}
