import { Readability } from '@mozilla/readability'
import { type Element, elementsIn, hasEvenSpace, isElement, unwrap } from '../dom/dom.ts'
import { isPartOfText } from '../dom/part-of-text.ts'
import type { PageKind } from './page-kind.ts'
import type { TextStats } from './measure.ts'
import { readableDocument } from './readable-node.ts'

/** True when Readability's article is more likely the content than the cleaned root. Ratios compare text lengths in characters. */
export function prefersArticle(article: TextStats, root: TextStats, kind: PageKind): boolean {
  const ratio = article.text / (root.text || 1)
  if (root.text < 100 && article.text > root.text) return true
  if (kind.product && !kind.articleData && ratio < 0.85) return false
  return (
    holdsMost(article, root, ratio, kind) ||
    (!kind.forum && !kind.product && isProseAmongLinks(article, root, kind, ratio))
  )
}

/** An article that lacks much of the prose has cut into the content, however long it is. */
function holdsMost(article: TextStats, root: TextStats, ratio: number, kind: PageKind): boolean {
  if (article.text <= 300) return false
  if (kind.forum) return ratio > 0.55 && ratio < 1.1
  const proseShare = root.proseText > 0 ? article.proseText / root.proseText : 1
  if (leavesSectionsOut(article, root)) return false
  if (ratio > 0.6) return proseShare > 0.7
  return kind.article && !kind.product && article.text > 800 && ratio > 0.3 && proseShare > 0.8
}

/** Headings with text that is not links under them are sections of the content, short as their texts may be. */
function leavesSectionsOut(article: TextStats, root: TextStats): boolean {
  const text = root.text - article.text
  return root.headings - article.headings > 5 && root.linkText - article.linkText <= 0.6 * text
}

/** Paragraphs with few links, while the rest of the page is full of them. */
function isProseAmongLinks(article: TextStats, root: TextStats, kind: PageKind, ratio: number): boolean {
  if (article.text < 350 || article.linkText >= 0.1 * article.text) return false
  const rest = root.text - article.text
  if (rest > 0 && (root.linkText - article.linkText) / rest <= 0.25) return false
  if (kind.article && kind.isDeclared && article.proseText > 0.8 * article.text) return true
  return article.text > 1500 && article.proseText > 0.4 * article.text && article.proses >= 3 && ratio > 0.15
}

/** On lists that stay: Readability removes what it is given of a name, so it is not given them. */
const keptMark = 'data-kept'

/** Replaces internal methods of Readability that are slow on this DOM by faster equivalents. */
const shortcuts = {
  /** The title is part of the text here; Readability would cut it out and return it separately. */
  _headerDuplicatesTitle: () => false,
  /** Hidden elements are gone by now. */
  _isProbablyVisible: () => true,
  _getAllNodesWithTag(node: Element, names: readonly string[]): Element[] {
    const all = elementsIn(node)
    if (names.includes('*')) return all
    // Readability asks for h1 alone only to rename them to h2; here the title keeps its rank.
    if (names.length === 1 && names[0] === 'h1') return []
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    return all.filter((element) => wanted.has(element.localName) && !element.hasAttribute(keptMark))
  },
  /** Removes an element only if that leaves no hole in a sentence. */
  _removeAndGetNext(node: Element): Element | null {
    const next = elementAfter(node)
    if (!isPartOfText(node)) node.remove()
    return next
  },
  _removeNodes(nodes: readonly Element[], isRemoved?: (node: Element) => boolean): void {
    for (const node of nodes.toReversed())
      if (node.parentNode && isRemoved?.call(this, node) !== false && !isPartOfText(node)) node.remove()
  },
  /** Stops at the first word, where Readability puts all text of the element together. */
  _isElementWithoutContent(node: Element): boolean {
    if (holdsText(node)) return false
    const { length } = node.children
    return length === 0 || length === elementsIn(node).filter(({ localName }) => /^[bh]r$/.test(localName)).length
  },
  /** Addresses are made absolute later; without a base Readability would leave them, after an exception for each. */
  _fixRelativeUris(article: Element): void {
    for (const link of elementsIn(article))
      if (link.localName === 'a' && link.getAttribute('href')?.startsWith('javascript:')) unwrap(link)
  },
  _getInnerText(node: Element, spaces: unknown = true): string {
    const text = node.textContent.trim()
    return spaces && !hasEvenSpace(text) ? text.replace(/\s{2,}/g, ' ') : text
  },
  _isValidByline(node: Element, classAndId: string): boolean {
    const says =
      byline.test(classAndId) ||
      node.getAttribute('rel') === 'author' ||
      node.getAttribute('itemprop')?.includes('author') === true
    if (!says || isPartOfText(node)) return false
    const { length } = node.textContent.trim()
    return length > 0 && length < 100
  },
}

/** The next element that is not inside this one. */
function elementAfter(element: Element): Element | null {
  let at: Element | null = element
  while (at && !at.nextElementSibling) at = at.parentNode
  return at?.nextElementSibling ?? null
}

function holdsText(element: Element): boolean {
  for (let at = element.firstChild; at; at = at.nextSibling)
    if (isElement(at) ? holdsText(at) : at.textContent.trim() !== '') return true
  return false
}

const byline = /byline|author|dateline|writtenby|p-author/i

/** The article that Readability extracts from a copy of the cleaned body, with these lists where it reaches them; undefined when it finds none. */
export function readableArticle(body: Element, lists: readonly Element[]): Element | undefined {
  const kept = lists.flatMap((list) => [list, ...elementsIn(list)])
  for (const element of kept) element.setAttribute(keptMark, '')
  try {
    const options = { serializer: asElement, keepClasses: true, charThreshold: 1, disableJSONLD: true }
    const document: unknown = readableDocument(body)
    const reader = new Readability<Element>(document as ReadabilityDocument, options)
    const article = Object.assign(reader, shortcuts).parse()?.content ?? undefined
    return article && withoutMarks(withoutWrapper(article))
  } catch {
    // The cleaned root is there to fall back on.
    return undefined
  } finally {
    for (const element of kept) element.removeAttribute(keptMark)
  }
}

/** Keeps the tree, where Readability would serialise it. */
function asElement(node: unknown): Element {
  return node as Element
}

function withoutWrapper(article: Element): Element {
  const page = article.firstElementChild
  return page?.getAttribute('id') === 'readability-page-1' && !page.nextElementSibling ? page : article
}

function withoutMarks(article: Element): Element {
  for (const element of elementsIn(article)) element.removeAttribute(keptMark)
  return article
}

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0]
