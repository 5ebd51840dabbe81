import { boundless, type Budget, type Converted, type Metadata, metadataFrom, type Source } from '../converter.ts'
import { type Block, blocksHtml, createNotes, type Place, type Slide, slidesHtml } from '../markup/block-markup.ts'
import { refuse } from '../refuse.ts'
import { namedTexts } from '../xml/package.ts'
import {
  at,
  child,
  elementsOf,
  numberOf,
  type Wanted,
  within,
  type XmlElement,
  xmlElements,
  xmlEvents,
  xmlRoot,
} from '../xml/xml-stream.ts'
import { type Archive, openArchive } from '../zip/archive.ts'
import { innerHtml, odfBlocks, type OdfContext, odfRuns, skippedNames, wordsAbout } from './odf-content.ts'
import { createStyles } from './odf-styles.ts'
import { inlineHtml, picture } from '../markup/inline-markup.ts'
import {
  type Area,
  cellHtml,
  isFull,
  newRoom,
  type Room,
  type Sheet,
  type SheetCell,
  sheetHtml,
  type SheetRow,
} from '../markup/sheets.ts'

type OdfFile = {
  archive: Archive
  context: OdfContext
  notesHtml(): string
  metadata: Metadata
}

const styleElements = ['style:style', 'text:list-style']

/** Opens an OpenDocument file (ISO/IEC 26300). Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a locked or empty one. */
function openOdf(bytes: Uint8Array, budget: Budget): OdfFile {
  const archive = openArchive(bytes, budget)
  for (const _ of xmlElements(archive.chunks('META-INF/manifest.xml'), 'manifest:encryption-data'))
    refuse('The document is password-protected.', { hint: 'Save it without a password and scrape that copy.' })
  if (!archive.has('content.xml')) refuse('The file lacks its content, so there is nothing to read.')
  const styles = createStyles()
  for (const element of xmlElements(archive.chunks('styles.xml'), ...styleElements)) styles.add(element)
  const notes = createNotes()
  const context: OdfContext = {
    styles,
    objectRoot: (path) => xmlRoot(archive.chunks(`${path}/content.xml`)),
    listNumbers: new Map(),
    float: () => {},
    noteMark: (note) => {
      const inner = { ...context, noteMark: () => '' }
      const id = note.attributes['text:id'] ?? note.attributes['xml:id'] ?? `note ${++unnamed}`
      return notes.refer(id, () => innerHtml(child(note, 'text:note-body') ?? note, inner))
    },
  }
  let unnamed = 0
  return { archive, context, notesHtml: notes.html, metadata: metadataOf(archive) }
}

/** The initial creator is the author; the last editor counts only if no creator is named. */
function metadataOf(archive: Archive): Metadata {
  const root: XmlElement | undefined = xmlRoot(archive.chunks('meta.xml'))
  const texts = elementsOf(root).flatMap(namedTexts)
  const hasAuthor = texts.some(([name, text]) => name === 'meta:initial-creator' && text.trim() !== '')
  return metadataFrom(texts.filter(([name]) => !hasAuthor || name !== 'dc:creator'))
}

