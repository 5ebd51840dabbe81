import { type Element, closest, elementsIn, oneLine, visit } from '../dom.ts'
import { linkHeading } from './card-links.ts'
import type { Measures } from './measure.ts'
import { callToAction, repeatedCall } from './words.ts'

/** Removes links and lone words that are controls, and blank links; their addresses go to the headings of their cards. */
export function dropCallsToAction(root: Element, measures: Measures): void {
  const calls = callsIn(root, measures)
  const seen = new Map<string, number>()
  for (const [link, words] of calls) if (link.localName === 'a') seen.set(words, (seen.get(words) ?? 0) + 1)
  visit(root, (element) => {
    const words = mayCall(element, measures) ? wordsNow(element, calls) : undefined
    if (!isBlankLink(element, measures) && !isCall(element, words, seen, measures)) {
      // "Read Ann's story" in a card whose heading has no link: there the link belongs.
      if (element.localName !== 'a' || !words || !repeatedCall.test(words) || !linkHeading(element, root, measures))
        return undefined
    } else linkHeading(element, root, measures)
    measures.remove(element)
    return 'skip'
  })
}

/** Elements that may be calls to action, with what they say. */
function callsIn(root: Element, measures: Measures): Map<Element, string> {
  const calls = new Map<Element, string>()
  for (const element of elementsIn(root))
    if (mayCall(element, measures)) calls.set(element, oneLine(element.textContent))
  return calls
}

/** What an element says after parts of it may have gone. */
function wordsNow(element: Element, calls: ReadonlyMap<Element, string>): string {
  return (element.firstElementChild ? undefined : calls.get(element)) ?? oneLine(element.textContent)
}

function isCall(
  element: Element,
  words: string | undefined,
  seen: ReadonlyMap<string, number>,
  measures: Measures,
): boolean {
  if (words === undefined || !(callToAction.test(words) || isRepeated(element, words, seen))) return false
  return !isEntry(element, measures)
}

function isRepeated(element: Element, words: string, seen: ReadonlyMap<string, number>): boolean {
  return element.localName === 'a' && (seen.get(words) ?? 0) > maxSaid && repeatedCall.test(words)
}

/** Said more often, words such as "View options" are the label of a control. */
const maxSaid = 1

function mayCall(element: Element, measures: Measures): boolean {
  if (!/^(?:a|span|div|p)$/.test(element.localName)) return false
  const { text, images } = measures.of(element)
  if (text === 0 || text > 40 || images > 0) return false
  return element.localName === 'a' || !element.firstElementChild?.nextElementSibling
}

/** A word that is code, or all of a cell or a term, is an entry of a table or a glossary: "filter", "sort". */
function isEntry(element: Element, measures: Measures): boolean {
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
