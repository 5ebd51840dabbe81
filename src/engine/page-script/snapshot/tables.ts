import { isHtml } from '../dom/kinds.ts'
import { relativeUrl, textOf } from '../dom/text.ts'

/** A row of a table by the names of its columns, or an item of a list. */
export type Row = Record<string, string>

const cellSelector =
  ':scope > td,:scope > th,:scope > [role=cell],:scope > [role=gridcell],:scope > [role=columnheader],:scope > [role=rowheader]'
const maxCell = 1000

export function rowsOf(table: Element): Element[] {
  return Array.from<Element>(isHtml(table, 'table') ? table.rows : table.querySelectorAll('[role=row]'))
}

export function cellsOf(row: Element): Element[] {
  return Array.from(row.querySelectorAll(cellSelector))
}

export function isHeadCell({ localName, role }: Element): boolean {
  return localName === 'th' || role === 'columnheader'
}

/** Some tables only arrange a layout (after WHATWG HTML 4.9.1). */
export function isDataTable(table: Element): boolean {
  if (table.hasAttribute('role') || table.querySelector(':scope > caption,th')) return true
  const rows = rowsOf(table).slice(0, 5)
  return rows.length > 1 && !table.querySelector('table') && rows.every((row) => cellsOf(row).length > 1)
}

/** The rows of a table by the names of its columns. */
export function recordsOf(table: Element, most: number): Row[] {
  const rows = rowsOf(table).slice(0, most)
  const head = rows.find((row) => cellsOf(row).some((cell) => isHeadCell(cell)))
  const isHead = head !== undefined && cellsOf(head).every((cell) => isHeadCell(cell))
  const names = isHead ? cellsOf(head).flatMap(columnNames) : []
  return rows
    .filter((row) => row !== head || !isHead)
    .map((row) => recordOf(row, names))
    .filter((row) => Object.keys(row).length > 0)
}

function columnNames(cell: Element): string[] {
  const columns = isHtml(cell, 'td', 'th') ? cell.colSpan : 1
  return Array<string>(columns).fill(textOf(cell, maxCell))
}

function recordOf(row: Element, names: readonly string[]): Row {
  const record: Row = {}
  for (const [at, cell] of cellsOf(row).entries()) {
    const name = names[at] || `column ${at + 1}`
    record[name in record ? `${name} ${at + 1}` : name] = textOf(cell, maxCell)
  }
  const link = row.querySelector<HTMLAnchorElement>('a[href]')
  if (!link) return record
  // The words of a link in a column without a name say nothing.
  const telling = Object.entries(record).filter(
    ([name, text]) => !(name.startsWith('column ') && names.length > 0 && text === textOf(link, maxCell)),
  )
  return { ...Object.fromEntries(telling), link: relativeUrl(link) }
}
