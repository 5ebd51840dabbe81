import { flagOf } from '../../app/read-config.ts'
import { UsageError, type CommandContext } from '../command.ts'
import { type CommandName, commandOf } from './command-table.ts'
import { type Form, type FlagEntry, type FlagKey, flags } from './command-flags.ts'
import { parseJsonObject } from '../../util/json.ts'
import type { Store } from '../../engine/store/store.ts'

/** Returns the store; fails if it is in memory, because its data would end with the command. */
export async function storeOnDisk({ app }: CommandContext, what: string): Promise<Store> {
  const store = await app.store()
  await store.ready()
  if (store.describe().kind === 'memory')
    throw new UsageError(`${what} need a data folder, but none is usable. "gossamer doctor" shows why.`)
  return store
}

/** Parses a JSON object of the command line. Fails with UsageError. */
export function objectIn(text: string, example: object): Record<string, unknown> {
  const value = parseJsonObject(text)
  if (value) return value
  throw new UsageError(`Expected a JSON object such as ${JSON.stringify(example)}, but got: ${text}`)
}

/** Joins words to a phrase, which needs no shell quotes, and parses the options after it. */
export function phraseIn(words: readonly string[], example: object) {
  const last = words.at(-1) ?? ''
  const hasOptions = words.length > 1 && last.startsWith('{')
  const text = (hasOptions ? words.slice(0, -1) : words).join(' ').trim()
  return { text, options: objectIn(hasOptions ? last : '{}', example) }
}

/** Parses the number of `--limit`. */
export function limitIn(text: string, most = 999_999_999): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`--limit takes a whole number from 1 to ${most}, but got: ${text}`)
}

const msOfUnit: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses the time of a flag such as `--older-than`, in ms. */
export function ageMsIn(flag: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? []
  const ms = msOfUnit[unit]
  if (ms === undefined) throw new UsageError(`${flag} takes a number and m, h, d or w, such as 30d.`)
  return Number(count) * ms
}

/** Returns a flag with its placeholder, such as `--out PATH`. */
export function flagText(key: FlagKey): string {
  const { value }: FlagEntry = flags[key]
  return value === undefined ? flagOf(key) : `${flagOf(key)} ${value}`
}

/** Returns the parts of a call in their order: `gossamer`, `keys`, `add`, `NAME`, `[--team TEAM]`. */
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

/** Returns the forms of a command, or only those with the given verb. */
function formsOf(name: CommandName, verb?: string): readonly Form[] {
  const { forms } = commandOf(name)
  const named = forms.filter((form) => form.verb === verb)
  return verb !== undefined && named.length > 0 ? named : forms
}

/** Formats the usage of a command. */
export function usageText(name: CommandName, verb?: string): string {
  return `usage: ${formsOf(name, verb)
    .map((form) => partsOf(name, form).join(' '))
    .join('\n       ')}`
}

export const usageError = (name: CommandName, verb?: string) => new UsageError(usageText(name, verb))
