import { Readability } from '@mozilla/readability'
import { type Document, type Element, elementsIn, hasEvenSpace } from '../dom.ts'
import { emptyDocument } from '../parse/parse.ts'

/** Inner steps of Readability that cost most on this DOM, with the same answers made more cheaply. */
const shortcuts = {
  /** The title is part of the text here; Readability hands it over apart and cuts it out. */
  _headerDuplicatesTitle: () => false,
  /** What is hidden is gone by now. */
  _isProbablyVisible: () => true,
  _getAllNodesWithTag(node: Element, names: readonly string[]): Element[] {
    const all = elementsIn(node)
    if (names.includes('*')) return all
    // Asked for h1 alone only to make them h2; the title of a page stays its title.
    if (names.length === 1 && names[0] === 'h1') return []
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    return all.filter((element) => wanted.has(element.localName.toLowerCase()))
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
    if (!says) return false
    const { length } = node.textContent.trim()
    return length > 0 && length < 100
  },
}
const byline = /byline|author|dateline|writtenby|p-author/i

/** What Readability takes for the article, from a copy of the cleaned body. Undefined when it finds none. */
export function readableArticle(body: Element): Element | undefined {
  const document = emptyDocument()
  const copy = body.cloneNode(true)
  document.body.replaceWith(copy)
  try {
    const options = { serializer: asElement, keepClasses: true, charThreshold: 1, disableJSONLD: true }
    const reader = new Readability<Element>(document as unknown as ReadabilityDocument, options)
    const article = Object.assign(reader, shortcuts).parse()?.content ?? undefined
    return article && lowerNames(withoutWrapper(article))
  } catch {
    // A third opinion on the page is welcome, not needed.
    return undefined
  }
}

/** Takes the tree itself, where Readability would write it out as text. */
function asElement(node: unknown): Element {
  return node as Element
}

function withoutWrapper(article: Element): Element {
  const page = article.firstElementChild
  return page?.getAttribute('id') === 'readability-page-1' && !page.nextElementSibling ? page : article
}

/** Readability makes elements by upper-case names, which this DOM keeps as they are. */
function lowerNames(article: Element): Element {
  for (const element of [article, ...elementsIn(article)])
    Object.assign(element, { localName: element.localName.toLowerCase() })
  return article
}

type ReadabilityDocument = ConstructorParameters<typeof Readability>[0] & Document
