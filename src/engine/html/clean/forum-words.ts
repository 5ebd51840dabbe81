import { type Element, classOf } from '../dom.ts'

const thing = '(?:forum|lia|bbp|b|cpost)?(?:post|message|comment|reply|topic|msg)(?:box)?'
/** Classes of the element with what the author of a post wrote, hyphens and underscores left out. */
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

/** The words of an element's class attribute, in lower case. */
export function wordsOf(element: Element): string[] {
  const names = classOf(element)
  return names === '' ? [] : names.toLowerCase().split(/\s+/)
}

export function namesPostText(words: readonly string[]): boolean {
  return words.some((word) => postText.test(plain(word)))
}

export function namesAuthor(words: readonly string[]): boolean {
  return words.some((word) => author.test(plain(word)))
}

export function namesDate(words: readonly string[]): boolean {
  return words.some((word) => date.test(plain(word)))
}

export function namesSignature(words: readonly string[]): boolean {
  return words.some((word) => signature.test(word))
}

export function namesTitle(words: readonly string[]): boolean {
  return words.some((word) => title.test(word))
}

/** True for an element that says who wrote a post or when. */
export function isMark(element: Element): boolean {
  return element.localName === 'time' || element.getAttribute('itemprop') === 'author' || namesAuthor(wordsOf(element))
}

function plain(word: string): string {
  return word.replace(/[-_]+/g, '')
}
