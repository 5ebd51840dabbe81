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
import type { PageKind, TextStats, Measures } from './measure.ts'
import { authorOf, dateOf, isMark, namesPostText, namesSignature, namesTitle, wordsOf } from './post-byline.ts'

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
 * Returns the texts of posts. Of nested candidates, the outermost with text only counts: one that includes the author
 * is the post, not its text.
 */
function textsOf(body: Element, measures: Measures): Element[] {
  const candidates = body.descendants((element) => isPostText(element) && measures.of(element).text > 0)
  const found: Element[] = []
  candidates.forEach((element, i) => {
    if (found.at(-1)?.contains(element) || closest(element, (up) => namesSignature(wordsOf(up)), 6)) return
    const inner = innermost(candidates, i)
    const holdsMarks = inner !== element && elementsIn(element).some((e) => isMark(e) && !inner.contains(e))
    if (!holdsMarks) found.push(element)
  })
  return found
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
  // phpBB names the text of a post "content", as many other sites name anything.
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

/** Makes the text of a post a block if it is inline, so that it stays or goes apart from what follows it. */
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

/** A heading with a year in it is the date of the post, and one after a mark such as "Re:" repeats the thread's title. */
function isTitle(element: Element): boolean {
  return /^h[12]$/.test(element.localName) && !/\b(?:19|20)\d\d\b|^\s*\p{L}{2,4}\s*:/u.test(element.textContent)
}

function isAttachment(element: Element): boolean {
  return wordsOf(element).some((word) => word.includes('attach'))
}

/** Some software wraps the text in an edit form, and forms are removed later. */
function formAround({ text, whole }: Post): Element | undefined {
  const found = closest(text, (up) => up.localName === 'form' || up === whole)
  return found?.localName === 'form' && found !== whole ? found : undefined
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
  const found: Element[] = []
  for (let at = from; at !== body && at.parentNode; at = at.parentNode)
    for (let next = at[side]; next; next = next[side]) {
      const block = isElement(next) ? next : undefined
      if (block && !posts.some(({ text }) => block.contains(text))) found.push(block)
    }
  return found
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
