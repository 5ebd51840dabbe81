import { type Block, blocksHtml, formatNumber, listItem, type TableCell, tableHtml } from '../markup/block-markup.ts'
import {
  fileNameIn,
  inlineHtml,
  type TextRun,
  codeText,
  heading,
  isBlank,
  paragraph,
  picture,
  usableHref,
  type TextStyle,
  withoutBold,
} from '../markup/inline-markup.ts'
import {
  elementsOf,
  numberOf,
  type XmlElement,
  child,
  firstWithin,
  isElement,
  textOf,
  within,
} from '../xml/xml-stream.ts'
import type { OdfStyles } from './odf-styles.ts'

export type OdfContext = {
  styles: OdfStyles
  /** Returns the reference mark of a footnote or endnote. */
  noteMark(note: XmlElement): string
  /** Returns the content of a file inside this one, such as a formula. */
  objectRoot(path: string): XmlElement | undefined
  /** Last number of each list, by its id and by its style, because later lists may continue it. */
  listNumbers: Map<string, number>
  /** Collects a text box separately from the paragraph it is anchored to. */
  float(content: XmlElement): void
}

/** Elements that are not text of the document: comments, deletions, bookmarks, field scripts. */
const dropped =
  /^(?:office:annotation(?:-end)?|text:(?:tracked-changes|change(?:-start|-end)?|bookmark(?:-start|-end)?|note-citation|ruby-text|script|hidden-(?:text|paragraph)|page-number|page-count|soft-page-break|toc-mark.*|alphabetical-index-mark.*)|svg:(?:title|desc)|office:event-listeners|presentation:(?:header|footer|date-time|notes))$/
const maxSpaces = 20

/** Returns the text of a paragraph; runs of white space count as one space (ODF 1.3, part 3, 6.1.2). */
export function odfRuns(parent: XmlElement, context: OdfContext, style: TextStyle = {}): TextRun[] {
  return collapse(rawPieces(parent, context, style))
}

function rawPieces(parent: XmlElement, context: OdfContext, style: TextStyle): TextRun[] {
  return parent.children.flatMap((node) => {
    if (isElement(node)) return elementPieces(node, context, style)
    return [{ text: node.replace(/[\t\n\r ]+/g, ' '), style }]
  })
}

function elementPieces(element: XmlElement, context: OdfContext, style: TextStyle): TextRun[] {
  const { name, attributes } = element
  if (dropped.test(name)) return []
  if (name === 'text:s') return [runOf(' '.repeat(Math.min(maxSpaces, numberOf(attributes['text:c']) ?? 1)), style)]
  if (name === 'text:tab') return [runOf('\t', style)]
  if (name === 'text:line-break') return [{ html: '<br>', style }]
  if (name === 'text:span') return spanPieces(element, context, style)
  if (name === 'text:a') return rawPieces(element, context, { ...style, href: usableHref(attributes['xlink:href']) })
  if (name === 'text:note') return [{ html: context.noteMark(element), style: {} }]
  if (/^draw:(?!g$|a$)/.test(name)) return framePieces(element, context)
  if (name === 'text:number') return [...rawPieces(element, context, style), { text: ' ', style }]
  if (name === 'text:ruby') return rubyPieces(element, context, style)
  return rawPieces(element, context, style)
}

/** Replaces explicit blanks by a private character, so they are not collapsed. */
const runOf = (text: string, style: TextStyle): TextRun => ({ text: text.replaceAll(' ', explicitSpace), style })
const explicitSpace = '\uE000'

function collapse(pieces: readonly TextRun[]): TextRun[] {
  let afterSpace = true
  const result = pieces.map((piece) => {
    if (!('text' in piece)) {
      afterSpace = false
      return piece
    }
    const text = afterSpace ? piece.text.replace(/^ /, '') : piece.text
    if (text !== '') afterSpace = text.endsWith(' ')
    return { ...piece, text: text.replaceAll(explicitSpace, ' ') }
  })
  return result.filter((piece) => !('text' in piece) || piece.text !== '')
}

function spanPieces(element: XmlElement, context: OdfContext, style: TextStyle): TextRun[] {
  const name = element.attributes['text:style-name']
  const own = context.styles.of('text', name)
  if (own.isHidden) return []
  const isCode = context.styles.names('text', name).some((shown) => codeName.test(shown))
  return rawPieces(element, context, {
    ...style,
    bold: own.bold ?? style.bold,
    italic: own.italic ?? style.italic,
    strike: own.strike ?? style.strike,
    position: own.position ?? style.position,
    code: isCode || style.code,
  })
}

