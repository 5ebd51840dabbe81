import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
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
import { refuse } from '../refuse.ts'
import {
  openPackage,
  type Package,
  related,
  type Relationship,
  type Relationships,
  relationshipsOf,
} from '../xml/package.ts'
import {
  child,
  childrenOf,
  elementsOf,
  numberOf,
  textOf,
  type XmlElement,
  xmlElements,
  xmlRoot,
} from '../xml/xml-stream.ts'
import type { Archive } from '../zip/archive.ts'
import { element, usableHref } from '../markup/inline-markup.ts'
import { format, getFormatFromId, type Token, tokenize } from 'numfmt'

const maxReference = 40
const maxFormula = 8192

/** Data shared by the cells of all sheets. */
type Workbook = {
  strings: readonly string[]
  /** Format codes by the style number of a cell. */
  formats: readonly (string | undefined)[]
  dateSystem: DateSystem
}

type RowReader = { workbook: Workbook; isHidden(column: number): boolean; room: Room }

/** Returns the non-empty cells of a row until the budget is used up. */
function cellsOf(row: XmlElement, { workbook, isHidden, room }: RowReader): SheetCell[] {
  let next = 0
  return childrenOf(row, 's:c').flatMap((cell) => {
    const column = columnOf(cell.attributes['r']) ?? next
    next = column + 1
    if (isHidden(column) || room.chars <= 0) return []
    const { href, name } = linkInFormula(textOf(child(cell, 's:f')))
    const html = cellHtml(shownText(cell, workbook) || (name ?? formulaOf(cell)))
    if (html.trim() === '') return []
    room.cells -= 1
    room.chars -= html.length
    return [{ column, html: href ? `<a href="${cellHtml(href)}">${html}</a>` : html }]
  })
}

/** Returns the text that a cell shows: formulas are not evaluated, because the file contains their last result. */
function shownText(cell: XmlElement, { strings, formats, dateSystem }: Workbook): string {
  const { t: type = 'n', s: style } = cell.attributes
  if (type === 'inlineStr') return richText(child(cell, 's:is'))
  const value = textOf(child(cell, 's:v'))
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : value === '' ? '' : 'FALSE'
  if (type === 'd') return value.replace(/T00:00:00(?:\.0*)?Z?$/, '').replace('T', ' ')
  const number = type === 'n' ? numberOf(value) : undefined
  return number === undefined ? unescapeText(value) : formatValue(number, formats[Number(style ?? 0)], dateSystem)
}

/** Joins the runs of a string; phonetic readings of East Asian characters are dropped. */
function richText(parent: XmlElement | undefined): string {
  const parts = elementsOf(parent).map((part) => {
    if (part.name === 's:t') return textOf(part)
    return part.name === 's:r' ? childrenOf(part, 's:t').map(textOf).join('') : ''
  })
  return unescapeText(parts.join(''))
}

/** Characters that XML does not allow are written as _xHHHH_. */
const unescapeText = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

