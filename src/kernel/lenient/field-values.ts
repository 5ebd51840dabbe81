import { compileFunction } from 'node:vm'
import { valueAliases } from './field-aliases.ts'
import { isRecord, parseJson, jsonExcess } from '../../util/json.ts'

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

/** A list or an object written as JSON within a text, if it is no more than a body may hold. */
export function jsonIn(text: string): unknown[] | Record<string, unknown> | undefined {
  const trimmed = text.trim()
  if (!/^(?:\{[^]*\}|\[[^]*\])$/.test(trimmed)) return undefined
  if (jsonExcess(Buffer.from(trimmed)) !== undefined) return undefined
  const value = parseJson(trimmed)
  return Array.isArray(value) || isRecord(value) ? value : undefined
}

/** Of a list in one text, in characters. */
export const maxListLength = 10_000

/** A list of quoted words as Python writes it. */
export function quotedList(text: string): string[] | undefined {
  if (text.length > maxListLength || !/^\s*\[\s*'[^'"\\]*'(?:\s*,\s*'[^'"\\]*')*\s*,?\s*\]\s*$/.test(text))
    return undefined
  return [...text.matchAll(/'([^']*)'/g)].map(([, item = '']) => item)
}

export const commaParts = (text: string): string[] => nonEmpty(text.split(/[,\n]/))
const nonEmpty = (parts: readonly string[]) => parts.map((part) => part.trim()).filter((part) => part !== '')

const absolute = /^https?:\/\//i
const hostLike = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/

/** One address, or several parted by commas or white space; undefined where a comma may belong to an address. */
export function urlParts(text: string): string[] | undefined {
  const parts = nonEmpty(text.split(/,\s*(?=https?:\/\/)|\s*,\s+|\s+/i))
  const isApart = (part: string) => absolute.test(part) || hostLike.test(part)
  if (parts.length > 1) return parts.every(isApart) ? parts : undefined
  const hosts = nonEmpty(text.split(','))
  if (hosts.length === 1) return hosts
  if (hosts.every((host) => hostLike.test(host) && !host.includes('/'))) return hosts
  return absolute.test(text.trim()) ? [text.trim()] : undefined
}

/** One pattern, or several; undefined where a comma may belong to a pattern. A pattern holds no space, and commas of its own in brackets. */
export function patternParts(text: string): string[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.replace(/\\.|\{[^{}]*\}|\[[^[\]]*\]|\([^()]*\)/g, '').includes(',')) return [trimmed]
  const parts = nonEmpty(trimmed.split(/,|\n/))
  const isOnesOwn = (part: string) => /^\^?\\?\//.test(part) && balanced(part)
  return parts.every(isOnesOwn) || (/,\s/.test(trimmed) && parts.every(balanced)) ? parts : undefined
}

const balanced = (part: string) =>
  [...'{[('].every((open, at) => part.split(open).length === part.split('}])'[at]!).length)

export type CodeRead = { code: string; language?: string; notes: readonly string[] }

const languages = ['node', 'python', 'bash']

/** Code as it is meant to run: out of its fence, and called where it is nothing but a function. */
export function codeMeant(text: string, language: string | undefined): CodeRead {
  const fenced = outOfFence(text)
  const code = fenced?.code ?? text
  const told = fenced && language === undefined ? wordMeant(fenced.label, languages) : undefined
  const called = (language ?? told ?? 'node') === 'node' ? calledFunction(code) : undefined
  return {
    code: called ?? code,
    ...(told !== undefined && told !== 'node' && { language: told }),
    notes: [...(fenced ? ['what is in its fence'] : []), ...(called === undefined ? [] : ['a function to call'])],
  }
}

/** Undefined where there is no fence, or more than one. */
function outOfFence(text: string): { code: string; label: string } | undefined {
  const trimmed = text.trim()
  const [, mark, label = ''] = /^(`{3,}|~{3,})[ \t]*([\w.+-]*)/.exec(trimmed) ?? []
  const from = trimmed.indexOf('\n')
  if (mark === undefined || from < 0 || !trimmed.endsWith(mark)) return undefined
  const inner = trimmed.slice(from + 1, -mark.length)
  return inner.includes(mark) ? undefined : { code: inner.trimEnd(), label }
}

const head =
  /^\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*\((?<of>[^()]*)\)\s*\{|(?:\((?<arrow>[^()]*)\)|(?<one>[A-Za-z_$][\w$]*))\s*=>)/

/** A call of the function that the code consists of; undefined where it is anything else. */
function calledFunction(code: string): string | undefined {
  const found = head.exec(code.trimStart())
  if (!found) return undefined
  const expression = code.trim().replace(/;+$/, '')
  if (!isExpression(expression)) return undefined
  const names = (found.groups?.['of'] ?? found.groups?.['arrow'] ?? found.groups?.['one'] ?? '').trim()
  const passed = argumentsFor(names)
  return passed === undefined ? undefined : `await (${expression}\n)(${passed})`
}

/** In both kinds of brackets, so that `1); f(` is none. It is compiled, never run. */
function isExpression(text: string): boolean {
  try {
    compileFunction(`return [async () => (${text}\n), async () => [${text}\n]]`)
    return true
  } catch {
    return false
  }
}

/** What functions of browser code are handed, by the names of their parameters; undefined where that is not known. */
function argumentsFor(names: string): string | undefined {
  if (names === '') return ''
  if (/^\{[\s\w,]*\}$/.test(names)) return '{ page, context, browser }'
  const each = names.split(',').map((name) => name.trim())
  if (each.every((name) => ['page', 'context', 'browser'].includes(name))) return each.join(', ')
  // By whatever name, a single one is the page.
  return each.length === 1 && /^[\w$]+$/.test(names) ? 'page' : undefined
}
