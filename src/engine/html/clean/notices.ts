import { type Element, elementsIn, oneLine } from '../dom.ts'
import type { Measures } from './measure.ts'
import { isCookieNotice, isNotice } from './sentences.ts'

const minNotice = 6
const maxNotice = 600
/** Elements in a sentence, links and emphasis among them. */
const maxParts = 20
const block = /^(?:p|div|li|span|section|small|td|h[2-6]|a|strong|center|dd|label|em|i|b)$/
/** A page that speaks of its cookies more often than this is about them: a policy, an article. */
const maxCookieNotices = 2

/** Removes sentences that speak to the visitor about the site and not about its subject: consent, log-in, copyright, loading. */
export function dropNotices(root: Element, measures: Measures): void {
  const cookies: Element[] = []
  for (const element of elementsIn(root)) {
    const { text, h1, proses, elements } = measures.of(element)
    if (
      text < minNotice ||
      elements > maxParts ||
      text > maxNotice ||
      h1 > 0 ||
      !block.test(element.localName) ||
      !isLine(element, measures)
    )
      continue
    const words = oneLine(element.textContent)
    if (isNotice(words)) measures.remove(withBox(element, root, measures))
    else if (proses <= 1 && isCookieNotice(words)) cookies.push(element)
  }
  if (cookies.length > maxCookieNotices) return
  for (const element of cookies) if (root.contains(element)) measures.remove(withBox(element, root, measures))
}

/** A block without blocks of text in it. */
function isLine(element: Element, measures: Measures): boolean {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling)
    if (/^(?:div|p|ul|ol|section|table|h[1-6]|dl|article)$/.test(child.localName) && measures.of(child).text > 0)
      return false
  return true
}

/** The largest element around that says no more. */
function withBox(element: Element, root: Element, measures: Measures): Element {
  let box = element
  for (let up = element.parentNode; up && up !== root && up.localName !== 'body'; up = up.parentNode) {
    const { text, images, pre } = measures.of(up)
    if (text > measures.of(element).text + 15 || images + pre > 0 || /^(?:td|th|tr)$/.test(up.localName)) break
    box = up
  }
  return box
}
