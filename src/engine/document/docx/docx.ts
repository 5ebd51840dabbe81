import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
import {
  type Block,
  blocksHtml,
  createNotes,
  listItem,
  type Notes,
  type TableCell,
  tableHtml,
} from '../markup/block-markup.ts'
import {
  fileNameIn,
  formula,
  heading,
  inlineHtml,
  isBlank,
  paragraph,
  picture,
  codeText,
  type TextRun,
  type TextStyle,
  usableHref,
  withoutBold,
} from '../markup/inline-markup.ts'
import {
  type ChartReader,
  createChartReader,
  openPackage,
  type Package,
  related,
  type Relationships,
  relationshipsOf,
} from '../xml/package.ts'
import {
  at,
  child,
  childrenOf,
  elementsOf,
  firstWithin,
  numberOf,
  textOf,
  type Wanted,
  within,
  type XmlElement,
  xmlElements,
  xmlEvents,
} from '../xml/xml-stream.ts'
import { createFields, type Fields, hrefOf, isSilentCode, symbolOf, withPlace } from '../markup/word-fields.ts'
import {
  type DocxStyle,
  type DocxStyles,
  numberedOf,
  type Numbering,
  outlineLevel,
  readNumbering,
  readStyles,
  toggle,
} from './docx-styles.ts'
import { texOf } from '../markup/formula.ts'

