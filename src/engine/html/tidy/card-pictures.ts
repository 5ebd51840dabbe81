import { classOf, type Element, elementsIn, oneLine, visit } from '../dom/dom.ts'
import { sameWords } from '../title/page-title.ts'
import { holdsMoreThan } from './size.ts'
import { altOf, dropPictureOnly } from './small-pictures.ts'

const cardName = /^(?:div|li|article|section|a|figure|td)$/
const minCards = 3
/** A longer box (characters) is no card but a text with a picture. */
const maxCard = 1000
/** Nodes, and characters with all white space of the source: boxes that hold more are not read, as each may stand within another. */
const maxSize = { nodes: 400, characters: 8000 }
/** Shorter titles (letters) stand in other words by chance. */
const minTitle = 6

/** Removes the thumbnails of cards in a row that say no more than the titles beside them. */
export function dropCardPictures(root: Element): void {
  visit(root, (box) => {
    const groups = Map.groupBy(box.children.filter(isCard), shapeOf)
    for (const cards of groups.values()) if (cards.length >= minCards) cards.forEach(dropFrom)
  })
}

const shapeOf = (element: Element) => `${element.localName} ${classOf(element).split(/\s+/)[0] ?? ''}`

/** A box with a picture and a linked title. */
function isCard(element: Element): boolean {
  if (!cardName.test(element.localName) || holdsMoreThan(element, maxSize.nodes, maxSize.characters)) return false
  const inner = elementsIn(element)
  if (!inner.some(({ localName }) => localName === 'img')) return false
  const { length } = oneLine(element.textContent)
  if (length < minTitle || length > maxCard) return false
  return titleOf(element, inner) !== ''
}

/** The letters of the heading or of the first link with words. */
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
