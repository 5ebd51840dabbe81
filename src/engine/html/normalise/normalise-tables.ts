import {
  classOf,
  type DomNode,
  type Element,
  elementsIn,
  isElement,
  isText,
  moveChildren,
  nodeAfter,
  oneLine,
  rename,
  unwrap,
} from '../dom/dom-tree.ts'
import { createAround, createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'

/** Prepares tables for the writer: layout tables become plain blocks, data tables a full grid with one header row. */
export function normaliseTables(content: ContentIndex): void {
  for (const table of content.named('table').reverse()) {
    if (!content.root.contains(table)) continue
    const grid = gridOf(table)
    table.before(...grid.fosterNodes.map(asBlock))
    if (isLayout(table, grid)) toBlocks(table, grid)
    else toDataTable(table, grid)
  }
}

/** Renames a cell outside any row to a box; any other node may precede the table unchanged. */
function asBlock(stray: DomNode): DomNode {
  return isElement(stray) && /^t[dh]$/.test(stray.localName) ? rename(stray, 'div') : stray
}

function isLayout(table: Element, grid: Grid): boolean {
  const cells = grid.rows.flat().flatMap((cell) => cell.element ?? [])
  if (cells.some((cell) => cell.localName === 'th')) return false
  if (table.getAttribute('role') === 'presentation' || grid.width <= 1) return true
  if (!grid.rows.some(holdsSeveral)) return true
  return cells.some((cell) =>
    elementsIn(cell).some(
      (inner) =>
        /^(?:h[1-3]|table|pre|article|section)$/.test(inner.localName) || inner.getAttribute('data-math') === 'block',
    ),
  )
}

/** True for a row with words or pictures in more than one cell. */
const holdsSeveral = (cells: readonly Cell[]) =>
  cells.filter(({ element }) => element && (hasImage(element) || element.textContent.trim() !== '')).length > 1

function toBlocks(table: Element, grid: Grid): void {
  const box = createElement('div')
  if (grid.caption) box.append(rename(grid.caption, 'p'))
  for (const { element } of grid.rows.flat()) {
    if (!element) continue
    const part = createElement('div')
    moveChildren(element, part)
    box.append(part)
  }
  table.replaceWith(box)
}

function toDataTable(table: Element, grid: Grid): void {
  const written = createElement('table')
  const [first] = grid.rows
  if (!first || isEmpty(grid)) return table.remove()
  const headed = grid.hasHead || isHeader(first) || (grid.rows.length > 1 && first.every(isBold))
  const rows: Cell[][] = headed ? grid.rows : [headInAttributes(grid) ?? first.map(() => ({})), ...grid.rows]
  for (const [index, cells] of rows.entries()) {
    const row = createElement('tr')
    if (index === 0) row.setAttribute('data-align', alignments(grid).join(' '))
    for (const { element } of cells) {
      const cell = createElement('td')
      if (element) moveChildren(element, cell)
      flattenCell(cell)
      row.appendChild(cell)
    }
    written.appendChild(row)
  }
  if (grid.caption && oneLine(grid.caption.textContent)) {
    const caption = rename(grid.caption, 'p')
    table.before(caption)
  }
  table.replaceWith(written)
}

const labelAttributes = ['data-label', 'data-th', 'data-title', 'data-header']

/** Returns the head of a table that only names its columns in an attribute of each cell, for narrow screens. */
function headInAttributes({ rows }: Grid): Cell[] | undefined {
  const name = labelAttributes.find((each) => rows[0]?.[0]?.element?.hasAttribute(each))
  if (!name) return undefined
  const [labels = [], ...others] = rows.map((cells) => cells.map(({ element }) => element?.getAttribute(name)))
  if (!labels.every(Boolean) || others.some((row) => row.some((label, i) => label !== labels[i]))) return undefined
  return labels.map((label) => ({ element: createAround('th', label ?? '') }))
}

/** The corner cell above the row names is often an empty data cell. */
const isHeaderCell = ({ element }: Cell) =>
  !element || element.localName === 'th' || (oneLine(element.textContent) === '' && !hasImage(element))

const isHeader = (cells: readonly Cell[]) =>
  cells.some(({ element }) => element?.localName === 'th') && cells.every(isHeaderCell)

/** Editors without a button for header cells produce bold cells in the first row. */
function isBold({ element }: Cell): boolean {
  const only = element?.firstElementChild
  const bold = only?.localName === 'p' ? only.firstElementChild : only
  return (
    /^(?:strong|b)$/.test(bold?.localName ?? '') &&
    oneLine(bold?.textContent ?? '') === oneLine(element?.textContent ?? '')
  )
}

function isEmpty(grid: Grid): boolean {
  return !grid.rows.flat().some(({ element }) => element && (oneLine(element.textContent) !== '' || hasImage(element)))
}

const hasImage = (cell: Element) => elementsIn(cell).some(({ localName }) => localName === 'img')

/** Returns the alignment of each column, taken from its first cells. */
function alignments(grid: Grid): string[] {
  return Array.from({ length: grid.width }, (_, column) => {
    for (const row of grid.rows.slice(0, 2)) {
      const align = alignmentOf(row[column]?.element)
      if (align) return align
    }
    return 'none'
  })
}

function alignmentOf(cell: Element | undefined): string | undefined {
  if (!cell) return undefined
  const written =
    cell.getAttribute('align') ??
    /text-align\s*:\s*(\w+)/i.exec(cell.getAttribute('style') ?? '')?.[1] ??
    /(?:^|\s)(?:has-text-align|text-align|text)-(left|right|center)(?:\s|$)/.exec(classOf(cell))?.[1]
  const align = written?.toLowerCase()
  return align === 'left' || align === 'right' || align === 'center' ? align : undefined
}

const blocks =
  /^(?:p|div|ul|ol|dl|dt|dd|li|h[1-6]|blockquote|pre|section|article|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|hr|details|summary|address|header|footer|center|form|aside|main)$/

/**
 * Flattens a cell to one line: blocks, list items and line breaks are separated by `<br data-cell>`, which the writer
 * prints as `<br>`.
 */
function flattenCell(cell: Element): void {
  if (!cell.firstElementChild) return
  for (const inner of elementsIn(cell)) {
    const name = inner.localName
    if (name === 'pre') splitCode(inner)
    if (name === 'tr') joinPlaces(inner)
    if (name === 'td') unwrap(inner)
    else if (blocks.test(name)) openBlock(inner)
  }
}

/** A table in a cell keeps one line per row, with its cells separated. */
function joinPlaces(row: Element): void {
  if (row.textContent.trim() === '' && !elementsIn(row).some(({ localName }) => localName === 'img')) {
    for (const place of row.children) place.remove()
    return
  }
  for (const [index, place] of row.children.entries()) if (index > 0) place.prepend(' | ')
}

/** Gives each line of code its own code element. */
function splitCode(pre: Element): void {
  const lines = pre.textContent.replace(/^\n+/, '').trimEnd().split('\n')
  if (lines.length < 2) return
  pre.textContent = ''
  for (const [index, line] of lines.entries()) {
    const code = createElement('code')
    code.setAttribute('data-line', '')
    code.textContent = line
    if (index > 0) pre.append(lineBreak())
    pre.append(code)
  }
}

function openBlock(block: Element): void {
  dropSpace(block.previousSibling)
  dropSpace(block.nextSibling)
  if (isContent(block.previousSibling)) block.before(lineBreak())
  if (isContent(block.nextSibling)) block.after(lineBreak())
  if (block.localName === 'li') markItem(block)
  if (/^h[1-6]$/.test(block.localName)) rename(block, 'strong')
  else if (block.localName === 'hr') block.remove()
  else unwrap(block)
}

/** Writes the mark of an item in the line of its first paragraph. */
function markItem(item: Element): void {
  const number = item.getAttribute('data-number')
  const first = item.firstElementChild
  if (first?.localName === 'p' && !isContent(first.previousSibling)) unwrap(first)
  item.prepend(number === null ? '• ' : `${number}. `)
}

function lineBreak(): Element {
  const created = createElement('br')
  created.setAttribute('data-cell', '')
  return created
}

/** True for a node that needs a break between itself and a block: neither white space nor a break. */
function isContent(node: DomNode | null): boolean {
  if (!node || (isElement(node) && node.localName === 'br')) return false
  return !isText(node) || node.textContent.trim() !== ''
}

function dropSpace(node: DomNode | null): void {
  if (node && isText(node) && node.textContent.trim() === '') node.remove()
}

/** A grid slot; without an element it is covered by a spanning cell or missing. */
type Cell = { element?: Element }
type Grid = {
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
function gridOf(table: Element): Grid {
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

/**
 * Replaces tables that indent each row by a blank picture, as threads of comments do, by boxes: a quote for each level.
 * The width of the picture (CSS pixels) determines the depth of its row.
 */
export function nestIndentedRows(body: Element): void {
  for (const table of body.descendants(({ localName }) => localName === 'table')) {
    const rows = table.children
      .flatMap((part) => (part.localName === 'tbody' ? part.children : part))
      .filter(({ localName }) => localName === 'tr')
    if (rows.length < 2 || !elementsIn(table).some(isPicture)) continue
    const indents = rows.map(indentOf)
    const widths = [...new Set(indents)].filter((width) => width !== undefined).sort((one, other) => one - other)
    if (widths.length < 2 || rows.some((row, i) => indents[i] === undefined && row.textContent.trim() !== '')) continue
    rows.forEach((row, i) => row.replaceWith(boxOf(row, widths.indexOf(indents[i] ?? 0))))
    for (const part of table.children) if (part.localName !== 'div' && part.localName !== 'blockquote') unwrap(part)
    unwrap(table)
  }
}

/** Returns the width of the blank picture in the first of two cells; undefined if a row has another form. */
function indentOf(row: Element): number | undefined {
  const [blank, ...rest] = row.children.flatMap((cell) => (isEmptyCell(cell) ? [] : [cell]))
  if (!blank || rest.length === 0 || blank.textContent.trim() !== '') return undefined
  const pictures = elementsIn(blank).filter(isPicture)
  const width = pictures.length === 1 ? Number(pictures[0]!.getAttribute('width') ?? '') : NaN
  return Number.isInteger(width) && rest.filter((cell) => cell.textContent.trim() !== '').length === 1
    ? width
    : undefined
}

const isPicture = ({ localName }: Element) => localName === 'img'
const isEmptyCell = (cell: Element) => cell.textContent.trim() === '' && cell.firstElementChild === null

function boxOf(row: Element, depth: number): Element {
  const inner = createElement('div')
  for (const cell of row.children.slice(1)) moveChildren(cell, inner)
  let box = inner
  for (let k = 0; k < depth; k++) {
    const quote = createElement('blockquote')
    quote.append(box)
    box = quote
  }
  return box
}
