import type { Converted, Source } from '../converter.ts'
import { type Package, openPackage, related, relationshipsOf } from './opc.ts'
import { partHtml } from './pptx-parts.ts'
import { type Layout, type Shape, layoutOf, placeholderOf, shapesOf } from './pptx-shapes.ts'
import { bodyHtml } from './pptx-text.ts'
import { type Slide, hiddenSlides, slidesHtml } from './slides.ts'
import { at, child, childrenOf } from './tree.ts'
import { xmlRoot } from './xml.ts'

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