/** Reads a Word document (ISO/IEC 29500-1, transitional and strict), block by block as it is inflated. */
export function readDocx({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openPackage(bytes, 'word/document.xml', budget)
  const chunksOf = (type: string) => file.archive.chunks(related(file.relationships, type) ?? `word/${type}.xml`)
  const styles = readStyles(chunksOf('styles'))
  const numbering = readNumbering(chunksOf('numbering'), (style) => styles.of(style).numbered.id)
  const notes = createNotes()
  const context: BlockContext = {
    styles,
    numbering,
    relationships: file.relationships,
    fields: createFields(),
    noteMark: noteMarks(file, () => context, notes),
    carried: [],
    chartHtml: createChartReader(file.archive),
    float: () => {},
  }
  const html = blocksHtml(mainBlocks(file, context)) + notes.html()
  const { language } = styles
  return { html, metadata: { ...(language !== undefined && { language }), ...file.metadata } }
}

const wanted: Wanted = (name) =>
  name === 'w:p' || name === 'w:tbl' ? 'whole' : name === 'mc:Fallback' ? 'mark' : undefined

function* mainBlocks({ archive, main }: Package, context: BlockContext): Generator<Block> {
  let fallbacks = 0
  for (const { kind, element } of xmlEvents(archive.chunks(main), wanted)) {
    if (kind === 'open') fallbacks++
    else if (kind === 'close') fallbacks--
    else if (fallbacks === 0) yield* blocksOf(element, context)
  }
  yield* carriedBlock(context)
}

/** Notes are separate parts, which are read at the first reference. */
function noteMarks(file: Package, context: () => BlockContext, notes: Notes): BlockContext['noteMark'] {
  const read = (kind: 'footnote' | 'endnote') => {
    const part = related(file.relationships, `${kind}s`) ?? `word/${kind}s.xml`
    const elements = new Map<string, XmlElement>()
    for (const note of xmlElements(file.archive.chunks(part), `w:${kind}`))
      elements.set(note.attributes['w:id'] ?? '', note)
    return { elements, relationships: relationshipsOf(file.archive, part) }
  }
  const parts = new Map<string, ReturnType<typeof read>>()
  return (kind, id) => {
    const part = parts.get(kind) ?? read(kind)
    parts.set(kind, part)
    const note = part.elements.get(id)
    if (!note) return ''
    // A note that refers to itself would recurse forever.
    const inner = { ...context(), relationships: part.relationships, fields: createFields(), noteMark: () => '' }
    return notes.refer(`${kind} ${id}`, () => innerHtml(note, inner))
  }
}

/** Converts a paragraph or table; text boxes follow the paragraph they are anchored to. */
function blocksOf(element: XmlElement, context: BlockContext): Block[] {
  if (element.name === 'w:tbl') return [...carriedBlock(context), { kind: 'html', html: tableOf(element, context) }]
  const floats: (() => string)[] = []
  const block = paragraphBlock(element, { ...context, float: (content) => void floats.push(content) })
  const boxes = floats.map((content): Block => ({ kind: 'html', html: content() }))
  return [...block, ...boxes]
}

/** Returns the collected start of a paragraph if no other paragraph continues it. */
const carriedBlock = ({ carried }: BlockContext): Block[] => [
  { kind: 'html', html: paragraph(inlineHtml(carried.splice(0))) },
]

/** True for a large initial, which has its own paragraph, and for a paragraph with a deleted end mark. */
const continuesInNext = (properties: XmlElement | undefined): boolean =>
  /^(?:drop|margin)$/.test(child(properties, 'w:framePr')?.attributes['w:dropCap'] ?? '') ||
  at(properties, 'w:rPr', 'w:del') !== undefined

/** Converts the content of a cell, a text box or a note. */
function innerHtml(parent: XmlElement, context: BlockContext): string {
  const own = { ...context, carried: [] }
  const blocks = [...blockElements(parent)].flatMap((element) => blocksOf(element, own))
  return blocksHtml([...blocks, ...carriedBlock(own)])
}

function paragraphBlock(element: XmlElement, context: BlockContext): Block[] {
  const properties = child(element, 'w:pPr')
  const style = context.styles.of(child(properties, 'w:pStyle')?.attributes['w:val'])
  const pieces = [...context.carried.splice(0), ...runsOf(element, context)]
  if (continuesInNext(properties)) {
    context.carried.push(...pieces)
    return []
  }
  if (style.role === 'toc') return []
  if (style.role === 'code') return [{ kind: 'code', text: codeText(pieces) }]
  const level = headingLevel(properties, style)
  const html = inlineHtml(level === undefined ? pieces : withoutBold(pieces))
  if (isBlank(html)) return []
  const mark = markOf(properties, style, context)
  // The number of a heading is part of its name in references.
  const label = mark?.label ? `${mark.label.trim()} ` : ''
  if (level !== undefined) return [{ kind: 'html', html: heading(level, label + html) }]
  if (mark) return [listItem(mark.level, mark.label, mark.number, html)]
  return [{ kind: style.role === 'quote' ? 'quote' : 'html', html: paragraph(html) }]
}

function headingLevel(properties: XmlElement | undefined, style: DocxStyle): number | undefined {
  const level = outlineLevel(properties) ?? style.headingLevel
  if (level !== undefined && level <= 9) return level
  return style.role === 'title' ? 1 : undefined
}

function markOf(properties: XmlElement | undefined, style: DocxStyle, { numbering }: BlockContext) {
  const { id, level = 0 } = { ...style.numbered, ...numberedOf(properties) }
  const mark = id === undefined || id === '0' ? undefined : numbering.next(id, level)
  return mark && { ...mark, level }
}

type PlacedCell = { cell: TableCell & { rowspan: number }; column: number; continues: boolean }

function tableOf(table: XmlElement, context: BlockContext): string {
  const rows = [...within(table, 'w:tr')].filter((row) => !at(row, 'w:trPr', 'w:del'))
  const placed = rows.map((row) => cellsOf(row, context))
  return tableHtml(mergeDown(placed), placed.some((cells) => cells.length > 1) ? headRows(table, rows) : 0)
}

function cellsOf(row: XmlElement, context: BlockContext): PlacedCell[] {
  let column = numberOf(at(row, 'w:trPr', 'w:gridBefore')?.attributes['w:val']) ?? 0
  const lead = Array.from({ length: Math.min(column, 20) }, (_, i) => placedCell('', i, 1, false))
  const cells = [...within(row, 'w:tc')]
    .filter((cell) => !at(cell, 'w:tcPr', 'w:cellDel'))
    .map((cell) => {
      const properties = child(cell, 'w:tcPr')
      const span = Math.max(1, numberOf(child(properties, 'w:gridSpan')?.attributes['w:val']) ?? 1)
      const merge = child(properties, 'w:vMerge')
      const continues = merge !== undefined && merge.attributes['w:val'] !== 'restart'
      column += span
      return placedCell(innerHtml(cell, context), column - span, span, continues)
    })
  return [...lead, ...cells]
}

function placedCell(html: string, column: number, colspan: number, continues: boolean): PlacedCell {
  return { cell: { html, colspan, rowspan: 1 }, column, continues }
}

/** A cell that continues the one above extends its rowspan. */
function mergeDown(rows: readonly PlacedCell[][]): TableCell[][] {
  const above = new Map<number, PlacedCell>()
  return rows.map((cells) =>
    cells.flatMap((placed) => {
      const upper = placed.continues ? above.get(placed.column) : undefined
      if (!upper) above.set(placed.column, placed)
      else upper.cell.rowspan++
      return upper ? [] : [placed.cell]
    }),
  )
}

/**
 * Returns the number of rows marked to repeat on every page; without any, 1 if the table style formats the first row.
 */
function headRows(table: XmlElement, rows: readonly XmlElement[]): number {
  const marked = rows.findIndex((row) => at(row, 'w:trPr', 'w:tblHeader') === undefined)
  if (marked > 0) return marked
  const look = at(table, 'w:tblPr', 'w:tblLook')?.attributes
  const hasLook = look?.['w:firstRow'] === '1' || (Number.parseInt(look?.['w:val'] ?? '0', 16) & 0x20) !== 0
  return hasLook && rows.length > 1 && !hasNestedTable(rows[0]) ? 1 : 0
}

/** A table with tables in its first row is used for layout. */
const hasNestedTable = (row: XmlElement | undefined) =>
  elementsOf(row).some((cell) => childrenOf(cell, 'w:tbl').length > 0)

/** Context for reading one part; `carried` is the text of a paragraph that continues in the next one. */
type BlockContext = {
  numbering: Numbering
  carried: TextRun[]
  styles: DocxStyles
  relationships: Relationships
  fields: Fields
  /** Returns the reference mark of a footnote or endnote. */
  noteMark(kind: 'footnote' | 'endnote', id: string): string
  chartHtml: ChartReader
  /** Collects what follows the paragraph it is anchored to, such as a text box. */
  float(content: () => string): void
}

const dropped =
  /^w:(?:del|moveFrom|pPr|rPr|sdtPr|sdtEndPr|smartTagPr|customXmlPr|instrText|delText|delInstrText|fldData|annotationRef|commentReference)$/

/**
 * Returns the text of a paragraph, or of anything inside one, with all insertions accepted and all deletions applied.
 */
function runsOf(parent: XmlElement, context: BlockContext, style: TextStyle = {}): TextRun[] {
  return elementsOf(parent).flatMap((element) => piecesOfElement(element, context, style))
}

function piecesOfElement(element: XmlElement, context: BlockContext, style: TextStyle): TextRun[] {
  const { name, attributes } = element
  if (dropped.test(name)) return []
  if (name === 'w:r') return runPieces(element, context, style)
  if (name === 'w:hyperlink') return runsOf(element, context, { ...style, href: linkTarget(element, context) })
  if (name === 'w:fldSimple') return simpleField(element, attributes['w:instr'] ?? '', context, style)
  if (name === 'm:oMathPara') return mathPieces(element, 'block')
  if (name === 'm:oMath') return [{ html: formula(texOf(element), 'inline'), style: {} }]
  if (name === 'mc:AlternateContent') return runsOf(alternative(element) ?? element, context, style)
  return runsOf(element, context, style)
}

/** Returns the first branch, which is the newest form; the others have the same content. */
const alternative = (element: XmlElement) => child(element, 'mc:Choice') ?? child(element, 'mc:Fallback')

function linkTarget({ attributes }: XmlElement, { relationships }: BlockContext): string | undefined {
  const target = relationships.get(attributes['r:id'] ?? '')
  return target?.isExternal ? withPlace(usableHref(target.target), attributes['w:anchor']) : undefined
}

function simpleField(element: XmlElement, code: string, context: BlockContext, style: TextStyle): TextRun[] {
  if (isSilentCode(code)) return []
  return runsOf(element, context, { ...style, href: hrefOf(code) ?? style.href })
}

function mathPieces(element: XmlElement, display: 'block' | 'inline'): TextRun[] {
  return [...within(element, 'm:oMath')].map((math) => ({ html: formula(texOf(math), display), style: {} }))
}

function rubyPieces(element: XmlElement, context: BlockContext, style: TextStyle): TextRun[] {
  const read = (name: string) => [...within(element, name)].flatMap((part) => runsOf(part, context, style))
  const reading = read('w:rt')
  const brackets = (text: string): TextRun[] => (reading.length > 0 ? [{ text, style }] : [])
  return [...read('w:rubyBase'), ...brackets('('), ...reading, ...brackets(')')]
}

function runPieces(run: XmlElement, context: BlockContext, style: TextStyle): TextRun[] {
  const look = child(run, 'w:rPr')
  const named = context.styles.of(child(look, 'w:rStyle')?.attributes['w:val'] ?? '')
  const isHidden = toggle(look, 'w:vanish') ?? named.isHidden
  const own: TextStyle = {
    ...style,
    bold: (toggle(look, 'w:b') ?? named.bold) || style.bold,
    italic: (toggle(look, 'w:i') ?? named.italic) || style.italic,
    strike: (toggle(look, 'w:strike') ?? toggle(look, 'w:dstrike') ?? named.strike) || style.strike,
    code: named.isCode || style.code,
    position: positionOf(look),
  }
  return elementsOf(run).flatMap((element) =>
    isHidden && element.name !== 'w:fldChar' && element.name !== 'w:instrText' ? [] : partPieces(element, context, own),
  )
}

/** Some writers raise small text manually instead of marking it as superscript. */
function positionOf(look: XmlElement | undefined): TextStyle['position'] {
  const value = child(look, 'w:vertAlign')?.attributes['w:val']
  const raised = child(look, 'w:sz') ? (numberOf(child(look, 'w:position')?.attributes['w:val']) ?? 0) : 0
  if (value === 'superscript' || raised > 0) return 'sup'
  return value === 'subscript' || raised < 0 ? 'sub' : undefined
}

type PartReader = (element: XmlElement, context: BlockContext, style: TextStyle) => TextRun[]

const text = (written: string, style: TextStyle): TextRun[] => [{ text: written, style }]

/** Readers for the elements of a run. */
const parts: Readonly<Record<string, PartReader>> = {
  'w:t': (element, _, style) => text(textOf(element), style),
  'w:tab': (_element, _, style) => text('\t', style),
  'w:noBreakHyphen': (_element, _, style) => text('‑', style),
  'w:ptab': (_element, _, style) => text('\t', style),
  'w:br': (_element, _, style) => [{ html: '<br>', style }],
  'w:cr': (_element, _, style) => [{ html: '<br>', style }],
  'w:sym': ({ attributes }, _, style) =>
    text(symbolOf(attributes['w:font'] ?? '', Number.parseInt(attributes['w:char'] ?? '', 16) || 0x20) ?? '', style),
  'w:footnoteReference': (element, context) => noteReference('footnote', element, context),
  'w:endnoteReference': (element, context) => noteReference('endnote', element, context),
  'w:drawing': drawingPieces,
  'w:pict': drawingPieces,
  'w:object': drawingPieces,
  'w:ruby': rubyPieces,
  'mc:AlternateContent': (element, context, style) =>
    elementsOf(alternative(element)).flatMap((part) => partPieces(part, context, style)),
}

function partPieces(element: XmlElement, context: BlockContext, style: TextStyle): TextRun[] {
  const { fields } = context
  if (element.name === 'w:fldChar') return fieldMark(element, context, style)
  if (element.name === 'w:instrText') fields.code(textOf(element))
  const read = parts[element.name]
  if (!read || fields.isSilent()) return []
  return read(element, context, { ...style, href: fields.href() ?? style.href })
}

function fieldMark(element: XmlElement, { fields }: BlockContext, style: TextStyle): TextRun[] {
  const kind = element.attributes['w:fldCharType']
  if (kind === 'begin') fields.begin()
  if (kind === 'separate') fields.separate()
  if (kind === 'end') fields.end()
  const box = at(element, 'w:ffData', 'w:checkBox')
  return box ? text((toggle(box, 'w:checked') ?? toggle(box, 'w:default')) ? '☒' : '☐', style) : []
}

function noteReference(kind: 'footnote' | 'endnote', element: XmlElement, context: BlockContext): TextRun[] {
  const html = context.noteMark(kind, element.attributes['w:id'] ?? '')
  return html ? [{ html, style: {} }] : []
}

/** Returns the picture of a drawing by its description; its charts and text boxes follow the paragraph. */
function drawingPieces(drawing: XmlElement, context: BlockContext): TextRun[] {
  const boxes = [...within(drawing, 'w:txbxContent')]
  for (const box of boxes) context.float(() => innerHtml(box, context))
  const chart = firstWithin(drawing, 'c:chart') ?? firstWithin(drawing, 'dgm:relIds')
  const { 'r:dm': diagram, 'r:id': id = '' } = chart?.attributes ?? {}
  if (chart) context.float(() => context.chartHtml(context.relationships, diagram ?? id))
  if (boxes.length > 0) return []
  const html = picture(wordsAbout(drawing) ?? fileName(drawing, context))
  return html ? [{ html, style: {} }] : []
}

function wordsAbout(drawing: XmlElement): string | undefined {
  const { descr, title } = firstWithin(drawing, 'wp:docPr')?.attributes ?? {}
  const shape = firstWithin(drawing, 'v:shape')?.attributes
  return descr?.trim() || title?.trim() || shape?.['alt']?.trim() || undefined
}

/** Falls back to the file name of a picture; other drawings have no text. */
function fileName(drawing: XmlElement, { relationships }: BlockContext): string | undefined {
  const blip = firstWithin(drawing, 'a:blip')?.attributes
  const data = firstWithin(drawing, 'v:imagedata')?.attributes
  const id = blip?.['r:embed'] ?? blip?.['r:link'] ?? data?.['r:id']
  const target = id === undefined ? undefined : relationships.get(id)
  return target && !target.isExternal ? fileNameIn(target.target) : undefined
}

/** Yields the paragraphs and tables of a box, a cell or a note, regardless of wrappers. */
function* blockElements(parent: XmlElement): Generator<XmlElement> {
  for (const element of elementsOf(parent)) {
    if (element.name === 'w:p' || element.name === 'w:tbl') yield element
    else if (element.name === 'mc:AlternateContent') yield* blockElements(child(element, 'mc:Choice') ?? element)
    else if (!element.name.endsWith('Pr')) yield* blockElements(element)
  }
}
