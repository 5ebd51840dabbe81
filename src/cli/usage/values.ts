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
