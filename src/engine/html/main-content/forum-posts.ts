import {
  classOf,
  closest,
  type Element,
  elementsIn,
  isElement,
  oneLine,
  rename,
  unwrap,
  isPartOfText,
} from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { Measures, TextStats } from './measure.ts'
import type { PageKind } from './page-kind.ts'

/** A post: the element around all of it, the element inside with its text, its author and its date. */
type Post = { whole: Element; text: Element; author?: string | undefined; date?: string | undefined }

/** Maximum number of ancestors of a text that may belong to its post; above are the lists and columns of the page. */
const maxClimb = 8
const minThreadShare = 0.6
const blockName = /^(?:div|td|article|section|li|dd|blockquote|main)$/

/**
 * Reduces each post of a discussion to a line with author and date, then its text; removes panels, signatures and
 * controls. Returns the posts in document order, or none if they cannot be separated.
 */
export function normalisePosts(body: Element, measures: Measures, kind: PageKind): Post[] {
  if (!kind.forum && (kind.article || kind.product)) return []
  const posts = findPosts(body, measures)
  if (posts.length < 2 || (!kind.forum && !isThread(posts, body, measures))) return []
  const lines = posts.map(bylineOf)
  const named = lines.filter(Boolean).length
  if (named < 2 || named < 0.5 * posts.length) return []
  posts.forEach((post, i) => {
    const line = lines[i]
    if (line) writePost(post, line, measures)
  })
  return posts
}

/**
 * True if posts make up most of the page. Without other evidence this is required, because articles have comments too.
 */
function isThread(posts: readonly Post[], body: Element, measures: Measures): boolean {
  const text = posts.reduce((sum, post) => sum + measures.of(post.text).text, 0)
  const total = measures.of(body).text
  const inPosts = posts.reduce((sum, { whole }) => sum + measures.of(whole).text, 0)
  return posts.length >= 3 && text > 0.4 * total && inPosts > minThreadShare * total
}

function findPosts(body: Element, measures: Measures): Post[] {
  const texts = textsOf(body, measures)
  const textsIn = new Map<Element, number>()
  for (const text of texts)
    for (let up = text.parentNode; up; up = up.parentNode) textsIn.set(up, (textsIn.get(up) ?? 0) + 1)
  return texts.map((text) => ({ text, whole: wholeOf(text, body, textsIn, measures) }))
}

/**
 * Returns the elements with the texts of posts. Of nested candidates, the outermost counts, unless it contains an
 * author or a date, which makes it the whole post.
 */
function textsOf(body: Element, measures: Measures): Element[] {
  const candidates = body.descendants((element) => isPostText(element) && measures.of(element).text > 0)
  const texts: Element[] = []
  candidates.forEach((element, i) => {
    if (texts.at(-1)?.contains(element) || closest(element, (up) => namesSignature(wordsOf(up)), 6)) return
    const inner = innermost(candidates, i)
    const holdsMarks = inner !== element && elementsIn(element).some((e) => isMark(e) && !inner.contains(e))
    if (!holdsMarks) texts.push(element)
  })
  return texts
}

/** Returns the last of a chain of nested candidates. */
function innermost(candidates: readonly Element[], from: number): Element {
  let inner = candidates[from]!
  for (let i = from + 1; candidates[i] && inner.contains(candidates[i]!); i++) inner = candidates[i]!
  return inner
}

const mayBePostText = /text|body|content|message|msg|post|comment|cooked|prose|bbwrapper/i

function isPostText(element: Element): boolean {
  if (!element.pairs) return false
  // Runs for every element of the page; a quick test of the names rules out most.
  if (!mayBePostText.test(classOf(element)) && !element.hasAttribute('itemprop') && !element.hasAttribute('component'))
    return /^post_message_\d/.test(element.getAttribute('id') ?? '')
  if (/^(?:text|commentText|articleBody)$/.test(element.getAttribute('itemprop') ?? '')) return true
  if (element.getAttribute('component') === 'post/content' || /^post_message_\d/.test(element.getAttribute('id') ?? ''))
    return true
  const words = wordsOf(element)
  // phpBB calls the text of a post "content", a name that other software gives to any box.
  return (
    namesPostText(words) ||
    (words.includes('content') && closest(element, (up) => wordsOf(up).includes('postbody'), 4) !== undefined)
  )
}

/** Returns the largest element around a text without another post's text or a title of the page. */
function wholeOf(text: Element, body: Element, textsIn: ReadonlyMap<Element, number>, measures: Measures): Element {
  let whole = text
  for (let i = 0; i < maxClimb; i++) {
    const up = whole.parentNode
    if (!up || up === body || textsIn.get(up) !== 1 || measures.of(up).h1 > 0 || measures.of(up).main > 0) break
    whole = up
  }
  return whole
}

function bylineOf(post: Post): Element | undefined {
  const { whole, text } = post
  const author = authorOf(whole, text)
  if (!author) return undefined
  const line = createElement('p')
  const name = createElement('strong')
  name.textContent = author
  const date = dateOf(whole, text)
  Object.assign(post, { author, date })
  line.append(name, ...(date ? [` · ${date}`] : []))
  return line
}

function writePost(post: Post, line: Element, measures: Measures): void {
  useBlock(post)
  dropPostControls(post, measures)
  for (const element of elementsIn(post.text))
    if (namesSignature(wordsOf(element)) && post.text.contains(element) && !isPartOfText(element))
      measures.remove(element)
  for (let form = formAround(post); form; form = formAround(post)) unwrap(form)
  post.text.prepend(line)
}

