import { classOf, type Element, elementsIn, oneLine } from '../dom/dom-tree.ts'

const maxAuthor = 50
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/
const maxDate = 60
const digits = /\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{4}/
const startsWithDigits = new RegExp(`^[^\\p{L}\\d]*(${digits.source})`, 'u')
const isoDay = /^\d{4}-\d\d-\d\d/

/** Returns the author of a post by microdata and the class names of forum software; undefined if not found. */
export function authorOf(whole: Element, text: Element): string | undefined {
  const around = [whole, ...elementsAround(whole, text)]
  const marked = around.map((element) => element.getAttribute('data-author') ?? element.getAttribute('data-username'))
  const names = [
    ...marked,
    ...around.filter((element) => element.getAttribute('itemprop') === 'author').map(nameIn),
    ...around
      .filter((element) => element.getAttribute('rel') === 'author' || namesAuthor(wordsOf(element)))
      .map(nameIn),
  ]
  return names.map((name) => oneLine(name ?? '')).find((name) => name !== '' && name.length <= maxAuthor)
}

/** Returns the date of a post: as written if that is a full date, otherwise the machine-readable one. */
export function dateOf(whole: Element, text: Element): string | undefined {
  const around = elementsAround(whole, text)
  // The first date in time; later ones are edits.
  const [machine] = around
    .flatMap((element) => ({ element, day: machineDate(element) ?? '' }))
    .filter(({ day }) => day !== '')
    .toSorted((one, other) => one.day.localeCompare(other.day))
  if (machine) return dayIn(machine.element.textContent) ?? machine.day
  const named = around.filter((element) => namesDate(wordsOf(element)))
  return (
    around
      .filter(isLine)
      .map(({ textContent }) => startsWithDigits.exec(textContent)?.[1])
      .find(Boolean) ??
    named.map((element) => dayIn(element.getAttribute('title') ?? '') ?? dayIn(element.textContent)).find(Boolean)
  )
}

function machineDate(element: Element): string | undefined {
  const property = element.getAttribute('itemprop')
  const isDate = element.localName === 'time' || property === 'datePublished' || property === 'dateCreated'
  const value = isDate ? (element.getAttribute('datetime') ?? element.getAttribute('content')) : null
  const title = value ?? (namesDate(wordsOf(element)) ? element.getAttribute('title') : null)
  return title?.trim().match(isoDay)?.[0]
}

const isLine = ({ localName, textContent }: Element) =>
  /^(?:a|span|td|div|small|b)$/.test(localName) && textContent.length <= maxDate

/** Returns a date in digits, or a short line with a year and a day, which may name the month in any language. */
function dayIn(text: string): string | undefined {
  const line = oneLine(text)
  const isDate = line.length <= maxDate && year.test(line) && /\d/.test(line.replace(year, ''))
  return digits.exec(line)?.[0] ?? (isDate ? line : undefined)
}

function nameIn(element: Element): string {
  const inner = elementsIn(element)
  const byProperty = inner.find((child) => child.getAttribute('itemprop') === 'name')
  const byClass = inner.find((child) => namesAuthor(wordsOf(child)) && child.textContent.trim() !== '')
  if (!byProperty && byClass) return nameIn(byClass)
  const named =
    byProperty ?? inner.find((child) => /^(?:a|strong|b)$/.test(child.localName) && child.textContent.trim() !== '')
  const content = element.getAttribute('content') ?? named?.getAttribute('content')
  return content ?? (named ?? element).textContent
}

function elementsAround(whole: Element, text: Element): Element[] {
  return elementsIn(whole).filter((element) => !text.contains(element))
}

const thing = '(?:forum|lia|bbp|b|cpost)?(?:post|message|comment|reply|topic|msg)(?:box)?'
/** Classes of the element with the text of a post, without hyphens and underscores. */
const postText = new RegExp(
  `^(?:${thing}(?:inner)?(?:text|body|content|message|msg|copy|bodycontent|contenttext)|bbwrapper|cooked|sprose|jspostbody|usertextbody|ipstyperichtext|ipsrichtextuser|commtext|usercontent|jspostcontenttext)$`,
)
const author = new RegExp(
  `^(?:(?:${thing})?(?:user|poster|author|by|byline|creator)(?:name|info|details|link)?|${thing}(?:left|name)|(?:big|user)name|nickname|displayname|hnuser|postedby|authorinformation|ipscommentauthor|cauthorpaneauthor|usernamelink|ipsusername)$`,
)
const date = new RegExp(
  `^(?:(?:${thing})?(?:date|datetime|time|timestamp|meta)|relativetime(?:clean)?|age|timeago|postdate|posted|dateline|keyinfo|smalltext|datepermalink|messageattributionmain|local(?:friendly)?date)$`,
)
const signature = /(?:^|[-_]|post|user)sig(?:nature)?(?:$|[-_\d])/
const title = /^(?:title|subject|topic-?title|thread-?title|tags?|poll)$/

/** Returns the words of an element's class attribute in lower case. */
export function wordsOf(element: Element): string[] {
  const names = classOf(element)
  return names === '' ? [] : names.toLowerCase().split(/\s+/)
}

export function namesPostText(words: readonly string[]): boolean {
  return words.some((word) => postText.test(plain(word)))
}

function namesAuthor(words: readonly string[]): boolean {
  return words.some((word) => author.test(plain(word)))
}

function namesDate(words: readonly string[]): boolean {
  return words.some((word) => date.test(plain(word)))
}

export function namesSignature(words: readonly string[]): boolean {
  return words.some((word) => signature.test(word))
}

export function namesTitle(words: readonly string[]): boolean {
  return words.some((word) => title.test(word))
}

/** True for an element with the author or the date of a post. */
export function isMark(element: Element): boolean {
  return element.localName === 'time' || element.getAttribute('itemprop') === 'author' || namesAuthor(wordsOf(element))
}

function plain(word: string): string {
  return word.replace(/[-_]+/g, '')
}
