import { type Element, classOf, closest, elementsIn, isElement, moveChildren, rename } from '../dom.ts'
import type { ContentView } from './view.ts'

const notesBox = /(?:^|\s)(?:footnotes|references)(?:\s|$)/
const backLink = /[↩↑⏎^]|^\s*back\b/i
const backTarget = /fnref|cite_ref|#r/

/** Marks references with `<sup data-footnote>` and notes with `<p data-footnote>`, from which the writer makes `[^1]`. */
export function normaliseFootnotes(view: ContentView): void {
  const notes = view.named('li').filter((item) => item.hasAttribute('id') && isInNotes(item))
  if (notes.length === 0) return
  for (const rule of view.named('hr')) if (isInNotes(rule)) rule.remove()
  const links = linksByFragment(view)
  const labels = new Set<string>()
  for (const [index, note] of notes.entries()) {
    const references = (links.get(note.getAttribute('id') ?? '') ?? []).filter((link) => !note.contains(link))
    const written = references[0]?.textContent.replace(/[^\p{L}\p{N}_]/gu, '') ?? ''
    const label = written && !labels.has(written) ? written : String(index + 1)
    labels.add(label)
    for (const reference of references) markReference(reference, label)
    markNote(note, label)
  }
}

function isInNotes(item: Element): boolean {
  return (
    closest(item, (up) => notesBox.test(classOf(up)) || up.getAttribute('role') === 'doc-endnotes', 4) !== undefined
  )
}

function linksByFragment(view: ContentView): Map<string, Element[]> {
  const found = new Map<string, Element[]>()
  for (const link of view.named('a')) {
    const href = link.getAttribute('href') ?? ''
    const fragment = href.includes('#') ? href.slice(href.indexOf('#') + 1) : ''
    const list = found.get(fragment)
    if (list) list.push(link)
    else if (fragment) found.set(fragment, [link])
  }
  return found
}

function markReference(link: Element, label: string): void {
  const mark = link.ownerDocument.createElement('sup')
  mark.setAttribute('data-footnote', label)
  mark.textContent = label
  const sup = closest(link, (up) => up.localName === 'sup', 3) ?? link
  sup.replaceWith(mark)
}

function markNote(note: Element, label: string): void {
  for (const link of elementsIn(note))
    if (link.localName === 'a' && (backLink.test(link.textContent) || backTarget.test(link.getAttribute('href') ?? '')))
      link.remove()
  for (const block of elementsIn(note)) if (block.localName === 'p' || block.localName === 'div') rename(block, 'span')
  const paragraph = note.ownerDocument.createElement('p')
  paragraph.setAttribute('data-footnote', label)
  moveChildren(note, paragraph)
  const list = note.parentNode
  if (isElement(list) && list.parentNode) list.before(paragraph)
  else note.before(paragraph)
  note.remove()
}
