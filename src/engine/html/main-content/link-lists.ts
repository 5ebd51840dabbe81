import { type DomNode, type Element, elementsIn, isElement, isText, oneLine } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { Measures } from './measure.ts'
import { removeButSteps } from './paging.ts'

const heading = /^h[1-6]$/
const block = /^(?:ul|ol|div|section|table|p|dl)$/
/** Link density from which a block is navigation, if its links are this short (characters). */
const minLinkShare = 0.66
const maxMeanLinkText = 40
/** A block with a larger share of the text is never navigation. */
const maxShare = 0.5
/** When more than this would go, the page is a list of links, and that is its content. */
const maxPrunedShare = 0.5

/**
 * Removes blocks that are mostly links (link density, as in Kohlschütter et al., WSDM 2010), innermost first. Lists that the
 * text leads up to stay, and are returned.
 */
export function dropNavigation(root: Element, measures: Measures): Element[] {
  const total = measures.of(root).text || 1
  const pruned: { element: Element; parent: Element; before: DomNode | null }[] = []
  const spared = new Set<Element>()
  const kept: Element[] = []
  for (const element of elementsIn(root).reverse()) {
    if (!element.parentNode || spared.has(element) || !isNavigation(element, measures, maxShare * total)) continue
    if (isInFlow(element, root, measures)) {
      kept.push(element)
      for (let up: Element | null = element; up && up !== root; up = up.parentNode) spared.add(up)
      continue
    }
    const place = { element, parent: element.parentNode, before: element.nextSibling }
    if (removeButSteps(element, measures, kept) === 'pager') kept.push(element)
    else pruned.push(place)
  }
  const left = measures.of(root)
  if (left.proseText > 300 || total - left.text <= maxPrunedShare * total) return kept
  for (const { element, parent, before } of pruned.reverse()) measures.restore(element, parent, before)
  return kept
}

function isNavigation(element: Element, measures: Measures, mostText: number): boolean {
  if (!block.test(element.localName)) return false
  const { text, links, linkText, images, headings, pre } = measures.of(element)
  if (links < 3 || text === 0 || text > mostText || images + headings + pre > 0) return false
  return linkText / text > minLinkShare && linkText / links < maxMeanLinkText && !isPartOfText(element)
}

/** How many boxes around a list are looked at. */
const maxClimb = 3

/** True for a list that follows a paragraph, or a heading: among paragraphs, if the page does not mark its main content. */
function isInFlow(list: Element, root: Element, measures: Measures): boolean {
  const isMarked = root.localName !== 'body'
  let box: Element | null = list
  for (let i = 0; i < maxClimb && box && box !== root; i++, box = box.parentNode) {
    const before = textBefore(box, measures)
    if (!before) continue
    if (!isElement(before)) return isLeadIn(oneLine(before.textContent))
    const title = titleIn(before, measures)
    if (title)
      return !namesNavigation.test(oneLine(title.textContent)) && (isMarked || standsAmongProse(box, root, measures))
    return mayLeadIn(before, measures) && isLeadIn(oneLine(before.textContent))
  }
  return false
}

/** A heading, or the only text of a box around it. */
function titleIn(element: Element, measures: Measures): Element | undefined {
  const title = heading.test(element.localName)
    ? element
    : elementsIn(element).find(({ localName }) => heading.test(localName))
  return title && measures.of(title).text === measures.of(element).text ? title : undefined
}

/** A paragraph, also one without its name, that is no list of links itself. */
function mayLeadIn(element: Element, measures: Measures): boolean {
  const { text, linkText } = measures.of(element)
  return (element.localName === 'p' || element.firstElementChild === null) && linkText <= 0.3 * text
}

/** The text or element with text that stands before an element in its box. */
function textBefore(element: Element, measures: Measures): DomNode | undefined {
  for (let at = element.previousSibling; at; at = at.previousSibling) {
    if (isElement(at) ? measures.of(at).text > 0 : isText(at) && at.textContent.trim() !== '') return at
  }
  return undefined
}

/** A sentence, or words that end with a colon. */
const isLeadIn = (words: string) =>
  !namesNavigation.test(words) && (/[:：]$/.test(words) || (words.length > 25 && /[.!?。…]["”’)\]]*$/.test(words)))

/** Whether paragraphs of prose stand beside an element, or beside the boxes around it. */
export function standsAmongProse(element: Element, root: Element, measures: Measures): boolean {
  let box = element.parentNode
  for (let i = 0; i < maxClimb && box; i++, box = box.parentNode) {
    for (let child = box.firstElementChild; child; child = child.nextElementSibling)
      if (child.localName === 'p' && measures.of(child).proses > 0) return true
    if (box === root) return false
  }
  return false
}

/** Words over lists that stand around the text, whatever precedes them. */
const namesNavigation =
  /^(?:tags?|topics?|categor(?:y|ies)|archives?|menu|navigation|sections?|recent\b.*|latest\b.*|popular\b.*|trending\b.*|most (?:read|popular|viewed)\b.*|follow\b.*|share\b.*|filed (?:under|in)\b.*|posted (?:in|by|on)\b.*|links|languages?)\s*:?$/i
