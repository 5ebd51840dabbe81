import { closest, type DomNode, type Element, elementsIn, isElement, isText } from './dom.ts'

/** Block elements. All others, custom elements included, count as inline. */
const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot th
   thead tr ul`.split(/\s+/),
)
const isBlock = ({ localName }: Element) => blocks.has(localName)
const words = /[\p{L}\p{N}]/u
const code = /^(?:pre|code|samp|kbd)$/
/** Number of nodes without words to look past for the words beside an element. Bounds the work for each element. */
const maxGap = 200

/**
 * True if removing the element would leave a hole in the text: it is inside code, or it is inline and has words beside it in its
 * block, not counting the words of the elements in `going`, which are removed with it.
 */
export function isPartOfText(element: Element, going: ReadonlySet<Element> = new Set()): boolean {
  const { parentNode } = element
  if (parentNode && closest(parentNode, ({ localName }) => code.test(localName))) return true
  if (isBlock(element) || !/\S/.test(element.textContent) || elementsIn(element).some(isBlock)) return false
  const { before, after } = wordsBeside(element, going)
  return before + after !== ''
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
