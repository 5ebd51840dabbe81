import type { Value } from './db.ts'

/** The text of a column, '' where it is null. */
export function text(value: Value | undefined): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return value === null || value === undefined ? '' : String(value)
}

export const nullableText = (value: Value | undefined): string | null => (value === null ? null : text(value))
export const nullableNumber = (value: Value | undefined): number | null => (value === null ? null : Number(value))
export const bytes = (value: Value | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(Buffer.from(text(value)))

/** The text of a column that holds one of some words. Fails where it holds another: only a newer program writes that. */
export function oneOf<T extends string>(words: readonly T[], value: Value | undefined): T {
  const held = text(value)
  const known = words.find((word) => word === held)
  if (known === undefined) throw new Error(`A column holds an unknown word: ${held}.`)
  return known
}

/** The JSON object or list of a column. */
export function jsonObject(value: Value | undefined): object {
  const parsed: unknown = JSON.parse(text(value))
  if (typeof parsed !== 'object' || parsed === null) throw new Error('A JSON column holds no object.')
  return parsed
}

export const nullableJson = (value: Value | undefined): object | null => (value === null ? null : jsonObject(value))
export const jsonTexts = (value: Value | undefined): string[] => Object.values(jsonObject(value)).map(String)
export const jsonRecord = (value: Value | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonObject(value)).map(([name, each]) => [name, String(each)]))
