import {
  codeText,
  inlineHtml,
  type TextRun,
  heading,
  isBlank,
  paragraph,
  withoutBold,
} from '../markup/inline-markup.ts'
import { type Block, blocksHtml, listItem, type TableCell, tableHtml } from '../markup/block-markup.ts'

export type RtfParagraph = {
  headingLevel: number | undefined
  role: 'code' | 'quote' | undefined
  isInTable: boolean
  /** Level of a list, from 0; undefined outside lists. */
  listLevel: number | undefined
}
type RowLayout = { edges: number[]; isHead: boolean; covered: Set<number>; continued: Set<number> }
type Row = RowLayout & { cells: string[] }

export type RtfBuilder = ReturnType<typeof createBuilder>

const maxColumns = 500
const newLayout = (): RowLayout => ({ edges: [], isHead: false, covered: new Set(), continued: new Set() })

/** Builds paragraphs, cells and rows as they end. */
export function createBuilder() {
  const blocks: Block[] = []
  let pieces: TextRun[] = []
  let marker: string | undefined
  let cell: Block[] = []
  let cells: string[] = []
  let rows: Row[] = []
  let layout = newLayout()
  const endTable = () => {
    if (rows.length > 0) blocks.push({ kind: 'html', html: tableOf(rows) })
    rows = []
  }
  const endParagraph = (look: RtfParagraph) => {
    const block = blockOf(pieces, marker, look)
    pieces = []
    marker = undefined
    if (!look.isInTable) endTable()
    if (block) (look.isInTable ? cell : blocks).push(block)
  }
  const endRow = () => {
    if (cells.length > 0) rows.push({ ...layout, cells })
    cells = []
  }
  return {
    add: (piece: TextRun) => void pieces.push(piece),
    /** Adds the mark before the text of a list item, as computed by the writer. */
    mark: (text: string) => void (marker = (marker ?? '') + text),
    endParagraph,
    endCell(look: RtfParagraph): void {
      endParagraph({ ...look, isInTable: true })
      if (cells.length < maxColumns) cells.push(blocksHtml(cell))
      cell = []
    },
    startRow: () => void (layout = newLayout()),
    rowFact: (fact: 'head' | 'covered' | 'continued') =>
      void (fact === 'head' ? (layout.isHead = true) : layout[fact].add(layout.edges.length)),
    cellEdge: (position: number) => void (layout.edges.length < maxColumns && layout.edges.push(position)),
    endRow,
    html(look: RtfParagraph): string {
      endParagraph({ ...look, isInTable: false })
      const rest = blocksHtml(cell)
      return blocksHtml(blocks) + rest
    },
  }
}

function blockOf(pieces: readonly TextRun[], marker: string | undefined, look: RtfParagraph): Block | undefined {
  const { headingLevel, role, listLevel } = look
  if (role === 'code' && headingLevel === undefined) return { kind: 'code', text: codeText(pieces) }
  const html = inlineHtml(headingLevel === undefined ? pieces : withoutBold(pieces))
  if (isBlank(html)) return undefined
  // Writers omit or blank the mark if a list is used only for its indents.
  const label = marker?.trim() ?? ''
  const isItem = marker === undefined ? listLevel !== undefined : label !== ''
  if (headingLevel !== undefined)
    return { kind: 'html', html: heading(headingLevel, label ? `${label} ${html}` : html) }
  if (isItem) return listItem(listLevel ?? 0, bullet.test(label) ? '' : label, numberIn(label), html.trim())
  return { kind: role === 'quote' ? 'quote' : 'html', html: paragraph(html) }
}

/** A lone "o" is the bullet of old fonts. */
const bullet = /^(?:[^\p{L}\p{N}]*|o)$/u

/** Returns the number of a mark such as "2." or "b)"; undefined for a bullet. */
function numberIn(mark: string): number | undefined {
  const [, digits, letter] = /^(?:(\d{1,6})|([a-z]))[.):]?$/i.exec(mark) ?? []
  if (digits !== undefined) return Number(digits)
  return letter === undefined || mark === 'o' ? undefined : (letter.toLowerCase().codePointAt(0) ?? 97) - 96
}

/** Distance in twentieths of a point below which two edges are treated as one. */
const nearby = 40

function tableOf(rows: readonly Row[]): string {
  const sorted = [...new Set(rows.flatMap(({ edges }) => edges))].sort((a, b) => a - b)
  const edges = sorted.filter((edge, i) => i === 0 || edge - sorted[i - 1]! > nearby)
  const columnAt = (edge: number | undefined) =>
    edge === undefined ? undefined : edges.findLastIndex((one) => one <= edge)
  const isTooDetailed = edges.length * rows.length > 200_000
  const written = rows.map(({ cells, edges: own, covered, continued }) => {
    let before = -1
    return cells.flatMap((html, i): TableCell[] => {
      const column = isTooDetailed ? before + 1 : (columnAt(own[i]) ?? before + 1)
      const colspan = Math.max(1, column - before)
      before = column
      return covered.has(i) ? [] : [{ html: continued.has(i) ? '' : html, colspan }]
    })
  })
  return tableHtml(
    written,
    rows.findIndex(({ isHead }) => !isHead),
  )
}
