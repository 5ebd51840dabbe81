import { classOf, type Element, visit } from '../dom/dom.ts'
import type { Measures } from './measure.ts'
import { namesComments, namesConsent, namesFurniture, namesReviews, namesSidebar, namesTestimonials } from './words.ts'

const furnitureRole =
  /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tablist|alert|status)$/
/** Elements whose class names say nothing about their being furniture. */
const trusted = /^(?:body|main|article|code|pre|table|tbody|tr|td|th|h[1-6]|html|p|blockquote)$/

/** A box of reviews that says no more (in characters) is the rating, a fact about the product. */
const maxRating = 350

export type Strictness = {
  /** Class and id words count as evidence, besides element names and roles. */
  byClass: boolean
  /** On a forum the comments are the content. */
  forum: boolean
  /** What stays of what customers say: it stands beside a product, sells a service, and is the subject of other pages. */
  praise: 'all' | 'testimonials' | 'none'
  /** Elements that are content for certain, such as the texts of posts. */
  kept: ReadonlySet<Element>
}

/**
 * Chooses the parts of a page that are furniture: from the top down, each kind with the share of the page's text
 * up to which it is believed, and never what holds the main element or the title. Nothing is changed.
 */
export function findBoilerplate(body: Element, measures: Measures, strictness: Strictness): Element[] {
  const total = measures.of(body).text || 1
  const found: Element[] = []
  let main: Element | undefined
  visit(body, (element) => {
    if (strictness.kept.has(element)) return 'skip'
    if (main && !main.contains(element)) main = undefined
    const { text } = measures.of(element)
    const limit = believedShare(element, main !== undefined, text, strictness)
    if (limit > 0 && text <= limit * total && !isPrecious(element, measures)) {
      found.push(element)
      return 'skip'
    }
    if (!main && isMain(element)) main = element
    return undefined
  })
  return found
}

/** The largest share of the page that an element with these looks may take and still be furniture; 0 when nothing speaks for it. */
function believedShare(element: Element, inMain: boolean, text: number, strictness: Strictness): number {
  const byName = shareByName(element.localName, inMain)
  if (byName !== undefined) return byName
  const role = element.getAttribute('role')
  if (role === 'tabpanel') return 0
  if (role && furnitureRole.test(role.toLowerCase())) return 0.35
  return trusted.test(element.localName) ? 0 : shareByClass(element, inMain, text, strictness)
}

function shareByName(name: string, inMain: boolean): number | undefined {
  if (name === 'header') return inMain ? 0 : 0.3
  if (name === 'nav') return 0.6
  return name === 'footer' || name === 'aside' || name === 'menu' ? 0.35 : undefined
}

function shareByClass(element: Element, inMain: boolean, text: number, strictness: Strictness): number {
  const words = namesOf(element)
  if (words.length === 0) return 0
  if (namesConsent(words)) return 0.8
  if (!strictness.byClass) return 0
  if (namesSidebar(words) && !inMain) return 0.5
  if (namesFurniture(words)) return inMain ? 0.12 : 0.25
  if (text > maxRating && isPraise(words, strictness.praise)) return 0.7
  return !strictness.forum && namesComments(words) ? 0.6 : 0
}

/** The words of class and id, in lower case. */
function namesOf(element: Element): string[] {
  const id = element.getAttribute('id') ?? ''
  const names = classOf(element)
  if (id === '' && names === '') return []
  // Ids of many words are made from headings, which may speak of anything.
  return `${names} ${id.split(/[-_]/).length > 3 ? '' : id}`.toLowerCase().split(/\s+/)
}

function isPraise(words: readonly string[], stays: Strictness['praise']): boolean {
  return stays !== 'all' && (namesReviews(words) || (stays === 'none' && namesTestimonials(words)))
}

function isMain(element: Element): boolean {
  const name = element.localName
  return name === 'main' || name === 'article' || element.getAttribute('role') === 'main'
}

function isPrecious(element: Element, measures: Measures): boolean {
  const { main, h1, text, proses } = measures.of(element)
  if (main > 0 || (element.getAttribute('role') === 'tablist' && proses > 0)) return true
  if (h1 === 0 || text <= 60 || element.localName === 'nav') return false
  return element.localName !== 'header' || text > 400
}
