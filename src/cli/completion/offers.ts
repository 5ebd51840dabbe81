import { settings } from '../../app/config.ts'
import { choicesOf, flagOf, isSwitch, settingKeys } from '../../app/read-config.ts'
import { settingRow } from '../help/setting-page.ts'
import { operations, tools } from '../../operations/index.ts'
import { commandNames, commandOf } from '../usage/commands.ts'
import { everywhere, type FlagEntry, type FlagKey, flags } from '../usage/flags.ts'

export type Offer = { word: string; about: string }
export type FlagOffer = Offer & { value: 'none' | 'any' | readonly string[] }

/** What a shell can offer, in its own words. */
export type Offers = {
  commands: readonly Offer[]
  /** For the word after a command. */
  words: ReadonlyMap<string, readonly Offer[]>
  /** Flags that only this command takes. */
  flags: ReadonlyMap<string, readonly FlagOffer[]>
  /** Flags of every command. */
  everywhere: readonly FlagOffer[]
}

/** Each name once: most tools are an operation by themselves. */
const callable = [...operations, ...tools.filter(({ name }) => operations.every((each) => each.name !== name))]

export function offers(): Offers {
  const commandOffers = commandNames.map((name) => ({ word: name, about: commandOf(name).about }))
  const topics = ['settings', ...settingKeys.map((key) => flagOf(key).slice(2))].map((word) => ({
    word,
    about: 'Settings',
  }))
  const verbs = commandNames.map(
    (name) =>
      [name, commandOf(name).forms.flatMap(({ verb, about = '' }) => (verb ? [{ word: verb, about }] : []))] as const,
  )
  return {
    commands: commandOffers,
    words: new Map<string, readonly Offer[]>([
      ...verbs.filter(([, words]) => words.length > 0),
      ['call', callable.map(({ name, title }) => ({ word: name, about: title }))],
      ['help', [...commandOffers, ...topics]],
    ]),
    flags: new Map(
      commandNames.map((name) => [
        name,
        [...new Set(commandOf(name).forms.flatMap((form) => form.flags ?? []))].map(ownFlag),
      ]),
    ),
    everywhere: [...everywhere.map(ownFlag), ...settingKeys.flatMap(settingFlags)],
  }
}

function ownFlag(key: FlagKey): FlagOffer {
  const { about, value }: FlagEntry = flags[key]
  return { word: flagOf(key), about, value: value === undefined ? 'none' : 'any' }
}

/** A switch that is on is only ever turned off. */
function settingFlags(key: keyof typeof settings): FlagOffer[] {
  const [word, about] = settingRow(key)
  if (isSwitch(key))
    return [
      { word: settings[key].safeParse(undefined).data === true ? `--no-${word.slice(2)}` : word, about, value: 'none' },
    ]
  const choices = choicesOf(key)
  return [{ word, about, value: choices.length > 0 ? choices : 'any' }]
}

/** Flags whose next word is theirs. */
export const valuedFlags = ({ flags: own, everywhere: common }: Offers): FlagOffer[] =>
  [...new Map([...own.values(), common].flat().map((offer) => [offer.word, offer])).values()].filter(
    ({ value }) => value !== 'none',
  )
