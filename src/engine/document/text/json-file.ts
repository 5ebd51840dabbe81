import type { Converter } from '../converter.ts'
import { fenced, textOf } from './plain.ts'

/** Longer texts keep their lines, because indenting adds half of their length. */
const maxIndentedChars = 1_000_000

/** Indents JSON written on one line; its numbers and strings stay as written. */
export const readJson: Converter = (source) => {
  const text = textOf(source).trim()
  const isMinified = !text.includes('\n') && text.length < maxIndentedChars
  return { markdown: fenced((isMinified && indented(text)) || text, 'json') }
}

export const readNdjson: Converter = (source) => ({ markdown: fenced(textOf(source).trim(), 'json') })

const maxDepth = 100
const indent = '  '

/**
 * Indents JSON like JSON.stringify(value, null, 2), working on the text, so no number loses a digit. Undefined for
 * invalid or too deeply nested JSON.
 */
function indented(json: string): string | undefined {
  if (!isJson(json)) return undefined
  const written: string[] = []
  let depth = 0
  let before = ''
  for (const token of tokens(json)) {
    if (token === '}' || token === ']') depth--
    if (depth >= maxDepth) return undefined
    if (needsLine(before, token)) written.push('\n', indent.repeat(depth))
    written.push(token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth++
    before = token
  }
  return written.join('')
}

function needsLine(before: string, token: string): boolean {
  if (before === ',') return true
  if (before === '{') return token !== '}'
  if (before === '[') return token !== ']'
  return token === '}' || token === ']'
}

function* tokens(json: string): Generator<string> {
  let at = 0
  while (at < json.length) {
    const end = json[at] === '"' ? endOfString(json, at) : endOfPlain(json, at)
    const token = json.slice(at, end)
    if (token.trim() !== '') yield token
    at = end
  }
}

function endOfPlain(json: string, start: number): number {
  const pattern = /[{}[\],:]|[^\s{}[\],:"]+|\s+/y
  pattern.lastIndex = start
  return pattern.test(json) ? pattern.lastIndex : start + 1
}

function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1)
  return at === -1 ? json.length : at + 1
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
