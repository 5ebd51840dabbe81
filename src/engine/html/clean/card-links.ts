import { type Element, elementsIn } from '../dom.ts'
import type { Measures } from './measure.ts'

const heading = /^h[1-6]$/
/** How far above its link a card may begin. */
const maxClimb = 4

/**
 * Where a card's only links are an invisible one laid over it, or one that says "Read more", its heading becomes the link:
 * the address is a fact about the item, and the words of such links are dropped. Answers whether there is such a heading.
 */
export function linkHeading(link: Element, root: Element, measures: Measures): boolean {
  const href = link.getAttribute('href')
  if (link.localName !== 'a' || !href || href.startsWith('#')) return false
  const title = titleBeside(link, root, measures)
  if (!title) return false
  const anchor = link.ownerDocument.createElement('a')
  anchor.setAttribute('href', href)
  for (let child = title.firstChild; child; child = title.firstChild) anchor.append(child)
  title.append(anchor)
  return true
}

/** The one heading of the nearest box that has any, if nothing in that box links to another place. */
function titleBeside(link: Element, root: Element, measures: Measures): Element | undefined {
  let box: Element | null = link
  for (let i = 0; i < maxClimb && box && box !== root; i++) {
    box = box.parentNode
    if (!box || measures.of(box).links > 12) return undefined
    const inner = elementsIn(box)
    const titles = inner.filter((element) => heading.test(element.localName) && measures.of(element).text > 0)
    if (titles.length === 0) continue
    const leadElsewhere = inner.some((other) => other.localName === 'a' && !leadToSame(other, link))
    return titles.length === 1 && !leadElsewhere && measures.of(titles[0] as Element).links === 0
      ? titles[0]
      : undefined
  }
  return undefined
}

function leadToSame(one: Element, other: Element): boolean {
  return one === other || one.getAttribute('href') === other.getAttribute('href')
}
