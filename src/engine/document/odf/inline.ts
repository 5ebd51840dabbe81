import type { TextRun, TextStyle } from '../markup/inline.ts'
import { picture, usableHref } from '../markup/markup.ts'
import { child, elementsOf, firstWithin, isElement, numberOf, textOf, within, type XmlElement } from '../xml/xml.ts'
import type { OdfStyles } from './styles.ts'

export type OdfContext = {
  styles: OdfStyles
  /** The mark of a footnote or endnote. */
  noteMark(note: XmlElement): string
  /** The source of a formula kept in a file of its own inside this one; empty for other embedded files. */
  formulaSource(path: string): string
  /** The last number of each list, by its id and by its style: later lists may go on from it. */
  listNumbers: Map<string, number>
  /** Text boxes are set apart from the paragraph that they hang on. */
  float(content: XmlElement): void
}

/** What is no text of the document: remarks, what was deleted, marks of places, the scripts of fields. */
const dropped =
  /^(?:office:annotation(?:-end)?|text:(?:tracked-changes|change(?:-start|-end)?|bookmark(?:-start|-end)?|note-citation|ruby-text|script|hidden-(?:text|paragraph)|page-number|page-count|soft-page-break|toc-mark.*|alphabetical-index-mark.*)|svg:(?:title|desc)|office:event-listeners|presentation:(?:header|footer|date-time|notes))$/
const maxSpaces = 20

/** The text of a paragraph; runs of white space count as one space (ODF 1.3, part 3, 6.1.2). */
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
  if (name === 'draw:frame' || name === 'draw:custom-shape') return framePieces(element, context)
  if (name === 'text:ruby') return rubyPieces(element, context, style)
  return rawPieces(element, context, style)
}

/** White space that was asked for; the mark keeps it from being collapsed. */
const runOf = (text: string, style: TextStyle): TextRun => ({ text: text.replaceAll(' ', asked), style })
const asked = '\uE000'

function collapse(pieces: readonly TextRun[]): TextRun[] {
  let afterSpace = true
  const result = pieces.map((piece) => {
    if (!('text' in piece)) {
      afterSpace = false
      return piece
    }
    const text = afterSpace ? piece.text.replace(/^ /, '') : piece.text
    if (text !== '') afterSpace = text.endsWith(' ')
    return { ...piece, text: text.replaceAll(asked, ' ') }
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

/** A frame holds a picture, a formula, a text box or an embedded file. */
function framePieces(frame: XmlElement, context: OdfContext): TextRun[] {
  const boxes = elementsOf(frame).filter(({ name }) => name === 'draw:text-box')
  const isShape = frame.name === 'draw:custom-shape' && firstWithin(frame, 'text:p') !== undefined
  for (const box of isShape ? [frame] : boxes) context.float(box)
  if (boxes.length > 0 || isShape) return []
  const object = child(frame, 'draw:object')
  const source = object ? context.formulaSource(object.attributes['xlink:href'] ?? '') : ''
  if (source) return [{ text: source, style: { code: true } }]
  const html = picture(wordsAbout(frame))
  return html ? [{ html, style: {} }] : []
}

export function wordsAbout(frame: XmlElement): string | undefined {
  const words = ['svg:desc', 'svg:title'].map((name) => textOf(child(frame, name)).trim())
  const path = [...within(frame, 'draw:image')][0]?.attributes['xlink:href']
  return words.find((text) => text !== '') ?? path?.slice(path.lastIndexOf('/') + 1)
}
