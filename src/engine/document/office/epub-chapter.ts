import { type Element, classOf, elementsIn, oneLine, unwrap } from '../../html/dom.ts'
import { parsePage } from '../../html/parse/parse.ts'
import { picture, usableHref } from './markup.ts'
import type { Notes } from './notes.ts'

/** Elements that need no end tag in HTML; all others may be closed by a slash only in XML. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
const noteType = /(?:^|\s)(?:(?:foot|end|rear)notes?|doc-(?:foot|end)note)(?:\s|$)/
const noteList = /^(?:section|div|ol|ul|dl)$/

/**
 * The body of a chapter as HTML: notes are set apart, links inside the book become text, pictures their words.
 * `key` tells the notes of one chapter from those of others.
 */
export function chapterHtml(xhtml: string, key: string, notes: Notes): string {
  const { body } = parsePage(withEndTags(xhtml))
  for (const element of elementsIn(body))
    if (/^(?:script|style|link|meta|template|object|iframe|form|audio|video)$/.test(element.localName)) element.remove()
  if (isContents(body)) return ''
  takeNotes(body, key, notes)
  for (const link of elementsIn(body)) if (link.localName === 'a') cleanLink(link)
  for (const image of elementsIn(body)) if (image.localName === 'img' || image.localName === 'svg') cleanImage(image)
  return body.innerHTML
}

/** `<a id="p1"/>` opens an element for an HTML parser, and everything after it would be inside. */
function withEndTags(xhtml: string): string {
  return xhtml
    .replace(/^\uFEFF?\s*<\?xml[^>]*>/, '')
    .replace(/<([a-z][\w:-]*)(?![\w:-])([^<>]*)\/>/gi, (whole, name: string, rest: string) =>
      voidElements.test(name) ? whole : `<${name}${rest}></${name}>`,
    )
}

/** A page that lists the chapters, by what it says of itself or by being links and little else. */
function isContents(body: Element): boolean {
  const elements = elementsIn(body)
  if (elements.some((element) => element.localName === 'nav' && /\btoc\b/.test(typeOf(element)))) return true
  const links = elements
    .filter(({ localName }) => localName === 'a')
    .filter((link) => isInner(link.getAttribute('href')))
  const linked = links.reduce((sum, link) => sum + oneLine(link.textContent).length, 0)
  return links.length >= 5 && linked > 0.8 * oneLine(body.textContent).length
}

const typeOf = (element: Element) => `${element.getAttribute('epub:type') ?? ''} ${element.getAttribute('role') ?? ''}`
const isInner = (href: string | null) => href !== null && !/^[a-z][a-z0-9+.-]*:/i.test(href)

function takeNotes(body: Element, key: string, notes: Notes): void {
  const found = new Map<string, Element>()
  for (const element of elementsIn(body)) {
    const id = element.getAttribute('id')
    if (id && noteType.test(typeOf(element)) && !noteList.test(element.localName)) found.set(id, element)
  }
  if (found.size === 0) return
  for (const link of elementsIn(body)) {
    const href = link.localName === 'a' ? (link.getAttribute('href') ?? '') : ''
    const note = found.get(href.slice(href.indexOf('#') + 1))
    if (note && href.includes('#') && !note.contains(link))
      markReference(link, note, `${key}#${note.getAttribute('id')}`, notes)
  }
  for (const note of found.values()) note.remove()
}

function markReference(link: Element, note: Element, id: string, notes: Notes): void {
  const box = link.ownerDocument.createElement('span')
  box.setAttribute('data-note', '')
  box.innerHTML = notes.refer(id, () => noteHtml(note))
  const sup = link.parentNode?.localName === 'sup' && oneLine(link.parentNode.textContent) === oneLine(link.textContent)
  ;(sup && link.parentNode ? link.parentNode : link).replaceWith(box)
}

function noteHtml(note: Element): string {
  const copy = note.cloneNode(true)
  for (const link of elementsIn(copy)) {
    if (link.localName !== 'a') continue
    const isBack = isInner(link.getAttribute('href')) && oneLine(link.textContent).length < 6
    if (isBack) link.remove()
    else cleanLink(link)
  }
  return copy.innerHTML
}

function cleanLink(link: Element): void {
  const href = link.getAttribute('href')
  const isOurs = link.parentNode?.parentNode?.hasAttribute('data-note') === true
  if (isOurs || (href !== null && !isInner(href) && usableHref(href))) return
  unwrap(link)
}

/** Spacers and ornaments have no words; covers and figures without words are known by the name of their file. */
function cleanImage(image: Element): void {
  const alt = image.getAttribute('alt')
  const path = image.getAttribute('src') ?? ''
  const isOrnament = image.localName === 'svg' || alt === '' || /ornament|spacer|divider/i.test(classOf(image))
  const html = isOrnament ? '' : picture(alt ?? path.slice(path.lastIndexOf('/') + 1))
  const box = image.ownerDocument.createElement('span')
  box.innerHTML = html
  image.replaceWith(box)
  unwrap(box)
}
