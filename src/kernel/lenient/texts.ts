import { jsonExcess } from '../../util/json/amount.ts'
import { isRecord, parseJson } from '../../util/json.ts'

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
