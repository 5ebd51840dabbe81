import { type Element, elementsIn, linkContents } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import { sameWords } from '../title/page-title.ts'
import { holdsMoreThan } from './size.ts'

/** How many boxes around a picture are searched for the words of its card, and how long such words are (characters). */
const maxClimb = 4
const maxTitle = 160
const line = /^(?:h[2-6]|p|div|span|strong|b|figcaption|td|dt)$/

/**
 * Puts the address of a link that only shows a picture on the title beside it, the first line of the nearest box with words, if nothing in
 * that box leads elsewhere. Returns whether there is such a title, or a link with words that leads there already; there is none where only
 * the picture's own words (`alt`) name what it leads to.
 */
export function linkTitleBeside(link: Element, alt: string, root: Element): boolean {
  const href = target(link)
  let box = link.parentNode
  for (let climb = 0; box && climb < maxClimb && box !== root; climb++, box = box.parentNode) {
    if (holdsMoreThan(box, maxNodes)) return false
    if (box.textContent.trim() === '') continue
    const inner = elementsIn(box)
    const links = inner.filter(({ localName }) => localName === 'a')
    if (links.some((other) => target(other) === href && other.textContent.trim() !== '')) return true
    if (links.some((other) => target(other) !== href)) return false
    if (alt !== '' && !sameWords(box.textContent).includes(sameWords(alt))) return false
    const title = inner.find((each) => /^h[2-6]$/.test(each.localName) && isLine(each)) ?? inner.find(isLine)
    if (title) linkContents(title, link.getAttribute('href') ?? '')
    return title !== undefined
  }
  return false
}

/** No card has as many nodes, and looking through a whole page for each of its pictures would take minutes. */
const maxNodes = 400

const target = (link: Element) => (link.getAttribute('href') ?? '').replace(/#.*$/s, '')

function isLine(element: Element): boolean {
  if (!line.test(element.localName)) return false
  const words = element.textContent.trim()
  if (words.length < 3 || words.length > maxTitle || words.endsWith(':') || isPartOfText(element)) return false
  return !element.children.some((child) => /^(?:p|div|ul|ol|table|h[1-6])$/.test(child.localName))
}
