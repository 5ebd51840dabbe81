import { classOf, type Element, elementsIn, oneLine, visit } from '../dom/dom.ts'
import { isPartOfText, withoutPartsOfText } from '../dom/part-of-text.ts'
import { callsToActionIn, dropBlankLinks, isLinkOfCard } from './lines/calls-to-action.ts'
import { countersIn } from './lines/counters.ts'
import type { PageKind } from './page-kind.ts'
import { standsAmongProse } from './link-lists.ts'
import type { Measures } from './measure.ts'
import { noticesIn, withBox } from './lines/notices.ts'
import { contentsHeading, listHeading, logoHeading, opensRelated, promotionHeading } from './words/headings.ts'

const heading = /^h[1-6]$/

/** Removes small boilerplate inside the content: buttons, labels, forms, calls to action, notices and sections such as "Related". */
export function trimContent(root: Element, measures: Measures, kind: PageKind): void {
  dropBlankLinks(root, measures)
  dropSmallParts(root, measures, kind)
  dropForms(root, measures)
  dropRelatedSections(root, measures, kind)
}

/** Removes all kinds together: a line may consist of several of them, and would otherwise look like a sentence to each. */
function dropSmallParts(root: Element, measures: Measures, kind: PageKind): void {
  const notices = new Set(noticesIn(root, measures))
  const calls = new Set(callsToActionIn(root, measures))
  const found = new Set([...controlsIn(root, measures), ...notices, ...calls, ...countersIn(root, measures, kind)])
  for (const part of withoutPartsOfText([...found])) {
    const stays = !root.contains(part) || (calls.has(part) && isLinkOfCard(part, root, measures))
    if (!stays) measures.remove(notices.has(part) ? withBox(part, root, measures) : part)
  }
}

function controlsIn(root: Element, measures: Measures): Element[] {
  const controls: Element[] = []
  visit(root, (element) => {
    const name = element.localName
    if (heading.test(name) || name === 'summary' || name === 'dt') return 'skip'
    const isControl =
      name === 'button' || name === 'label' || name === 'legend' || element.getAttribute('role') === 'button'
    if (!isControl || holdsContent(element, measures)) return undefined
    if (measures.of(element).text > 30 && name !== 'label') return undefined
    controls.push(element)
    return 'skip'
  })
  return controls
}

function holdsContent(control: Element, measures: Measures): boolean {
  const { headings, paragraphs, images, elements } = measures.of(control)
  if (headings + paragraphs + images > 0) return true
  return elements > 1 && elementsIn(control).some((inner) => inner.localName === 'h4' || inner.localName === 'li')
}

function dropForms(root: Element, measures: Measures): void {
  const total = measures.of(root).text || 1
  for (const element of elementsIn(root)) {
    if (element.localName !== 'form' && element.localName !== 'fieldset') continue
    const { text, h1, pre, paragraphs } = measures.of(element)
    if (text >= 0.2 * total || h1 + pre > 0 || paragraphs >= 4) continue
    if (elementsIn(element).some((inner) => inner.localName === 'article' || inner.localName === 'blockquote')) continue
    measures.remove(element)
  }
}

/** Removes sections under headings such as "Related" or "Trusted by". */
function dropRelatedSections(root: Element, measures: Measures, kind: PageKind): void {
  const total = measures.of(root).text || 1
  for (const title of elementsIn(root)) {
    if (measures.of(title).text > 72 || !mayBeHeading(title) || !root.contains(title)) continue
    const words = oneLine(title.textContent)
    const isPromotion = logoHeading.test(words) || promotionHeading.test(words)
    if (isPromotion && !isPartOfText(title)) dropPromotion(title, root, measures, words)
    if (words.length > 70) continue
    if (!opensRelatedSection(words, kind) && !opensContents(title, words, root, measures)) continue
    if (!standsBesideText(title, measures)) dropRelatedSection(title, root, measures, 0.35 * total)
  }
}

function standsBesideText(title: Element, measures: Measures): boolean {
  const parent = title.parentNode
  if (isInline(title) && parent && measures.of(parent).text > measures.of(title).text + 2) return true
  return isPartOfText(title)
}

/** Longer texts (in characters) under a promotional heading or above logos are worth reading. */
const maxPromotionText = 300
const minLogos = 3

/** A row of logos, or the closing promotion of a sales page. */
function dropPromotion(title: Element, root: Element, measures: Measures, words: string): void {
  const section = sectionOpenedBy(title, root, measures, maxPromotionText)
  const { text, images, headings } = measures.of(section)
  const isLogoWall = logoHeading.test(words) && images >= minLogos
  const isPromotion = section !== title && promotionHeading.test(words) && headings <= 1
  if (text <= maxPromotionText && (isLogoWall || isPromotion)) measures.remove(section)
}

function opensRelatedSection(words: string, { article, product, forum }: PageKind): boolean {
  return opensRelated(words) || ((article || product || forum) && listHeading.test(words))
}

/** Tables of contents stay where they are part of the text. */
function opensContents(title: Element, words: string, root: Element, measures: Measures): boolean {
  return contentsHeading.test(words) && !standsAmongProse(title, root, measures)
}

function mayBeHeading(element: Element): boolean {
  return /^h[2-6]$/.test(element.localName) || isInline(element) || /title|heading/.test(classOf(element))
}

function isInline(element: Element): boolean {
  return element.localName === 'strong' || element.localName === 'b'
}

function dropRelatedSection(title: Element, root: Element, measures: Measures, limit: number): void {
  const section = sectionOpenedBy(title, root, measures, limit)
  if (section !== title) {
    if (measures.of(section).text < limit) measures.remove(section)
    return
  }
  if (!heading.test(title.localName)) return
  const part = sectionUnder(title, measures)
  const text = part.reduce((sum, element) => sum + measures.of(element).text, 0)
  const linkText = part.reduce((sum, element) => sum + measures.of(element).linkText, 0)
  if (text >= limit || (linkText <= 0.4 * text && text >= 200)) return
  for (const element of part) measures.remove(element)
}

/** The outermost container that the heading opens. */
function sectionOpenedBy(title: Element, root: Element, measures: Measures, limit: number): Element {
  let section = title
  for (let up = title.parentNode; up && up !== root && up.localName !== 'body'; up = up.parentNode) {
    if (up.firstElementChild !== section || measures.of(up).text > limit || measures.of(up).h1 > 0) break
    section = up
  }
  return section
}

/** The heading and its siblings up to the next heading of the same rank. */
function sectionUnder(title: Element, measures: Measures): Element[] {
  const part = [title]
  for (let next = title.nextElementSibling; next; next = next.nextElementSibling) {
    if (heading.test(next.localName) && next.localName <= title.localName) break
    if (next.firstElementChild && measures.of(next).headings > 0 && holdsRank(next)) break
    part.push(next)
  }
  return part
}

function holdsRank(element: Element): boolean {
  return elementsIn(element).some((inner) => inner.localName === 'h1' || inner.localName === 'h2')
}
