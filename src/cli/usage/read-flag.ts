import { flagOf, flagOptions } from '../../app/read-config.ts'
import { UsageError } from '../command.ts'
import { didYouMean } from '../../util/closest.ts'
import type { CommandName } from './commands.ts'
import { type FlagEntry, type FlagKey, flags } from './flags.ts'

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
/** Every flag, as node:util parseArgs wants them. */
export const options = { ...flagOptions, ...Object.fromEntries(ownFlags) }
const isSwitch = (name: string) => Object.hasOwn(options, name) && options[name]?.type === 'boolean'

/** A flag and its value, both as text. */
export type GivenFlag = { name: string; raw: string; text: string }
export type OptionToken = {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
  /** The word of the command line that it comes from: one dash may begin several flags. */
  word: string
}

/** A switch stands alone, as `--strict=false` or as `--no-strict`; any other flag has a value. */
export function readFlag(token: OptionToken, command: CommandName | undefined): GivenFlag {
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

export type OwnFlag = { key: FlagKey; raw: string; value: string | boolean }

/** A flag that is no setting, with its value. */
export function ownFlag({ name, raw, text }: GivenFlag): OwnFlag | undefined {
  const own = ownFlags.get(name)
  if (!own) return undefined
  const { key, type } = own
  if (type === 'boolean' && !/^(?:true|false|0|1)$/i.test(text))
    throw new UsageError(`${raw} takes true or false, but got: ${text}`)
  if (text === '') throw new UsageError(`${raw} needs a value.`)
  return { key, raw, value: type === 'boolean' ? /^(?:true|1)$/i.test(text) : text }
}
