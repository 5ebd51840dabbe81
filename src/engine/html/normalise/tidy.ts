import {
  type Element,
  elementsIn,
  unwrap,
  classOf,
  oneLine,
  visit,
  closest,
  hasEvenSpace,
  exceedsSize,
  maxLineNodes,
} from '../dom/dom-tree.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { writeEmoji } from './normalise-links.ts'
import { dropSmallPictures, altOf, dropPictureOnly } from './small-pictures.ts'
import { sameWords } from '../main-content/page-title.ts'

/** Maximum share of picture URLs in the content. `data:` URLs do not count, because they are not written. */
const maxShare = 0.15

/**
 * Removes pictures until their URLs fit their share: first those without alt text, from last to first, then those with
 * repeated words, then others; at least one stays. Pictures with a caption are removed last.
 */
function keepWithinShare(shown: readonly Element[], root: Element): void {
  const images = shown.filter((image) => !image.getAttribute('src')?.startsWith('data:'))
  if (images.length < 2) return
  let addresses = images.reduce((sum, image) => sum + lengthOf(image), 0)
  const links = root
    .descendants(({ localName }) => localName === 'a')
    .reduce((sum, link) => sum + (link.getAttribute('href') ?? '').length, 0)
  const alts = images.reduce((sum, image) => sum + altOf(image).length, 0)
  const rest = collapsedLength(root.textContent) + links + alts
  if (addresses <= maxShare * (rest + addresses)) return
  const ranks = ranksOf(images)
  const order = images.toReversed().sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  for (const image of order.slice(0, -1)) {
    if ((ranks.get(image) ?? 0) >= tellingRank) return
    if (addresses <= maxShare * (rest + addresses)) return
    if (dropPictureOnly(image, root)) addresses -= lengthOf(image)
  }
}

/** Counts the characters of a text with white space collapsed, without building it. */
const collapsedLength = (text: string) =>
  hasEvenSpace(text)
    ? text.length
    : text.length - (text.match(/\s{2,}/g) ?? []).reduce((sum, run) => sum + run.length - 1, 0)

const lengthOf = (image: Element) => (image.getAttribute('src') ?? '').length

/** Pictures of this rank and higher stay. */
const tellingRank = 2

/** Ranks pictures by information; higher ranks say more. */
function ranksOf(images: readonly Element[]): ReadonlyMap<Element, number> {
  const seen = new Set<string>()
  return new Map(
    images.map((image) => {
      const alt = altOf(image).toLowerCase().replace(/\d+/g, '')
      const isRepeated = seen.has(alt)
      seen.add(alt)
      if (isCaptioned(image)) return [image, 3]
      if (alt === '') return [image, 0]
      return [image, isRepeated ? 1 : 2]
    }),
  )
}

function isCaptioned(image: Element): boolean {
  const figure = closest(image, ({ localName }) => localName === 'figure', 6)
  return figure !== undefined && !exceedsSize(figure, maxLineNodes) && figure.textContent.trim() !== ''
}

const cardName = /^(?:div|li|article|section|a|figure|td)$/
const minCards = 3
/** Maximum number of characters of a card; a longer box is a text with a picture. */
const maxCard = 1000
/** Maximum number of nodes and of source characters; larger boxes are skipped, because they may be nested. */
const maxSize = { nodes: 400, characters: 8000 }
/** Minimum letters of a title; shorter ones occur in other words by chance. */
const minTitle = 6

/** Removes the thumbnails of adjacent cards that add nothing to their titles. */
function dropCardPictures(root: Element): void {
  visit(root, (box) => {
    const groups = Map.groupBy(box.children.filter(isCard), shapeOf)
    for (const cards of groups.values()) if (cards.length >= minCards) cards.forEach(dropFrom)
  })
}

const shapeOf = (element: Element) => `${element.localName} ${classOf(element).split(/\s+/)[0] ?? ''}`

/** True for a box with a picture and a linked title. */
function isCard(element: Element): boolean {
  if (!cardName.test(element.localName) || exceedsSize(element, maxSize.nodes, maxSize.characters)) return false
  const inner = elementsIn(element)
  if (!inner.some(({ localName }) => localName === 'img')) return false
  const { length } = oneLine(element.textContent)
  if (length < minTitle || length > maxCard) return false
  return titleOf(element, inner) !== ''
}

/** Returns the letters of the heading or of the first link with words. */
function titleOf(card: Element, inner: readonly Element[]): string {
  const hasLink = card.localName === 'a' || inner.some(({ localName }) => localName === 'a')
  const heading = hasLink
    ? inner.find((each) => /^h[1-6]$/.test(each.localName) && each.textContent.trim() !== '')
    : undefined
  const link = inner.find((each) => each.localName === 'a' && each.textContent.trim() !== '')
  return sameWords((heading ?? link ?? (card.localName === 'a' ? card : undefined))?.textContent ?? '')
}

function dropFrom(card: Element): void {
  const inner = elementsIn(card)
  const title = titleOf(card, inner)
  const words = sameWords(card.textContent)
  for (const image of inner) {
    if (image.localName === 'img' && repeats(sameWords(altOf(image)), title, words))
      dropPictureOnly(image, card.parentNode ?? card)
  }
}

function repeats(alt: string, title: string, words: string): boolean {
  return alt === '' || words.includes(alt) || (title.length >= minTitle && alt.includes(title))
}

/**
 * Removes content that readers skip but its words do not reveal: meaningless pictures, links of headings to themselves,
 * empty rows. URLs must be absolute.
 */
export function tidy(content: ContentIndex, pictures: 'all' | 'telling'): void {
  unlinkHeadings(content)
  if (pictures === 'telling') dropPictures(content)
  for (const row of content.named('tr')) dropEmptyRow(row)
}

function dropPictures({ root, base, named }: ContentIndex): void {
  const images = named('img')
  const shown = () => images.filter((image) => root.contains(image))
  if (images.length === 0) return
  writeEmoji(shown())
  dropSmallPictures(shown(), root, base)
  dropCardPictures(root)
  keepWithinShare(shown(), root)
}

const withoutFragment = (address: string) => address.replace(/#.*$/s, '').replace(/\/$/, '')

/** A heading that links to itself, or to a place on its own page, only looks like a link. */
function unlinkHeadings({ base, named }: ContentIndex): void {
  const own = withoutFragment(base)
  for (const title of named('h1', 'h2', 'h3', 'h4', 'h5', 'h6'))
    for (const link of elementsIn(title))
      if (link.localName === 'a' && withoutFragment(link.getAttribute('href') ?? '') === own) unwrap(link)
}

/** Removes a row without text, media, code or fields. */
function dropEmptyRow(row: Element): void {
  const cells = row.children
  const isSpanned = cells.some((cell) => cell.hasAttribute('rowspan'))
  if (cells.length === 0 || isSpanned || row.textContent.trim() !== '') return
  if (!elementsIn(row).some(({ localName }) => /^(?:img|input|code|math|iframe)$/.test(localName))) row.remove()
}
