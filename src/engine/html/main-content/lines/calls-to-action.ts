import { closest, type Element, elementsIn, oneLine, visit } from '../../dom/dom.ts'
import { createElement } from '../../dom/node.ts'
import type { Measures } from '../measure.ts'
import { isStep } from '../paging.ts'
import { callsToAction, repeatableCall } from '../words/controls.ts'

/** Removes calls to action, controls and blank links; their URLs move to the headings of their cards. */
export function dropCallsToAction(root: Element, measures: Measures): void {
  const calls = candidatesIn(root, measures)
  const seen = new Map<string, number>()
  for (const [link, words] of calls) if (link.localName === 'a') seen.set(words, (seen.get(words) ?? 0) + 1)
  visit(root, (element) => {
    const words = mayBeCallToAction(element, measures) ? currentText(element, calls) : undefined
    if (!isBlankLink(element, measures) && !isCallToAction(element, words, seen, measures)) {
      // "Read Ann's story" in a card whose heading has no link: there the link belongs.
      if (element.localName !== 'a' || !words || !repeatableCall.test(words) || !linkHeading(element, root, measures))
        return undefined
    } else linkHeading(element, root, measures)
    measures.remove(element)
    return 'skip'
  })
}

/** Elements that may be calls to action, with their text. */
function candidatesIn(root: Element, measures: Measures): Map<Element, string> {
  const calls = new Map<Element, string>()
  for (const element of elementsIn(root))
    if (mayBeCallToAction(element, measures)) calls.set(element, oneLine(element.textContent))
  return calls
}

/** The text of an element, read again where parts of it may have been removed. */
function currentText(element: Element, calls: ReadonlyMap<Element, string>): string {
  return (element.firstElementChild ? undefined : calls.get(element)) ?? oneLine(element.textContent)
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

/** Words such as "filter" or "sort" stay where they are code, a table cell or a glossary term. */
function isCodeOrTerm(element: Element, measures: Measures): boolean {
  const { text } = measures.of(element)
  if (closest(element, (up) => /^(?:code|pre|kbd)$/.test(up.localName), 4)) return true
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

/**
 * Makes the heading of a card the link when the card's only links are an overlay or a "Read more", whose text is dropped
 * while the URL is worth keeping. Returns whether there is such a heading.
 */
function linkHeading(link: Element, root: Element, measures: Measures): boolean {
  const href = link.getAttribute('href')
  if (link.localName !== 'a' || !href || href.startsWith('#')) return false
  const title = titleBeside(link, root, measures)
  if (!title) return false
  const anchor = createElement('a')
  anchor.setAttribute('href', href)
  for (let child = title.firstChild; child; child = title.firstChild) anchor.append(child)
  title.append(anchor)
  return true
}

/** The only heading of the nearest ancestor that has one, if nothing in it links elsewhere. */
function titleBeside(link: Element, root: Element, measures: Measures): Element | undefined {
  let box: Element | null = link
  for (let i = 0; i < maxClimb && box && box !== root; i++) {
    box = box.parentNode
    if (!box || measures.of(box).links > 12) return undefined
    const inner = elementsIn(box)
    const titles = inner.filter((element) => heading.test(element.localName) && measures.of(element).text > 0)
    if (titles.length === 0) continue
    const leadElsewhere = inner.some((other) => other.localName === 'a' && !leadToSame(other, link))
    return titles.length === 1 && !leadElsewhere && measures.of(titles[0]!).links === 0 ? titles[0] : undefined
  }
  return undefined
}

function leadToSame(one: Element, other: Element): boolean {
  return one === other || one.getAttribute('href') === other.getAttribute('href')
}