const codeName = /^(?:source text|teletype|verbatim(?: char)?|user entry|example)$|\bcode\b/i

function rubyPieces(element: XmlElement, context: OdfContext, style: TextStyle): TextRun[] {
  const reading = textOf(child(element, 'text:ruby-text'))
  return [...rawPieces(element, context, style), ...(reading ? [{ text: `(${reading})`, style }] : [])]
}

/** A frame contains a picture, a formula, a text box or an embedded file. */
function framePieces(frame: XmlElement, context: OdfContext): TextRun[] {
  const boxes = elementsOf(frame).filter(({ name }) => name === 'draw:text-box')
  const isShape = frame.name !== 'draw:frame' && firstWithin(frame, 'text:p') !== undefined
  for (const box of isShape ? [frame] : boxes) context.float(box)
  if (boxes.length > 0 || isShape) return []
  const object = child(frame, 'draw:object')
  const root = object && context.objectRoot(object.attributes['xlink:href'] ?? '')
  const source = textOf(firstWithin(root, 'math:annotation')).replace(/\s+/g, ' ').trim()
  if (source) return [{ text: source, style: { code: true } }]
  // A chart stores a copy of its numbers.
  const table = firstWithin(root, 'table:table')
  if (table) context.float({ name: 'table:table', attributes: {}, children: [table] })
  const html = picture(wordsAbout(frame))
  return html ? [{ html, style: {} }] : []
}

export function wordsAbout(frame: XmlElement): string | undefined {
  const words = ['svg:desc', 'svg:title'].map((name) => textOf(child(frame, name)).trim())
  const path = [...within(frame, 'draw:image')][0]?.attributes['xlink:href']
  return words.find((text) => text !== '') ?? (path && fileNameIn(path))
}

/** Names of skipped elements: indexes, which repeat other text, declarations, forms and comments. */
export const skippedNames =
  /^(?:text:(?:table-of-content|illustration-index|table-index|object-index|user-index|alphabetical-index|tracked-changes|sequence-decls|variable-decls|user-field-decls)|office:(?:forms|annotation|event-listeners))$/

export function odfBlocks(element: XmlElement, context: OdfContext): Block[] {
  if (element.name === 'text:list') return listBlocks(element, context, { depth: 1, style: undefined, numbers: [] })
  if (element.name === 'table:table') return [{ kind: 'html', html: odfTable(element, context) }]
  if (element.name === 'text:p' || element.name === 'text:h') return paragraphBlocks(element, context)
  if (element.name.startsWith('draw:'))
    return paragraphBlocks({ name: 'text:p', attributes: {}, children: [element] }, context)
  return skippedNames.test(element.name) ? [] : innerBlocks(element, context)
}

/** Returns the content of a cell, a text box, a section or a note. */
function innerBlocks(parent: XmlElement, context: OdfContext): Block[] {
  return elementsOf(parent).flatMap((element) => odfBlocks(element, context))
}

export const innerHtml = (parent: XmlElement, context: OdfContext) => blocksHtml(innerBlocks(parent, context))

function paragraphBlocks(element: XmlElement, context: OdfContext): Block[] {
  const floats: XmlElement[] = []
  const block = paragraphBlock(element, { ...context, float: (content) => void floats.push(content) })
  return [...block, ...floats.map((box): Block => ({ kind: 'html', html: innerHtml(box, context) }))]
}

function paragraphBlock(element: XmlElement, context: OdfContext): Block[] {
  const styleName = element.attributes['text:style-name']
  const pieces = odfRuns(element, context)
  if (context.styles.of('paragraph', styleName).isHidden) return []
  const names = context.styles.names('paragraph', styleName)
  if (names.some((name) => /preformatted|^(?:source )?code\b/i.test(name)))
    return [{ kind: 'code', text: codeText(pieces) }]
  const level = headingLevel(element, names)
  const html = inlineHtml(level === undefined ? pieces : withoutBold(pieces))
  if (isBlank(html)) return []
  if (level !== undefined) return [{ kind: 'html', html: heading(level, html) }]
  const isQuote = names.some((name) => /^(?:quotations?|quote|intense quote|block quotation)$/i.test(name))
  return [{ kind: isQuote ? 'quote' : 'html', html: paragraph(html) }]
}

function headingLevel({ name, attributes }: XmlElement, styles: readonly string[]): number | undefined {
  if (name === 'text:h') return numberOf(attributes['text:outline-level']) ?? 1
  return styles.at(-1)?.toLowerCase() === 'title' || styles.at(-2)?.toLowerCase() === 'title' ? 1 : undefined
}

