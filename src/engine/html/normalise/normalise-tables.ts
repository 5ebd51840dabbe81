import {
  classOf,
  type DomNode,
  type Element,
  elementsIn,
  isElement,
  isText,
  moveChildren,
  oneLine,
  rename,
  unwrap,
} from '../dom/dom-tree.ts'
import { createAround, createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { type Cell, type Grid, gridOf } from './table-grid.ts'

/** Prepares tables for the writer: layout tables become plain blocks, data tables a full grid with one header row. */
export function normaliseTables(content: ContentIndex): void {
  for (const table of content.named('table').reverse()) {
    if (!content.root.contains(table)) continue
    const grid = gridOf(table)
    // insertBefore() instead of before(), which creates a fragment each time, and in nested tables a stray node climbs
    // through all of them.
    for (const stray of grid.fosterNodes) table.parentNode?.insertBefore(asBlock(stray), table)
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
