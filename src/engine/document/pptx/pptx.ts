import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
import {
  type Block,
  blocksHtml,
  type Place,
  type Slide,
  slidesHtml,
  type TableCell,
  tableHtml,
} from '../markup/block-markup.ts'
import {
  fileNameIn,
  formula,
  inlineHtml,
  isBlank,
  paragraph,
  picture,
  type TextRun,
  type TextStyle,
  usableHref,
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
  within,
  type XmlElement,
  xmlRoot,
} from '../xml/xml-stream.ts'
import { texOf } from '../markup/formula.ts'

/** Half a centimetre in English Metric Units. */
const bandHeight = 180_000
const maxSlides = 5000

/** Reads a PowerPoint presentation (ISO/IEC 29500-1, transitional and strict) slide by slide. */
export function readPptx({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openPackage(bytes, 'ppt/presentation.xml', budget)
  const ids = childrenOf(child(xmlRoot(file.archive.chunks(file.main)), 'p:sldIdLst'), 'p:sldId')
  const paths = ids.flatMap(({ attributes }) => {
    const target = file.relationships.get(attributes['r:id'] ?? '')
    return target && !target.isExternal && file.archive.has(target.target) ? [target.target] : []
  })
  const deck: Deck = { file, layouts: new Map(), chartHtml: createChartReader(file.archive) }
  const slides: (Slide | undefined)[] = []
  for (const path of paths.slice(0, maxSlides)) if (!budget.isSpent()) slides.push(readSlide(deck, path))
  return { ...slidesHtml(slides, bandHeight), metadata: file.metadata }
}

/** Parts that several slides share are read once. */
type Deck = { file: Package; layouts: Map<string, Layout>; chartHtml: ChartReader }

/** Returns undefined for a hidden slide. */
function readSlide({ file, layouts, chartHtml }: Deck, path: string): Slide | undefined {
  const { archive } = file
  const root = xmlRoot(archive.chunks(path))
  if (/^(?:0|false)$/.test(root?.attributes['show'] ?? '')) return undefined
  const relationships = relationshipsOf(archive, path)
  const shapes = shapesOf(at(root, 'p:cSld', 'p:spTree'), {
    relationships,
    layout: layoutFor(file, related(relationships, 'slideLayout'), layouts),
    chartHtml,
  })
  const title = shapes.find(isTitle)
  const notesHtml = notesOf(file, related(relationships, 'notesSlide'))
  return { title: title?.html ?? '', shapes: shapes.filter((shape) => shape !== title), notesHtml }
}

const isTitle = ({ role, html }: Shape) => role === 'title' && html !== ''

/** Returns the placeholders of a layout, completed by those of its master. */
function layoutFor({ archive }: Package, path: string | undefined, layouts: Map<string, Layout>): Layout {
  if (path === undefined) return new Map()
  const known = layouts.get(path)
  if (known) return known
  const master = related(relationshipsOf(archive, path), 'slideMaster')
  const own = layoutOf(xmlRoot(archive.chunks(path)))
  const general = master === undefined ? [] : [...layoutOf(xmlRoot(archive.chunks(master)))]
  const layout = new Map([...general.filter(([key]) => !key.startsWith('#')), ...own])
  layouts.set(path, layout)
  return layout
}

function notesOf({ archive }: Package, path: string | undefined): string {
  if (path === undefined) return ''
  const shapes = childrenOf(at(xmlRoot(archive.chunks(path)), 'p:cSld', 'p:spTree'), 'p:sp')
  const body = shapes.find((shape) => placeholderOf(shape)?.attributes['type'] === 'body')
  const context = { relationships: relationshipsOf(archive, path), listStyles: [], hasBullets: false }
  return bodyHtml(child(body, 'p:txBody'), context)
}

type Shape = { role: 'title' | 'content'; place: Place | undefined; html: string }
/** Positions and styles that a slide inherits from its layout, by the type and number of a placeholder. */
type Layout = ReadonlyMap<string, XmlElement>
type SlideContext = {
  relationships: Relationships
  layout: Layout
  chartHtml: ChartReader
}

const namesOf = (shape: XmlElement) => elementsOf(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
const placeholderOf = (shape: XmlElement) => at(namesOf(shape), 'p:nvPr', 'p:ph')

/** Returns the placeholders of a layout or master. */
function layoutOf(root: XmlElement | undefined): Layout {
  const shapes = childrenOf(at(root, 'p:cSld', 'p:spTree'), 'p:sp')
  return new Map(
    shapes.flatMap((shape): [string, XmlElement][] => {
      const holder = placeholderOf(shape)
      if (!holder) return []
      const { type = 'body', idx } = holder.attributes
      return [...(idx === undefined ? [] : [[`#${idx}`, shape] as [string, XmlElement]]), [kindOf(type), shape]]
    }),
  )
}

const kindOf = (type: string) => (type === 'ctrTitle' ? 'title' : type)

/** Returns the shapes of a slide and of all groups in it. */
function shapesOf(tree: XmlElement | undefined, context: SlideContext): Shape[] {
  return elementsOf(tree).flatMap((shape): Shape[] => {
    if (shape.name === 'mc:AlternateContent') return shapesOf(child(shape, 'mc:Choice') ?? shape, context)
    if (namesOf(shape) && child(namesOf(shape), 'p:cNvPr')?.attributes['hidden'] === '1') return []
    if (shape.name === 'p:grpSp') return groupOf(shape, context)
    if (shape.name === 'p:sp') return textShape(shape, context)
    if (shape.name === 'p:pic') return [content(shape, picture(wordsAbout(shape, context)))]
    return shape.name === 'p:graphicFrame' ? [content(shape, frameHtml(shape, context))] : []
  })
}

/** Grouped shapes stay together, wherever they are positioned. */
function groupOf(group: XmlElement, context: SlideContext): Shape[] {
  const shapes = shapesOf(group, context)
  const place = placeOf(at(group, 'p:grpSpPr', 'a:xfrm'))
  return shapes.map((shape) => (shape.role === 'title' ? shape : { ...shape, place: place ?? shape.place }))
}

function content(shape: XmlElement, html: string): Shape {
  const place = placeOf(at(shape, 'p:spPr', 'a:xfrm') ?? child(shape, 'p:xfrm'))
  return { role: 'content', place, html }
}

function textShape(shape: XmlElement, { relationships, layout }: SlideContext): Shape[] {
  const holder = placeholderOf(shape)?.attributes
  const type = holder ? kindOf(holder['type'] ?? 'body') : undefined
  if (type !== undefined && /^(?:dt|ftr|sldNum|hdr|sldImg)$/.test(type)) return []
  const pattern = holder && (layout.get(`#${holder['idx']}`) ?? layout.get(type ?? ''))
  const body = child(shape, 'p:txBody')
  const listStyles = [child(body, 'a:lstStyle'), at(pattern, 'p:txBody', 'a:lstStyle')]
  const context = { relationships, listStyles, hasBullets: type === 'body' || type === 'obj' }
  const place = placeOf(at(shape, 'p:spPr', 'a:xfrm')) ?? placeOf(at(pattern, 'p:spPr', 'a:xfrm'))
  if (type === 'title') return [{ role: 'title', place, html: lineHtml(body, context) }]
  return [{ role: 'content', place, html: bodyHtml(body, context) }]
}

function placeOf(frame: XmlElement | undefined): Place | undefined {
  const { x, y } = child(frame, 'a:off')?.attributes ?? {}
  const [left, top] = [numberOf(x), numberOf(y)]
  return left === undefined || top === undefined ? undefined : { x: left, y: top }
}

function wordsAbout(shape: XmlElement, { relationships }: SlideContext): string | undefined {
  const { descr, title } = child(namesOf(shape), 'p:cNvPr')?.attributes ?? {}
  const target = relationships.get(firstWithin(shape, 'a:blip')?.attributes['r:embed'] ?? '')?.target
  return descr?.trim() || title?.trim() || (target && fileNameIn(target))
}

function frameHtml(frame: XmlElement, context: SlideContext): string {
  const data = at(frame, 'a:graphic', 'a:graphicData')
  const table = child(data, 'a:tbl')
  if (table) return tableOf(table, context)
  const part = elementsOf(data)[0]?.attributes
  const html = context.chartHtml(context.relationships, part?.['r:dm'] ?? part?.['r:id'] ?? '')
  return html || picture(child(namesOf(frame), 'p:cNvPr')?.attributes['descr'])
}

function tableOf(table: XmlElement, { relationships }: SlideContext): string {
  const context = { relationships, listStyles: [], hasBullets: false }
  const rows = childrenOf(table, 'a:tr').map((row) =>
    childrenOf(row, 'a:tc').flatMap(({ attributes, ...cell }): TableCell[] => {
      if (isOn(attributes['hMerge']) || isOn(attributes['vMerge'])) return []
      const html = bodyHtml(child({ attributes, ...cell }, 'a:txBody'), context)
      return [{ html, colspan: numberOf(attributes['gridSpan']), rowspan: numberOf(attributes['rowSpan']) }]
    }),
  )
  const isHeaded = isOn(child(table, 'a:tblPr')?.attributes['firstRow']) && rows.length > 1
  return tableHtml(rows, isHeaded ? 1 : 0)
}

/** Fallback sources for the style of a paragraph: the shape, then the same placeholder of the layout. */
type TextContext = {
  relationships: Relationships
  listStyles: readonly (XmlElement | undefined)[]
  hasBullets: boolean
}

/** Renders the paragraphs of a text body; runs of bullets become lists. */
function bodyHtml(body: XmlElement | undefined, context: TextContext): string {
  const numbers = new Map<number, number>()
  const blocks = childrenOf(body, 'a:p').map((line) => paragraphBlock(line, context, numbers))
  return blocksHtml(blocks.flatMap((block) => block ?? []))
}

/** Joins all text of a body on one line. */
function lineHtml(body: XmlElement | undefined, context: TextContext): string {
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
  return elementsOf(parent).flatMap((piece): TextRun[] => {
    const { name, attributes } = piece
    if (name === 'a:r') return [{ text: textOf(child(piece, 'a:t')), style: styleOf(child(piece, 'a:rPr'), context) }]
    if (name === 'a:br') return [{ html: '<br>', style: {} }]
    if (name === 'a:fld')
      return attributes['type'] === 'slidenum' ? [] : [{ text: textOf(child(piece, 'a:t')), style: {} }]
    if (name === 'mc:AlternateContent') return piecesOf(child(piece, 'mc:Choice') ?? piece, context)
    if (/^a:(?:pPr|endParaRPr)$/.test(name)) return []
    return [...within({ ...piece, children: [piece] }, 'm:oMath')].map((math) => ({
      html: formula(texOf(math), 'inline'),
      style: {},
    }))
  })
}

const isOn = (value: string | undefined) => value === '1' || value === 'true'

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
