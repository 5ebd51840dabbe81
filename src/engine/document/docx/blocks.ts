import { inlineHtml, type Piece, plainText } from '../markup/inline.ts'
import { type Block, blocksHtml, type TableCell, tableHtml } from '../markup/lists.ts'
import { heading, isBlank, paragraph } from '../markup/markup.ts'
import { at, child, childrenOf, elementsOf, numberOf, within } from '../xml/tree.ts'
import type { XmlElement } from '../xml/xml.ts'
import { blockElements, piecesOf } from './inline.ts'
import { type DocxStyle, numberedOf, outlineLevel } from './styles.ts'
import type { BlockContext } from './context.ts'

/** What a paragraph or table becomes; text boxes follow the paragraph they hang on. */
export function blocksOf(element: XmlElement, context: BlockContext): Block[] {
  if (element.name === 'w:tbl') return [{ kind: 'html', html: tableOf(element, context) }]
  const floats: XmlElement[] = []
  const block = paragraphBlock(element, { ...context, float: (content) => void floats.push(content) })
  const boxes = floats.map((box): Block => ({ kind: 'html', html: innerHtml(box, context) }))
  return [...block, ...boxes]
}

/** The content of a cell, a text box or a note. */
export function innerHtml(parent: XmlElement, context: BlockContext): string {
  const blocks = [...blockElements(parent)].flatMap((element) => blocksOf(element, context))
  return blocksHtml(blocks)
}

function paragraphBlock(element: XmlElement, context: BlockContext): Block[] {
  const properties = child(element, 'w:pPr')
  const style = context.styles.of(child(properties, 'w:pStyle')?.attributes['w:val'])
  const pieces = piecesOf(element, context)
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

const codeText = (pieces: readonly Piece[]) =>
  plainText(pieces.map((piece) => ('html' in piece && piece.html === '<br>' ? { ...piece, text: '\n' } : piece)))

const withoutBold = (piece: Piece): Piece => ({ ...piece, style: { ...piece.style, bold: false } })

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

/** The number of a heading is part of how other places speak of it. */
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

/** A cell that continues the one above makes that one longer. */
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

/** Rows marked to repeat on every page; else the first one where the table has a look for it. */
function headRows(table: XmlElement, rows: readonly XmlElement[]): number {
  const marked = rows.findIndex((row) => !isHead(row))
  if (marked > 0) return marked
  const look = at(table, 'w:tblPr', 'w:tblLook')?.attributes
  const hasLook = look?.['w:firstRow'] === '1' || (Number.parseInt(look?.['w:val'] ?? '0', 16) & 0x20) !== 0
  return hasLook && rows.length > 1 && !holdsHeading(rows[0]) ? 1 : 0
}

const isHead = (row: XmlElement) => at(row, 'w:trPr', 'w:tblHeader') !== undefined

/** A table whose first row holds blocks of its own is there for its layout. */
function holdsHeading(row: XmlElement | undefined): boolean {
  return elementsOf(row).some((cell) => childrenOf(cell, 'w:tbl').length > 0)
}
