import { classOf, closest, type Element, elementsIn, isElement, moveChildren, unwrap } from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'

const notesBox = /(?:^|\s)(?:footnotes|footnote-list|references|reflist|endnotes)(?:\s|$)/
const noteId = /^(?:user-content-)?(?:fn|footnote|cite_note|note|endnote|_ftn|easy-footnote-bottom)[-:_]?\w/i
const backLink = /^\s*(?:[↩↑⏎^⤴]\S*\s*\d*|back|jump up|\[?\d{1,3}[.\]]?)\s*$/i
/** Maximum number of characters of a back link; longer links have other content. */
const maxBackLink = 200
const backTarget = /fnref|cite_ref|footnote-ref|_ftnref|#(?:r|ref|id)[-:_]?\d/
const backBox = /(?:^|\s)mw-cite-backlink(?:\s|$)/
const ownLabel = /(?:^|\s)(?:label|fn-label|footnote-label)(?:\s|$)/

/**
 * Marks references with `<sup data-footnote>` and notes with `<p data-footnote>`, which the writer turns into `[^1]`.
 */
export function normaliseFootnotes(content: ContentIndex): void {
  const notes = notesOf(content)
  if (notes.length === 0) return
  for (const rule of content.named('hr'))
    if (isInNotes(rule) || /(?:^|\s)footnotes-sep(?:\s|$)/.test(classOf(rule))) rule.remove()
  const links = linksByFragment(content)
  const labels = new Set<string>()
  for (const [index, note] of notes.entries()) {
    const id = note.getAttribute('id') ?? ''
    const references = (links.get(id) ?? []).filter((link) => !note.contains(link))
    // A second note with the same id has no references left.
    links.delete(id)
    const written = references[0]?.textContent.replace(/[^\p{L}\p{N}_]/gu, '') ?? ''
    const label = written && !labels.has(written) ? written : freeLabel(labels, index + 1)
    labels.add(label)
    for (const reference of references) markReference(reference, label)
    markNote(note, label)
  }
}

function freeLabel(taken: ReadonlySet<string>, from: number): string {
  for (let number = from; ; number++) if (!taken.has(String(number))) return String(number)
}

/** Finds notes: items of a list of notes, or separate blocks whose role or id identifies them (Sphinx, plain HTML). */
function notesOf(content: ContentIndex): Element[] {
  const items = content.named('li').filter((item) => item.hasAttribute('id') && isInNotes(item))
  if (items.length > 0 || !content.classed().some((box) => notesBox.test(classOf(box)))) return items
  return content
    .named('aside', 'div', 'p')
    .filter((block) => block.hasAttribute('id'))
    .filter((block) => isNote(block) && isInNotes(block.parentNode ?? block))
}

function isNote(block: Element): boolean {
  return block.getAttribute('role') === 'doc-footnote' || noteId.test(block.getAttribute('id') ?? '')
}

function isInNotes(item: Element): boolean {
  return (
    closest(item, (up) => notesBox.test(classOf(up)) || up.getAttribute('role') === 'doc-endnotes', 4) !== undefined
  )
}

function linksByFragment(content: ContentIndex): Map<string, Element[]> {
  const found = new Map<string, Element[]>()
  for (const link of content.named('a')) {
    const href = link.getAttribute('href') ?? ''
    const fragment = href.includes('#') ? decoded(href.slice(href.indexOf('#') + 1)) : ''
    const list = found.get(fragment)
    if (list) list.push(link)
    else if (fragment) found.set(fragment, [link])
  }
  return found
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function markReference(link: Element, label: string): void {
  const mark = createElement('sup')
  mark.setAttribute('data-footnote', label)
  mark.textContent = label
  const sup = closest(link, (up) => up.localName === 'sup', 3)
  const isAll = sup && sup.textContent.replace(/[[\]\s]/g, '') === link.textContent.replace(/[[\]\s]/g, '')
  if (isAll) sup.replaceWith(mark)
  else link.replaceWith(mark)
}

function markNote(note: Element, label: string): void {
  dropBackLinks(note)
  const paragraph = createElement('div')
  paragraph.setAttribute('data-footnote', label)
  moveChildren(note, paragraph)
  const [first] = paragraph.children
  // The first paragraph goes on the line of the mark.
  if (first && /^(?:p|div)$/.test(first.localName)) unwrap(first)
  const list = note.parentNode
  if (note.localName === 'li' && isElement(list) && list.parentNode) list.before(paragraph)
  else note.before(paragraph)
  note.remove()
}

const isBackLink = (text: string) => text.length <= maxBackLink && backLink.test(text)

function dropBackLinks(note: Element): void {
  for (const inner of elementsIn(note)) {
    const isBack =
      inner.localName === 'a' && (isBackLink(inner.textContent) || backTarget.test(inner.getAttribute('href') ?? ''))
    if (isBack || backBox.test(classOf(inner)) || (inner.localName === 'span' && ownLabel.test(classOf(inner))))
      inner.remove()
  }
}
