import { type TableCell, tableHtml } from './block-markup.ts'
import { element, escapeHtml, paragraph } from './inline-markup.ts'

export type SheetCell = { column: number; html: string }
export type SheetRow = { index: number; cells: readonly SheetCell[] }
/** Rows and columns count from 0; both ends are inclusive. */
export type Area = { top: number; left: number; bottom: number; right: number }
export type Sheet = { name: string; rows: readonly SheetRow[]; merges: readonly Area[] }

/** Remaining budget of all sheets: cells, and characters in them, because one text may be in every cell. */
export type Room = { cells: number; chars: number }
/** Returns limits that keep a page below some megabytes. */
export const newRoom = (): Room => ({ cells: 200_000, chars: 4_000_000 })
export const isFull = ({ cells, chars }: Room) => cells <= 0 || chars <= 0
/** Maximum table size: a few cells far apart would create very many empty ones. */
const maxPlaces = 400_000

/** Renders a heading and a table; empty rows and columns are omitted. */
export function sheetHtml({ name, rows, merges }: Sheet): string {
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort((a, b) => a - b)
  const title = element('h2', escapeHtml(name))
  const places = columns.length * rows.length
  const filled = rows.reduce((sum, { cells }) => sum + cells.length, 0)
  if (places > Math.max(maxPlaces, 4 * filled)) return title + scatteredHtml(rows)
  const { titles, body } = splitTitles(rows, columns.length)
  const table = tableHtml(placed(body, columns, merges), body.length > 1 ? 1 : 0)
  return title + titles.map((html) => paragraph(html)).join('') + table
}

/** Renders a sparse sheet as a list of named cells, because a table would be mostly empty. */
function scatteredHtml(rows: readonly SheetRow[]): string {
  const items = rows.flatMap(({ index, cells }) =>
    cells.map(({ column, html }) => element('li', `${columnName(column)}${index + 1}: ${html}`)),
  )
  return element('ul', items.join(''))
}

function columnName(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last
}

/** Leading rows with a single cell are text above the table. */
function splitTitles(rows: readonly SheetRow[], width: number): { titles: string[]; body: readonly SheetRow[] } {
  const first = rows.findIndex(({ cells }) => cells.length > 1)
  if (width < 2 || first <= 0) return { titles: [], body: rows }
  return { titles: rows.slice(0, first).map(({ cells }) => cells[0]?.html ?? ''), body: rows.slice(first) }
}

function placed(rows: readonly SheetRow[], columns: readonly number[], merges: readonly Area[]): TableCell[][] {
  const places = new Map(columns.map((column, place) => [column, place]))
  const lines = new Map(rows.map(({ index }, line) => [index, line]))
  const covered = rows.map(() => new Set<number>())
  const spans = new Map<string, { colspan: number; rowspan: number }>()
  let work = 0
  for (const area of merges) {
    const [line, place] = [lines.get(area.top), places.get(area.left)]
    if (line === undefined || place === undefined) continue
    const rowspan = countUpTo(rows, line, ({ index }) => index <= area.bottom)
    const colspan = countUpTo(columns, place, (column) => column <= area.right)
    if ((work += rowspan * colspan) > maxPlaces) break
    spans.set(`${line} ${place}`, { colspan, rowspan })
    for (let below = line; below < line + rowspan; below++)
      for (let right = place; right < place + colspan; right++) covered[below]?.add(right)
    covered[line]?.delete(place)
  }
  return rows.map(({ cells }, line) => {
    const htmls = new Map(cells.map(({ column, html }) => [places.get(column), html]))
    return columns.flatMap((_, place) =>
      covered[line]?.has(place) ? [] : [{ html: htmls.get(place) ?? '', ...spans.get(`${line} ${place}`) }],
    )
  })
}

function countUpTo<T>(list: readonly T[], from: number, isIn: (item: T) => boolean): number {
  let to = from
  while (to < list.length && isIn(list[to]!)) to++
  return Math.max(1, to - from)
}

/** Escapes the text of a cell; its line breaks are kept. */
export const cellHtml = (text: string) => escapeHtml(text).replace(/\r?\n|\r/g, '<br>')
