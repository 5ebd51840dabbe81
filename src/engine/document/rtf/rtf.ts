import type { Converted, Source } from '../converter.ts'
import { metadataFrom } from '../xml/metadata.ts'
import { refuse } from '../zip/refuse.ts'
import { change, flush, newReader, paragraphOf, type Reader } from './state.ts'
import { type RtfToken, rtfTokens } from './tokens.ts'
import { applyWord } from './words.ts'

/** Reads a Rich Text Format file (RTF 1.9.1). */
export function readRtf({ bytes }: Source): Converted {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  if (!/^(?:\u00EF\u00BB\u00BF)?\s*\{\\rtf/.test(start)) refuse('The file is no RTF document.')
  const { html, facts } = readRtfContent(bytes)
  // Some writers add who saved the file last as one more author.
  const author = facts.find(([name]) => name === 'dc:creator')
  return { html, metadata: metadataFrom(facts.filter((fact) => fact[0] !== 'dc:creator' || fact === author)) }
}

export type RtfContent = { html: string; facts: readonly (readonly [name: string, text: string])[] }

/** Deeper groups are read as if they were not there. */
const maxDepth = 1000

/** Reads RTF 1.9.1 in one pass. What a group sets ends with the group. */
function readRtfContent(bytes: Uint8Array): RtfContent {
  const reader = newReader()
  const main = reader.state.builder
  for (const token of rtfTokens(bytes)) step(reader, token)
  flush(reader)
  while (reader.stack.length > 0) close(reader)
  return { html: main.html(paragraphOf(reader)) + reader.notes.html(), facts: reader.facts }
}

function step(reader: Reader, token: RtfToken): void {
  if (token.kind === 'text') return addBytes(reader, token.bytes)
  flush(reader)
  if (token.kind === 'word' && reader.skip > 0 && token.name !== 'u') return void reader.skip--
  reader.skip = 0
  if (token.kind === 'word') return applyWord(reader, token.name, token.value)
  reader.isStarred = false
  if (token.kind === 'open') open(reader)
  else close(reader)
}

function addBytes(reader: Reader, bytes: Uint8Array): void {
  const from = Math.min(reader.skip, bytes.length)
  reader.skip -= from
  reader.isStarred = false
  for (const byte of bytes.subarray(from)) reader.pending.push(byte)
}

function open(reader: Reader): void {
  if (reader.stack.length < maxDepth) reader.stack.push(reader.state)
  else reader.tooDeep++
}

function close(reader: Reader): void {
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

function addTime(reader: Reader, fact: string): void {
  const { yr = 0, mo = 1, dy = 1, hr = 0, min = 0 } = reader.time
  reader.time = {}
  const time = new Date(Date.UTC(yr, mo - 1, dy, hr, min))
  if (yr >= 1900 && yr < 10_000) reader.facts.push([fact, time.toISOString()])
}
