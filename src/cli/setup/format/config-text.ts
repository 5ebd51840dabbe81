import { isDeepStrictEqual } from 'node:util'

/** The text of a config file that cannot be used as it is. Lines and columns count from 1. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly line: number
  readonly column: number
  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** A kind of config file, edited as text so that all else stays as its owner wrote it. */
export type ConfigText = {
  /** Its values. Throws ConfigFault for a text that the client could not read either. */
  read(text: string): Record<string, unknown>
  /** The text with a value at `[key, name]`. */
  put(text: string, place: Place, value: object): string
  /** The text without it. */
  remove(text: string, place: Place): string
}
export type Place = { key: string; name: string }

export const newlineOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n')

export function positionAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** Whether two objects hold the same values, whatever made them. */
export const isSame = (one: object, other: object) => isDeepStrictEqual(structuredClone(one), structuredClone(other))
