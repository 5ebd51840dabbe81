import { type DomNode, type Element, isElement, isText, nodeAfter } from '../dom/dom-tree.ts'

/** A grid slot; without an element it is covered by a spanning cell or missing. */
export type Cell = { element?: Element }
export type Grid = {
  rows: Cell[][]
  width: number
  caption: Element | undefined
  hasHead: boolean
  /**
   * Misplaced content between the cells, which browsers move before the table (foster parenting, HTML standard
   * 13.2.6.1).
   */
  fosterNodes: DomNode[]
}

/** Limits, because a single attribute could request a billion empty cells. */
const maxColumnSpan = 50
const maxRowSpan = 200
const maxPlaces = 100_000

/** Lays out the rows of a table so every row has the same number of cells; spans leave empty cells. */
export function gridOf(table: Element): Grid {
  const parts = partsOf(table)
  const spread = layOut(parts.rows, span)
  const isSane = spread.length * widthOf(spread) <= Math.max(maxPlaces, 4 * countCells(spread))
  const rows = isSane ? spread : layOut(parts.rows, () => 1)
  const width = widthOf(rows)
  // One wide row among many narrow ones would fill memory with empty cells.
  const isEven = rows.length * width <= Math.max(maxPlaces, 4 * countCells(rows))
  const pad = (cells: readonly Cell[]) => Array.from({ length: width - cells.length }, () => ({}))
  return { ...parts, rows: isEven ? rows.map((cells) => [...cells, ...pad(cells)]) : rows, width }
}

function widthOf(rows: readonly Cell[][]): number {
  return rows.reduce((most, cells) => Math.max(most, cells.length), 0)
}

function countCells(rows: readonly Cell[][]): number {
  return rows.reduce((sum, cells) => sum + cells.filter((cell) => cell.element).length, 0)
}

type SpanOf = typeof span

/**
 * `covered[column]` counts the rows below that a spanning cell still covers in that column; it is passed from row to
 * row.
 */
function layOut(rows: readonly Element[], spanOf: SpanOf): Cell[][] {
  const covered: number[] = []
  return rows.map((row) => layOutRow(row, covered, spanOf)).filter((cells) => cells.length > 0)
}

function layOutRow(row: Element, covered: number[], spanOf: SpanOf): Cell[] {
  const cells: Cell[] = []
  const skipCovered = () => {
    for (let column = cells.length; (covered[column] ?? 0) > 0; column++) {
      covered[column] = covered[column]! - 1
      cells.push({})
    }
  }
  for (const element of row.children) {
    if (element.localName !== 'td' && element.localName !== 'th') continue
    skipCovered()
    const columns = spanOf(element, 'colspan', maxColumnSpan)
    const rowsBelow = spanOf(element, 'rowspan', maxRowSpan) - 1
    for (let i = 0; i < columns; i++) {
      if (rowsBelow > 0) covered[cells.length] = rowsBelow
      cells.push(i === 0 ? { element } : {})
    }
  }
  skipCovered()
  return cells
}

function span(cell: Element, name: 'colspan' | 'rowspan', most: number): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '', 10)
  return value > 1 ? Math.min(value, most) : 1
}

type TableParts = Omit<Grid, 'width' | 'rows'> & { rows: Element[] }

/** Returns the rows of the table itself, not of tables in its cells. */
function partsOf(table: Element): TableParts {
  const parts: TableParts = { rows: [], caption: undefined, hasHead: false, fosterNodes: [] }
  for (let at: DomNode | null = table.firstChild; at;) {
    const element: Element | undefined = isElement(at) ? at : undefined
    const name = element?.localName ?? ''
    const isGroup = /^(?:thead|tbody|tfoot|tr)$/.test(name)
    if (element && /^(?:tr|caption|thead)$/.test(name)) addPart(parts, element)
    else if (!isGroup && isFosterNode(at, table)) parts.fosterNodes.push(at)
    at = (isGroup && element?.firstChild) || nodeAfter(at, table)
  }
  return { ...parts, rows: feetLast(parts.rows) }
}

function addPart(parts: TableParts, element: Element): void {
  if (element.localName === 'tr') parts.rows.push(element)
  else if (element.localName === 'caption') parts.caption ??= element
  else if (parts.rows.length === 0) parts.hasHead = element.firstElementChild !== null
}

const isFoot = (row: Element) => row.parentNode?.localName === 'tfoot'

/** HTML 4 placed the foot of a table before its body. */
const feetLast = (rows: readonly Element[]) => [...rows.filter((row) => !isFoot(row)), ...rows.filter(isFoot)]

/** True for content between the cells of a table. */
function isFosterNode(node: DomNode, table: Element): boolean {
  if (isText(node)) return node.textContent.trim() !== ''
  if (!isElement(node) || /^(?:col|colgroup|caption)$/.test(node.localName)) return false
  const isCell = node.localName === 'td' || node.localName === 'th'
  return !isCell || node.parentNode === table || node.parentNode?.localName !== 'tr'
}