/** Turns an inline text of a post into a block, so the text after it is a block of its own. */
function useBlock(post: Post): void {
  const { text, whole } = post
  if (blockName.test(text.localName)) return
  post.text = rename(text, 'div', text.pairs)
  post.text.notes = text.notes
  if (whole === text) post.whole = post.text
}

/** Removes everything around the text of a post except prose such as a poll or a moderator's note. */
function dropPostControls({ whole, text }: Post, measures: Measures): void {
  for (let at = text; at !== whole && at.parentNode; at = at.parentNode)
    for (const sibling of at.parentNode.children) {
      const isOwn = sibling === at || measures.of(sibling).proses > 0 || isAttachment(sibling) || isTitle(sibling)
      if (!isOwn && !isPartOfText(sibling)) measures.remove(sibling)
    }
}

/** True for the title of a post; a heading with a year is its date, and one after "Re:" repeats the thread's title. */
function isTitle(element: Element): boolean {
  return /^h[12]$/.test(element.localName) && !/\b(?:19|20)\d\d\b|^\s*\p{L}{2,4}\s*:/u.test(element.textContent)
}

function isAttachment(element: Element): boolean {
  return wordsOf(element).some((word) => word.includes('attach'))
}

/** Returns an edit form around the text of a post; forms are removed later. */
function formAround({ text, whole }: Post): Element | undefined {
  const form = closest(text, (up) => up.localName === 'form' || up === whole)
  return form?.localName === 'form' && form !== whole ? form : undefined
}

/**
 * Smaller blocks before the first post and after the last are controls; larger ones stay only if they are not mostly
 * links.
 */
const maxControlText = 200
const maxLinkShare = 0.3

/** Removes controls, log-in prompts and other threads before the first post and after the last. The title stays. */
export function trimThread(posts: readonly Post[], body: Element, measures: Measures): void {
  const [first, last] = [posts[0], posts.at(-1)]
  if (!first || !last) return
  for (const block of siblingsUp(first.whole, body, 'previousSibling', posts))
    if (opensThread(block, measures)) dropBylines(block, first, measures)
    else measures.remove(block)
  for (const block of siblingsUp(last.whole, body, 'nextSibling', posts))
    if (isAside(measures.of(block)) && measures.of(block).h1 === 0) measures.remove(block)
}

/** Returns the siblings of an element and of its ancestors, on one side, that contain no post. */
function siblingsUp(
  from: Element,
  body: Element,
  side: 'previousSibling' | 'nextSibling',
  posts: readonly Post[],
): Element[] {
  const blocks: Element[] = []
  for (let at = from; at !== body && at.parentNode; at = at.parentNode)
    for (let next = at[side]; next; next = next[side]) {
      const block = isElement(next) ? next : undefined
      if (block && !posts.some(({ text }) => block.contains(text))) blocks.push(block)
    }
  return blocks
}

const maxByline = 120
/** Maximum number of words around the author and the date of a byline, such as those for "started by" and "on". */
const maxAround = 4

/** Removes the author and date of the first post under the thread title, because the post repeats both. */
function dropBylines(block: Element, { author, date }: Post, measures: Measures): void {
  if (!author) return
  for (const element of elementsIn(block)) {
    const { text, h1, headings } = measures.of(element)
    if (text === 0 || text > maxByline || h1 + headings > 0 || !block.contains(element)) continue
    const words = oneLine(element.textContent)
    const rest = [author, date].reduce<string>((left, part) => (part ? left.replace(part, ' ') : left), words)
    const isAuthor = words.length > 2 && author.startsWith(`${words} `)
    const around = rest.match(/\p{L}+/gu) ?? []
    if (isAuthor || (rest !== words && around.length <= maxAround)) measures.remove(element)
  }
}

function opensThread(block: Element, measures: Measures): boolean {
  const figures = measures.of(block)
  return figures.headings > 0 || namesTitle(wordsOf(block)) || !isAside(figures)
}

function isAside({ text, linkText }: TextStats): boolean {
  return text < maxControlText || linkText > maxLinkShare * text
}

const maxAuthor = 50
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/
const maxDate = 60
const digits = /\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{4}/
const startsWithDigits = new RegExp(`^[^\\p{L}\\d]*(${digits.source})`, 'u')
const isoDay = /^\d{4}-\d\d-\d\d/

/** Returns the author of a post by microdata and the class names of forum software; undefined if not found. */
function authorOf(whole: Element, text: Element): string | undefined {
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
function dateOf(whole: Element, text: Element): string | undefined {
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
function wordsOf(element: Element): string[] {
  const names = classOf(element)
  return names === '' ? [] : names.toLowerCase().split(/\s+/)
}

function namesPostText(words: readonly string[]): boolean {
  return words.some((word) => postText.test(plain(word)))
}

function namesAuthor(words: readonly string[]): boolean {
  return words.some((word) => author.test(plain(word)))
}

function namesDate(words: readonly string[]): boolean {
  return words.some((word) => date.test(plain(word)))
}

function namesSignature(words: readonly string[]): boolean {
  return words.some((word) => signature.test(word))
}

function namesTitle(words: readonly string[]): boolean {
  return words.some((word) => title.test(word))
}

/** True for an element with the author or the date of a post. */
function isMark(element: Element): boolean {
  return element.localName === 'time' || element.getAttribute('itemprop') === 'author' || namesAuthor(wordsOf(element))
}

function plain(word: string): string {
  return word.replace(/[-_]+/g, '')
}
