import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
import { inlineHtml } from '../markup/inline-markup.ts'
import {
  type Area,
  isFull,
  cellHtml,
  newRoom,
  type Room,
  type Sheet,
  type SheetCell,
  sheetHtml,
  type SheetRow,
} from '../markup/sheets.ts'
import { elementsOf, numberOf, type Wanted, within, type XmlElement, xmlEvents } from '../xml/xml-stream.ts'
import { type OdfContext, odfRuns } from './odf-content.ts'
import { type OdfFile, openOdf } from './odf.ts'
import { styleElements } from './odf-styles.ts'

type SheetDraft = Sheet & {
  rows: SheetRow[]
  merges: Area[]
  isHidden: boolean
  hiddenColumns: { from: number; to: number }[]
  nextRow: number
  nextColumn: number
  /** Notes about omitted content. */
  notes: Set<string>
}
type WorkbookDraft = { drafts: SheetDraft[]; context: OdfContext; room: Room }

/** Maximum repetitions of a row or cell with content; files may repeat either by number to the edge of the sheet. */
const maxRepeats = 1000
const maxColumnRanges = 500

/** Reads an OpenDocument spreadsheet (ISO/IEC 26300): a table for every visible sheet. */
export function readOds({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openOdf(bytes, budget)
  const drafts = readSheets(file)
  const shown = drafts.filter(({ isHidden }) => !isHidden)
  const hidden = drafts.length - shown.length
  const notes = shown.flatMap(({ notes: own }, i) => (own.size > 0 ? [`Sheet ${i + 1}: ${[...own].join('; ')}.`] : []))
  const warning = [...(hidden > 0 ? [`Hidden sheets left out: ${hidden}.`] : []), ...notes].join(' ')
  const html = shown.map(sheetHtml).join('') + file.notesHtml()
  return { html, metadata: file.metadata, numPages: shown.length, ...(warning && { warning }) }
}

const wanted: Wanted = (name) => {
  if (name === 'table:table') return 'mark'
  const isWhole = name === 'table:table-row' || name === 'table:table-column' || name === 'table:shapes'
  return isWhole || styleElements.includes(name) ? 'whole' : undefined
}

function readSheets({ archive, context }: OdfFile): SheetDraft[] {
  const book: WorkbookDraft = { drafts: [], context, room: newRoom() }
  for (const { kind, element } of xmlEvents(archive.chunks('content.xml'), wanted)) {
    const draft = book.drafts.at(-1)
    if (kind === 'open') book.drafts.push(newDraft(element, context))
    else if (styleElements.includes(element.name)) context.styles.add(element)
    else if (kind === 'whole' && draft && !draft.isHidden) addTo(draft, element, book)
  }
  return book.drafts
}

function newDraft({ attributes }: XmlElement, { styles }: OdfContext): SheetDraft {
  return {
    name: attributes['table:name'] ?? '',
    isHidden: styles.of('table', attributes['table:style-name']).isHidden === true,
    rows: [],
    merges: [],
    hiddenColumns: [],
    nextRow: 0,
    nextColumn: 0,
    notes: new Set(),
  }
}

function addTo(draft: SheetDraft, element: XmlElement, book: WorkbookDraft): void {
  const { attributes, name } = element
  const isHidden = /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')
  if (name === 'table:table-column') {
    const from = draft.nextColumn
    draft.nextColumn += repeatOf(attributes['table:number-columns-repeated'])
    if (isHidden && draft.hiddenColumns.length < maxColumnRanges)
      draft.hiddenColumns.push({ from, to: draft.nextColumn - 1 })
    return
  }
  if (name !== 'table:table-row') return
  const top = draft.nextRow
  draft.nextRow += repeatOf(attributes['table:number-rows-repeated'])
  if (isHidden) addHiddenNote(draft, element)
  else if (isFull(book.room)) draft.notes.add('rows were left out, because the workbook is too large')
  else addRow(draft, element, top, book)
}

const repeatOf = (count: string | undefined) => Math.max(1, Math.trunc(numberOf(count) ?? 1))

function addHiddenNote(draft: SheetDraft, row: XmlElement): void {
  for (const _ of within(row, 'text:p')) return void draft.notes.add('hidden rows or columns were left out')
}

function addRow(draft: SheetDraft, row: XmlElement, top: number, { context, room }: WorkbookDraft): void {
  const cells: SheetCell[] = []
  let [next, chars] = [0, 0]
  for (const cell of elementsOf(row)) {
    const column = next
    const repeat = repeatOf(cell.attributes['table:number-columns-repeated'])
    next += repeat
    if (cell.name !== 'table:table-cell' || isHiddenColumn(draft, column)) continue
    addMerge(draft, cell, top, column)
    const html = shownHtml(cell, context)
    if (html.trim() === '') continue
    const last = column + Math.min(repeat, maxRepeats, Math.max(0, room.cells - cells.length))
    for (let at = column; at < last && chars < room.chars; at++, chars += html.length) cells.push({ column: at, html })
  }
  const rows = Math.min(draft.nextRow - top, maxRepeats)
  for (let index = top; cells.length > 0 && index < top + rows && !isFull(room); index++) {
    draft.rows.push({ index, cells })
    room.cells -= cells.length
    room.chars -= chars
  }
}

function isHiddenColumn(draft: SheetDraft, column: number): boolean {
  const isHidden = draft.hiddenColumns.some(({ from, to }) => column >= from && column <= to)
  if (isHidden) draft.notes.add('hidden rows or columns were left out')
  return isHidden
}

function addMerge({ merges }: SheetDraft, { attributes }: XmlElement, top: number, left: number): void {
  const columns = repeatOf(attributes['table:number-columns-spanned'])
  const rows = repeatOf(attributes['table:number-rows-spanned'])
  if (columns > 1 || rows > 1) merges.push({ top, left, bottom: top + rows - 1, right: left + columns - 1 })
}

/**
 * Returns the text as shown in the sheet; dates become ISO 8601, because the order of day and month differs by country.
 */
function shownHtml(cell: XmlElement, context: OdfContext): string {
  const { 'office:value-type': type, 'office:date-value': date } = cell.attributes
  if (type === 'date' && date) return cellHtml(date.replace(/T00:00:00(?:\.0*)?$/, '').replace('T', ' '))
  const lines = elementsOf(cell).filter(({ name }) => name === 'text:p')
  const html = lines.map((line) =>
    inlineHtml(odfRuns(line, context).map((piece) => ({ ...piece, style: { href: piece.style.href } }))),
  )
  return html.length > 0 ? html.join('<br>') : cellHtml(cell.attributes['office:value'] ?? '')
}
