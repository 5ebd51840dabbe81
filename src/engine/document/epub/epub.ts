import {
  classOf,
  closest,
  type Element,
  elementsIn,
  moveChildren,
  oneLine,
  unwrap,
  innerHtml,
} from '../../html/dom/dom-tree.ts'
import { createElement } from '../../html/dom/tree-node.ts'
import { parseFragment, parsePage } from '../../html/parse/parse-html.ts'
import { boundless, type Budget, type Metadata, metadataFrom, type Converted, type Source } from '../converter.ts'
import { createNotes, type Notes } from '../markup/block-markup.ts'
import { element, fileNameIn, picture, usableHref } from '../markup/inline-markup.ts'
import { refuse } from '../refuse.ts'
import {
  at,
  child,
  childrenOf,
  decodedText,
  elementsOf,
  firstWithin,
  textOf,
  type XmlElement,
  xmlElements,
  xmlRoot,
} from '../xml/xml-stream.ts'
import { decodedPath } from '../xml/package.ts'
import { type Archive, openArchive } from '../zip/archive.ts'
import { normalPath } from '../zip/zip-directory.ts'

/** Algorithms that scramble fonts, which books without copy protection use too. */
const fontScrambling = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/
/** Maximum number of characters; a long novel has a million. The chapters beyond are omitted. */
const maxChars = 12_000_000
/** Approximate length of the slices in which a chapter is parsed, so a single chapter cannot use up all the time. */
const sliceChars = 250_000

type Item = { path: string; type: string; properties: string }

