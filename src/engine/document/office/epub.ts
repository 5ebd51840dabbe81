import type { Converted, Source } from '../converter.ts'
import { type Archive, openArchive } from '../zip/archive.ts'
import { normalPath } from '../zip/directory.ts'
import { refuse } from '../zip/refuse.ts'
import { chapterHtml } from './epub-chapter.ts'
import { element } from './markup.ts'
import { type Metadata, metadataFrom } from './metadata.ts'
import { type Notes, createNotes } from './notes.ts'
import { at, child, childrenOf, elementsOf, firstWithin, textOf } from './tree.ts'
import { type XmlElement, decodedText, xmlElements, xmlRoot } from './xml.ts'

/** Fonts are scrambled in books that are free to read as well. */
const fontScrambling = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/
/** A long novel has a million; what is beyond this is left out. */
const maxChars = 12_000_000

type Item = { path: string; type: string; properties: string }

/** Reads an EPUB book (EPUB 2 and 3): its chapters in the order they are read, without its table of contents. */
export function readEpub({ bytes }: Source): Converted {
  const archive = openArchive(bytes)
  refuseLocked(archive)
  const path = packagePath(archive)
  const root = xmlRoot(archive.chunks(path))
  const chapters = spineOf(root, path.slice(0, path.lastIndexOf('/') + 1))
  if (chapters.length === 0) refuse('The book lists no chapters, so there is nothing to read.')
  const notes = createNotes()
  const { html, isCut } = readChapters(archive, chapters, notes)
  if (html === '') refuse('The book has no text that can be read.')
  const warning = isCut ? { warning: 'Chapters were left out at the end, because the book is too long.' } : {}
  return { html: html + notes.html(), metadata: metadataOf(child(root, 'opf:metadata')), ...warning }
}

function refuseLocked(archive: Archive): void {
  for (const data of xmlElements(archive.chunks('META-INF/encryption.xml'), 'enc:EncryptedData')) {
    const method = child(data, 'enc:EncryptionMethod')?.attributes['Algorithm'] ?? ''
    const part = firstWithin(data, 'enc:CipherReference')?.attributes['URI'] ?? ''
    if (!fontScrambling.test(method) && !/\.(?:[ot]tf|woff2?)$/i.test(part))
      refuse('The book is locked by its seller (DRM), so its text cannot be read.', { hint: 'Use a copy without DRM.' })
  }
}

function packagePath(archive: Archive): string {
  const root = xmlRoot(archive.chunks('META-INF/container.xml'))
  const written = at(root, 'container:rootfiles', 'container:rootfile')?.attributes['full-path']
  const path = [written, archive.names.find((name) => /\.opf$/i.test(name))].find((one) => one && archive.has(one))
  return normalPath(path ?? refuse('The book lacks its list of contents, so there is nothing to read.'))
}

/** The parts to be read, in order. The book's own table of contents only repeats headings. */
function spineOf(root: XmlElement | undefined, folder: string): Item[] {
  const items = new Map<string, Item>()
  for (const { attributes } of childrenOf(child(root, 'opf:manifest'), 'opf:item')) {
    const { id, href = '', 'media-type': type = '', properties = '' } = attributes
    if (id !== undefined) items.set(id, { path: normalPath(folder + decoded(href)), type, properties })
  }
  return childrenOf(child(root, 'opf:spine'), 'opf:itemref')
    .flatMap(({ attributes }) => items.get(attributes['idref'] ?? '') ?? [])
    .filter(({ type, path, properties }) => /html/.test(type || path) && !/(?:^|\s)nav(?:\s|$)/.test(properties))
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href.split('#', 1)[0] as string)
  } catch {
    return href
  }
}

function readChapters(archive: Archive, chapters: readonly Item[], notes: Notes): { html: string; isCut: boolean } {
  const read: string[] = []
  let chars = 0
  for (const path of new Set(chapters.map((chapter) => chapter.path))) {
    const xhtml = decodedText(archive.chunks(path))
    chars += xhtml.length
    if (chars > maxChars) return { html: read.join(''), isCut: true }
    const html = xhtml === '' ? '' : chapterHtml(xhtml, path, notes)
    if (html.trim() !== '') read.push(element('section', html))
  }
  return { html: read.join(''), isCut: false }
}

/** One title and language; a description may be HTML in itself. */
function metadataOf(metadata: XmlElement | undefined): Metadata {
  const seen = new Set<string>()
  const properties = elementsOf(metadata).flatMap((property): [string, string][] => {
    const text = textOf(property).replace(/<[^<>]*>/g, ' ')
    if (property.name === 'opf:meta')
      return property.attributes['property'] === 'dcterms:modified' ? [['dcterms:modified', text]] : []
    const isFirst = !seen.has(property.name)
    seen.add(property.name)
    if (property.name === 'dc:date') return isFirst ? [['dcterms:created', text]] : []
    return isFirst || /^dc:(?:creator|subject)$/.test(property.name) ? [[property.name, text]] : []
  })
  return metadataFrom(properties)
}
