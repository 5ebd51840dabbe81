import type { PageNode, PageTools, Row } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

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

/// <reference lib="dom" />

/** Runs in the page: texts, and what stands in them, become lines. */
export function addRuns(tools: PageTools): void {
  tools.grouped = (items) => {
    const nodes: PageNode[] = []
    let run: (string | PageNode)[] = []
    const flush = () => {
      nodes.push(...lineOf(run))
      run = []
    }
    for (const item of items) {
      if (item === null) flush()
      else if (typeof item === 'object' && item.children) {
        flush()
        nodes.push(item)
      } else run.push(item)
    }
    flush()
    return nodes
  }

  function lineOf(run: readonly (string | PageNode)[]): PageNode[] {
    const parts: (string | PageNode)[] = []
    for (const item of run) {
      const last = parts.at(-1)
      if (typeof item === 'string' && typeof last === 'string') parts[parts.length - 1] = last + item
      else parts.push(item)
    }
    const told = parts
      .map((part) => (typeof part === 'string' ? tools.clean(part) : part))
      .filter((part) => part !== '')
    const only = told[0]
    if (told.length === 1 && typeof only === 'string') return [{ role: 'text', name: only }]
    // Marks between links, such as a bar or a comma, are no text.
    const nodes = told.filter((part) => typeof part === 'object')
    const text = told.filter((part) => typeof part === 'string').join('')
    if (!/[\p{L}\p{N}]/u.test(text)) return nodes
    // A sentence with links in it is one line; a row of buttons with a word between them is not.
    if (nodes.length <= 3 || text.length >= nodes.length * 20) return [{ role: 'text', parts: told }]
    return told.map((part) => (typeof part === 'string' ? { role: 'text', name: part } : part))
  }
}
