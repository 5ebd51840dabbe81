import { parseJsonObject } from '../../util/json.ts'
import { UsageError } from '../command.ts'

/** A JSON object typed on the command line. */
export function objectIn(text: string, example: object): Record<string, unknown> {
  const value = parseJsonObject(text)
  if (value) return value
  throw new UsageError(`Expected a JSON object such as ${JSON.stringify(example)}, but got: ${text}`)
}

/** The number of `--limit`. */
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

/** The time that a flag such as `--older-than` names, ms. */
export function ageMsIn(flag: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? []
  const ms = msOfUnit[unit]
  if (ms === undefined) throw new UsageError(`${flag} takes a number and m, h, d or w, such as 30d.`)
  return Number(count) * ms
}
