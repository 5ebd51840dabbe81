import { classOf, type Element, elementsIn, isElement, isText, oneLine, visit, exceedsSize } from '../dom/dom-tree.ts'
import { isUnseen } from '../hidden/hidden.ts'
import { type ElementIndex, titlesOf } from '../dom/element-index.ts'
import { wordsIn } from '../../../util/words.ts'
import type { ParsedPage } from '../parse/parse-html.ts'

/** A short visible element and its position. */
export type Spot = {
  element: Element
  text: string
  /** Number of elements between the headline and this one in document order; negative before the headline. */
  distance: number
}
/** Visible text around the headline, without navigation and content about other pages. */
export type Surroundings = {
  headline: Element | undefined
  /** True if the page's title shares a word with the headline, or the page has no title. */
  isTitled: boolean
  spots: readonly Spot[]
}

const maxText = 160
const maxSpots = 4000
const maxTitle = 1000
const unread =
  /^(?:script|style|noscript|template|svg|nav|footer|select|option|textarea|dialog|iframe|canvas|video|audio)$/
/** Classes and ids of content about other pages, and of comments and reviews. */
const elsewhere =
  /(?:^|[-_\s])(?:related|recommend\w*|upsells?|cross-?sells?|comments?|comment-?list|reviews?|similar|recently|mini-?cart|cart-?drawer|mega-?menu|menu|navbar|footer|newsletter|popup|modal|popular|trending|latest|read-?next|more-?(?:posts|stories|articles))(?:$|[-_\s])/i

export function surroundingsOf({ body }: ParsedPage, elements: ElementIndex): Surroundings {
  const titles = titlesOf(elements)
    .map((title) => wordsIn(title.slice(0, maxTitle)))
    .filter((words) => words.length > 0)
  const shared = sharedWith(titles)
  const headline = headlineOf(body, shared)
  const spots: Spot[] = []
  let order = 0
  let headlineAt = 0
  visit(body, (element) => {
    order++
    if (element === headline) headlineAt = order
    const holdsHeadline = headline !== undefined && element.contains(headline)
    if (!holdsHeadline && isElsewhere(element)) return 'skip'
    const text = spots.length < maxSpots ? shortText(element) : undefined
    if (text) spots.push({ element, text, distance: order })
    return undefined
  })
  return {
    headline,
    isTitled: headline === undefined || titles.length === 0 || shared(headline) > 0,
    spots: spots.map((spot) => ({ ...spot, distance: spot.distance - headlineAt })),
  }
}

function isElsewhere(element: Element): boolean {
  if (unread.test(element.localName) || isUnseen(element)) return true
  return elsewhere.test(`${classOf(element)} ${element.getAttribute('id') ?? ''}`)
}

/** Counts the words that an element shares with the titles; adds 0.5 if a title starts with all of them. */
function sharedWith(titles: readonly string[][]): (element: Element) => number {
  const known = new Set(titles.flat())
  return ({ textContent }) => {
    const words = wordsIn(textContent.slice(0, maxTitle))
    const opens = titles.some((title) => words.every((word, at) => title[at] === word))
    return words.filter((word) => known.has(word)).length + (words.length > 0 && opens ? 0.5 : 0)
  }
}

/**
 * Returns the first-level heading that shares the most words with the page's titles; logos and banners are often
 * headings too.
 */
const headlineOf = (body: Element, shared: (heading: Element) => number): Element | undefined =>
  elementsIn(body)
    .filter(({ localName }) => localName === 'h1')
    .slice(0, 20)
    .filter(({ textContent }) => textContent.trim() !== '')
    .reduce<Element | undefined>((best, each) => (best && shared(best) >= shared(each) ? best : each), undefined)

/**
 * Returns the text of an element, with spaces between the words of neighbouring elements; undefined if it is empty or
 * too long.
 */
export function shortText(root: Element, most = maxText): string | undefined {
  if (unread.test(root.localName)) return undefined
  let text = ''
  const add = (element: Element): boolean => {
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (isText(child)) text += child.textContent
      else if (isElement(child) && !unread.test(child.localName) && !isUnseen(child)) {
        text = isCents(child) && /\d\s*$/.test(text) ? `${text.trimEnd()}.` : `${text} `
        if (!add(child)) return false
        text += ' '
      }
      if (text.length > most * 4) return false
    }
    return true
  }
  if (!add(root)) return undefined
  const line = oneLine(text.replace(/(\d)\.\s+(\d\d)(?!\d)/, '$1.$2'))
  return line !== '' && line.length <= most ? line : undefined
}

const maxCents = { nodes: 20, characters: 200 }

/** Shops print the cents of a price in small type instead of writing a decimal point. */
const isCents = (element: Element) =>
  (element.localName === 'sup' || /cents|fraction|decimal/i.test(classOf(element))) &&
  !exceedsSize(element, maxCents.nodes, maxCents.characters) &&
  /^\s*\d\d\s*$/.test(element.textContent)

/** Builds a readable selector from the name and class of an element. */
export function selectorOf(element: Element): string {
  const property = element.getAttribute('itemprop')
  if (property) return `${element.localName}[itemprop="${property.slice(0, 40)}"]`
  const [first] = classOf(element)
    .split(/\s+/)
    .filter((name) => /^[\w-]{1,60}$/.test(name))
  return first === undefined ? element.localName : `${element.localName}.${first}`
}
