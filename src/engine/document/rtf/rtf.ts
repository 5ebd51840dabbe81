import { type Converted, metadataFrom, type Source } from '../converter.ts'
import { refuse } from '../refuse.ts'
import {
  change,
  type CharacterFormat,
  emitText,
  flush,
  newReader,
  type ParagraphFormat,
  type RtfReader,
} from './rtf-state.ts'
import { hrefOf, isSilentCode } from '../markup/word-fields.ts'
import { createBuilder, type RtfParagraph } from './rtf-blocks.ts'

/** Reads a Rich Text Format file (RTF 1.9.1). */
export function readRtf({ bytes }: Source): Converted {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  if (!/^(?:\u00EF\u00BB\u00BF)?\s*\{\\rtf/.test(start)) refuse('The file is not an RTF document.')
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

type ControlWordHandler = (reader: RtfReader, value: number | undefined) => void

const isOn = (value: number | undefined) => value !== 0

/** Runs a handler only in text, not in tables, instructions or skipped groups. */
const inText =
  (act: (reader: RtfReader) => void): ControlWordHandler =>
  (reader) =>
    void (reader.state.destination === 'text' && act(reader))

const endParagraph = inText((reader) => reader.state.builder.endParagraph(paragraphOf(reader)))
const lineBreak = inText(({ state }) => state.builder.add({ html: '<br>', style: {} }))

const blank = inText((reader) => emitText(reader, ' '))

const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  65001: 'utf-8',
}

function codePageLabel(page: number): string {
  return codePages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
}

/** Handlers by control word; all other control words are ignored. */
const words = new Map<string, ControlWordHandler>(
  Object.entries<ControlWordHandler>({
    par: endParagraph,
    sect: endParagraph,
    line: lineBreak,
    softline: lineBreak,
    page: lineBreak,
    column: lineBreak,
    emspace: blank,
    enspace: blank,
    qmspace: blank,
    nestrow: lineBreak,
    cell: inText((reader) => reader.state.builder.endCell(paragraphOf(reader))),
    row: inText(({ state }) => state.builder.endRow()),
    trowd: inText(({ state }) => state.builder.startRow()),
    trhdr: ({ state }) => state.builder.rowFact('head'),
    clmrg: ({ state }) => state.builder.rowFact('covered'),
    clvmrg: ({ state }) => state.builder.rowFact('continued'),
    cellx: ({ state }, value) => state.builder.cellEdge(value ?? 0),
    pard: (reader) => change(reader, { paragraph: {} }),
    intbl: (reader) => changeParagraphFormat(reader, { isInTable: true }),
    s: (reader, style) => changeParagraphFormat(reader, { style }),
    outlinelevel: (reader, outline) => changeParagraphFormat(reader, { outline }),
    ilvl: (reader, value) => changeParagraphFormat(reader, { level: value ?? 0 }),
    ls: (reader, value) => changeParagraphFormat(reader, { isListed: value !== 0 }),
    plain: (reader) => change(reader, { look: { href: reader.state.look.href } }),
    b: (reader, value) => changeCharacterFormat(reader, { bold: isOn(value) }),
    i: (reader, value) => changeCharacterFormat(reader, { italic: isOn(value) }),
    strike: (reader, value) => changeCharacterFormat(reader, { strike: isOn(value) }),
    striked: (reader, value) => changeCharacterFormat(reader, { strike: isOn(value) }),
    v: (reader, value) => changeCharacterFormat(reader, { isHidden: isOn(value) }),
    deleted: (reader, value) => changeCharacterFormat(reader, { isHidden: isOn(value) }),
    super: (reader) => changeCharacterFormat(reader, { position: 'sup' }),
    sub: (reader) => changeCharacterFormat(reader, { position: 'sub' }),
    // Raised and lowered by half points.
    up: (reader, value = 6) => changeCharacterFormat(reader, { position: value > 0 ? 'sup' : undefined }),
    dn: (reader, value = 6) => changeCharacterFormat(reader, { position: value > 0 ? 'sub' : undefined }),
    nosupersub: (reader) => changeCharacterFormat(reader, { position: undefined }),
    cs: (reader, value) => changeCharacterFormat(reader, { code: reader.tables.styles.get(`cs${value}`)?.isCode }),
    f: (reader, font) => changeCharacterFormat(reader, { font }),
    deff: (reader, value) => void (reader.usualFont = value),
    ansicpg: (reader, value) => void (reader.usualLabel = codePageLabel(value ?? 1252)),
    mac: (reader) => void (reader.usualLabel = 'macintosh'),
    uc: (reader, value) => change(reader, { unicodeSkip: Math.min(16, Math.max(0, value ?? 1)) }),
    u: (reader, value) => {
      emitText(reader, String.fromCharCode((value ?? 0x3f) & 0xffff))
      reader.skip = reader.state.unicodeSkip
    },
    fonttbl: (reader) => change(reader, { destination: 'table' }),
    stylesheet: (reader) => change(reader, { destination: 'table' }),
    listtext: openMark,
    pntext: openMark,
    pn: (reader) => change(reader, { destination: 'skip' }),
    info: (reader) => change(reader, { destination: 'skip', fact: 'info' }),
    field: (reader) => change(reader, { field: { code: '' } }),
    fldinst: (reader) => change(reader, { destination: 'instruction' }),
    fldrslt: openResult,
    footnote: (reader) => change(reader, { builder: createBuilder(), look: {}, paragraph: {} }),
  }),
)

function changeParagraphFormat(reader: RtfReader, paragraph: ParagraphFormat): void {
  change(reader, { paragraph: { ...reader.state.paragraph, ...paragraph } })
}

/** Returns the format of the paragraph that ends now. */
function paragraphOf({ state, tables }: RtfReader): RtfParagraph {
  const { style, outline, isInTable = false, level, isListed } = state.paragraph
  const named = tables.styles.get(`s${style}`)
  const headingLevel = outline !== undefined && outline <= 8 ? outline + 1 : named?.headingLevel
  return { headingLevel, role: named?.role, isInTable, listLevel: isListed ? (level ?? 0) : undefined }
}

function openMark(reader: RtfReader): void {
  change(reader, { destination: 'mark', look: {} })
  reader.state.builder.mark('')
}

function openResult(reader: RtfReader): void {
  const code = reader.state.field?.code ?? ''
  changeCharacterFormat(reader, { href: hrefOf(code) ?? reader.state.look.href })
  if (isSilentCode(code)) change(reader, { destination: 'skip' })
}

function changeCharacterFormat(reader: RtfReader, look: CharacterFormat): void {
  change(reader, { look: { ...reader.state.look, ...look } })
}

const signs: ReadonlyMap<string, string> = new Map(
  'tab\t emdash— endash– lquote‘ rquote’ ldblquote“ rdblquote” bullet• ~\u00A0 _‑ {{ }} \\\\ nestcell\t zwj\u200D zwnj\u200C'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
)
const facts: ReadonlyMap<string, string> = new Map(
  'title=dc:title author=dc:creator subject=dc:subject keywords=cp:keywords doccomm=dc:description creatim=dcterms:created revtim=dcterms:modified'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)
/** Groups that are not text of the document, in addition to those marked with a star. */
const skipped =
  /^(?:pict|objdata|objclass|header[lrf]?|footer[lrf]?|colortbl|a?ftnsep\w*|xe|tc|rxe|txe|pntxt[ab]|nonshppict|filetbl|s[pnv]|revtbl|listtable|listoverridetable)$/
const knownStars = /^(?:fldinst|footnote|shpinst|shptxt|cs|ts|ds|listtext|pntext)$/

function applyControlWord(reader: RtfReader, name: string, value: number | undefined): void {
  const { destination, fact } = reader.state
  const isUnknownStar = reader.isStarred && !knownStars.test(name)
  reader.isStarred = name === '*'
  if (isUnknownStar) change(reader, { destination: 'skip', fact: '' })
  else if (destination === 'table') reader.tables.word(name, value)
  else if (destination === 'time') reader.time[name] = value ?? 0
  else if (destination === 'skip') {
    if (fact === 'info') openFact(reader, name)
  } else if (skipped.test(name)) change(reader, { destination: 'skip' })
  else applyInText(reader, name, value)
}

function applyInText(reader: RtfReader, name: string, value: number | undefined): void {
  const sign = signs.get(name)
  if (sign === undefined) words.get(name)?.(reader, value)
  else emitText(reader, sign)
}

function openFact(reader: RtfReader, name: string): void {
  const fact = facts.get(name)
  if (fact !== undefined) change(reader, { destination: name.endsWith('tim') ? 'time' : 'fact', fact })
}
