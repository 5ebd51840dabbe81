import { classOf, type Element, elementsIn, oneLine } from '../dom/dom-tree.ts'

const maxAuthor = 50
const month = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
/** An absolute date: digits with a year, or a month name with a year. */
const dayPattern = new RegExp(
  String.raw`\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{4}|${month}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|\d{1,2}(?:st|nd|rd|th)?\.?\s+${month},?\s+\d{4}`,
  'i',
)
const beforeDay =
  /^(?:\s|posted|on|at|the|\d{1,2}:\d\d(?::\d\d)?|[ap]m|mon|tue|wed|thu|fri|sat|sun|[a-z]{3,6}day|[,»·•|-])*$/i
/** Author panels contain other dates, such as the registration date. */
const aboutAuthor = /registered|joined|join date|member since|last (?:seen|visit)/i
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
  for (const element of around) {
    const machine = machineDate(element)
    if (machine && !tellsOfEdit(element)) return dayIn(element.textContent) ?? machine
  }
  const lines = around.filter(
    (element) =>
      (namesDate(wordsOf(element)) || namesAuthor(wordsOf(element))) && !aboutAuthor.test(element.textContent),
  )
  return (
    lines.map((line) => dayIn(line.getAttribute('title') ?? '') ?? dayIn(line.textContent)).find(Boolean) ??
    around.filter(isLoneDay).map((element) => dayIn(element.textContent))[0]
  )
}

function machineDate(element: Element): string | undefined {
  const property = element.getAttribute('itemprop')
  const isDate = element.localName === 'time' || property === 'datePublished' || property === 'dateCreated'
  const value = isDate ? (element.getAttribute('datetime') ?? element.getAttribute('content')) : null
  const title = value ?? (namesDate(wordsOf(element)) ? element.getAttribute('title') : null)
  return title?.trim().match(isoDay)?.[0]
}

function tellsOfEdit(element: Element): boolean {
  return /^\s*(?:last )?(?:edited|modified|updated)/i.test(element.parentNode?.textContent ?? '')
}

/** True for an element with only a date, optionally with time and weekday. */
function isLoneDay(element: Element): boolean {
  if (!/^(?:a|span|td|div|small|b)$/.test(element.localName) || element.textContent.length > 60) return false
  const text = oneLine(element.textContent)
  const at = text.search(dayPattern)
  return at >= 0 && beforeDay.test(text.slice(0, at))
}

function dayIn(text: string): string | undefined {
  return text.length < 400 ? oneLine(text).match(dayPattern)?.[0] : undefined
}

function nameIn(element: Element): string {
  const inner = elementsIn(element)
  const named =
    inner.find((child) => child.getAttribute('itemprop') === 'name') ??
    inner.find((child) => namesAuthor(wordsOf(child)) && child.textContent.trim() !== '') ??
    inner.find((child) => /^(?:a|strong|b)$/.test(child.localName) && child.textContent.trim() !== '')
  const content = element.getAttribute('content') ?? named?.getAttribute('content')
  return (content ?? (named ?? element).textContent).replace(/^\s*(?:by|from|author|posted by):?\s+/i, '')
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
