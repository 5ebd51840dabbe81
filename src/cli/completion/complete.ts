import { settings } from '../../app/config.ts'
import { choicesOf, flagOf, isSwitch, settingKeys } from '../../app/read-config.ts'
import { operations } from '../../operations/index.ts'
import { tools } from '../../toolset/index.ts'
import { settingRow } from '../help/setting-page.ts'
import { commandNames, commandOf, isCommand } from '../usage/commands.ts'
import { everywhere, type FlagEntry, type FlagKey, flags } from '../usage/flags.ts'

type Offer = { word: string; about: string }
/** `values`: those of the next word; empty if it may be anything, undefined if the flag takes none. */
type FlagOffer = Offer & { values?: readonly string[] }

/** `gossamer complete WORDS`: what may stand in place of the last word, one a line, each with what it is after a tab. Shells ask for it. */
export function completions(typed: readonly string[]): string {
  // bash parts --flag=value into three words.
  const isParted = typed.at(-1) === '=' || typed.at(-2) === '='
  const words = typed
    .join('\0')
    .replaceAll(/\0=(?:\0|$)/g, '=')
    .split('\0')
  const last = words.pop() ?? ''
  const offers = offersFor(words, last, isParted)
  const begun = isParted ? last.slice(last.indexOf('=') + 1) : last
  return offers.flatMap(({ word, about }) => (word.startsWith(begun) ? `${word}\t${about}\n` : [])).join('')
}

function offersFor(words: readonly string[], last: string, isParted: boolean): Offer[] {
  const valued = new Map(flagsOf(commandNames).flatMap(({ word, values }) => (values ? [[word, values]] : [])))
  const [, own] = /^(--[^=]+)=/.exec(last) ?? []
  const flag = own ?? words.at(-1) ?? ''
  const prefix = own === undefined || isParted ? '' : `${own}=`
  if (own !== undefined || valued.has(flag))
    return (valued.get(flag) ?? []).map((value) => ({ word: `${prefix}${value}`, about: '' }))
  const [command, ...more] = words.filter((word, at) => !word.startsWith('-') && !valued.has(words[at - 1] ?? ''))
  if (last.startsWith('-')) return flagsOf(command !== undefined && isCommand(command) ? [command] : [])
  return more.length > 0 ? [] : wordsAfter(command)
}

const commandOffers = (): Offer[] => commandNames.map((name) => ({ word: name, about: commandOf(name).about }))

function wordsAfter(command: string | undefined): Offer[] {
  if (command === undefined) return commandOffers()
  if (command === 'call')
    return [
      ...new Map([...tools, ...operations].map(({ name, title }) => [name, { word: name, about: title }])).values(),
    ]
  if (command === 'help') {
    const topics = ['settings', ...settingKeys.map((key) => flagOf(key).slice(2))]
    return [...commandOffers(), ...topics.map((word) => ({ word, about: 'Settings' }))]
  }
  if (!isCommand(command)) return []
  return commandOf(command).forms.flatMap(({ verb, about = '' }) => (verb ? [{ word: verb, about }] : []))
}

/** Flags of these commands, and those of every command. */
function flagsOf(names: readonly (typeof commandNames)[number][]): FlagOffer[] {
  const own = names.flatMap((name) => commandOf(name).forms.flatMap((form) => form.flags ?? []))
  return [...[...new Set([...own, ...everywhere])].map(ownFlag), ...settingKeys.map(settingFlag)]
}

function ownFlag(key: FlagKey): FlagOffer {
  const { about, value }: FlagEntry = flags[key]
  return { word: flagOf(key), about, ...(value !== undefined && { values: [] }) }
}

/** A switch that is on is only ever turned off. */
function settingFlag(key: keyof typeof settings): FlagOffer {
  const [word, about] = settingRow(key)
  if (!isSwitch(key)) return { word, about, values: choicesOf(key) }
  return { word: settings[key].safeParse(undefined).data === true ? `--no-${word.slice(2)}` : word, about }
}
