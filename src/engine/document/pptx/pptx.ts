import type { Converted, Source } from '../converter.ts'
import { tableHtml } from '../markup/lists.ts'
import { element, escapeHtml } from '../markup/markup.ts'
import { hiddenSlides, type Slide, slidesHtml } from '../markup/slides.ts'
import { openPackage, type Package, related, relationshipsOf } from '../xml/package.ts'
import { at, child, childrenOf, firstWithin, textOf, within } from '../xml/tree.ts'
import { type XmlElement, xmlRoot } from '../xml/xml.ts'
import { type Layout, layoutOf, placeholderOf, type Shape, shapesOf } from './shapes.ts'
import { bodyHtml } from './text.ts'

/** Half a centimetre in English Metric Units: shapes whose tops differ by less stand in one row. */
const bandHeight = 180_000
const maxSlides = 5000

/** Reads a PowerPoint presentation (ISO/IEC 29500-1, transitional and strict) slide by slide. */
export function readPptx({ bytes }: Source): Converted {
  const file = openPackage(bytes, 'ppt/presentation.xml')
  const ids = childrenOf(child(xmlRoot(file.archive.chunks(file.main)), 'p:sldIdLst'), 'p:sldId')
  const paths = ids.flatMap(({ attributes }) => {
    const target = file.relationships.get(attributes['r:id'] ?? '')
    return target && !target.isExternal && file.archive.has(target.target) ? [target.target] : []
  })
  const layouts = new Map<string, Layout>()
  const slides = paths.slice(0, maxSlides).map((path, i) => ({ slide: readSlide(file, path, layouts), number: i + 1 }))
  const shown = slides.flatMap(({ slide, number }) => (slide ? [{ slide, number }] : []))
  return {
    html: slidesHtml(shown, bandHeight),
    metadata: file.metadata,
    numPages: shown.length,
    ...hiddenSlides(slides.length - shown.length),
  }
}

/** Undefined for a slide that is not shown. */
function readSlide(file: Package, path: string, layouts: Map<string, Layout>): Slide | undefined {
  const { archive } = file
  const root = xmlRoot(archive.chunks(path))
  if (/^(?:0|false)$/.test(root?.attributes['show'] ?? '')) return undefined
  const relationships = relationshipsOf(archive, path)
  const shapes = shapesOf(at(root, 'p:cSld', 'p:spTree'), {
    relationships,
    layout: layoutFor(file, related(relationships, 'slideLayout'), layouts),
    partHtml: (id) => {
      const target = relationships.get(id)
      return target && !target.isExternal ? partHtml(xmlRoot(archive.chunks(target.target))) : ''
    },
  })
  const title = shapes.find(isTitle)
  const notesHtml = notesOf(file, related(relationships, 'notesSlide'))
  return { title: title?.html ?? '', shapes: shapes.filter((shape) => shape !== title), notesHtml }
}

const isTitle = ({ role, html }: Shape) => role === 'title' && html !== ''

/** What the layout does not say, its master does. */
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

const maxPoints = 500

/** The numbers of a chart as a table, or the words of a diagram as a list. */
function partHtml(root: XmlElement | undefined): string {
  if (root?.name === 'c:chartSpace') return chartHtml(root)
  const points = [...within(root, 'dgm:pt')].map((point) =>
    bodyHtml(child(point, 'dgm:t'), { relationships: new Map(), listStyles: [], hasBullets: false }),
  )
  const items = points.filter((html) => html !== '').map((html) => element('li', html))
  return items.length > 0 ? element('ul', items.join('')) : ''
}

function chartHtml(root: XmlElement): string {
  const title = [...within(at(root, 'c:chart', 'c:title'), 'a:t')].map(textOf).join('')
  const series = [...within(at(root, 'c:chart', 'c:plotArea'), 'c:ser')]
  const columns = series.map((one) => valuesOf(child(one, 'c:val') ?? child(one, 'c:yVal')))
  const [labels = []] = series.map((one) => valuesOf(child(one, 'c:cat') ?? child(one, 'c:xVal')))
  const names = series.map((one) => valuesOf(child(one, 'c:tx'))[0] ?? '')
  const length = Math.max(labels.length, ...columns.slice(0, 50).map((column) => column.length))
  if (length === 0) return title ? element('p', escapeHtml(title)) : ''
  const rows = Array.from({ length }, (_, i) => [labels[i] ?? '', ...columns.map((column) => column[i] ?? '')])
  const cells = [['', ...names], ...rows].map((row) => row.map((text) => ({ html: escapeHtml(text) })))
  return tableHtml(cells, 1, escapeHtml(title))
}

/** The values that the file keeps of cells of a workbook. */
function valuesOf(source: XmlElement | undefined): string[] {
  const cache =
    firstWithin(source, 'c:strCache') ?? firstWithin(source, 'c:numCache') ?? firstWithin(source, 'c:multiLvlStrCache')
  const values: string[] = []
  for (const point of childrenOf(firstWithin(cache, 'c:lvl') ?? cache, 'c:pt')) {
    const index = Number(point.attributes['idx'])
    if (index >= 0 && index < maxPoints) values[index] = textOf(child(point, 'c:v'))
  }
  return Array.from(values, (value) => value ?? '')
}
