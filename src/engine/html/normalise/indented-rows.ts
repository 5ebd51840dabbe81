import { type Element, elementsIn, moveChildren, unwrap } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'

/**
 * Replaces tables that indent the text of each row by a blank picture, as threads of comments do, with boxes: a quote
 * for each level. The width of the picture (CSS pixels) says how deep a row is.
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
