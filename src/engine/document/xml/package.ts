import { type Budget, type Metadata, metadataFrom } from '../converter.ts'
import { refuse, refuseLegacy } from '../refuse.ts'
import { type Archive, openArchive } from '../zip/archive.ts'
import { normalPath } from '../zip/zip-directory.ts'
import { tableHtml } from '../markup/block-markup.ts'
import { element, escapeHtml } from '../markup/inline-markup.ts'
import {
  at,
  child,
  childrenOf,
  elementsOf,
  firstWithin,
  textOf,
  within,
  type XmlElement,
  xmlElements,
  xmlRoot,
} from './xml-stream.ts'
import { percentDecoded } from '../../../util/words.ts'

/** Target of a reference from a part: another part by its path, or a URL, which is never fetched. */
export type Relationship = { type: string; target: string; isExternal: boolean }
export type Relationships = ReadonlyMap<string, Relationship>

/** An OOXML file (Open Packaging Conventions, ISO/IEC 29500-2). */
export type Package = {
  archive: Archive
  /** Path of the main part. */
  main: string
  relationships: Relationships
  metadata: Metadata
}

/** Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a file of another kind, or if the main part is missing. */
export function openPackage(bytes: Uint8Array, usualMain: string, budget: Budget): Package {
  refuseLegacy(bytes)
  const archive = openArchive(bytes, budget)
  const root = relationshipsOf(archive, '')
  const named = [...root.values()].find(({ type }) => type === 'officeDocument')?.target
  const main = [named, usualMain].find((path) => path !== undefined && archive.has(path))
  if (main === undefined) refuse('The file has no main part, so it cannot be read.')
  return { archive, main, relationships: relationshipsOf(archive, main), metadata: coreProperties(archive, root) }
}

/**
 * Returns the relationships of a part by their id; '' for the package itself. Types are shortened to their last path
 * segment.
 */
export function relationshipsOf(archive: Archive, part: string): Relationships {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const path = `${folder}_rels/${part.slice(folder.length)}.rels`
  const found = new Map<string, Relationship>()
  for (const { attributes } of xmlElements(archive.chunks(path), 'rel:Relationship')) {
    const { Id: id, Type: type = '', Target: target = '', TargetMode: mode } = attributes
    if (id === undefined) continue
    const isExternal = mode === 'External'
    found.set(id, { type: lastWord(type), target: isExternal ? target : partPath(folder, target), isExternal })
  }
  return found
}

/** Returns the first part that a part references by a relationship of that type. */
export function related(relationships: Relationships, type: string): string | undefined {
  return [...relationships.values()].find((one) => one.type === type && !one.isExternal)?.target
}

const lastWord = (type: string) => type.slice(type.lastIndexOf('/') + 1)

function partPath(folder: string, target: string): string {
  const path = decodedPath(target)
  return normalPath(/^[\\/]/.test(path) ? path : folder + path)
}

/** Returns the path in a reference, without its fragment. */
export const decodedPath = (target: string): string => percentDecoded(target.split('#', 1)[0] as string)

function coreProperties(archive: Archive, root: Relationships): Metadata {
  const path = related(root, 'core-properties') ?? 'docProps/core.xml'
  return metadataFrom(namedTexts(xmlRoot(archive.chunks(path))))
}

export function namedTexts(parent: XmlElement | undefined): [string, string][] {
  return elementsOf(parent).map((property) => [property.name, textOf(property)])
}

/** Returns the charts and diagrams of a part as HTML, by the id of their relationship; '' for any other target. */
export type ChartReader = (relationships: Relationships, id: string) => string

/** Maximum length of all charts of a document: one chart may be shown by any number of drawings. */
const maxChartChars = 10_000_000

/** Several drawings may show one chart, so each chart is parsed once. */
export function createChartReader(archive: Archive): ChartReader {
  const read = new Map<string, string>()
  let left = maxChartChars
  return (relationships, id) => {
    const { target, isExternal } = relationships.get(id) ?? { target: '', isExternal: true }
    if (isExternal) return ''
    const html = read.get(target) ?? chartHtml(xmlRoot(archive.chunks(target)))
    read.set(target, html)
    left -= html.length
    return left < 0 ? '' : html
  }
}

const maxPoints = 500

/** Renders the numbers of a chart as a table, or the words of a diagram as a list. */
function chartHtml(root: XmlElement | undefined): string {
  if (root?.name === 'c:chartSpace') return numbersHtml(root)
  const words = [...within(root, 'dgm:pt')].map((point) =>
    [...within(child(point, 'dgm:t'), 'a:p')]
      .map((line) => [...within(line, 'a:t')].map(textOf).join(''))
      .join(' ')
      .trim(),
  )
  const items = words.filter(Boolean).map((text) => element('li', escapeHtml(text)))
  return items.length > 0 ? element('ul', items.join('')) : ''
}

function numbersHtml(root: XmlElement): string {
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

/** Returns the cached values of workbook cells. */
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
