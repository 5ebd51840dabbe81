import { classOf, type Element, elementsIn, isElement, oneLine } from '../dom/dom.ts'
import { withoutPartsOfText } from '../dom/part-of-text.ts'
import { namesPostText, wordsOf } from '../forum/post-byline.ts'

/** How many boxes around the title are looked at, and the text (characters) of what may stand beside it. */
const maxClimb = 3
const maxBeside = 240
const maxPart = 90
const maxParts = 4

const says =
  /^(?:(?:written |posted |published |words |story |text |von|par|por|di|door|av|af|by|updated|last updated|veröffentlicht|publié|publicado|pubblicato)\b)/i
const named =
  /(?:^|[-_\s])(?:by-?line|author(?:s|-name)?|dateline|date|time|published|posted-?(?:on|by)|entry-date|pub-?date)(?:$|[-_\s])/i
const listed = /^(?:h[1-6]|article|ol|table)$/
const noByline = /bio|avatar|image|social|follow|share|comment|search|nav|read(?:ing)?-?time/i
const dated = /\b(?:19|20)\d\d\b/
const day = /\d{1,2}\D{1,12}\d{2,4}|\d{4}-\d\d/

/** The lines about author and date that follow a title, or the small boxes around it, each once. */
export function bylineBeside(title: Element): string[] {
  let box: Element | null = title
  for (let climb = 0; box && climb < maxClimb && !/^(?:body|main|article)$/.test(box.localName); climb++) {
    const parts = partsAfter(box)
    if (parts.length > 0) return parts
    box = box.parentNode
  }
  return []
}

function partsAfter(box: Element): string[] {
  const parts: string[] = []
  let seen = 0
  for (let next = box.nextSibling; next && seen < maxParts; next = next.nextSibling) {
    if (!isElement(next) || next.textContent.trim() === '') continue
    if (next.textContent.length > maxBeside || /^h[1-6]$/.test(next.localName)) break
    seen++
    const inner = [next, ...elementsIn(next)]
    // The first post of a thread and the entries of a list have authors and dates of their own.
    if (inner.some((element) => listed.test(element.localName) || namesPostText(wordsOf(element)))) break
    if (inner.filter(({ localName }) => localName === 'time').length > 2) break
    const found = inner.filter((element) => !holdsParts(element) && isByline(element, oneLine(element.textContent)))
    for (const element of withoutPartsOfText(found)) {
      const words = oneLine(element.textContent)
      if (!parts.some((part) => part.includes(words))) parts.push(words)
    }
  }
  return parts.slice(0, maxParts)
}

function isByline(element: Element, words: string): boolean {
  if (words.length < 3 || words.length > maxPart || /^h[1-6]$/.test(element.localName)) return false
  const names = classOf(element)
  if (noByline.test(names)) return false
  if (element.localName === 'time' || element.getAttribute('rel') === 'author') return true
  if (says.test(words) || (dated.test(words) && day.test(words) && words.length <= 60)) return true
  return named.test(names) || element.getAttribute('itemprop') === 'author'
}

/** Boxes of several parts are read part by part. */
function holdsParts(element: Element): boolean {
  const { children } = element
  if (children.some(({ localName }) => /^(?:div|p|ul|ol|li|h[1-6]|section|header|table)$/.test(localName))) return true
  const hasWords = element.childNodes.some((node) => !isElement(node) && /[\p{L}\p{N}]/u.test(node.textContent))
  return !hasWords && children.filter((child) => child.textContent.trim() !== '').length > 1
}
