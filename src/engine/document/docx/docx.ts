import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
import { type Block, blocksHtml, createNotes, type TableCell, tableHtml } from '../markup/block-markup.ts'
import { inlineHtml, type TextRun, plainText, heading, isBlank, paragraph } from '../markup/inline-markup.ts'
import { openPackage, type Package, related, relationshipsOf } from '../xml/package.ts'
import {
  at,
  child,
  childrenOf,
  elementsOf,
  numberOf,
  type Wanted,
  within,
  type XmlElement,
  xmlElements,
  xmlEvents,
} from '../xml/xml-stream.ts'
import { createFields } from '../markup/word-fields.ts'
import { type BlockContext, blockElements, runsOf } from './docx-runs.ts'
import { readNumbering, type DocxStyle, type DocxStyles, numberedOf, outlineLevel, readStyles } from './docx-styles.ts'

/** Reads a Word document (ISO/IEC 29500-1, transitional and strict), block by block as it is inflated. */
export function readDocx({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openPackage(bytes, 'word/document.xml', budget)
  const chunksOf = (type: string) => file.archive.chunks(related(file.relationships, type) ?? `word/${type}.xml`)
  const styles = readStyles(chunksOf('styles'))
  const numbering = readNumbering(chunksOf('numbering'), (style) => styles.of(style).numbered.id)
  const notes = createNotes()
  const context: BlockContext = {
    styles,
    numbering,
    relationships: file.relationships,
    fields: createFields(),
    noteMark: noteMarks(file, () => context, notes),
    float: () => {},
  }
  const html = blocksHtml(mainBlocks(file, context)) + notes.html()
  return { html, metadata: { ...languageOf(styles), ...file.metadata } }
}

const wanted: Wanted = (name) =>
  name === 'w:p' || name === 'w:tbl' ? 'whole' : name === 'mc:Fallback' ? 'mark' : undefined

function* mainBlocks({ archive, main }: Package, context: BlockContext): Generator<Block> {
  let fallbacks = 0
  for (const { kind, element } of xmlEvents(archive.chunks(main), wanted)) {
    if (kind === 'open') fallbacks++
    else if (kind === 'close') fallbacks--
    else if (fallbacks === 0) yield* blocksOf(element, context)
  }
}

const languageOf = ({ language }: DocxStyles) => (language === undefined ? {} : { language })

/** Notes are separate parts, which are read at the first reference. */
function noteMarks(
  file: Package,
  context: () => BlockContext,
  notes: ReturnType<typeof createNotes>,
): BlockContext['noteMark'] {
  const read = (kind: 'footnote' | 'endnote') => {
    const part = related(file.relationships, `${kind}s`) ?? `word/${kind}s.xml`
    const found = new Map<string, XmlElement>()
    for (const note of xmlElements(file.archive.chunks(part), `w:${kind}`))
      found.set(note.attributes['w:id'] ?? '', note)
    return { found, relationships: relationshipsOf(file.archive, part) }
  }
  const parts = new Map<string, ReturnType<typeof read>>()
  return (kind, id) => {
    const part = parts.get(kind) ?? read(kind)
    parts.set(kind, part)
    const note = part.found.get(id)
    if (!note) return ''
    // A note that refers to a note would recurse forever.
    const inner = { ...context(), relationships: part.relationships, fields: createFields(), noteMark: () => '' }
    return notes.refer(`${kind} ${id}`, () => innerHtml(note, inner))
  }
}

/** Converts a paragraph or table; text boxes follow the paragraph they are anchored to. */
function blocksOf(element: XmlElement, context: BlockContext): Block[] {
  if (element.name === 'w:tbl') return [{ kind: 'html', html: tableOf(element, context) }]
  const floats: XmlElement[] = []
  const block = paragraphBlock(element, { ...context, float: (content) => void floats.push(content) })
  const boxes = floats.map((box): Block => ({ kind: 'html', html: innerHtml(box, context) }))
  return [...block, ...boxes]
}

/** Converts the content of a cell, a text box or a note. */
function innerHtml(parent: XmlElement, context: BlockContext): string {
  const blocks = [...blockElements(parent)].flatMap((element) => blocksOf(element, context))
  return blocksHtml(blocks)
}

function paragraphBlock(element: XmlElement, context: BlockContext): Block[] {
  const properties = child(element, 'w:pPr')
  const style = context.styles.of(child(properties, 'w:pStyle')?.attributes['w:val'])
  const pieces = runsOf(element, context)
  if (style.role === 'toc') return []
  if (style.role === 'code') return [{ kind: 'code', text: codeText(pieces) }]
  const level = headingLevel(properties, style)
  const html = inlineHtml(level === undefined ? pieces : pieces.map(withoutBold))
  if (isBlank(html)) return []
  const mark = markOf(properties, style, context)
  if (level !== undefined) return [{ kind: 'html', html: heading(level, labelled(mark?.label, html)) }]
  if (mark) return [{ kind: 'item', level: mark.level, number: mark.number, html }]
  return [{ kind: style.role === 'quote' ? 'quote' : 'html', html: paragraph(html) }]
}

const codeText = (pieces: readonly TextRun[]) =>
  plainText(pieces.map((piece) => ('html' in piece && piece.html === '<br>' ? { ...piece, text: '\n' } : piece)))

const withoutBold = (piece: TextRun): TextRun => ({ ...piece, style: { ...piece.style, bold: false } })

function headingLevel(properties: XmlElement | undefined, style: DocxStyle): number | undefined {
  const level = outlineLevel(properties) ?? style.headingLevel
  if (level !== undefined && level <= 9) return level
  return style.role === 'title' ? 1 : undefined
}

function markOf(properties: XmlElement | undefined, style: DocxStyle, { numbering }: BlockContext) {
  const { id, level = 0 } = { ...style.numbered, ...numberedOf(properties) }
  const mark = id === undefined || id === '0' ? undefined : numbering.next(id, level)
  return mark && { ...mark, level }
}

/** The number of a heading is part of its name in references. */
const labelled = (label: string | undefined, html: string) => (label ? `${label.trim()} ${html}` : html)

type PlacedCell = { cell: TableCell & { rowspan: number }; column: number; continues: boolean }

function tableOf(table: XmlElement, context: BlockContext): string {
  const rows = [...within(table, 'w:tr')].filter((row) => !at(row, 'w:trPr', 'w:del'))
  const placed = rows.map((row) => cellsOf(row, context))
  const width = placed.reduce((most, cells) => Math.max(most, cells.length), 0)
  const merged = mergeDown(placed)
  return tableHtml(merged, width > 1 ? headRows(table, rows) : 0)
}

function cellsOf(row: XmlElement, context: BlockContext): PlacedCell[] {
  let column = numberOf(at(row, 'w:trPr', 'w:gridBefore')?.attributes['w:val']) ?? 0
  const lead = Array.from({ length: Math.min(column, 20) }, (_, i) => placedCell('', i, 1, false))
  const cells = [...within(row, 'w:tc')]
    .filter((cell) => !at(cell, 'w:tcPr', 'w:cellDel'))
    .map((cell) => {
      const properties = child(cell, 'w:tcPr')
      const span = Math.max(1, numberOf(child(properties, 'w:gridSpan')?.attributes['w:val']) ?? 1)
      const merge = child(properties, 'w:vMerge')
      const continues = merge !== undefined && merge.attributes['w:val'] !== 'restart'
      column += span
      return placedCell(innerHtml(cell, context), column - span, span, continues)
    })
  return [...lead, ...cells]
}

function placedCell(html: string, column: number, colspan: number, continues: boolean): PlacedCell {
  return { cell: { html, colspan, rowspan: 1 }, column, continues }
}

/** A cell that continues the one above extends its rowspan. */
function mergeDown(rows: readonly PlacedCell[][]): TableCell[][] {
  const above = new Map<number, PlacedCell>()
  return rows.map((cells) =>
    cells.flatMap((placed) => {
      const upper = placed.continues ? above.get(placed.column) : undefined
      if (!upper) above.set(placed.column, placed)
      else upper.cell.rowspan++
      return upper ? [] : [placed.cell]
    }),
  )
}

/** Counts the rows marked to repeat on every page; otherwise the first one if the table style formats it. */
function headRows(table: XmlElement, rows: readonly XmlElement[]): number {
  const marked = rows.findIndex((row) => !isHead(row))
  if (marked > 0) return marked
  const look = at(table, 'w:tblPr', 'w:tblLook')?.attributes
  const hasLook = look?.['w:firstRow'] === '1' || (Number.parseInt(look?.['w:val'] ?? '0', 16) & 0x20) !== 0
  return hasLook && rows.length > 1 && !holdsHeading(rows[0]) ? 1 : 0
}

const isHead = (row: XmlElement) => at(row, 'w:trPr', 'w:tblHeader') !== undefined

/** A table whose first row contains blocks is used for layout. */
function holdsHeading(row: XmlElement | undefined): boolean {
  return elementsOf(row).some((cell) => childrenOf(cell, 'w:tbl').length > 0)
}
