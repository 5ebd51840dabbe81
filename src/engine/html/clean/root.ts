import { type Element, classOf, elementsIn } from '../dom.ts'
import type { Measures } from './measure.ts'

const rootId = /^(?:main|content|main-content)$/

/** The smallest element that calls itself the main content and holds at least `share` of the text; else the body. */
export function contentRoot(body: Element, measures: Measures, share: number): Element {
  const enough = share * (measures.of(body).text || 1)
  const size = (element: Element) => measures.of(element).text
  return elementsIn(body)
    .filter((element) => size(element) >= enough && callsItselfMain(element))
    .reduce((best, element) => (best === body || size(element) < size(best) ? element : best), body)
}

function callsItselfMain(element: Element): boolean {
  if (element.localName === 'main' || element.localName === 'article') return true
  if (element.getAttribute('role') === 'main' || element.getAttribute('itemprop') === 'articleBody') return true
  return rootId.test(element.getAttribute('id') ?? '') || /(?:^|\s)main-content(?:\s|$)/.test(classOf(element))
}
