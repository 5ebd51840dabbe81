import { type TableCell, tableHtml } from '../markup/lists.ts'
import { picture } from '../markup/markup.ts'
import type { Place } from '../markup/slides.ts'
import type { Relationships } from '../xml/package.ts'
import { at, child, childrenOf, elementsOf, firstWithin, numberOf } from '../xml/tree.ts'
import type { XmlElement } from '../xml/xml.ts'
import { bodyHtml, isOn, lineHtml } from './text.ts'

export type Shape = { role: 'title' | 'content'; place: Place | undefined; html: string }
/** Places and looks that a slide takes from its layout, by the type and number of a placeholder. */
export type Layout = ReadonlyMap<string, XmlElement>
export type SlideContext = {
  relationships: Relationships
  layout: Layout
  /** What a chart or diagram in a part of its own says. */
  partHtml(id: string): string
}

const namesOf = (shape: XmlElement) => elementsOf(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
export const placeholderOf = (shape: XmlElement) => at(namesOf(shape), 'p:nvPr', 'p:ph')

/** Placeholders of a layout or master. */
export function layoutOf(root: XmlElement | undefined): Layout {
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

/** The shapes of a slide and of all groups in it. */
export function shapesOf(tree: XmlElement | undefined, context: SlideContext): Shape[] {
  return elementsOf(tree).flatMap((element): Shape[] => {
    if (element.name === 'mc:AlternateContent') return shapesOf(child(element, 'mc:Choice') ?? element, context)
    if (namesOf(element) && child(namesOf(element), 'p:cNvPr')?.attributes['hidden'] === '1') return []
    if (element.name === 'p:grpSp') return groupOf(element, context)
    if (element.name === 'p:sp') return textShape(element, context)
    if (element.name === 'p:pic') return [content(element, picture(wordsAbout(element, context)))]
    return element.name === 'p:graphicFrame' ? [content(element, frameHtml(element, context))] : []
  })
}

/** What is grouped belongs together, wherever its parts are. */
function groupOf(group: XmlElement, context: SlideContext): Shape[] {
  const shapes = shapesOf(group, context)
  const place = placeOf(at(group, 'p:grpSpPr', 'a:xfrm'))
  return shapes.map((shape) => (shape.role === 'title' ? shape : { ...shape, place: place ?? shape.place }))
}

function content(element: XmlElement, html: string): Shape {
  const place = placeOf(at(element, 'p:spPr', 'a:xfrm') ?? child(element, 'p:xfrm'))
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

function wordsAbout(element: XmlElement, { relationships }: SlideContext): string | undefined {
  const { descr, title } = child(namesOf(element), 'p:cNvPr')?.attributes ?? {}
  const target = relationships.get(firstWithin(element, 'a:blip')?.attributes['r:embed'] ?? '')?.target
  return descr?.trim() || title?.trim() || target?.slice(target.lastIndexOf('/') + 1)
}

function frameHtml(frame: XmlElement, context: SlideContext): string {
  const data = at(frame, 'a:graphic', 'a:graphicData')
  const table = child(data, 'a:tbl')
  if (table) return tableOf(table, context)
  const part = elementsOf(data)[0]?.attributes
  const html = context.partHtml(part?.['r:dm'] ?? part?.['r:id'] ?? '')
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
