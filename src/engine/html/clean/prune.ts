import { type DomNode, type Element, elementsIn } from '../dom.ts'
import type { Measures } from './measure.ts'

const block = /^(?:ul|ol|div|section|table|p|dl)$/
/** From this share of links in the text, and with links this short (in characters), a block is navigation. */
const minLinkShare = 0.66
const maxMeanLinkText = 40
/** No block with more of the text than this is navigation. */
const maxShare = 0.5
/** When so much would go, the page is a list of links, and that is its content. */
const maxPrunedShare = 0.5

/** Removes blocks that are little more than a list of links, the innermost first. */
export function prune(root: Element, measures: Measures): void {
  const total = measures.of(root).text || 1
  const pruned: { element: Element; parent: Element; before: DomNode | null }[] = []
  for (const element of elementsIn(root).reverse()) {
    if (!element.parentNode || !isNavigation(element, measures, maxShare * total)) continue
    pruned.push({ element, parent: element.parentNode, before: element.nextSibling })
    measures.remove(element)
  }
  const left = measures.of(root)
  if (left.proseText > 300 || total - left.text <= maxPrunedShare * total) return
  for (const { element, parent, before } of pruned.reverse()) measures.restore(element, parent, before)
}

function isNavigation(element: Element, measures: Measures, mostText: number): boolean {
  if (!block.test(element.localName)) return false
  const { text, links, linkText, images, headings, pre } = measures.of(element)
  if (links < 3 || text === 0 || text > mostText || images + headings + pre > 0) return false
  return linkText / text > minLinkShare && linkText / links < maxMeanLinkText
}
