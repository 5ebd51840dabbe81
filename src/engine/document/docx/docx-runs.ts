import { texOf } from '../markup/formula.ts'
import { type TextRun, type TextStyle, formula, picture, usableHref } from '../markup/inline-markup.ts'
import { symbolOf, type Fields, hrefOf, isSilentCode, withPlace } from '../markup/word-fields.ts'
import type { Relationships } from '../xml/package.ts'
import { child, elementsOf, firstWithin, numberOf, textOf, within, type XmlElement } from '../xml/xml-stream.ts'
import { type Numbering, type DocxStyles, toggle } from './docx-styles.ts'

/** Context for reading the text of one part. */
type InlineContext = {
  styles: DocxStyles
  relationships: Relationships
  fields: Fields
  /** Returns the reference mark of a footnote or endnote. */
  noteMark(kind: 'footnote' | 'endnote', id: string): string
  /** Collects a text box separately from the paragraph it is anchored to. */
  float(content: XmlElement): void
}

export type BlockContext = InlineContext & { numbering: Numbering }

const dropped =
  /^w:(?:del|moveFrom|pPr|rPr|sdtPr|sdtEndPr|smartTagPr|customXmlPr|instrText|delText|delInstrText|fldData|annotationRef|commentReference)$/

/**
 * Returns the text of a paragraph, or of anything inside one, with all insertions accepted and all deletions applied.
 */
export function runsOf(parent: XmlElement, context: InlineContext, style: TextStyle = {}): TextRun[] {
  return elementsOf(parent).flatMap((element) => piecesOfElement(element, context, style))
}

function piecesOfElement(element: XmlElement, context: InlineContext, style: TextStyle): TextRun[] {
  const { name, attributes } = element
  if (dropped.test(name)) return []
  if (name === 'w:r') return runPieces(element, context, style)
  if (name === 'w:hyperlink') return runsOf(element, context, { ...style, href: linkTarget(element, context) })
  if (name === 'w:fldSimple') return simpleField(element, attributes['w:instr'] ?? '', context, style)
  if (name === 'm:oMathPara') return mathPieces(element, 'block')
  if (name === 'm:oMath') return [{ html: formula(texOf(element), 'inline'), style: {} }]
  if (name === 'w:ruby') return rubyPieces(element, context, style)
  if (name === 'mc:AlternateContent') return runsOf(alternative(element) ?? element, context, style)
  return runsOf(element, context, style)
}

/** Takes the first branch, which is the newest form; the others have the same content. */
function alternative(element: XmlElement): XmlElement | undefined {
  return child(element, 'mc:Choice') ?? child(element, 'mc:Fallback')
}

function linkTarget({ attributes }: XmlElement, { relationships }: InlineContext): string | undefined {
  const target = relationships.get(attributes['r:id'] ?? '')
  return target?.isExternal ? withPlace(usableHref(target.target), attributes['w:anchor']) : undefined
}

function simpleField(element: XmlElement, code: string, context: InlineContext, style: TextStyle): TextRun[] {
  if (isSilentCode(code)) return []
  return runsOf(element, context, { ...style, href: hrefOf(code) ?? style.href })
}

function mathPieces(element: XmlElement, display: 'block' | 'inline'): TextRun[] {
  return [...within(element, 'm:oMath')].map((math) => ({ html: formula(texOf(math), display), style: {} }))
}

function rubyPieces(element: XmlElement, context: InlineContext, style: TextStyle): TextRun[] {
  const read = (name: string) => [...within(element, name)].flatMap((part) => runsOf(part, context, style))
  const reading = read('w:rt')
  const brackets = (text: string): TextRun[] => (reading.length > 0 ? [{ text, style }] : [])
  return [...read('w:rubyBase'), ...brackets('('), ...reading, ...brackets(')')]
}

