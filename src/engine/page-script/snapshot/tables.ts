import type { Item, PageNode, PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: tables of data, row by row. */
export function addTables(tools: PageTools): void {
  const cellsIn =
    ':scope > td,:scope > th,:scope > [role=cell],:scope > [role=gridcell],:scope > [role=columnheader],:scope > [role=rowheader]'

  tools.rowsOf = (table) => {
    const native = (table as HTMLTableElement).rows as HTMLCollectionOf<Element> | undefined
    return Array.from(native ?? table.querySelectorAll('[role=row]'))
  }
  tools.cellsOf = (row) => Array.from(row.querySelectorAll(cellsIn))

  tools.isHeadCell = ({ localName, role }) => localName === 'th' || role === 'columnheader'

  /** Some tables only put things beside each other (after WHATWG HTML 4.9.1). */
  tools.isDataTable = (table) => {
    if (table.hasAttribute('role') || table.querySelector(':scope > caption,th')) return true
    const rows = tools.rowsOf(table).slice(0, 5)
    return rows.length > 1 && !table.querySelector('table') && rows.every((row) => tools.cellsOf(row).length > 1)
  }

  tools.tableNode = (table, clip, quota) => {
    const rows = tools.rowsOf(table)
    const name = tools.nameOf(table, 'table')
    const children = rows.slice(0, 2000).flatMap((row): PageNode[] => {
      const { top, bottom, height } = row.getBoundingClientRect()
      if (height === 0 && !tools.isShown(row)) return []
      const where = clip.forced ?? placeOf(top, bottom)
      if (quota.left-- <= 0 || --quota[where ?? 'inView'] < 0) return []
      const cells = tools.cellsOf(row)
      const isHead = cells.length > 0 && cells.every((cell) => tools.isHeadCell(cell))
      const clicks = !isHead && points(row) && !points(row.parentElement)
      const told = cells.map((cell) => tellCell(cell, clicks))
      return [
        {
          role: isHead ? 'head' : 'row',
          ...(clicks && { ref: tools.refOf(row) }),
          ...(where && { where }),
          cells: told,
        },
      ]
    })
    return { role: 'table', ref: tools.refOf(table), ...(name && { name }), total: rows.length, children }

    function placeOf(top: number, bottom: number): PageNode['where'] {
      return top >= clip.bottom ? 'below' : bottom <= clip.top ? 'above' : undefined
    }

    function tellCell(cell: Element, rowClicks: boolean): PageNode[] {
      const isButton = !rowClicks && (points(cell) || (cell as HTMLElement).tabIndex === 0)
      if (isButton && !cell.querySelector('a[href],button,input,select')) return [tools.controlNode(cell, 'clickable')]
      const items: Item[] = []
      tools.walkChildren(cell, items, clip, quota, 'shown')
      return tools.grouped(items)
    }
  }

  const points = (element: Element | null) => element !== null && getComputedStyle(element).cursor === 'pointer'
}
