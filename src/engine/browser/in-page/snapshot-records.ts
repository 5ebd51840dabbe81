/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { PageTools, Row } from './snapshot-tools.ts'

/** Runs in the page: the rows of a table by the names of its columns. */
export function addRecords(tools: PageTools): void {
  tools.placeOf = ({ href, origin, pathname, search, hash }) => {
    return origin === location.origin ? pathname + search + hash : href
  }

  tools.recordsOf = (each, most) => {
    const rows = tools.rowsOf(each).slice(0, most)
    const head = rows.find((row) => tools.cellsOf(row).some((cell) => tools.isHeadCell(cell)))
    const isHead = head !== undefined && tools.cellsOf(head).every((cell) => tools.isHeadCell(cell))
    const names = isHead ? tools.cellsOf(head).flatMap(namesOf) : []
    return rows
      .filter((row) => row !== head || !isHead)
      .map((row) => rowOf(row, names))
      .filter((row) => Object.keys(row).length > 0)
  }

  function namesOf(cell: Element): string[] {
    return Array<string>((cell as HTMLTableCellElement).colSpan || 1).fill(tools.textOf(cell, 1000))
  }

  function rowOf(row: Element, names: readonly string[]): Row {
    const cells = tools.cellsOf(row)
    const told: Row = {}
    for (const [at, cell] of cells.entries()) {
      const name = names[at] || `column ${at + 1}`
      told[name in told ? `${name} ${at + 1}` : name] = tools.textOf(cell, 1000)
    }
    const link = row.querySelector<HTMLAnchorElement>('a[href]')
    if (!link) return told
    // The words of a link in a column without a name say nothing.
    const said = Object.entries(told).filter(
      ([name, text]) => !(name.startsWith('column ') && names.length > 0 && text === tools.textOf(link, 1000)),
    )
    return { ...Object.fromEntries(said), link: tools.placeOf(link) }
  }
}
