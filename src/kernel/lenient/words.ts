import { valueAliases } from './aliases.ts'

/** A name without regard to case and to how its words are parted. */
export const plainName = (name: string): string => name.replace(/[\s_.-]+/g, '').toLowerCase()

/** Of what can be a word, a number or a ref. */
const maxLength = 1000
const withoutS = (name: string) => name.replace(/s$/, '')
const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)

/** The one of these words that is meant; undefined where it is none, or may be two. */
export function wordMeant(text: string, words: readonly string[]): string | undefined {
  if (text.length > maxLength) return undefined
  const plain = plainName(text)
  const isAlias = (word: string) =>
    Object.hasOwn(valueAliases, word) && valueAliases[word]?.some((alias) => plainName(alias) === plain)
  return (
    only(words.filter((word) => plainName(word) === plain)) ??
    only(words.filter(isAlias)) ??
    only(words.filter((word) => withoutS(plainName(word)) === withoutS(plain)))
  )
}

/** Wide enough for what models write, narrow enough that thousands separators and units are no number. */
const decimal = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i

export function numberMeant(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > maxLength || !decimal.test(value.trim())) return undefined
  return Number(value.trim())
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
])

export const flagMeant = (value: unknown): boolean | undefined =>
  (typeof value === 'string' && value.length <= maxLength) || typeof value === 'number'
    ? flags.get(String(value).trim().toLowerCase())
    : undefined

/** Digits that were lost when the number was read cannot be had back. */
export const textMeant = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined

/** `@e13` and `[ref=e13]`, also at the end of a line of a snapshot. */
export function refMeant(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const alone = /^\s*(?:@|ref\s*[=:]\s*|\[\s*ref\s*=\s*)["']?(e\d{1,9})["']?\s*\]?\s*$/i.exec(text)?.[1]
  return alone?.toLowerCase() ?? /\[ref=(e\d{1,9})\]\s*:?\s*$/.exec(text)?.[1]
}

const absent: ReadonlySet<string> = new Set(['', 'null', 'none', 'undefined'])
/** What stands for nothing where the field may be left out and cannot hold it. */
export const isAbsent = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= maxLength && absent.has(value.trim().toLowerCase())
