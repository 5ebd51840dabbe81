import { createNotes, type Notes } from '../markup/block-markup.ts'
import type { TextStyle } from '../markup/inline-markup.ts'
import { symbolOf } from '../markup/word-fields.ts'
import { createBuilder, type RtfBuilder } from './rtf-blocks.ts'

type RtfStyle = { headingLevel?: number; role?: 'code' | 'quote'; isCode?: boolean }
type RtfFont = { label: string | undefined; name: string }

type RtfTables = ReturnType<typeof createTables>

/** Collects the fonts and styles that a file defines at its start, by number. */
function createTables() {
  const fonts = new Map<number, RtfFont>()
  const styles = new Map<string, RtfStyle>()
  let key = ''
  let name = ''
  let outline: number | undefined
  let label: string | undefined
  /** Ends an entry. */
  const end = (): void => {
    if (key.startsWith('f')) fonts.set(Number(key.slice(1)), { label, name: name.replace(/;.*$/s, '').trim() })
    else if (key) styles.set(key, styleNamed(name.replace(/;.*$/s, '').trim(), outline))
    key = name = ''
    outline = label = undefined
  }
  return {
    fonts,
    styles,
    word(word: string, value: number | undefined): void {
      // Fonts of a style are not entries of the font table.
      if (/^(?:s|cs|f)$/.test(word) && value !== undefined && key === '') key = word + value
      if (word === 'fcharset' && value !== undefined) label = charsetLabel(value)
      if (word === 'outlinelevel') outline = value
    },
    text(text: string): void {
      if (name.length < 200) name += text
      if (text.includes(';')) end()
    },
    end,
  }
}

function styleNamed(name: string, outline: number | undefined): RtfStyle {
  const level = /^heading ([1-9])\b/i.exec(name)?.[1]
  const headingLevel =
    level !== undefined
      ? Number(level)
      : /^title$/i.test(name)
        ? 1
        : outline === undefined || outline > 8
          ? undefined
          : outline + 1
  const isCode = /preformatted|^(?:source text|teletype|verbatim(?: char)?)$|\bcode\b/i.test(name)
  const role = isCode ? 'code' : /^(?:intense )?quot(?:e|ations?)$/i.test(name) ? 'quote' : undefined
  return { ...(headingLevel !== undefined && { headingLevel }), ...(role && { role }), ...(isCode && { isCode }) }
}

/**
 * Decoder labels for the character sets of fonts (`\fcharset`); a set without one has the code page of the file.
 */
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}

const charsetLabel = (charset: number): string | undefined => charsets[charset]

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

function decodeBytes(bytes: readonly number[], label: string): string {
  const decoder = decoders.get(label) ?? new TextDecoder(label)
  decoders.set(label, decoder)
  return decoder.decode(Uint8Array.from(bytes))
}

/** Destination of the text of a group. */
export type Destination = 'text' | 'skip' | 'table' | 'mark' | 'instruction' | 'fact' | 'time'
export type CharacterFormat = TextStyle & { isHidden?: boolean; font?: number | undefined }
export type ParagraphFormat = {
  style?: number | undefined
  outline?: number | undefined
  isInTable?: boolean
  level?: number
  isListed?: boolean
}
/** State that a group sets and its end restores; each change creates a new object. */
export type GroupState = {
  destination: Destination
  look: CharacterFormat
  paragraph: ParagraphFormat
  /** Number of fallback characters for one Unicode character. */
  unicodeSkip: number
  field: { code: string } | undefined
  fact: string
  builder: RtfBuilder
}
export type RtfReader = {
  state: GroupState
  stack: GroupState[]
  /** Number of open groups beyond the maximum depth. */
  tooDeep: number
  tables: RtfTables
  notes: Notes
  facts: [name: string, text: string][]
  time: Record<string, number>
  usualLabel: string
  usualFont: number | undefined
  /** Bytes of text not yet decoded, because a character may take several. */
  pending: number[]
  /** Number of fallback characters still to skip. */
  skip: number
  isStarred: boolean
  noteCount: number
}

const maxCode = 8000

export function newReader(): RtfReader {
  const builder = createBuilder()
  return {
    state: { destination: 'text', look: {}, paragraph: {}, unicodeSkip: 1, field: undefined, fact: '', builder },
    stack: [],
    tooDeep: 0,
    tables: createTables(),
    notes: createNotes(),
    facts: [],
    time: {},
    usualLabel: 'windows-1252',
    usualFont: undefined,
    pending: [],
    skip: 0,
    isStarred: false,
    noteCount: 0,
  }
}

export function change(reader: RtfReader, part: Partial<GroupState>): void {
  reader.state = { ...reader.state, ...part }
}

/** Adds text to the group's destination. */
export function emitText(reader: RtfReader, text: string): void {
  const { destination, look, field, builder, fact } = reader.state
  if (text === '' || destination === 'skip') return
  if (destination === 'table') reader.tables.text(text)
  else if (destination === 'mark') builder.mark(text)
  else if (destination === 'fact') reader.facts.push([fact, text])
  else if (destination === 'instruction') {
    if (field && field.code.length < maxCode) field.code += text
  } else if (destination === 'text' && !look.isHidden) builder.add({ text, style: styleOf(look) })
}

function styleOf({ bold, italic, strike, code, position, href }: CharacterFormat): TextStyle {
  return { bold, italic, strike, code, position, href }
}

/** Decodes the pending bytes in the character set of their font. */
export function flush(reader: RtfReader): void {
  const { pending, tables, state, usualFont, usualLabel } = reader
  if (pending.length === 0) return
  reader.pending = []
  const font = tables.fonts.get(state.look.font ?? usualFont ?? -1)
  const name = font?.name ?? ''
  const isSymbol = /^(?:symbol|wingdings)/i.test(name) && state.destination === 'text'
  if (isSymbol) emitText(reader, pending.map((code) => symbolOf(name, code) ?? '').join(''))
  else emitText(reader, decodeBytes(pending, font?.label ?? usualLabel))
}