/** Position of a list; `numbers` are the numbers of the items around it, from the outermost. */
type ListPosition = { depth: number; style: string | undefined; numbers: readonly number[] }

/** Flattens nested lists to items with levels; a heading inside an item stays a heading. */
function listBlocks(list: XmlElement, context: OdfContext, outer: ListPosition): Block[] {
  const style = list.attributes['text:style-name'] ?? outer.style
  const { start } = context.styles.listLevel(style, outer.depth)
  const { attributes } = list
  const isContinued = attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined
  const key = `${style} ${outer.depth}`
  const before = isContinued ? context.listNumbers.get(attributes['text:continue-list'] ?? key) : undefined
  let number = before ?? start - 1
  const blocks = elementsOf(list).flatMap((item): Block[] => {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') return []
    if (item.name === 'text:list-item') number = numberOf(item.attributes['text:start-value']) ?? number + 1
    const isHeader = item.name === 'text:list-header'
    return itemBlocks(item, context, { depth: outer.depth + 1, style, numbers: [...outer.numbers, number] }, isHeader)
  })
  for (const name of [key, attributes['xml:id'] ?? key]) context.listNumbers.set(name, number)
  return blocks
}

const isNested = (part: XmlElement) => part.name === 'text:list'

function itemBlocks(item: XmlElement, context: OdfContext, inner: ListPosition, isHeader: boolean): Block[] {
  const parts = elementsOf(item)
  const own = parts.filter((part) => !isNested(part)).flatMap((part) => odfBlocks(part, context))
  const nested = parts.filter(isNested).flatMap((part) => listBlocks(part, context, inner))
  if (own.length === 0 || own.some((block) => block.kind === 'html' && /^<h\d/.test(block.html)))
    return [...own, ...nested]
  const [only] = own
  const html = own.length === 1 && only?.kind === 'html' ? only.html.replace(/^<p>|<\/p>$/g, '') : blocksHtml(own)
  const mark = isHeader ? undefined : markOf(inner, context)
  return [listItem(inner.depth - 2, mark ?? '', mark === undefined ? undefined : inner.numbers.at(-1), html), ...nested]
}

/** Returns the mark of an item, which may include those of the outer items; undefined for a bullet. */
function markOf({ depth, style, numbers }: ListPosition, { styles }: OdfContext): string | undefined {
  const { isNumbered, prefix, suffix, shownLevels } = styles.listLevel(style, depth - 1)
  if (!isNumbered) return undefined
  const from = Math.max(0, numbers.length - shownLevels)
  const shown = numbers.slice(from).map((number, i) => {
    return formatNumber(number, styles.listLevel(style, from + i + 1).format)
  })
  return prefix + shown.join('.') + suffix
}

const maxColumns = 500

function odfTable(table: XmlElement, context: OdfContext): string {
  const { head, body } = rowsOf(table)
  const rows = [...head, ...body].map((row) => tableCells(row, context))
  const isHeaded = rows.length > 1 && table.attributes['table:use-first-row-styles'] === 'true'
  return tableHtml(rows, head.length > 0 ? head.length : isHeaded ? 1 : 0)
}

/** Finds rows inside groups of rows; rows of the head have their own group. */
function rowsOf(parent: XmlElement): { head: XmlElement[]; body: XmlElement[] } {
  const [head, body]: [XmlElement[], XmlElement[]] = [[], []]
  for (const part of elementsOf(parent)) {
    if (part.name === 'table:table-row') body.push(part)
    else if (part.name === 'table:table-header-rows') head.push(...rowsOf(part).body)
    else if (/^table:table-(?:rows|row-group)$/.test(part.name)) {
      const inner = rowsOf(part)
      head.push(...inner.head)
      body.push(...inner.body)
    }
  }
  return { head, body }
}

function tableCells(row: XmlElement, context: OdfContext): TableCell[] {
  const cells = elementsOf(row).flatMap((cell) => {
    if (cell.name !== 'table:table-cell') return []
    const repeat = Math.min(maxColumns, numberOf(cell.attributes['table:number-columns-repeated']) ?? 1)
    const colspan = numberOf(cell.attributes['table:number-columns-spanned'])
    const rowspan = numberOf(cell.attributes['table:number-rows-spanned'])
    const written = { html: innerHtml(cell, context), colspan, rowspan }
    return Array.from({ length: Math.max(1, repeat) }, () => written)
  })
  return cells.slice(0, maxColumns)
}
