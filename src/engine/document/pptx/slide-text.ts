import { type Block, blocksHtml } from '../markup/block-markup.ts'
import { texOf } from '../markup/formula.ts'
import {
  inlineHtml,
  type TextRun,
  type TextStyle,
  formula,
  isBlank,
  paragraph,
  usableHref,
} from '../markup/inline-markup.ts'
import type { Relationships } from '../xml/package.ts'
import { at, child, childrenOf, elementsOf, numberOf, textOf, within, type XmlElement } from '../xml/xml-stream.ts'

/** Fallback sources for the style of a paragraph: the shape, then the same placeholder of the layout. */
export type TextContext = {
  relationships: Relationships
  listStyles: readonly (XmlElement | undefined)[]
  hasBullets: boolean
}

/** Renders the paragraphs of a text body; runs of bullets become lists. */
export function bodyHtml(body: XmlElement | undefined, context: TextContext): string {
  const numbers = new Map<number, number>()
  const blocks = childrenOf(body, 'a:p').map((line) => paragraphBlock(line, context, numbers))
  return blocksHtml(blocks.flatMap((block) => block ?? []))
}

/** Joins all text of a body on one line. */
export function lineHtml(body: XmlElement | undefined, context: TextContext): string {
  const lines = childrenOf(body, 'a:p').map((line) => inlineHtml(piecesOf(line, context).map(plain)))
  return lines
    .filter((html) => !isBlank(html))
    .join(' ')
    .replaceAll('<br>', ' ')
}

const plain = (piece: TextRun): TextRun => ({ ...piece, style: { href: piece.style.href } })

function paragraphBlock(line: XmlElement, context: TextContext, numbers: Map<number, number>): Block | undefined {
  const html = inlineHtml(piecesOf(line, context))
  if (isBlank(html)) return undefined
  const properties = child(line, 'a:pPr')
  const level = Math.min(8, Math.max(0, numberOf(properties?.attributes['lvl']) ?? 0))
  const mark = markOf([properties, ...context.listStyles.map((style) => child(style, `a:lvl${level + 1}pPr`))])
  for (const deeper of numbers.keys()) if (deeper > level) numbers.delete(deeper)
  if (mark?.name === 'a:buNone' || (!mark && !context.hasBullets)) return { kind: 'html', html: paragraph(html) }
  if (mark?.name !== 'a:buAutoNum') return { kind: 'item', level, html }
  const number = (numbers.get(level) ?? (numberOf(mark.attributes['startAt']) ?? 1) - 1) + 1
  numbers.set(level, number)
  return { kind: 'item', level, number, html }
}

function markOf(places: readonly (XmlElement | undefined)[]): XmlElement | undefined {
  for (const place of places)
    for (const mark of elementsOf(place)) if (/^a:bu(?:None|Char|AutoNum|Blip)$/.test(mark.name)) return mark
  return undefined
}

function piecesOf(parent: XmlElement, context: TextContext): TextRun[] {
  return elementsOf(parent).flatMap((element): TextRun[] => {
    const { name, attributes } = element
    if (name === 'a:r')
      return [{ text: textOf(child(element, 'a:t')), style: styleOf(child(element, 'a:rPr'), context) }]
    if (name === 'a:br') return [{ html: '<br>', style: {} }]
    if (name === 'a:fld')
      return attributes['type'] === 'slidenum' ? [] : [{ text: textOf(child(element, 'a:t')), style: {} }]
    if (name === 'mc:AlternateContent') return piecesOf(child(element, 'mc:Choice') ?? element, context)
    if (/^a:(?:pPr|endParaRPr)$/.test(name)) return []
    return [...within({ ...element, children: [element] }, 'm:oMath')].map((math) => ({
      html: formula(texOf(math), 'inline'),
      style: {},
    }))
  })
}

export const isOn = (value: string | undefined) => value === '1' || value === 'true'

function styleOf(look: XmlElement | undefined, { relationships }: TextContext): TextStyle {
  const { b, i, strike, baseline } = look?.attributes ?? {}
  const raised = numberOf(baseline) ?? 0
  const target = relationships.get(at(look, 'a:hlinkClick')?.attributes['r:id'] ?? '')
  return {
    bold: isOn(b),
    italic: isOn(i),
    strike: strike !== undefined && strike !== 'noStrike',
    position: raised > 0 ? 'sup' : raised < 0 ? 'sub' : undefined,
    href: target?.isExternal ? usableHref(target.target) : undefined,
  }
}
