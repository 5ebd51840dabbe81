import { closest, type DomNode, type Element, elementsIn, isElement, isText } from './dom.ts'

/** Elements that stand apart from the words around them; all others, also those that pages invent, stand in a line of words. */
const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th
   thead tr ul`.split(/\s+/),
)
const isBlock = ({ localName }: Element) => blocks.has(localName)
const words = /[\p{L}\p{N}]/u
const code = /^(?:pre|code|samp|kbd)$/
/** Words behind as many nodes without any are not beside an element; it also bounds the work for each. */
const maxGap = 200

/**
 * True for an element that cannot be taken out without a hole in the text: what stands inside code, and an inline element
 * with words beside it in its block, other than those of elements that are to go with it.
 */
export function isPartOfText(element: Element, going: ReadonlySet<Element> = new Set()): boolean {
  const { parentNode } = element
  if (parentNode && closest(parentNode, ({ localName }) => code.test(localName))) return true
  if (isBlock(element) || !/\S/.test(element.textContent) || elementsIn(element).some(isBlock)) return false
  const { before, after } = wordsBeside(element, going)
  return before + after !== ''
}

/** Those of the elements that can be taken out together without a hole in the text, such as all links of a line of links. */
export function withoutPartsOfText(elements: readonly Element[]): Element[] {
  const going = new Set(elements)
  return elements.filter((element) => !isPartOfText(element, going))
}

/** The nearest texts with words before and after an element in its block; '' where there are none. */
export function wordsBeside(element: Element, going: ReadonlySet<Element> = new Set()) {
  return {
    before: nearestWords(element, 'previousSibling', going),
    after: nearestWords(element, 'nextSibling', going),
  }
}

function nearestWords(element: Element, side: 'previousSibling' | 'nextSibling', going: ReadonlySet<Element>): string {
  const end = side === 'nextSibling' ? 'firstChild' : 'lastChild'
  let at: DomNode = element
  let isEntered = false
  for (let gap = 0; gap < maxGap; gap++) {
    const next: DomNode | null = (isEntered && at[end]) || at[side]
    const to: DomNode | null = next ?? at.parentNode
    if (!to || (isElement(to) && isBlock(to))) return ''
    if (isText(to) && words.test(to.textContent)) return to.textContent
    isEntered = next !== null && !(isElement(to) && going.has(to))
    at = to
  }
  return ''
}
