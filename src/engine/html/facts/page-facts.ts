import {
  oneLine,
  classOf,
  closest,
  type Element,
  elementsById,
  elementsIn,
  isElement,
  isText,
} from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { markedUpEntities } from '../product/microdata.ts'
import { selectorOf, shortText, type Surroundings, surroundingsOf, type Spot } from './fact-context.ts'
import type { PageFacts, ShownFact, ShownQuestion } from '../../../contracts/page-content.ts'
import { priceOf } from '../product/product-price.ts'
import { isUnseen } from '../hidden/hidden.ts'

const unread = /^(?:script|style|noscript|template|svg|nav|select|option|textarea|iframe|canvas|video|audio)$/
const inline =
  /^(?:a|abbr|b|bdi|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var)$/
const maxCharacters = 200_000
const maxDepth = 300

/** Returns all text of a page outside its menus, one line per block, with headings marked as in markdown. */
export function wholeText(body: Element): string {
  const lines: string[] = []
  let line = ''
  let length = 0
  const end = (mark = '') => {
    const text = oneLine(line)
    line = ''
    if (text === '' || length > maxCharacters) return
    lines.push(mark + text)
    length += text.length
  }
  const read = (parent: Element, depth: number): void => {
    for (const child of parent.childNodes) {
      if (isText(child)) line += child.textContent
      if (!isElement(child) || unread.test(child.localName) || isUnseen(child) || depth > maxDepth) continue
      const level = /^h([1-6])$/.exec(child.localName)?.[1]
      const isBlock = !inline.test(child.localName)
      if (isBlock) end()
      read(child, depth + 1)
      if (isBlock) end(level === undefined ? '' : `${'#'.repeat(Number(level))} `)
    }
  }
  read(body, 0)
  end()
  return lines.join('\n')
}

const maxQuestions = 100
const maxQuestion = 200
const minAnswer = 20
const maxAnswer = 2500
/** Maximum number of levels above a question to search for its answer. */
const maxHeight = 4

const holder = /^(?:h[1-6]|summary|dt|button|a|span|div|p|strong|b|li|label|td|th|legend)$/
const panel = /faq|accordion|question|toggle|collaps/i

/**
 * Finds questions on the page with their answers: headings, folds and definition lists. Answers are often one click
 * away, and the main content drops them together with menus of the same structure.
 */
function questionsIn(body: Element): ShownQuestion[] {
  const elements = elementsIn(body)
  const byId = elementsById(elements)
  const answers = new Map<string, string>()
  for (const element of elements) {
    if (answers.size >= maxQuestions) break
    const question = questionAt(element)
    if (question === undefined || answers.has(question)) continue
    const answer = controlled(element, byId) ?? textAfter(element)
    if (answer !== undefined) answers.set(question, answer)
  }
  return [...answers].map(([question, answer]) => ({ question, answer }))
}

/** Returns the question in its innermost element; the summary of a fold needs no question mark. */
function questionAt(element: Element): string | undefined {
  if (!holder.test(element.localName)) return undefined
  const text = shortText(element, maxQuestion)
  if (text === undefined || text.length < 10) return undefined
  if (element.children.some((child) => shortText(child, maxQuestion) === text)) return undefined
  if (text.endsWith('?')) return text
  const isFold =
    element.localName === 'summary' || (element.hasAttribute('aria-expanded') && panel.test(classOf(element)))
  return isFold ? text : undefined
}

