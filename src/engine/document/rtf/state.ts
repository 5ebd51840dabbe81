import { createNotes, type Notes } from '../markup/blocks.ts'
import type { TextStyle } from '../markup/inline.ts'
import { symbolOf } from '../markup/symbols.ts'
import { createBuilder, type RtfBuilder, type RtfParagraph } from './blocks.ts'
import { createTables, decodeBytes, type RtfTables } from './tables.ts'

/** Where the text of a group goes. */
export type Destination = 'text' | 'skip' | 'table' | 'mark' | 'instruction' | 'fact' | 'time'
export type CharacterFormat = TextStyle & { isHidden?: boolean; font?: number | undefined }
export type ParagraphFormat = {
  style?: number | undefined
  outline?: number | undefined
  isInTable?: boolean
  level?: number
  isListed?: boolean
}
/** What a group sets and its end takes back; a new object for each change. */
export type GroupState = {
  destination: Destination
  look: CharacterFormat
  paragraph: ParagraphFormat
  /** Signs that stand in for one Unicode sign. */
  unicodeSkip: number
  field: { code: string } | undefined
  fact: string
  builder: RtfBuilder
}
export type RtfReader = {
  state: GroupState
  stack: GroupState[]
  /** Groups opened beyond the depth that is kept. */
  tooDeep: number
  tables: RtfTables
  notes: Notes
  facts: [name: string, text: string][]
  time: Record<string, number>
  usualLabel: string
  usualFont: number | undefined
  /** Bytes of text not yet decoded: a sign may take several. */
  pending: number[]
  /** Stand-ins still to be passed over. */
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

export function changeCharacterFormat(reader: RtfReader, look: CharacterFormat): void {
  change(reader, { look: { ...reader.state.look, ...look } })
}

export function changeParagraphFormat(reader: RtfReader, paragraph: ParagraphFormat): void {
  change(reader, { paragraph: { ...reader.state.paragraph, ...paragraph } })
}

/** Sends text where the group's text goes. */
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

/** Decodes the bytes that have come together, by the font they are set in. */
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

/** How the paragraph that ends now is written. */
export function paragraphOf({ state, tables }: RtfReader): RtfParagraph {
  const { style, outline, isInTable = false, level, isListed } = state.paragraph
  const named = tables.styles.get(`s${style}`)
  const headingLevel = outline !== undefined && outline <= 8 ? outline + 1 : named?.headingLevel
  return { headingLevel, role: named?.role, isInTable, listLevel: isListed ? (level ?? 0) : undefined }
}
