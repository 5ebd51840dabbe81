import { type Element, elementsIn, isElement, oneLine } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'
import type { PageKind } from './page-kind.ts'
import { closesArticle } from './words/closings.ts'

const block =
  /^(?:p|div|li|section|article|td|th|h[1-6]|dt|dd|ul|ol|dl|table|blockquote|figure|figcaption|address|header|footer|aside|nav|main|form|details|hr|center)$/
/** The last words of an article are a sentence, or something that stands for itself. */
const maxLabel = 60
const sentenceEnd = /[.!?…:;"”“»)\]。！？]$/
/** Lines about the site are not longer (characters). */
const maxClosing = 400
/** With less prose, a page that calls itself an article is a list. */
const minProseShare = 0.4
const maxLinkShare = 0.2
/** At most this much goes at either end (characters), and this share of the text. */
const maxBefore = 400
const maxBeforeShare = 0.1

/** Removes what stands before the title of an article and after its last sentence: sections, tags, buttons, headings of nothing. */
export function trimEdges(root: Element, measures: Measures, kind: PageKind): void {
  if (!kind.article || kind.product || kind.forum) return
  const { text, linkText, proseText } = measures.of(root)
  if (proseText < minProseShare * text || linkText > maxLinkShare * text) return
  dropBeforeTitle(root, measures)
  dropAfterText(root, measures)
}

function dropBeforeTitle(root: Element, measures: Measures): void {
  if (measures.of(root).h1 !== 1) return
  const title = elementsIn(root).find(({ localName }) => localName === 'h1')
  if (!title) return
  const before: Element[] = []
  for (let at = title; at !== root && at.parentNode; at = at.parentNode)
    for (let node = at.previousSibling; node; node = node.previousSibling) if (isElement(node)) before.push(node)
  const text = before.reduce((sum, element) => sum + measures.of(element).text, 0)
  const isProse = before.some((element) => measures.of(element).proses > 0)
  if (isProse || text > Math.min(maxBefore, maxBeforeShare * measures.of(root).text)) return
  for (const element of before)
    if (measures.of(element).text > 0 && measures.of(element).images === 0 && !isPartOfText(element))
      measures.remove(element)
}

function dropAfterText(root: Element, measures: Measures): void {
  for (const element of elementsIn(root).reverse()) {
    if (!element.parentNode || !block.test(element.localName)) continue
    const { text, images, pre } = measures.of(element)
    if (text === 0 && images === 0) continue
    if (holdsBlocks(element, measures)) {
      if (hasOwnText(element)) return
      continue
    }
    if (images + pre > 0 || isPartOfText(element) || !isLabel(element, measures)) return
    measures.remove(element)
  }
}

function isLabel(element: Element, measures: Measures): boolean {
  const { text, linkText } = measures.of(element)
  if (/^(?:td|th|dd|dt|blockquote|figcaption)$/.test(element.localName)) return false
  if (linkText > 0.8 * text && text < 200) return true
  if (text <= maxClosing && closesArticle(oneLine(element.textContent))) return true
  if (element.localName === 'li' || text > maxLabel) return false
  return /^h[2-6]$/.test(element.localName) || !sentenceEnd.test(oneLine(element.textContent))
}

function holdsBlocks(element: Element, measures: Measures): boolean {
  return elementsIn(element).some(
    (inner) => block.test(inner.localName) && (measures.of(inner).text > 0 || measures.of(inner).images > 0),
  )
}

function hasOwnText(element: Element): boolean {
  for (let child = element.firstChild; child; child = child.nextSibling)
    if (!isElement(child) && child.textContent.trim().length > 40) return true
  return false
}
