import type { Archive } from '../zip/archive.ts'
import { element, usableHref } from './markup.ts'
import { type Relationship, type Relationships, relationshipsOf } from './opc.ts'
import type { Area, Budget, Sheet, SheetCell, SheetRow } from './sheets.ts'
import { numberOf } from './tree.ts'
import { type Workbook, areaOf, cellsOf } from './xlsx-cells.ts'
import { type XmlElement, xmlElements } from './xml.ts'

/** `place` counts the sheets that are shown, from 1: names are the author's words and stay out of warnings. */
export type SheetPlace = { name: string; part: string; place: number }
export type ReadSheet = { sheet: Sheet; note: string }

type Draft = {
  rows: SheetRow[]
  merges: Area[]
  links: Map<number, Map<number, string>>
  hiddenColumns: { from: number; to: number }[]
  hiddenRows: number
  lastRow: number | undefined
}
const wanted = ['s:row', 's:col', 's:mergeCell', 's:hyperlink', 's:dimension']
const maxAreas = 50_000
const maxColumnRanges = 500

/** Reads a sheet row by row until the budget is spent; the rest of the part is then not even inflated. */
export function readSheet(
  archive: Archive,
  { name, part, place }: SheetPlace,
  workbook: Workbook,
  budget: Budget,
): ReadSheet {
  const draft: Draft = { rows: [], merges: [], links: new Map(), hiddenColumns: [], hiddenRows: 0, lastRow: undefined }
  const relationships = relationshipsOf(archive, part)
  let next = 0
  let isCut = false
  for (const found of xmlElements(archive.chunks(part), ...wanted)) {
    if (found.name !== 's:row') addFact(draft, found, relationships)
    else if (budget.cells <= 0) isCut = true
    else next = addRow(draft, found, next, workbook, budget)
    if (isCut) break
  }
  const rows = draft.rows.map((row) => withLinks(row, draft.links.get(row.index)))
  return { sheet: { name, rows, merges: draft.merges }, note: noteOn(place, draft, isCut ? next : undefined) }
}

function addRow(draft: Draft, row: XmlElement, next: number, workbook: Workbook, budget: Budget): number {
  const index = (numberOf(row.attributes['r']) ?? next + 1) - 1
  if (/^(?:1|true)$/.test(row.attributes['hidden'] ?? '')) draft.hiddenRows += row.children.length > 0 ? 1 : 0
  else {
    const isHidden = (column: number) => draft.hiddenColumns.some(({ from, to }) => column >= from && column <= to)
    const cells = cellsOf(row, workbook, isHidden)
    budget.cells -= cells.length
    if (cells.length > 0) draft.rows.push({ index, cells })
  }
  return index + 1
}

function addFact(draft: Draft, { name, attributes }: XmlElement, relationships: Relationships): void {
  const area = areaOf(attributes['ref'])
  if (name === 's:dimension') draft.lastRow = area && area.bottom + 1
  if (name === 's:mergeCell' && area && draft.merges.length < maxAreas) draft.merges.push(area)
  if (name === 's:col') addColumns(draft, attributes)
  if (name === 's:hyperlink' && area) addLink(draft, area, relationships.get(attributes['r:id'] ?? ''))
}

function addColumns({ hiddenColumns }: Draft, { min, max, hidden = '' }: XmlElement['attributes']): void {
  const [from, to] = [numberOf(min), numberOf(max)]
  if (!/^(?:1|true)$/.test(hidden) || from === undefined || to === undefined) return
  if (hiddenColumns.length < maxColumnRanges) hiddenColumns.push({ from: from - 1, to: to - 1 })
}

function addLink({ links }: Draft, { top, left }: Area, target: Relationship | undefined): void {
  const href = target?.isExternal ? usableHref(target.target) : undefined
  if (href) links.set(top, (links.get(top) ?? new Map<number, string>()).set(left, href))
}

function withLinks(row: SheetRow, links: ReadonlyMap<number, string> | undefined): SheetRow {
  return links ? { ...row, cells: row.cells.map((cell) => linked(cell, links.get(cell.column))) } : row
}

function linked(cell: SheetCell, href: string | undefined): SheetCell {
  return href === undefined ? cell : { ...cell, html: element('a', cell.html, { href }) }
}

function noteOn(place: number, { hiddenRows, hiddenColumns, lastRow }: Draft, cutAt: number | undefined): string {
  const notes: string[] = []
  if (hiddenRows > 0 || hiddenColumns.length > 0) notes.push(`hidden rows or columns were left out`)
  if (cutAt !== undefined)
    notes.push(
      `rows after ${cutAt}${lastRow !== undefined && lastRow > cutAt ? ` of ${lastRow}` : ''} were left out, because the workbook is too large`,
    )
  return notes.length > 0 ? `Sheet ${place}: ${notes.join('; ')}.` : ''
}
