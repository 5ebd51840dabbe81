import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import type { Source } from '../../src/engine/document/converter.ts'

const fixtures = join(import.meta.dirname, 'fixtures', 'office')

export const fixture = (name: string) => new Uint8Array(readFileSync(join(fixtures, name)))
export const fixtureText = (name: string) => readFileSync(join(fixtures, name), 'utf8')

export function source(bytes: Uint8Array): Source {
  return { bytes, url: 'https://ex.com/file', contentType: undefined, pdf: { mode: 'auto' } }
}

export type Parts = Readonly<Record<string, string | Uint8Array>>

export function zipped(parts: Parts): Uint8Array {
  const files: Zippable = {}
  for (const [name, part] of Object.entries(parts)) files[name] = typeof part === 'string' ? strToU8(part) : part
  return zipSync(files, { level: 6 })
}

const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export type Link = readonly [id: string, type: string, target: string, mode?: 'External']

export function relationships(...links: readonly Link[]): string {
  const written = links.map(
    ([id, type, target, mode]) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  )
  return `<Relationships xmlns="${packageRelationships}">${written.join('')}</Relationships>`
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
export const namespaces = [
  `xmlns:w="${word}"`,
  `xmlns:r="${office}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(' ')

const wordPart = (name: string, inner: string) => `<w:${name} ${namespaces}>${inner}</w:${name}>`

export type DocxParts = {
  styles?: string
  numbering?: string
  footnotes?: string
  links?: readonly Link[]
  more?: Parts
}

/** A Word file with this inside its body. */
export function docx(
  body: string,
  { styles, numbering, footnotes, links = [], more = {} }: DocxParts = {},
): Uint8Array {
  return zipped({
    '_rels/.rels': relationships(['r1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': wordPart('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationships(...links),
    ...(styles !== undefined && { 'word/styles.xml': wordPart('styles', styles) }),
    ...(numbering !== undefined && { 'word/numbering.xml': wordPart('numbering', numbering) }),
    ...(footnotes !== undefined && { 'word/footnotes.xml': wordPart('footnotes', footnotes) }),
    ...more,
  })
}

export const run = (text: string, look = '') =>
  `<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
export const para = (inner: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inner.startsWith('<') ? inner : run(inner)}</w:p>`

const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

export type XlsxParts = {
  styles?: string
  strings?: string
  workbook?: string
  links?: readonly Link[]
  namespace?: string
}

/** An Excel file with one sheet that has this inside. */
export function xlsx(sheet: string, parts: XlsxParts = {}): Uint8Array {
  const { styles, strings, workbook = '', links = [], namespace = sheetNamespace } = parts
  const part = (name: string, inner: string) => `<${name} xmlns="${namespace}" xmlns:r="${office}">${inner}</${name}>`
  return zipped({
    '_rels/.rels': relationships(['r1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': part('workbook', `${workbook}<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>`),
    'xl/_rels/workbook.xml.rels': relationships(['r1', 'worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': part('worksheet', sheet),
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(...links),
    ...(styles !== undefined && { 'xl/styles.xml': part('styleSheet', styles) }),
    ...(strings !== undefined && { 'xl/sharedStrings.xml': part('sst', strings) }),
  })
}

const slidePart = (name: string, inner: string) =>
  `<p:${name} ${namespaces}><p:cSld><p:spTree>${inner}</p:spTree></p:cSld></p:${name}>`

/** A presentation with these inside its slides; `links` are those of the first. */
export function pptx(slides: readonly string[], links: readonly Link[] = [], more: Parts = {}): Uint8Array {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`).join('')
  const files = slides.map((slide, i): [string, string] => [`ppt/slides/slide${i}.xml`, slidePart('sld', slide)])
  return zipped({
    '_rels/.rels': relationships(['r1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation ${namespaces}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      ...slides.map((_, i): Link => [`r${i}`, 'slide', `slides/slide${i}.xml`]),
    ),
    'ppt/slides/_rels/slide0.xml.rels': relationships(...links),
    ...Object.fromEntries(files),
    ...more,
  })
}

/** Prefixes of OpenDocument, with the name of each namespace if it differs. */
const odfPrefixes = 'office style text table draw=drawing presentation manifest svg=svg-compatible fo=xsl-fo-compatible'
export const odfNamespaces = odfPrefixes
  .split(' ')
  .map((each) => each.split('='))
  .map(([prefix, name = prefix]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:xlink="http://www.w3.org/1999/xlink"')
  .join(' ')

/** An OpenDocument file with this in its body. */
export function odf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  styles = '',
  more: Parts = {},
): Uint8Array {
  return zipped({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${odfNamespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  })
}
