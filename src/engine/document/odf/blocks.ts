import { type Block, blocksHtml, type TableCell, tableHtml } from '../markup/blocks.ts'
import { inlineHtml, type TextRun, plainText } from '../markup/inline.ts'
import { heading, isBlank, paragraph } from '../markup/markup.ts'
import { elementsOf, numberOf, type XmlElement } from '../xml/xml.ts'
import { type OdfContext, odfRuns } from './inline.ts'

/** Elements that are blocks of their own; what holds them may be anything. */
export const blockNames = new Set(['text:p', 'text:h', 'text:list', 'table:table', 'draw:frame', 'draw:custom-shape'])
/** Indexes repeat what stands elsewhere. */
export const skippedNames =
  /^(?:text:(?:table-of-content|illustration-index|table-index|object-index|user-index|alphabetical-index|tracked-changes|sequence-decls|variable-decls|user-field-decls)|office:(?:forms|annotation|event-listeners))$/

export function odfBlocks(element: XmlElement, context: OdfContext): Block[] {
  if (element.name === 'text:list') return listBlocks(element, context, { depth: 1, style: undefined })
  if (element.name === 'table:table') return [{ kind: 'html', html: odfTable(element, context) }]
  if (element.name === 'text:p' || element.name === 'text:h') return paragraphBlocks(element, context)
  if (element.name.startsWith('draw:'))
    return paragraphBlocks({ name: 'text:p', attributes: {}, children: [element] }, context)
  return skippedNames.test(element.name) ? [] : innerBlocks(element, context)
}

/** The content of a cell, a text box, a section or a note. */
export function innerBlocks(parent: XmlElement, context: OdfContext): Block[] {
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
  const html = inlineHtml(level === undefined ? pieces : pieces.map(withoutBold))
  if (isBlank(html)) return []
  if (level !== undefined) return [{ kind: 'html', html: heading(level, html) }]
  const isQuote = names.some((name) => /^(?:quotations?|quote|intense quote|block quotation)$/i.test(name))
  return [{ kind: isQuote ? 'quote' : 'html', html: paragraph(html) }]
}

const withoutBold = (piece: TextRun): TextRun => ({ ...piece, style: { ...piece.style, bold: false } })
const codeText = (pieces: readonly TextRun[]) =>
  plainText(pieces.map((piece) => ('html' in piece && piece.html === '<br>' ? { ...piece, text: '\n' } : piece)))

function headingLevel({ name, attributes }: XmlElement, styles: readonly string[]): number | undefined {
  if (name === 'text:h') return numberOf(attributes['text:outline-level']) ?? 1
  return styles.at(-1)?.toLowerCase() === 'title' || styles.at(-2)?.toLowerCase() === 'title' ? 1 : undefined
}

type ListPosition = { depth: number; style: string | undefined }

/** Flattens a list, whose nesting is that of its elements; a heading in it is a heading. */
function listBlocks(list: XmlElement, context: OdfContext, outer: ListPosition): Block[] {
  const style = list.attributes['text:style-name'] ?? outer.style
  const { isNumbered, start } = context.styles.listLevel(style, outer.depth)
  const { attributes } = list
  const isContinued = attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined
  const key = `${style} ${outer.depth}`
  const before = isContinued ? context.listNumbers.get(attributes['text:continue-list'] ?? key) : undefined
  let number = before ?? start - 1
  const blocks = elementsOf(list).flatMap((item): Block[] => {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') return []
    if (item.name === 'text:list-item') number = numberOf(item.attributes['text:start-value']) ?? number + 1
    const place = { depth: outer.depth + 1, style }
    return itemBlocks(item, context, place, isNumbered && item.name === 'text:list-item' ? number : undefined)
  })
  for (const name of [key, attributes['xml:id'] ?? key]) context.listNumbers.set(name, number)
  return blocks
}

const isNested = (part: XmlElement) => part.name === 'text:list'

function itemBlocks(item: XmlElement, context: OdfContext, inner: ListPosition, number: number | undefined): Block[] {
  const parts = elementsOf(item)
  const own = parts.filter((part) => !isNested(part)).flatMap((part) => odfBlocks(part, context))
  const nested = parts.filter(isNested).flatMap((part) => listBlocks(part, context, inner))
  if (own.length === 0 || own.some((block) => block.kind === 'html' && /^<h\d/.test(block.html)))
    return [...own, ...nested]
  const [only] = own
  const html = own.length === 1 && only?.kind === 'html' ? only.html.replace(/^<p>|<\/p>$/g, '') : blocksHtml(own)
  return [{ kind: 'item', level: inner.depth - 2, number, html }, ...nested]
}

const maxColumns = 500

function odfTable(table: XmlElement, context: OdfContext): string {
  const { head, body } = rowsOf(table)
  const rows = [...head, ...body].map((row) => tableCells(row, context))
  const isHeaded = rows.length > 1 && table.attributes['table:use-first-row-styles'] === 'true'
  return tableHtml(rows, head.length > 0 ? head.length : isHeaded ? 1 : 0)
}

/** Rows may be wrapped in groups; those of the head are wrapped as such. */
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