/** Reads an EPUB book (EPUB 2 and 3): its chapters in reading order, without its table of contents. */
export function readEpub({ bytes }: Source, budget: Budget = boundless): Converted {
  const archive = openArchive(bytes, budget)
  refuseLocked(archive)
  const path = packagePath(archive)
  const root = xmlRoot(archive.chunks(path))
  const chapters = spineOf(root, path.slice(0, path.lastIndexOf('/') + 1))
  if (chapters.length === 0) refuse('The book lists no chapters, so there is nothing to read.')
  const notes = createNotes()
  const { html, isCut } = readChapters({ archive, notes, budget, parsed: new Map(), done: new Set() }, chapters)
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

/** Returns the parts to read, in order. Skips the book's own table of contents, which repeats headings. */
function spineOf(root: XmlElement | undefined, folder: string): Item[] {
  const items = new Map<string, Item>()
  for (const { attributes } of childrenOf(child(root, 'opf:manifest'), 'opf:item')) {
    const { id, href = '', 'media-type': type = '', properties = '' } = attributes
    if (id !== undefined) items.set(id, { path: normalPath(folder + decodedPath(href)), type, properties })
  }
  return childrenOf(child(root, 'opf:spine'), 'opf:itemref')
    .flatMap(({ attributes }) => items.get(attributes['idref'] ?? '') ?? [])
    .filter(({ type, path, properties }) => /html/.test(type || path) && !/(?:^|\s)nav(?:\s|$)/.test(properties))
}

/** `parsed`: files parsed early, because a chapter refers to their notes. `done`: paths of finished files. */
type Book = { archive: Archive; notes: Notes; budget: Budget; parsed: Map<string, Element[]>; done: Set<string> }

function readChapters(book: Book, chapters: readonly Item[]): { html: string; isCut: boolean } {
  const read: string[] = []
  let chars = 0
  for (const path of new Set(chapters.map((chapter) => chapter.path))) {
    const htmls: string[] = []
    for (const { body, length } of chapterParts(book, path)) {
      chars += length
      if (chars > maxChars) return { html: read.join(''), isCut: true }
      htmls.push(chapterHtml(body, path, book))
    }
    const html = htmls.join('')
    if (html.trim() !== '') read.push(element('section', html))
    book.done.add(path)
    book.parsed.delete(path)
  }
  return { html: read.join(''), isCut: false }
}

type ChapterPart = { body: Element; length: number }

/** Yields the parts of a chapter, each parsed when it is needed. */
function* chapterParts({ archive, budget, parsed }: Book, path: string): Generator<ChapterPart> {
  const early = parsed.get(path)?.map((body) => ({ body, length: 0 }))
  if (early) return yield* early
  const xhtml = decodedText(archive.chunks(path))
  if (xhtml.length > maxChars) return yield { body: createElement('body'), length: xhtml.length }
  for (const slice of slicesOf(xhtml)) if (!budget.isSpent()) yield { body: contentOf(slice), length: slice.length }
}

function slicesOf(xhtml: string): string[] {
  const slices: string[] = []
  for (let start = 0; start < xhtml.length;) {
    const next = start + sliceChars < xhtml.length ? xhtml.indexOf('<', start + sliceChars) : -1
    const end = next === -1 ? xhtml.length : next
    slices.push(xhtml.slice(start, end))
    start = end
  }
  return slices
}

/** Takes only one title and language; a description may contain HTML. */
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

/** Elements without an end tag in HTML; any other element can be self-closed only in XML. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
const noteType = /(?:^|\s)(?:(?:foot|end|rear)notes?|doc-(?:foot|end)note)(?:\s|$)/
const noteList = /^(?:section|div|ol|ul|dl)$/

const hidden = /^(?:script|style|link|meta|template|object|iframe|form|audio|video|epub:case)$/

/** Parses a chapter, and removes invisible elements and the page numbers of the printed book. */
function contentOf(xhtml: string): Element {
  const { body } = parsePage(withEndTags(withoutPrefix(xhtml)))
  for (const node of elementsIn(body))
    if (hidden.test(node.localName) || /\bpagebreak\b/.test(typeOf(node))) node.remove()
  return body
}

/**
 * Converts the body of a chapter to HTML: notes are collected separately, links inside the book become text, pictures
 * their descriptions.
 */
function chapterHtml(body: Element, path: string, book: Book): string {
  if (isContents(body)) return ''
  takeNotes(body, path, book)
  for (const link of elementsIn(body)) if (link.localName === 'a') cleanLink(link)
  for (const image of elementsIn(body)) if (image.localName === 'img' || image.localName === 'svg') cleanImage(image)
  return book.parsed.has(path) && !hasMoreThanHeadings(body) ? '' : innerHtml(body)
}

const lengthOf = (node: Element) => oneLine(node.textContent).replaceAll(' ', '').length

/** False if only headings are left, as in a file whose notes were all moved to the end of the book. */
function hasMoreThanHeadings(body: Element): boolean {
  const headings = elementsIn(body).filter(({ localName }) => /^h[1-6]$/.test(localName))
  return lengthOf(body) > headings.reduce((sum, node) => sum + lengthOf(node), 0)
}

/** An HTML parser does not resolve namespaces, so elements with a prefix would be unknown. */
function withoutPrefix(xhtml: string): string {
  const prefix = /\sxmlns:([a-z_][\w.-]*)\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i.exec(xhtml)?.[1]
  return prefix === undefined ? xhtml : xhtml.replace(new RegExp(`(</?)${prefix.replaceAll('.', '\\.')}:`, 'g'), '$1')
}

/** An HTML parser treats `<a id="p1"/>` as a start tag, so everything after it would be inside. */
function withEndTags(xhtml: string): string {
  return xhtml
    .replace(/^\uFEFF?\s*<\?xml[^>]*>/, '')
    .replace(/<([a-z][\w:-]*)(?![\w:-])([^<>]*)\/>/gi, (whole, name: string, rest: string) =>
      voidElements.test(name) ? whole : `<${name}${rest}></${name}>`,
    )
}

/** True for a page that lists the chapters: declared as such, or consisting of little but links. */
function isContents(body: Element): boolean {
  const elements = elementsIn(body)
  if (elements.some((node) => node.localName === 'nav' && /\btoc\b/.test(typeOf(node)))) return true
  const links = elements
    .filter(({ localName }) => localName === 'a')
    .filter((link) => isInner(link.getAttribute('href')))
  const linked = links.reduce((sum, link) => sum + oneLine(link.textContent).length, 0)
  return links.length >= 5 && linked > 0.8 * oneLine(body.textContent).length
}

const typeOf = (node: Element) => `${node.getAttribute('epub:type') ?? ''} ${node.getAttribute('role') ?? ''}`
const isInner = (href: string | null) => href !== null && !/^[a-z][a-z0-9+.-]*:/i.test(href)

/** Moves the notes that a chapter refers to, in this or another file, to the end of the book. */
function takeNotes(body: Element, path: string, book: Book): void {
  const notesByKey = new Map<string, Element>()
  const own = indexed([body])
  for (const link of elementsIn(body)) {
    const href = link.localName === 'a' ? link.getAttribute('href') : null
    if (href === null || !isInner(href) || !href.includes('#')) continue
    const file = href.startsWith('#') ? path : normalPath(path.slice(0, path.lastIndexOf('/') + 1) + decodedPath(href))
    const isMarked = isReference(link)
    if (file !== path && !isMarked) continue
    const id = href.slice(href.indexOf('#') + 1)
    const key = `${file}#${id}`
    const target = (file === path ? own : indexed(bodiesOf(book, file))).get(id)
    const note = notesByKey.get(key) ?? (target && noteAround(target, isMarked))
    if (!note || note.contains(link)) continue
    notesByKey.set(key, note)
    markReference(link, note, key, book.notes)
    note.remove()
  }
}

/** True for a link that is declared as a reference, or is a number or sign in a superscript. */
function isReference(link: Element): boolean {
  if (/\bnoteref\b/.test(typeOf(link))) return true
  const isRaised = link.parentNode?.localName === 'sup' || elementsIn(link).some(({ localName }) => localName === 'sup')
  return isRaised && /^[[(]?(?:\d{1,4}|[*†‡§¶]{1,3})[\])]?$/.test(oneLine(link.textContent))
}

/**
 * Returns the target of a link if it is declared as a note; for a marked reference, also the block that starts with the
 * target.
 */
function noteAround(target: Element, isMarked: boolean): Element | undefined {
  if (noteType.test(typeOf(target)) && !noteList.test(target.localName)) return target
  const block = isMarked ? closest(target, ({ localName }) => /^(?:p|li|dd|div|aside|tr)$/.test(localName)) : undefined
  if (!block || elementsIn(block).some(({ localName }) => /^h[1-6]$/.test(localName))) return undefined
  const isFirst = oneLine(block.textContent).startsWith(oneLine(target.textContent).slice(0, 1000))
  return isFirst ? block : undefined
}

const indexes = new WeakMap<readonly Element[], Map<string, Element>>()

function indexed(bodies: readonly Element[]): ReadonlyMap<string, Element> {
  const known = indexes.get(bodies)
  if (known) return known
  const index = new Map(bodies.flatMap(elementsIn).map((node) => [node.getAttribute('id') ?? '', node]))
  indexes.set(bodies, index)
  return index
}

/** Parses a file before the chapters in front of it are done; empty if it is itself done or missing. */
function bodiesOf(book: Book, path: string): Element[] {
  const known = book.parsed.get(path)
  if (known) return known
  const isUnread = !book.done.has(path) && book.archive.has(path)
  const bodies = isUnread ? [...chapterParts(book, path)].map(({ body }) => body) : []
  if (isUnread) book.parsed.set(path, bodies)
  return bodies
}

function markReference(link: Element, note: Element, id: string, notes: Notes): void {
  const box = createElement('span')
  box.setAttribute('data-note', '')
  moveChildren(parseFragment(notes.refer(id, () => noteHtml(note))), box)
  const sup = link.parentNode?.localName === 'sup' && oneLine(link.parentNode.textContent) === oneLine(link.textContent)
  ;(sup && link.parentNode ? link.parentNode : link).replaceWith(box)
}

function noteHtml(note: Element): string {
  const copy = note.cloneNode()
  for (const link of elementsIn(copy)) {
    if (link.localName !== 'a') continue
    const isBack = isInner(link.getAttribute('href')) && oneLine(link.textContent).length < 6
    if (isBack) link.remove()
    else cleanLink(link)
  }
  return innerHtml(copy)
}

function cleanLink(link: Element): void {
  const href = link.getAttribute('href')
  const isNoteReference = link.parentNode?.parentNode?.hasAttribute('data-note') === true
  if (isNoteReference || (href !== null && !isInner(href) && usableHref(href))) return
  unwrap(link)
}

/** Spacers and ornaments have no description; covers and figures without one are named by their file name. */
function cleanImage(image: Element): void {
  const alt = image.getAttribute('alt')
  const path = image.getAttribute('src') ?? ''
  const isOrnament = image.localName === 'svg' || alt === '' || /ornament|spacer|divider/i.test(classOf(image))
  const html = isOrnament ? '' : picture(alt ?? fileNameIn(path))
  image.replaceWith(...parseFragment(html).childNodes)
}
