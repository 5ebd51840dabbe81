import type { Converted, Source } from '../converter.ts'
import { element, usableHref } from '../markup/markup.ts'
import {
  type Area,
  type Budget,
  maxCells,
  type Sheet,
  type SheetCell,
  sheetHtml,
  type SheetRow,
} from '../markup/sheets.ts'
import {
  openPackage,
  type Package,
  related,
  type Relationship,
  type Relationships,
  relationshipsOf,
} from '../xml/package.ts'
import { child, childrenOf, numberOf } from '../xml/tree.ts'
import { type XmlElement, xmlElements, xmlRoot } from '../xml/xml.ts'
import type { Archive } from '../zip/archive.ts'
import { refuse } from '../zip/refuse.ts'
import { areaOf, cellsOf, richText, type Workbook } from './cells.ts'
import { builtInFormat } from './number-format.ts'

type NamedSheet = { name: string; part: string; isHidden: boolean }

/** Reads an Excel workbook (ISO/IEC 29500-1, transitional and strict): a table for every sheet that is shown. */
export function readXlsx({ bytes }: Source): Converted {
  const file = openPackage(bytes, 'xl/workbook.xml')
  if (/\.bin$/i.test(file.main))
    refuse('The file is an Excel workbook of the binary kind (.xlsb).', {
      hint: 'Save it as .xlsx and scrape that copy.',
    })
  const root = xmlRoot(file.archive.chunks(file.main))
  const all = sheetsOf(root, file)
  const shown = all.filter(({ isHidden }) => !isHidden)
  const workbook = sharedParts(file, root)
  const budget: Budget = { cells: maxCells }
  const notes: string[] = shown.length < all.length ? [`Hidden sheets left out: ${all.length - shown.length}.`] : []
  const html = shown.map(({ name, part }, i) => {
    const { sheet, note } = readSheet(file.archive, { name, part, place: i + 1 }, workbook, budget)
    if (note) notes.push(note)
    return sheetHtml(sheet)
  })
  const warning = notes.join(' ')
  return { html: html.join(''), metadata: file.metadata, numPages: shown.length, ...(warning && { warning }) }
}

function sheetsOf(root: XmlElement | undefined, { relationships, archive }: Package): NamedSheet[] {
  return childrenOf(child(root, 's:sheets'), 's:sheet').flatMap(({ attributes }) => {
    const target = relationships.get(attributes['r:id'] ?? '')
    if (!target || target.isExternal || target.type !== 'worksheet' || !archive.has(target.target)) return []
    const isHidden = /hidden/i.test(attributes['state'] ?? '')
    return [{ name: attributes['name'] ?? '', part: target.target, isHidden }]
  })
}

function sharedParts({ archive, relationships }: Package, root: XmlElement | undefined): Workbook {
  const path = (type: string, usual: string) => related(relationships, type) ?? usual
  const is1904 = /^(?:1|true)$/.test(child(root, 's:workbookPr')?.attributes['date1904'] ?? '')
  return {
    strings: stringsOf(archive, path('sharedStrings', 'xl/sharedStrings.xml')),
    formats: formatsOf(archive, path('styles', 'xl/styles.xml')),
    dateSystem: is1904 ? 1904 : 1900,
  }
}

function stringsOf(archive: Archive, path: string): string[] {
  const strings: string[] = []
  for (const item of xmlElements(archive.chunks(path), 's:si')) strings.push(richText(item))
  return strings
}

function formatsOf(archive: Archive, path: string): (string | undefined)[] {
  const root = xmlRoot(archive.chunks(path))
  const own = new Map(
    childrenOf(child(root, 's:numFmts'), 's:numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'],
    ]),
  )
  return childrenOf(child(root, 's:cellXfs'), 's:xf').map(({ attributes }) => {
    const id = numberOf(attributes['numFmtId']) ?? 0
    return own.get(id) ?? builtInFormat(id)
  })
}

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
function readSheet(archive: Archive, { name, part, place }: SheetPlace, workbook: Workbook, budget: Budget): ReadSheet {
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
