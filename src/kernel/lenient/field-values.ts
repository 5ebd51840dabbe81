import { compileFunction } from 'node:vm'
import { plainName, valueAliases, withoutS } from './field-names.ts'
import type { Node, Place } from './schema-node.ts'
import { isRecord, jsonExcess, ownValue, parseJson } from '../../util/json.ts'

/** Maximum length of a word, number or ref. */
const maxLength = 1000
const single = <T>(matches: readonly T[]): T | undefined => (matches.length === 1 ? matches[0] : undefined)

/** Returns the word that the text stands for; undefined if no word matches, or several do. */
function readWord(text: string, words: readonly string[]): string | undefined {
  if (text.length > maxLength) return undefined
  const plain = plainName(text)
  const isAlias = (word: string) =>
    Object.hasOwn(valueAliases, word) && valueAliases[word]?.some((alias) => plainName(alias) === plain)
  return (
    single(words.filter((word) => plainName(word) === plain)) ??
    single(words.filter(isAlias)) ??
    single(words.filter((word) => withoutS(plainName(word)) === withoutS(plain)))
  )
}

/** Numbers as models write them, without thousands separators and units. */
const decimal = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i

function readNumber(value: unknown): number | undefined {
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

export const readFlag = (value: unknown): boolean | undefined =>
  (typeof value === 'string' && value.length <= maxLength) || typeof value === 'number'
    ? flags.get(String(value).trim().toLowerCase())
    : undefined

/** Returns a number as text; undefined if it is so large that parsing may have changed its digits. */
const readText = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined

/** Returns the URL of a markdown link, or a URL that is in angle brackets or quotes. */
function readUrl(text: string): string | undefined {
  const [, inLink, inBrackets] =
    /^\s*(?:\[[^\]]*\]\(\s*<?([^\s<>]+)>?\s*\)|[<"'`]([^\s<>"'`]+)[>"'`])\s*$/.exec(text) ?? []
  return inLink ?? inBrackets
}

/** Returns the ref in `@e13`, `[e13]` or `[ref=e13]`, or at the end of a line of a snapshot. */
function readRef(text: string): string | undefined {
  if (text.length > maxLength) return undefined
  const alone = /^\s*(?:@|ref\s*[=:]\s*|\[\s*(?:ref\s*=\s*)?)["']?(e\d{1,9})["']?\s*\]?\s*$/i.exec(text)?.[1]
  return alone?.toLowerCase() ?? /\[ref=(e\d{1,9})\]\s*:?\s*$/.exec(text)?.[1]
}

/** Reads a text, word, number or switch. Returns the value unchanged if it is valid, or if its meaning is unclear. */
export function readScalar(node: Node, value: unknown, place: Place): unknown {
  const { path, report } = place
  const { shape } = node
  const inside = shape.kind === 'text' && typeof value === 'string' ? quotedIn(node, value, place) : undefined
  if (inside !== undefined) return reported(inside.text, () => report(path, inside.kind))
  if (isPlain(node, value) || node.accepts(value)) return value
  if (Array.isArray(value)) return onlyItem(node, value, place)
  if (shape.kind === 'number') return changed(value, readNumber(value), () => report(path, 'a number'))
  if (shape.kind === 'word') return oneWord(shape.words, value, place)
  if (shape.kind === 'text') return textIn(node, value, place)
  const flag = readFlag(value)
  return changed(value, flag, () => report(path, String(flag)))
}

/** Fields that may name an element of a snapshot by its ref. */
export const refFields: readonly string[] = ['target', 'to', 'scope']

/** Returns the ref or URL in a text that has the notation of a snapshot or of markdown. */
function quotedIn(node: Node, text: string, { path, context }: Place): { text: string; kind: string } | undefined {
  const ref = refFields.includes(context) ? readRef(text) : undefined
  if (ref !== undefined) return ref === text ? undefined : { text: ref, kind: 'a ref' }
  const url = isUrlField(path) ? readUrl(text) : undefined
  return url !== undefined && node.accepts(url) ? { text: url, kind: 'the address of a link' } : undefined
}

function onlyItem(node: Node, list: readonly unknown[], place: Place): unknown {
  if (list.length !== 1 || Array.isArray(list[0])) return list
  const only = readScalar(node, list[0], { ...place, report: () => {} })
  return node.accepts(only) ? reported(only, () => place.report(place.path, 'one value')) : list
}

function oneWord(words: readonly string[], value: unknown, { path, report }: Place): unknown {
  const word = typeof value === 'string' ? readWord(value, words) : undefined
  return changed(value, word, () => report(path, word ?? ''))
}

/** True if the value has the type of the schema and no other reading, even if it is invalid. */
export function isPlain({ shape }: Node, value: unknown): boolean {
  if (shape.kind === 'text') return typeof value === 'string' && !/^\s|\s$/.test(value)
  if (shape.kind === 'word') return typeof value === 'string' && shape.words.includes(value)
  return typeof value === (shape.kind === 'flag' ? 'boolean' : 'number')
}

const isUrlField = (path: Place['path']) => /urls?$/i.test(String(path.findLast((key) => typeof key === 'string')))

function textIn(node: Node, value: unknown, { path, report }: Place): unknown {
  if (typeof value === 'string')
    return node.accepts(value.trim()) ? reported(value.trim(), () => report(path, 'it is without spaces')) : value
  // A number is never a URL, although 5 could stand for the host 0.0.0.5.
  const text = isUrlField(path) ? undefined : readText(value)
  return text !== undefined && node.accepts(text) ? reported(text, () => report(path, 'a text')) : value
}

function changed(value: unknown, meant: unknown, report: () => void): unknown {
  return meant === undefined ? value : reported(meant, report)
}

export function reported<T>(value: T, report: () => void): T {
  report()
  return value
}

const absent: ReadonlySet<string> = new Set(['', 'null', 'none', 'undefined'])
/** True for values that mean "absent", if the field is optional and cannot hold them. */
export const isAbsent = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= maxLength && absent.has(value.trim().toLowerCase())

/** Parses a list or object written as JSON in a string, within the limits of `jsonExcess`. */
export function jsonIn(text: string): unknown[] | Record<string, unknown> | undefined {
  const trimmed = text.trim()
  if (!/^(?:\{[^]*\}|\[[^]*\])$/.test(trimmed)) return undefined
  if (jsonExcess(Buffer.from(trimmed)) !== undefined) return undefined
  const value = parseJson(trimmed)
  return Array.isArray(value) || isRecord(value) ? value : undefined
}

/** Maximum length of a list in one string, in characters. */
const maxListLength = 10_000

/** Syntax of lists written in one string. Other lists are split at commas only if no item can contain one. */
const listSyntax: Readonly<Record<string, 'urls' | 'patterns' | 'whole'>> = {
  urls: 'urls',
  includePaths: 'patterns',
  excludePaths: 'patterns',
  includeTags: 'whole',
  excludeTags: 'whole',
}

/** Parses a list of words in single quotes, as Python writes it. */
function quotedList(text: string): string[] | undefined {
  if (text.length > maxListLength || !/^\s*\[\s*'[^'"\\]*'(?:\s*,\s*'[^'"\\]*')*\s*,?\s*\]\s*$/.test(text))
    return undefined
  return [...text.matchAll(/'([^']*)'/g)].map(([, item = '']) => item)
}

const nonEmpty = (parts: readonly string[]) => parts.map((part) => part.trim()).filter((part) => part !== '')

const absolute = /^https?:\/\//i
const hostLike = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/

/** Splits URLs at commas or white space; undefined if a comma may be part of a URL. */
function urlParts(text: string): string[] | undefined {
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
function patternParts(text: string): string[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.replace(/\\.|\{[^{}]*\}|\[[^[\]]*\]|\([^()]*\)/g, '').includes(',')) return [trimmed]
  const parts = nonEmpty(trimmed.split(/,|\n/))
  const isPath = (part: string) => /^\^?\\?\//.test(part) && isBalanced(part)
  return parts.every(isPath) || (/,\s/.test(trimmed) && parts.every(isBalanced)) ? parts : undefined
}

const isBalanced = (part: string) =>
  [...'{[('].every((open, at) => part.split(open).length === part.split('}])'[at]!).length)

/**
 * Returns the lists that a text may stand for: none if it is too long or a separator may be part of an item, and two if
 * it may be one item or several.
 */
export function listsIn(text: string, field: string): readonly (readonly unknown[])[] {
  const inside = jsonIn(text) ?? quotedList(text)
  if (inside !== undefined) return [Array.isArray(inside) ? inside : [inside]]
  if (text.length > maxListLength) return []
  const syntax = ownValue(listSyntax, field)
  if (syntax === 'whole') return [[text]]
  if (syntax !== undefined) {
    const parts = syntax === 'urls' ? urlParts(text) : patternParts(text)
    return parts ? [parts] : []
  }
  const parts = nonEmpty(text.split(/[,\n]/))
  return parts.length < 2 ? [[text]] : [[text], parts]
}

export type CodeRead = { code: string; language?: string; notes: readonly string[] }

const languages = ['node', 'python', 'bash']

/** Returns code in runnable form: without its markdown fence, and as a call if it consists of a function. */
export function readCode(text: string, language: string | undefined): CodeRead {
  const fenced = outOfFence(text)
  const code = fenced?.code ?? text
  const labelled = fenced && language === undefined ? readWord(fenced.label, languages) : undefined
  const called = (language ?? labelled ?? 'node') === 'node' ? calledFunction(code) : undefined
  return {
    code: called ?? code,
    ...(labelled !== undefined && labelled !== 'node' && { language: labelled }),
    notes: [...(fenced ? ['the content of its fence'] : []), ...(called === undefined ? [] : ['a function to call'])],
  }
}

/** Returns the code of a fence and its language label; undefined if the text is not exactly one fence. */
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

/** Returns a call of the function that the code consists of; undefined for any other code. */
function calledFunction(code: string): string | undefined {
  const found = head.exec(code.trimStart())
  if (!found) return undefined
  const expression = code.trim().replace(/;+$/, '')
  if (!isExpression(expression)) return undefined
  const names = (found.groups?.['of'] ?? found.groups?.['arrow'] ?? found.groups?.['one'] ?? '').trim()
  const passed = argumentsFor(names)
  return passed === undefined ? undefined : `await (${expression}\n)(${passed})`
}

/** Compiles the text, in both kinds of brackets so that `1); f(` is not accepted, but never runs it. */
function isExpression(text: string): boolean {
  try {
    compileFunction(`return [async () => (${text}\n), async () => [${text}\n]]`)
    return true
  } catch {
    return false
  }
}

/** Returns the arguments for a function of browser code, by its parameter names; undefined if a name is unknown. */
function argumentsFor(names: string): string | undefined {
  if (names === '') return ''
  if (/^\{[\s\w,]*\}$/.test(names)) return '{ page, context, browser }'
  const each = names.split(',').map((name) => name.trim())
  if (each.every((name) => ['page', 'context', 'browser'].includes(name))) return each.join(', ')
  // A single parameter of any name is the page.
  return each.length === 1 && /^[\w$]+$/.test(names) ? 'page' : undefined
}