/** Reads an OpenDocument text (ISO/IEC 26300), block by block as it is inflated. */
export function readOdt({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openOdf(bytes, budget)
  const html = blocksHtml(mainBlocks(file)) + file.notesHtml()
  return { html, metadata: file.metadata }
}

/** Elements that are blocks in any parent. */
const blockNames = new Set(['text:p', 'text:h', 'text:list', 'table:table', 'draw:frame', 'draw:custom-shape'])

const wanted: Wanted = (name) => {
  if (name === 'text:section') return 'mark'
  return blockNames.has(name) || styleElements.includes(name) || skippedNames.test(name) ? 'whole' : undefined
}

function* mainBlocks({ archive, context }: OdfFile): Generator<Block> {
  const sections: boolean[] = []
  for (const { kind, element } of xmlEvents(archive.chunks('content.xml'), wanted)) {
    if (kind === 'open') sections.push(element.attributes['text:display'] === 'none')
    else if (kind === 'close') sections.pop()
    else if (styleElements.includes(element.name)) context.styles.add(element)
    else if (!sections.includes(true)) yield* odfBlocks(element, context)
  }
}

/** Maximum number of shapes written of a slide whose reading used up the budget; real slides have far fewer. */
const maxShapes = 5000

const bandHeightCm = 0.5

/** Reads an OpenDocument presentation or drawing (ISO/IEC 26300) slide by slide. */
export function readOdp({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openOdf(bytes, budget)
  const { html, ...facts } = slidesHtml([...slidesOf(file, budget)], bandHeightCm)
  return { html: html + file.notesHtml(), metadata: file.metadata, ...facts }
}

/** Yields undefined for a hidden slide. */
function* slidesOf({ archive, context }: OdfFile, budget: Budget): Generator<Slide | undefined> {
  for (const element of xmlElements(archive.chunks('content.xml'), 'draw:page', ...styleElements)) {
    if (element.name !== 'draw:page') context.styles.add(element)
    else if (context.styles.of('drawing-page', element.attributes['draw:style-name']).isHidden) yield undefined
    else yield slideOf(element, context, budget)
  }
}

function slideOf(page: XmlElement, context: OdfContext, budget: Budget): Slide {
  const all = elementsOf(page).filter(({ name }) => name.startsWith('draw:'))
  const shapes = budget.isSpent() ? all.slice(0, maxShapes) : all
  const title = shapes.find((shape) => shape.attributes['presentation:class'] === 'title')
  return {
    title: title ? titleHtml(title, context) : '',
    shapes: shapes
      .filter((shape) => shape !== title)
      .map((shape) => ({ place: placeOf(shape), html: shapeHtml(shape, context) })),
    notesHtml: notesOf(page, context),
  }
}

/** Flattens a title to one line. */
function titleHtml(frame: XmlElement, context: OdfContext): string {
  return innerHtml(frame, context)
    .replace(/<\/?(?:p|h\d|ul|ol|li|strong|br)\b[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function shapeHtml(shape: XmlElement, context: OdfContext): string {
  if (/^(?:date-time|footer|header|page-number)$/.test(shape.attributes['presentation:class'] ?? '')) return ''
  const isEmpty = shape.attributes['presentation:placeholder'] === 'true'
  if (isEmpty) return ''
  if (shape.name === 'draw:g')
    return elementsOf(shape)
      .map((inner) => shapeHtml(inner, context))
      .join('')
  const table = child(shape, 'table:table')
  if (table) return blocksHtml(odfBlocks(table, context))
  const html = innerHtml(child(shape, 'draw:text-box') ?? shape, context)
  return html || (shape.name === 'draw:frame' ? picture(wordsAbout(shape)) : '')
}

function notesOf(page: XmlElement, context: OdfContext): string {
  const frames = elementsOf(child(page, 'presentation:notes'))
  const frame = frames.find(({ attributes }) => attributes['presentation:class'] === 'notes')
  const box = at(frame, 'draw:text-box')
  return box ? innerHtml(box, context) : ''
}

function placeOf({ attributes }: XmlElement): Place | undefined {
  const [x, y] = [lengthOf(attributes['svg:x']), lengthOf(attributes['svg:y'])]
  return x === undefined || y === undefined ? undefined : { x, y }
}

const unitsCm: Readonly<Record<string, number>> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  pc: 2.54 / 6,
  px: 2.54 / 96,
}

function lengthOf(length: string | undefined): number | undefined {
  const [, number, unit = 'cm'] = /^(-?[\d.]+)([a-z]*)$/.exec(length ?? '') ?? []
  const value = Number(number) * (unitsCm[unit] ?? 1)
  return Number.isFinite(value) ? value : undefined
}

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

const wantedOfSheet: Wanted = (name) => {
  if (name === 'table:table') return 'mark'
  const isWhole = name === 'table:table-row' || name === 'table:table-column' || name === 'table:shapes'
  return isWhole || styleElements.includes(name) ? 'whole' : undefined
}

function readSheets({ archive, context }: OdfFile): SheetDraft[] {
  const book: WorkbookDraft = { drafts: [], context, room: newRoom() }
  for (const { kind, element } of xmlEvents(archive.chunks('content.xml'), wantedOfSheet)) {
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
    for (let place = column; place < last && chars < room.chars; place++, chars += html.length)
      cells.push({ column: place, html })
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
  return html.length > 0 ? html.join('<br>') : cellHtml(valueOf(cell))
}

/** Returns the value of a cell that some writers store without its text. */
function valueOf({ attributes }: XmlElement): string {
  const value = attributes['office:value'] ?? attributes['office:string-value']
  return value ?? attributes['office:boolean-value']?.toUpperCase() ?? ''
}
