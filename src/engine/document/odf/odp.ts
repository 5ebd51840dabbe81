import { boundless, type Budget, type Converted, type Source } from '../converter.ts'
import { blocksHtml, hiddenSlides, type Place, type Slide, slidesHtml } from '../markup/block-markup.ts'
import { picture } from '../markup/inline-markup.ts'
import { at, child, elementsOf, type XmlElement, xmlElements } from '../xml/xml-stream.ts'
import { innerBlocks, odfBlocks, type OdfContext, wordsAbout } from './odf-content.ts'
import { type OdfFile, openOdf } from './odf.ts'
import { styleElements } from './odf-styles.ts'

/** Upper bound on shapes per slide; real slides stay far below it. */
const manyShapes = 5000

/** Half a centimetre: shapes whose tops differ by less are in one row. */
const bandHeightCm = 0.5

/** Reads an OpenDocument presentation or drawing (ISO/IEC 26300) slide by slide. */
export function readOdp({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openOdf(bytes, budget)
  const slides = [...slidesOf(file, budget)].map((slide, i) => ({ slide, number: i + 1 }))
  const shown = slides.flatMap(({ slide, number }) => (slide ? [{ slide, number }] : []))
  return {
    html: slidesHtml(shown, bandHeightCm) + file.notesHtml(),
    metadata: file.metadata,
    numPages: shown.length,
    ...hiddenSlides(slides.length - shown.length),
  }
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
  // Writes only this many shapes if reading the slide used up the budget.
  const shapes = budget.isSpent() ? all.slice(0, manyShapes) : all
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
  return blocksHtml(innerBlocks(frame, context))
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
  const html = blocksHtml(innerBlocks(child(shape, 'draw:text-box') ?? shape, context))
  return html || (shape.name === 'draw:frame' ? picture(wordsAbout(shape)) : '')
}

function notesOf(page: XmlElement, context: OdfContext): string {
  const frames = elementsOf(child(page, 'presentation:notes'))
  const frame = frames.find(({ attributes }) => attributes['presentation:class'] === 'notes')
  const box = at(frame, 'draw:text-box')
  return box ? blocksHtml(innerBlocks(box, context)) : ''
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