function linkInFormula(formula: string): { href?: string | undefined; name?: string | undefined } {
  const call = /^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"(?:\s*,\s*"((?:[^"]|"")*)")?/i
  const [href, name] = (call.exec(formula.slice(0, maxFormula)) ?? [])
    .slice(1)
    .map((text) => text?.replaceAll('""', '"'))
  return { href: usableHref(href), name: name ?? href }
}

/** Programs that do not calculate write formulas without a result, which is then unknown; "" is a result. */
function formulaOf(cell: XmlElement): string {
  const formula = textOf(child(cell, 's:f')).trim().slice(0, maxFormula)
  return formula === '' || cell.attributes['t'] === 'str' ? '' : `=${formula}`
}

/** Returns the column of a cell name such as AB12, from 0. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^\$?([a-z]{1,3})/i.exec(name ?? '')?.[1]?.toUpperCase()
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Parses an area such as A1:C3 or A1. */
function areaOf(reference: string | undefined): Area | undefined {
  const [from, to = from] = (reference ?? '').slice(0, maxReference).split(':')
  const [left, right] = [columnOf(from), columnOf(to)]
  const [top, bottom] = [from, to].map((name) => numberOf(/(\d+)$/.exec(name ?? '')?.[1]))
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return undefined
  return { top: top - 1, left, bottom: bottom - 1, right }
}

/**
 * `place`: number of the sheet among the visible ones, from 1. Warnings name it, because they must not contain text of
 * the file.
 */
type SheetPart = { name: string; part: string; place: number }

type ReadSheet = { sheet: Sheet; note: string }

type SheetDraft = {
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

/** Reads a sheet row by row until the budget is used up; the rest of the part is then not inflated. */
function readSheet(archive: Archive, { name, part, place }: SheetPart, workbook: Workbook, room: Room): ReadSheet {
  const draft: SheetDraft = {
    rows: [],
    merges: [],
    links: new Map(),
    hiddenColumns: [],
    hiddenRows: 0,
    lastRow: undefined,
  }
  const relationships = relationshipsOf(archive, part)
  let next = 0
  let isCut = false
  for (const node of xmlElements(archive.chunks(part), ...wanted)) {
    if (node.name !== 's:row') addFact(draft, node, relationships)
    else if (isFull(room)) isCut = true
    else next = addRow(draft, node, next, workbook, room)
    if (isCut) break
  }
  const rows = draft.rows.map((row) => withLinks(row, draft.links.get(row.index)))
  return { sheet: { name, rows, merges: draft.merges }, note: noteOn(place, draft, isCut ? next : undefined) }
}

function addRow(draft: SheetDraft, row: XmlElement, next: number, workbook: Workbook, room: Room): number {
  const index = (numberOf(row.attributes['r']) ?? next + 1) - 1
  if (/^(?:1|true)$/.test(row.attributes['hidden'] ?? '')) draft.hiddenRows += row.children.length > 0 ? 1 : 0
  else {
    const isHidden = (column: number) => draft.hiddenColumns.some(({ from, to }) => column >= from && column <= to)
    const cells = cellsOf(row, { workbook, isHidden, room })
    if (cells.length > 0) draft.rows.push({ index, cells })
  }
  return index + 1
}

function addFact(draft: SheetDraft, { name, attributes }: XmlElement, relationships: Relationships): void {
  const area = areaOf(attributes['ref'])
  if (name === 's:dimension') draft.lastRow = area && area.bottom + 1
  if (name === 's:mergeCell' && area && draft.merges.length < maxAreas) draft.merges.push(area)
  if (name === 's:col') addColumns(draft, attributes)
  if (name === 's:hyperlink' && area) addLink(draft, area, relationships.get(attributes['r:id'] ?? ''))
}

function addColumns({ hiddenColumns }: SheetDraft, { min, max, hidden = '' }: XmlElement['attributes']): void {
  const [from, to] = [numberOf(min), numberOf(max)]
  if (!/^(?:1|true)$/.test(hidden) || from === undefined || to === undefined) return
  if (hiddenColumns.length < maxColumnRanges) hiddenColumns.push({ from: from - 1, to: to - 1 })
}

function addLink({ links }: SheetDraft, { top, left }: Area, target: Relationship | undefined): void {
  const href = target?.isExternal ? usableHref(target.target) : undefined
  if (href) links.set(top, (links.get(top) ?? new Map<number, string>()).set(left, href))
}

function withLinks(row: SheetRow, links: ReadonlyMap<number, string> | undefined): SheetRow {
  return links ? { ...row, cells: row.cells.map((cell) => linked(cell, links.get(cell.column))) } : row
}

function linked(cell: SheetCell, href: string | undefined): SheetCell {
  return href === undefined ? cell : { ...cell, html: element('a', cell.html, { href }) }
}

function noteOn(place: number, { hiddenRows, hiddenColumns, lastRow }: SheetDraft, cutAt: number | undefined): string {
  const notes: string[] = []
  if (hiddenRows > 0 || hiddenColumns.length > 0) notes.push(`hidden rows or columns were left out`)
  if (cutAt !== undefined)
    notes.push(
      `rows after ${cutAt}${lastRow !== undefined && lastRow > cutAt ? ` of ${lastRow}` : ''} were left out, because the workbook is too large`,
    )
  return notes.length > 0 ? `Sheet ${place}: ${notes.join('; ')}.` : ''
}

type NamedSheet = { name: string; part: string; isHidden: boolean }

/** Reads an Excel workbook (ISO/IEC 29500-1, transitional and strict): a table for every visible sheet. */
export function readXlsx({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openPackage(bytes, 'xl/workbook.xml', budget)
  if (/\.bin$/i.test(file.main))
    refuse('The file is an Excel workbook in the binary format (.xlsb).', {
      hint: 'Save it as .xlsx and scrape that copy.',
    })
  const root = xmlRoot(file.archive.chunks(file.main))
  const all = sheetsOf(root, file)
  const shown = all.filter(({ isHidden }) => !isHidden)
  const workbook = sharedParts(file, root, budget)
  const room = newRoom()
  const notes: string[] = shown.length < all.length ? [`Hidden sheets left out: ${all.length - shown.length}.`] : []
  const html: string[] = []
  for (const [i, { name, part }] of shown.entries()) {
    if (budget.isSpent()) break
    const { sheet, note } = readSheet(file.archive, { name, part, place: i + 1 }, workbook, room)
    if (note) notes.push(note)
    html.push(sheetHtml(sheet))
  }
  const warning = notes.join(' ')
  return { html: html.join(''), metadata: file.metadata, numPages: html.length, ...(warning && { warning }) }
}

function sheetsOf(root: XmlElement | undefined, { relationships, archive }: Package): NamedSheet[] {
  return childrenOf(child(root, 's:sheets'), 's:sheet').flatMap(({ attributes }) => {
    const target = relationships.get(attributes['r:id'] ?? '')
    if (!target || target.isExternal || target.type !== 'worksheet' || !archive.has(target.target)) return []
    const isHidden = /hidden/i.test(attributes['state'] ?? '')
    return [{ name: attributes['name'] ?? '', part: target.target, isHidden }]
  })
}

function sharedParts({ archive, relationships }: Package, root: XmlElement | undefined, budget: Budget): Workbook {
  const path = (type: string, usual: string) => related(relationships, type) ?? usual
  const is1904 = /^(?:1|true)$/.test(child(root, 's:workbookPr')?.attributes['date1904'] ?? '')
  return {
    strings: stringsOf(archive, path('sharedStrings', 'xl/sharedStrings.xml'), budget),
    formats: formatsOf(archive, path('styles', 'xl/styles.xml')),
    dateSystem: is1904 ? 1904 : 1900,
  }
}

/** Number of texts between two checks of the budget. */
const checkEvery = 1000

function stringsOf(archive: Archive, path: string, budget: Budget): string[] {
  const strings: string[] = []
  for (const item of xmlElements(archive.chunks(path), 's:si')) {
    if (strings.length % checkEvery === 0 && budget.isHalfSpent()) break
    strings.push(richText(item))
  }
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

type DateSystem = 1900 | 1904

/** Returns the format of an id that files need not define (ISO/IEC 29500-1, 18.8.30). */
const builtInFormat = (id: number): string => getFormatFromId(id)

/** Maximum length of a format code; spreadsheets allow 255 characters. */
const maxFormat = 500

/**
 * Formats a number by a format code like a spreadsheet, except for dates, which become ISO 8601 regardless of the
 * code's order to avoid ambiguity.
 */
export function formatValue(value: number, code = '', system: DateSystem): string {
  if (/^(?:general|@)?$/i.test(code) || code.length > maxFormat) return general(value)
  try {
    const { text, kind } = preparedCode(code)
    // The formatter counts days from 1900 only, and fails on negative durations.
    const shown = kind === 'duration' ? Math.abs(value) : kind === 'date' && system === 1904 ? value + 1462 : value
    if (kind === 'date' && (value < 0 || shown >= year10000)) return general(value)
    const written = format(text, shown).replace(/\s+/g, ' ').trim()
    return kind === 'duration' && value < 0 ? `-${written}` : written || general(value)
  } catch {
    return general(value)
  }
}

/** 1 January 10000, which ISO 8601 cannot represent with four digits. */
const year10000 = 2_958_466

/** Rounds to the digits that identify the number, without the noise of binary fractions. */
const general = (value: number) => String(Number(value.toPrecision(15)))

type Code = { text: string; kind: 'number' | 'date' | 'duration' }

const maxPrepared = 500
const prepared = new Map<string, Code>()

function preparedCode(code: string): Code {
  const known = prepared.get(code)
  if (known) return known
  if (prepared.size >= maxPrepared) prepared.clear()
  const sections = sectionsOf(tokenize(code)).map(isoSection)
  const kind = sections.find((section) => section.kind !== 'number')?.kind ?? 'number'
  const result = { text: sections.map(({ text }) => text).join(';'), kind }
  prepared.set(code, result)
  return result
}

function sectionsOf(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]]
  for (const token of tokens)
    if (token.type === 'BREAK') sections.push([])
    else sections.at(-1)?.push(token)
  return sections
}

/** Returns a token as written, without its language, which would change signs and month names. */
const rawOf = ({ type, raw }: Token) => (type === 'LOCALE' ? raw.replace(/-[^\]]*/, '') : raw)

/** Rewrites a section with its date and time in ISO 8601 order, at the same precision. */
function isoSection(tokens: readonly Token[]): Code {
  const parts = tokens.filter(({ type }) => type === 'DATETIME' || type === 'DURATION')
  if (parts.length === 0) return { text: tokens.map(rawOf).join(''), kind: 'number' }
  const conditions = tokens.filter(({ type }) => type === 'CONDITION').map(rawOf)
  const duration = parts.find(({ type }) => type === 'DURATION')
  const letters = parts.map(({ value }) => value).join('')
  const iso = duration ? durationCode(duration.raw, letters) : dateCode(letters)
  return { text: conditions.join('') + iso, kind: duration ? 'duration' : 'date' }
}

function dateCode(letters: string): string {
  const [hasYear, hasDay, hasTime] = [/[yeb]/i, /d/i, /[hs]/i].map((part) => part.test(letters))
  const clock = /s/i.test(letters) ? 'hh:mm:ss' : 'hh:mm'
  if (hasTime && !hasYear && !hasDay) return clock
  const day = hasDay || !hasYear ? 'yyyy-mm-dd' : /m/i.test(letters) ? 'yyyy-mm' : 'yyyy'
  return hasTime ? `${day} ${clock}` : day
}

function durationCode(first: string, letters: string): string {
  if (/h/i.test(first)) return /s/i.test(letters) ? '[h]:mm:ss' : '[h]:mm'
  return /m/i.test(first) && /s/i.test(letters) ? '[m]:ss' : first
}
