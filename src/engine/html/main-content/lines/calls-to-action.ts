import { closest, type Element, elementsIn, oneLine, visit, linkContents } from '../../dom/dom.ts'
import type { Measures } from '../measure.ts'
import { isStep } from '../paging.ts'
import { callsToAction, repeatableCall } from '../words/controls.ts'

/** Calls to action and controls. */
export function callsToActionIn(root: Element, measures: Measures): Element[] {
  const calls = callsIn(root, measures)
  const seen = new Map<string, number>()
  for (const [link, words] of calls) if (link.localName === 'a') seen.set(words, (seen.get(words) ?? 0) + 1)
  const found: Element[] = []
  visit(root, (element) => {
    if (!isCallToAction(element, calls.get(element), seen, measures)) return undefined
    found.push(element)
    return 'skip'
  })
  return found
}

/** True if a link is the only one of its card, so that its URL would be lost with it. */
export function isLinkOfCard(element: Element, root: Element, measures: Measures): boolean {
  return titleOfCard(element, root, measures) !== undefined
}

/** Removes links without words. An overlay of a card passes its URL on to the heading of the card. */
export function dropBlankLinks(root: Element, measures: Measures): void {
  visit(root, (link) => {
    if (!isBlankLink(link, measures)) return
    const title = titleOfCard(link, root, measures)
    if (title) linkContents(title, link.getAttribute('href') ?? '')
    measures.remove(link)
  })
}

/** Elements that may be calls to action, with their text. */
function callsIn(root: Element, measures: Measures): ReadonlyMap<Element, string> {
  const calls = elementsIn(root).filter((element) => mayBeCallToAction(element, measures))
  return new Map(calls.map((element) => [element, oneLine(element.textContent)]))
}

function isCallToAction(
  element: Element,
  words: string | undefined,
  seen: ReadonlyMap<string, number>,
  measures: Measures,
): boolean {
  if (words === undefined || !(callsToAction(words) || isRepeated(element, words, seen))) return false
  return !isCodeOrTerm(element, measures) && !isStep(element) && !elementsIn(element).some(isStep)
}

function isRepeated(element: Element, words: string, seen: ReadonlyMap<string, number>): boolean {
  return element.localName === 'a' && (seen.get(words) ?? 0) > maxRepeats && repeatableCall.test(words)
}

/** A link text such as "View options" that occurs more often is the label of a control. */
const maxRepeats = 1

function mayBeCallToAction(element: Element, measures: Measures): boolean {
  if (!/^(?:a|span|div|p)$/.test(element.localName)) return false
  const { text, images } = measures.of(element)
  if (text === 0 || text > 40 || images > 0) return false
  return element.localName === 'a' || !element.firstElementChild?.nextElementSibling
}

/** Words such as "filter" or "sort" stay where they hold code, or are a table cell or a glossary term. */
function isCodeOrTerm(element: Element, measures: Measures): boolean {
  const { text } = measures.of(element)
  if (elementsIn(element).some((inner) => /^(?:code|kbd)$/.test(inner.localName))) return true
  const cell = closest(element, (up) => /^(?:td|th|dt)$/.test(up.localName), 4)
  return cell !== undefined && measures.of(cell).text <= text + 2
}

function isBlankLink(element: Element, measures: Measures): boolean {
  const { text, images, elements } = measures.of(element)
  if (element.localName !== 'a' || text + images > 0 || !element.hasAttribute('href')) return false
  return elements === 1 || !elementsIn(element).some((inner) => /^(?:iframe|input|code|math)$/.test(inner.localName))
}

const heading = /^h[1-6]$/
/** How many ancestors of a link are searched for its card. */
const maxClimb = 4

/** The only heading of the nearest box that has one, below the title of the page, if nothing in that box links elsewhere. */
function titleOfCard(link: Element, root: Element, measures: Measures): Element | undefined {
  const href = link.getAttribute('href')
  if (link.localName !== 'a' || !href || href.startsWith('#')) return undefined
  let box: Element | null = link
  for (let i = 0; i < maxClimb && box && box !== root; i++) {
    box = box.parentNode
    if (!box || measures.of(box).links > 12) return undefined
    const inner = elementsIn(box)
    const titles = inner.filter((element) => heading.test(element.localName) && measures.of(element).text > 0)
    if (titles.length === 0) continue
    const [title] = titles
    if (titles.length > 1 || !title || title.localName === 'h1') return undefined
    const links = inner.filter(({ localName }) => localName === 'a')
    return links.some((other) => !leadToSame(other, link) || title.contains(other)) ? undefined : title
  }
  return undefined
}

function leadToSame(one: Element, other: Element): boolean {
  return one === other || one.getAttribute('href') === other.getAttribute('href')
}