function runPieces(run: XmlElement, context: InlineContext, style: TextStyle): TextRun[] {
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

type PartReader = (element: XmlElement, context: InlineContext, style: TextStyle) => TextRun[]

const text = (written: string, style: TextStyle): TextRun[] => [{ text: written, style }]

/** Readers for the elements of a run. */
const parts: Readonly<Record<string, PartReader>> = {
  'w:t': (element, _, style) => text(textOf(element), style),
  'w:tab': (_element, _, style) => text('\t', style),
  'w:noBreakHyphen': (_element, _, style) => text('‑', style),
  'w:br': (element, _, style) => (element.attributes['w:type'] === 'page' ? [] : [{ html: '<br>', style }]),
  'w:cr': (_element, _, style) => [{ html: '<br>', style }],
  'w:sym': ({ attributes }, _, style) =>
    text(symbolOf(attributes['w:font'] ?? '', Number.parseInt(attributes['w:char'] ?? '', 16) || 0x20) ?? '', style),
  'w:footnoteReference': (element, context) => noteReference('footnote', element, context),
  'w:endnoteReference': (element, context) => noteReference('endnote', element, context),
  'w:drawing': (element, context) => drawingPieces(element, context),
  'w:pict': (element, context) => drawingPieces(element, context),
  'w:object': (element, context) => drawingPieces(element, context),
  'w:ruby': (element, context, style) => rubyPieces(element, context, style),
  'mc:AlternateContent': (element, context, style) =>
    elementsOf(alternative(element)).flatMap((part) => partPieces(part, context, style)),
}

function partPieces(element: XmlElement, context: InlineContext, style: TextStyle): TextRun[] {
  const { fields } = context
  if (element.name === 'w:fldChar') return fieldMark(element, context, style)
  if (element.name === 'w:instrText') fields.code(textOf(element))
  const read = parts[element.name]
  if (!read || fields.isSilent()) return []
  return read(element, context, { ...style, href: fields.href() ?? style.href })
}

function fieldMark(element: XmlElement, { fields }: InlineContext, style: TextStyle): TextRun[] {
  const kind = element.attributes['w:fldCharType']
  if (kind === 'begin') fields.begin()
  if (kind === 'separate') fields.separate()
  if (kind === 'end') fields.end()
  const box = child(child(element, 'w:ffData'), 'w:checkBox')
  return box ? text((toggle(box, 'w:checked') ?? toggle(box, 'w:default')) ? '☒' : '☐', style) : []
}

function noteReference(kind: 'footnote' | 'endnote', element: XmlElement, context: InlineContext): TextRun[] {
  const html = context.noteMark(kind, element.attributes['w:id'] ?? '')
  return html ? [{ html, style: {} }] : []
}

/** A drawing is a picture with a description, a text box, or both; shapes without either are dropped. */
function drawingPieces(drawing: XmlElement, context: InlineContext): TextRun[] {
  const boxes = [...within(drawing, 'w:txbxContent')]
  for (const box of boxes) context.float(box)
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
function fileName(drawing: XmlElement, { relationships }: InlineContext): string | undefined {
  const blip = firstWithin(drawing, 'a:blip')?.attributes
  const data = firstWithin(drawing, 'v:imagedata')?.attributes
  const id = blip?.['r:embed'] ?? blip?.['r:link'] ?? data?.['r:id']
  const target = id === undefined ? undefined : relationships.get(id)
  return target && !target.isExternal ? lastStep(target.target) : undefined
}

const lastStep = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Yields the paragraphs and tables of a box, a cell or a note, regardless of wrappers. */
export function* blockElements(parent: XmlElement): Generator<XmlElement> {
  for (const element of elementsOf(parent)) {
    if (element.name === 'w:p' || element.name === 'w:tbl') yield element
    else if (element.name === 'mc:AlternateContent') yield* blockElements(child(element, 'mc:Choice') ?? element)
    else if (!element.name.endsWith('Pr')) yield* blockElements(element)
  }
}
