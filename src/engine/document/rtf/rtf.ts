import { type Converted, type Source, metadataFrom } from '../converter.ts'
import { refuse } from '../refuse.ts'
import { change, flush, newReader, paragraphOf, type RtfReader } from './rtf-state.ts'
import { applyControlWord } from './control-words.ts'

/** Reads a Rich Text Format file (RTF 1.9.1). */
export function readRtf({ bytes }: Source): Converted {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  if (!/^(?:\u00EF\u00BB\u00BF)?\s*\{\\rtf/.test(start)) refuse('The file is no RTF document.')
  const { html, facts } = readRtfContent(bytes)
  // Some writers add the last editor as another author.
  const author = facts.find(([name]) => name === 'dc:creator')
  return { html, metadata: metadataFrom(facts.filter((fact) => fact[0] !== 'dc:creator' || fact === author)) }
}

type RtfContent = { html: string; facts: readonly (readonly [name: string, text: string])[] }

/** Maximum depth; deeper groups are read as part of their parent. */
const maxDepth = 1000

/** Reads RTF 1.9.1 in one pass. Settings of a group end with the group. */
function readRtfContent(bytes: Uint8Array): RtfContent {
  const reader = newReader()
  const main = reader.state.builder
  for (const token of rtfTokens(bytes)) readToken(reader, token)
  flush(reader)
  while (reader.stack.length > 0) closeGroup(reader)
  return { html: main.html(paragraphOf(reader)) + reader.notes.html(), facts: reader.facts }
}

function readToken(reader: RtfReader, token: RtfToken): void {
  if (token.kind === 'text') return addBytes(reader, token.bytes)
  flush(reader)
  if (token.kind === 'word' && reader.skip > 0 && token.name !== 'u') return void reader.skip--
  reader.skip = 0
  if (token.kind === 'word') return applyControlWord(reader, token.name, token.value)
  reader.isStarred = false
  if (token.kind === 'open') openGroup(reader)
  else closeGroup(reader)
}

function addBytes(reader: RtfReader, bytes: Uint8Array): void {
  const from = Math.min(reader.skip, bytes.length)
  reader.skip -= from
  reader.isStarred = false
  for (const byte of bytes.subarray(from)) reader.pending.push(byte)
}

function openGroup(reader: RtfReader): void {
  if (reader.stack.length < maxDepth) reader.stack.push(reader.state)
  else reader.tooDeep++
}

function closeGroup(reader: RtfReader): void {
  if (reader.tooDeep > 0) return void reader.tooDeep--
  const inner = reader.state
  const outer = reader.stack.pop()
  if (!outer) return
  if (inner.destination === 'table') reader.tables.end()
  if (inner.destination === 'time' && outer.destination !== 'time') addTime(reader, inner.fact)
  const note = inner.builder === outer.builder ? '' : inner.builder.html({ ...paragraphOf(reader), isInTable: false })
  change(reader, outer)
  if (note) outer.builder.add({ html: reader.notes.refer(String(++reader.noteCount), () => note), style: {} })
}

function addTime(reader: RtfReader, fact: string): void {
  const { yr = 0, mo = 1, dy = 1, hr = 0, min = 0 } = reader.time
  reader.time = {}
  const time = new Date(Date.UTC(yr, mo - 1, dy, hr, min))
  // A number of ten digits exceeds the last valid date.
  const isDay = !Number.isNaN(time.getTime())
  if (isDay && yr >= 1900 && yr < 10_000) reader.facts.push([fact, time.toISOString()])
}

type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  /** Bytes of text in the current code page. */
  | { kind: 'text'; bytes: Uint8Array }

const [backslash, open, close, quote, space, minus] = [0x5c, 0x7b, 0x7d, 0x27, 0x20, 0x2d]
const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isBreak = (code: number) => code === 0x0a || code === 0x0d || code === 0
const maxWord = 32
const maxDigits = 10

/**
 * Splits RTF 1.9.1 into groups, control words and text; control symbols are words of one character. Data after \bin is
 * skipped.
 */
function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0
  while (at < bytes.length) {
    const code = bytes[at]!
    if (code === open || code === close) {
      yield { kind: code === open ? 'open' : 'close' }
      at++
    } else if (code === backslash) {
      const { token, next } = controlAt(bytes, at + 1)
      at = next
      if (token.kind === 'word' && token.name === 'bin') at += Math.max(0, token.value ?? 0)
      else yield token
    } else if (isBreak(code)) at++
    else {
      const start = at
      while (at < bytes.length && isText(bytes[at]!)) at++
      yield { kind: 'text', bytes: bytes.subarray(start, at) }
    }
  }
}

const isText = (code: number) => code !== open && code !== close && code !== backslash && !isBreak(code)

function controlAt(bytes: Uint8Array, start: number): { token: RtfToken; next: number } {
  const code = bytes[start] ?? 0
  if (code === quote) {
    const hex = Number.parseInt(latin(bytes.subarray(start + 1, start + 3)), 16)
    return { token: { kind: 'text', bytes: Uint8Array.of(Number.isNaN(hex) ? 0x3f : hex) }, next: start + 3 }
  }
  if (!isLetter(code)) {
    const name = isBreak(code) ? 'par' : String.fromCharCode(code)
    return { token: { kind: 'word', name, value: undefined }, next: start + 1 }
  }
  const end = endOf(bytes, start, maxWord, isLetter)
  const digits = bytes[end] === minus ? end + 1 : end
  const last = endOf(bytes, digits, maxDigits, isDigit)
  const value = last > digits ? Number(latin(bytes.subarray(end, last))) : undefined
  const after = value === undefined ? end : last
  const name = latin(bytes.subarray(start, end))
  return { token: { kind: 'word', name, value }, next: bytes[after] === space ? after + 1 : after }
}

function endOf(bytes: Uint8Array, start: number, most: number, isIn: (code: number) => boolean): number {
  let end = start
  while (end - start < most && isIn(bytes[end] ?? 0)) end++
  return end
}

const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)