/** Returns the text of the panel that a button opens. */
function controlled(element: Element, byId: ReadonlyMap<string, Element>): string | undefined {
  for (let at: Element | null = element, height = 0; at && height < 3; at = at.parentNode, height++) {
    const id = at.getAttribute('aria-controls') ?? at.getAttribute('data-target')?.replace(/^#/, '')
    const opened = id ? byId.get(id) : undefined
    const text = opened && answerIn(opened)
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns the text after an element in its box, or after that box, up to the next question. */
function textAfter(element: Element): string | undefined {
  for (let at: Element | null = element, height = 0; at && height < maxHeight; at = at.parentNode, height++) {
    // If the box contains more than the question, the text after it is about something else.
    if (height > 0 && shortText(at, maxQuestion + 40) === undefined) return undefined
    const answer = followingText(at)
    if (answer !== undefined) return answer.length >= minAnswer ? answer.slice(0, maxAnswer) : undefined
  }
  return undefined
}

/** Returns the sibling text after an element up to the next heading or question; undefined if there is none. */
function followingText(element: Element): string | undefined {
  const following: string[] = []
  for (let each = element.nextSibling; each; each = each.nextSibling) {
    const text = isElement(each) ? shortText(each, maxAnswer) : oneLine(each.textContent)
    if (text === undefined && each.textContent.trim() !== '' && isElement(each)) return following.join('\n')
    if (!text || !(isElement(each) || isText(each))) continue
    if (opensWithQuestion(text) || (isElement(each) && /^h[1-6]$/.test(each.localName))) return following.join('\n')
    following.push(text)
  }
  return following.length > 0 ? following.join('\n') : undefined
}

const opensWithQuestion = (text: string) => /^[^.!?]{5,180}\?(?:\s|$)/.test(text)

function answerIn(element: Element): string | undefined {
  const text = shortText(element, maxAnswer)
  return text !== undefined && text.length >= minAnswer && !opensWithQuestion(text) ? text : undefined
}

/**
 * Maximum distance, in elements, between the headline and an author or a date; those farther away belong to other
 * texts.
 */
const maxByline = 900
const maxName = 70

const authorClass =
  /(?:^|[-_\s])(?:(?:post|entry|article|blog|meta|story)[-_]*)?(?:authors?|byline|by-line|writer|contributor|vcard|fn)(?:[-_]*(?:name|link|title|text|meta|info|by))*(?:$|[-_\s])/i
const authorAddress = /\/(?:authors?|contributors?|writers?|by|team|people|profile|staff)\/[^/]+/i
/** Start of an English byline; in other languages only markup identifies one. */
const by = /^(?:\p{L}+\s+)?by:?\s+/iu

/** Returns the authors shown near the headline. */
function authorsIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .flatMap(({ element, text, distance }) => {
      const trust = trustOfAuthor(element, text)
      const name = trust === 0 || Math.abs(distance) > maxByline ? undefined : nameIn(text)
      const weight = trust - 0.25 * (Math.abs(distance) / maxByline)
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
/** A date with its year; the month is a word of any language or a number. */
const day =
  /(?<![\p{L}\d])(?:\p{L}{3,}\.?\s+\d{1,2}(?:\p{L}{2})?,?\s+(?:19|20)\d\d|\d{1,2}(?:\p{L}{2}|\.)?\s+(?:de\s+)?\p{L}{3,}\.?,?\s+(?:de\s+)?(?:19|20)\d\d|(?:19|20)\d\d[-/]\d\d[-/]\d\d)(?!\d)/u

/** Returns the publication and modification dates shown near the headline. */
function datesIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .flatMap((spot) => dateAt(spot))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, 6)
}

function dateAt({ element, text, distance }: Spot): ShownFact[] {
  if (Math.abs(distance) > maxByline || text.length > 120) return []
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
  const weight = trust + (isPublished ? 0.06 : 0) - 0.25 * (Math.abs(distance) / maxByline)
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

/** Maximum distance, in elements, between the headline and a price of the page's own product. */
const maxPriceDistance = 700
const maxPriceText = 70
const sign = String.raw`(?:[A-Z]{0,3}\s?[$€£¥₹₩₽₺฿₫₪₴₱]|kr\.?|zł|Kč|Ft|lei|CHF|EUR|USD|GBP|SEK|NOK|DKK|PLN|CAD|AUD|Rs\.?|TL)`
const amount = String.raw`\d[\d.,'’\u00A0\u202F ]*`
/** An amount at the start of a text; after other words it may be something else, such as a former price. */
const money = new RegExp(String.raw`^(?:${sign}\s?${amount}|${amount}\s?${sign}(?!\p{L})|\d[\d.,]*$)`, 'u')
const label = String.raw`(?:price|prix|preis|precio)\b:?\s*`
/** An amount of money with at most the name of a price. */
const bare = new RegExp(
  String.raw`^(?:${label})?(?:(?:${sign}\s*){1,2}${amount}(?:${sign})?$|${amount}\s?${sign}(?!\p{L}))`,
  'iu',
)
const priceWord =
  /(?:^|[-_\s])(?:price|prices|pricing|amount|cost|prix|preis|precio)(?:$|[-_\s\d])|[a-z]Price|price[A-Z_]/
/** Names of former prices, part prices, rates and amounts that are not prices. */
const otherPrice =
  /(?:^|[-_\s])(?:old|was|before|original|regular|compare\w*|crossed|strike\w*|list|msrp|rrp|uvp|rabatt|save|saving|savings|discount-?(?:amount|value)?|unit|per|installments?|instalment|shipping|delivery|rewards?|points|financing|monthly|klarna|afterpay|affirm|subtotal|total|tax|tiers?|bulk)(?:$|[-_\s])/i

/** Returns the prices shown near the headline. */
function pricesIn({ headline, spots }: Surroundings): ShownFact[] {
  if (!headline) return []
  const prices = spots
    .filter(({ distance, text }) => Math.abs(distance) <= maxPriceDistance && text.length <= maxPriceText)
    .flatMap(priceAt)
  return prices
    .filter(({ where }) => !isList(prices.filter((other) => other.where === where)))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, 4)
}

/** True for more than two different prices with one selector, which belong to other things, such as accessories. */
const isList = (alike: readonly ShownFact[]) => new Set(alike.map(({ value }) => value)).size > 2

function priceAt({ element, text, distance }: Spot): ShownFact[] {
  const marks = marksOf(element)
  if (otherPrice.test(marks) || isStruck(element)) return []
  const isMarked = priceWord.test(marks)
  const value = bare.test(text) ? text : isMarked ? money.exec(text)?.[0] : undefined
  if (value === undefined || !priceOf(value, {})?.amount) return []
  const far = 0.3 * (Math.abs(distance) / maxPriceDistance) + (distance < 0 ? 0.1 : 0)
  return [{ name: 'price', value, weight: trustIn(text, isMarked) - far, where: selectorOf(element) }]
}

const labelled = new RegExp(`^${label}`, 'i')

function trustIn(text: string, isMarked: boolean): number {
  if (labelled.test(text)) return 0.99
  if (!isMarked) return 0.62
  return bare.test(text) ? 0.8 : 0.7
}

const isStruck = (element: Element) =>
  closest(element, ({ localName }) => /^(?:del|s|strike)$/.test(localName), 4) !== undefined

/** Joins the classes, ids and test ids of an element and its two nearest ancestors. */
function marksOf(element: Element): string {
  const around = [element, element.parentNode, element.parentNode?.parentNode]
  return around
    .flatMap((each) =>
      each
        ? [classOf(each), each.getAttribute('id'), each.getAttribute('data-testid'), each.getAttribute('itemprop')]
        : [],
    )
    .filter(Boolean)
    .join(' ')
}

/** Collects facts identified by markup or position: headline, byline, dates, price and definitions. */
export function factsOf(page: ParsedPage, elements: ElementIndex): PageFacts {
  const surroundings = surroundingsOf(page, elements)
  const shown = [
    ...headlineIn(surroundings),
    ...authorsIn(surroundings),
    ...datesIn(surroundings),
    ...pricesIn(surroundings),
    ...definitionsIn(surroundings),
  ]
  return {
    markup: markedUpEntities(page.body),
    questions: questionsIn(page.body).map(({ question, answer }) => ({
      question: sanitiseText(question),
      answer: sanitiseText(answer),
    })),
    shown: shown.map((fact) => ({ ...fact, name: sanitiseText(fact.name), value: sanitiseText(fact.value) })),
  }
}

/** Weight of a headline without a word of the page's title, such as a slogan; the title itself weighs more. */
const untitled = 0.6

function headlineIn({ headline, isTitled }: Surroundings): ShownFact[] {
  const text = headline && oneLine(headline.textContent)
  if (!text || text.length > 300) return []
  const where = selectorOf(headline)
  return [
    { name: 'headline', value: text, weight: isTitled ? 0.85 : untitled, where },
    { name: 'name', value: text, weight: isTitled ? 0.92 : untitled, where },
  ]
}

const maxDefinitions = 200

/** Returns the terms of definition lists with their definitions. */
function definitionsIn({ spots }: Surroundings): ShownFact[] {
  return spots
    .filter(({ element, text }) => element.localName === 'dt' && text.length <= 60)
    .slice(0, maxDefinitions)
    .flatMap(({ element, text }) => {
      const next = element.nextElementSibling
      const value = next?.localName === 'dd' ? shortText(next, 300) : undefined
      return value ? [{ name: text.replace(/:$/, ''), value, weight: 0.65, where: 'dl' }] : []
    })
}
