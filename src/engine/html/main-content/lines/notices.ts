import { type Element, elementsIn, oneLine } from '../../dom/dom.ts'
import type { Measures } from '../measure.ts'
import { isCookieNotice, isNotice } from '../words/notices.ts'

const minNotice = 6
const maxNotice = 600
/** Elements inside one notice, such as links and emphasis. */
const maxParts = 20
const block = /^(?:p|div|li|span|section|small|td|h[2-6]|a|strong|center|dd|label|em|i|b)$/
/** A page with more cookie notices is about cookies: a policy or an article. */
const maxCookieNotices = 2

/** Notices that address the visitor about the site: consent, log-in, copyright, loading. */
export function noticesIn(root: Element, measures: Measures): Element[] {
  const found: Element[] = []
  const cookies = new Set<Element>()
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
    if (isNotice(words)) found.push(element)
    else if (proses <= 1 && isCookieNotice(words)) {
      found.push(element)
      cookies.add(element)
    }
  }
  return cookies.size > maxCookieNotices ? found.filter((element) => !cookies.has(element)) : found
}

/** True for a block without inner blocks of text. */
function isLine(element: Element, measures: Measures): boolean {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling)
    if (/^(?:div|p|ul|ol|section|table|h[1-6]|dl|article)$/.test(child.localName) && measures.of(child).text > 0)
      return false
  return true
}

/** The outermost ancestor with no other text. */
export function withBox(element: Element, root: Element, measures: Measures): Element {
  let box = element
  for (let up = element.parentNode; up && up !== root && up.localName !== 'body'; up = up.parentNode) {
    const { text, images, pre } = measures.of(up)
    if (text > measures.of(element).text + 15 || images + pre > 0 || /^(?:td|th|tr)$/.test(up.localName)) break
    box = up
  }
  return box
}
