import { compileFunction } from 'node:vm'
import { valueAliases } from './field-aliases.ts'
import { isRecord, parseJson, jsonExcess } from '../../util/json.ts'

/** Normalised name: lower case, without separators. */
export const plainName = (name: string): string => name.replace(/[\s_.-]+/g, '').toLowerCase()

/** Maximum length of a word, number or ref. */
const maxLength = 1000
const withoutS = (name: string) => name.replace(/s$/, '')
const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)

/** The word that is meant; undefined if none matches or several do. */
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

/** Wide enough for numbers that models write; thousands separators and units do not match. */
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

/** Undefined for numbers whose digits were lost in parsing. */
export const textMeant = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined

/** The address of a markdown link, or of a URL in angle brackets or quotes. */
export function urlMeant(text: string): string | undefined {
  const [, inLink, inBrackets] =
    /^\s*(?:\[[^\]]*\]\(\s*<?([^\s<>]+)>?\s*\)|[<"'`]([^\s<>"'`]+)[>"'`])\s*$/.exec(text) ?? []
  return inLink ?? inBrackets
}

/** Accepts `@e13`, `[e13]` and `[ref=e13]`, including at the end of a snapshot line. */
export function refMeant(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const alone = /^\s*(?:@|ref\s*[=:]\s*|\[\s*(?:ref\s*=\s*)?)["']?(e\d{1,9})["']?\s*\]?\s*$/i.exec(text)?.[1]
  return alone?.toLowerCase() ?? /\[ref=(e\d{1,9})\]\s*:?\s*$/.exec(text)?.[1]
}

const absent: ReadonlySet<string> = new Set(['', 'null', 'none', 'undefined'])
/** True for values that mean "absent", if the field is optional and cannot hold them. */
export const isAbsent = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= maxLength && absent.has(value.trim().toLowerCase())

/** Parses a list or object written as JSON in a string, up to the body size limit. */
export function jsonIn(text: string): unknown[] | Record<string, unknown> | undefined {
  const trimmed = text.trim()
  if (!/^(?:\{[^]*\}|\[[^]*\])$/.test(trimmed)) return undefined
  if (jsonExcess(Buffer.from(trimmed)) !== undefined) return undefined
  const value = parseJson(trimmed)
  return Array.isArray(value) || isRecord(value) ? value : undefined
}

/** Maximum length of a list in one string, in characters. */
export const maxListLength = 10_000

/** Parses a list of quoted words in Python syntax. */
export function quotedList(text: string): string[] | undefined {
  if (text.length > maxListLength || !/^\s*\[\s*'[^'"\\]*'(?:\s*,\s*'[^'"\\]*')*\s*,?\s*\]\s*$/.test(text))
    return undefined
  return [...text.matchAll(/'([^']*)'/g)].map(([, item = '']) => item)
}

export const commaParts = (text: string): string[] => nonEmpty(text.split(/[,\n]/))
const nonEmpty = (parts: readonly string[]) => parts.map((part) => part.trim()).filter((part) => part !== '')

const absolute = /^https?:\/\//i
const hostLike = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/

/** Splits URLs at commas or white space; undefined if a comma may be part of a URL. */
export function urlParts(text: string): string[] | undefined {
  const parts = nonEmpty(text.split(/,\s*(?=https?:\/\/)|\s*,\s+|\s+/i))
  const isApart = (part: string) => absolute.test(part) || hostLike.test(part)
  if (parts.length > 1) return parts.every(isApart) ? parts : undefined
  const hosts = nonEmpty(text.split(','))
  if (hosts.length === 1) return hosts
  if (hosts.every((host) => hostLike.test(host) && !host.includes('/'))) return hosts
  return absolute.test(text.trim()) ? [text.trim()] : undefined
}

/**
 * Splits patterns; undefined if a comma may be part of a pattern. Patterns contain no spaces, and commas only in
 * brackets.
 */
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

/** Code in runnable form: without its markdown fence, and called if it is only a function. */
export function codeMeant(text: string, language: string | undefined): CodeRead {
  const fenced = outOfFence(text)
  const code = fenced?.code ?? text
  const labelled = fenced && language === undefined ? wordMeant(fenced.label, languages) : undefined
  const called = (language ?? labelled ?? 'node') === 'node' ? calledFunction(code) : undefined
  return {
    code: called ?? code,
    ...(labelled !== undefined && labelled !== 'node' && { language: labelled }),
    notes: [...(fenced ? ['what is in its fence'] : []), ...(called === undefined ? [] : ['a function to call'])],
  }
}

/** Undefined if there is not exactly one fence. */
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

/** A call of the function that the code consists of; undefined for any other code. */
function calledFunction(code: string): string | undefined {
  const found = head.exec(code.trimStart())
  if (!found) return undefined
  const expression = code.trim().replace(/;+$/, '')
  if (!isExpression(expression)) return undefined
  const names = (found.groups?.['of'] ?? found.groups?.['arrow'] ?? found.groups?.['one'] ?? '').trim()
  const passed = argumentsFor(names)
  return passed === undefined ? undefined : `await (${expression}\n)(${passed})`
}

/** Compiles the text in both kinds of brackets, so `1); f(` does not match. Never runs it. */
function isExpression(text: string): boolean {
  try {
    compileFunction(`return [async () => (${text}\n), async () => [${text}\n]]`)
    return true
  } catch {
    return false
  }
}

/** Arguments for a function of browser code, by its parameter names; undefined if unknown. */
function argumentsFor(names: string): string | undefined {
  if (names === '') return ''
  if (/^\{[\s\w,]*\}$/.test(names)) return '{ page, context, browser }'
  const each = names.split(',').map((name) => name.trim())
  if (each.every((name) => ['page', 'context', 'browser'].includes(name))) return each.join(', ')
  // A single parameter of any name is the page.
  return each.length === 1 && /^[\w$]+$/.test(names) ? 'page' : undefined
}
