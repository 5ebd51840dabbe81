import { classOf, type Element, elementsIn, isElement, isText, oneLine, visit, exceedsSize } from '../dom/dom-tree.ts'
import type { ShownFact } from '../../../contracts/page-content.ts'
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

/**
 * Maximum distance from the headline. Names and dates farther away belong to related articles or the author's other
 * works.
 */
const maxDistance = 900
const maxName = 70

const authorClass =
  /(?:^|[-_\s])(?:(?:post|entry|article|blog|meta|story)[-_]*)?(?:authors?|byline|by-line|writer|contributor|vcard|fn)(?:[-_]*(?:name|link|title|text|meta|info|by))*(?:$|[-_\s])/i
const authorAddress = /\/(?:authors?|contributors?|writers?|by|team|people|profile|staff)\/[^/]+/i
/** Mark of a line about the author of a text in English; in other languages markup has to say it. */
const by = /^(?:\p{L}+\s+)?by:?\s+/iu

/** Returns the authors shown near the headline. */
export function authorsIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .flatMap(({ element, text, distance }) => {
      const trust = trustOfAuthor(element, text)
      const name = trust === 0 || Math.abs(distance) > maxDistance ? undefined : nameIn(text)
      const weight = trust - 0.25 * (Math.abs(distance) / maxDistance)
      return name === undefined ? [] : [{ name: 'author', value: name, weight, where: selectorOf(element) }]
    })
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, 5)
}

function trustOfAuthor(element: Element, text: string): number {
  if (/(?:^|\s)author(?:\s|$)/i.test(element.getAttribute('rel') ?? '')) return 0.8
  if (authorClass.test(classOf(element)) && !/bio|avatar|image|social|follow/i.test(classOf(element))) return 0.72
  if (element.localName === 'a' && authorAddress.test(element.getAttribute('href') ?? '')) return 0.66
  return by.test(text) && text.length < 120 ? 0.6 : 0
}

/** Extracts the capitalised words at the start of a byline; undefined if they do not look like a name. */
function nameIn(text: string): string | undefined {
  const [own = ''] = text
    .replace(/^\p{L}+:\s+/u, '')
    .replace(by, '')
    .split(/\s+[-–—]\s|[|•·]|\d/)
  const words = own.trim().split(/\s+/)
  const end = words.findIndex((word) => /^\p{Ll}/u.test(word) && !particle.test(word))
  const name = words.slice(0, end < 0 ? undefined : end).join(' ')
  const bare = name.replace(/(?<![\s,:;])[\s,:;]+$/, '')
  const isCut = end === 1 || particle.test(words[0] ?? '')
  return isCut || bare.length < 2 || bare.length > maxName || words.length > 12 || !/^\p{L}[^?!@/<>{}=]*$/u.test(bare)
    ? undefined
    : bare
}

const particle = /^(?:and|de|da|di|do|dos|del|der|den|des|du|el|la|le|of|the|al|bin|ibn|ten|ter|van|von|zu|y|e|et|und)$/

const dateClass =
  /(?:^|[-_\s])(?:date|time|datetime|timestamp|published|pub-?date|posted(?:-on)?|entry-date|dateline|updated)(?:$|[-_\s])|(?:publish|post|entry|article)\w{0,40}[-_]{0,9}date/i
const changed = /updat|modif|revis|review|edited/i
const published = /publish/i
/** A day of a year, its month as a word in any language or a number. */
const day =
  /(?<![\p{L}\d])(?:\p{L}{3,}\.?\s+\d{1,2}(?:\p{L}{2})?,?\s+(?:19|20)\d\d|\d{1,2}(?:\p{L}{2}|\.)?\s+(?:de\s+)?\p{L}{3,}\.?,?\s+(?:de\s+)?(?:19|20)\d\d|(?:19|20)\d\d[-/]\d\d[-/]\d\d)(?!\d)/u

/** Returns the publication and modification dates shown near the headline. */
export function datesIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .flatMap((spot) => dateAt(spot))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, 6)
}

function dateAt({ element, text, distance }: Spot): ShownFact[] {
  if (Math.abs(distance) > maxDistance || text.length > 120) return []
  const written = /^\d{4}-\d\d-\d\d.*$/.exec(
    (element.localName === 'time' && element.getAttribute('datetime')) || '',
  )?.[0]
  const shown = day.exec(text)?.[0]
  const value = written ?? shown
  if (value === undefined) return []
  const words = textBefore(element, text, shown)
  const isPublished = published.test(words)
  const isChange = changed.test(words) || (changed.test(classOf(element)) && !isPublished)
  const trust = written === undefined ? trustInDate(element, text, isPublished) : 0.72
  const weight = trust + (isPublished ? 0.06 : 0) - 0.25 * (Math.abs(distance) / maxDistance)
  return [{ name: isChange ? 'dateModified' : 'datePublished', value, weight, where: selectorOf(element) }]
}

function trustInDate(element: Element, text: string, isPublished: boolean): number {
  const marks = `${classOf(element)} ${element.parentNode ? classOf(element.parentNode) : ''}`
  if (dateClass.test(marks)) return 0.68
  return isPublished || text.length < 40 ? 0.6 : 0.5
}

/** Returns the label of a date: the words before it in its element, its neighbour or its parent. */
function textBefore(element: Element, text: string, shown: string | undefined): string {
  const own = shown === undefined ? text : text.slice(0, text.indexOf(shown))
  if (/\p{L}/u.test(own)) return lastWords(own)
  const before = element.previousSibling?.textContent ?? ''
  return lastWords(before.trim() === '' ? ownTextOf(element.parentNode) : before)
}

const lastWords = (text: string) => text.trim().slice(-40)

function ownTextOf(parent: Element | null): string {
  const text = parent?.textContent ?? ''
  return text.length < 200 ? text.slice(0, 40) : ''
}
