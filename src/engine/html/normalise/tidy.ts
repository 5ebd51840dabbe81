import {
  classOf,
  closest,
  type Element,
  elementsIn,
  exceedsSize,
  hasEvenSpace,
  isPartOfText,
  maxLineNodes,
  oneLine,
  unwrap,
  visit,
  wordsBeside,
} from '../dom/dom-tree.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { sameWords } from '../main-content/page-title.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { linkContents, writeEmoji } from './normalise-links.ts'

/**
 * Removes meaningless pictures if requested, links of headings to themselves, and empty rows. URLs must be absolute.
 */
export function tidy(content: ContentIndex, pictures: 'all' | 'informative'): void {
  unlinkHeadings(content)
  if (pictures === 'informative') dropPictures(content)
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

/** Maximum share of picture URLs in the content. `data:` URLs do not count, because they are not written. */
const maxShare = 0.15

/**
 * Removes pictures until their URLs fit their share: first those without alt text, then those that repeat the alt text
 * of another, each from last to first. Pictures with an alt text of their own or a caption stay, and at least one does.
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
    if ((ranks.get(image) ?? 0) >= informativeRank) return
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
const informativeRank = 2

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
/** Minimum characters of a title; shorter ones occur in other words by chance. */
const minTitle = 6

/** Removes the thumbnails of similar cards in one box if their alt texts add nothing to the text of the card. */
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
 * Maximum number of boxes around a picture to search for the title of its card, and maximum characters of the title.
 */
const maxClimb = 4
const maxTitle = 160
const line = /^(?:h[2-6]|p|div|span|strong|b|figcaption|td|dt)$/

/**
 * Moves the URL of a link that only shows a picture to the title next to it: the first line of the nearest box with
 * words, if nothing in that box links elsewhere. Returns true if there is such a title, or a link with words to the
 * same URL; false if only the picture's `alt` names the target.
 */
function linkTitleBeside(link: Element, alt: string, root: Element): boolean {
  const href = target(link)
  let box = link.parentNode
  for (let climb = 0; box && climb < maxClimb && box !== root; climb++, box = box.parentNode) {
    if (exceedsSize(box, maxNodes)) return false
    if (box.textContent.trim() === '') continue
    const inner = elementsIn(box)
    const links = inner.filter(({ localName }) => localName === 'a')
    if (links.some((other) => target(other) === href && other.textContent.trim() !== '')) return true
    if (links.some((other) => target(other) !== href)) return false
    if (alt !== '' && !sameWords(box.textContent).includes(sameWords(alt))) return false
    const title = inner.find((each) => /^h[2-6]$/.test(each.localName) && isLine(each)) ?? inner.find(isLine)
    if (title) linkContents(title, link)
    return title !== undefined
  }
  return false
}

/** Cards have fewer nodes, and searching a whole page for each of its pictures would take minutes. */
const maxNodes = 400

const target = (link: Element) => (link.getAttribute('href') ?? '').replace(/#.*$/s, '')

function isLine(element: Element): boolean {
  if (!line.test(element.localName)) return false
  const words = element.textContent.trim()
  if (words.length < 3 || words.length > maxTitle || words.endsWith(':') || isPartOfText(element)) return false
  return !element.children.some((child) => /^(?:p|div|ul|ol|table|h[1-6])$/.test(child.localName))
}

/** Maximum width or height (CSS pixels) of an icon. */
const maxIcon = 48
/** Shorter inline pictures (characters of the data URL) without alt text are icons or placeholders. */
const maxInlineIcon = 4000

const smallClass =
  /(?:^|[-_\s])(?:icons?|ico|avatars?|gravatar|userpic|spacer|pixel|sprite|flag|bullet|arrow)(?:$|[-_\s\d])/i
/** Number of characters at the end of a URL to search for the name. */
const maxName = 500
const smallName =
  /(?:^|[-_/.@])(?:icons?|avatars?|user_avatar|spacer|sprites?|favicon|bullets?|arrows?|emoji|smil(?:ey|ies))(?:[-_/.@\d][^/]*)?(?:\/[^/]*)?\.(?:svg|png|gif|ico|webp)$|\/(?:user_)?avatars?\/|(?:^|\/)(?:pixel|blank|spacer|transparent|clear|dot|1x1)\.\w+$/i

/** Removes icons, avatars, spacers, logos that link to the home page, and repeated pictures. */
function dropSmallPictures(images: readonly Element[], root: Element, url: string): void {
  const seen = new Set<string>()
  const views = new Map<string, number>()
  const home = /^https?:\/\/[^/]+/.exec(url)?.[0]
  for (const image of images) {
    const key = pictureKey(image.getAttribute('src') ?? '')
    const link = closest(image, ({ localName }) => localName === 'a', 5)
    const isLogo = link && home !== undefined && leadsTo(link, home)
    const isRepeated = seen.has(key) || viewsOf(image, views) > maxViews
    if (isRepeated || isLogo || isSmall(image) || isBesideWords(image)) dropPicture(image, root)
    else seen.add(key)
  }
}

/**
 * Maximum number of pictures with one description, which are views of one thing. Descriptions with fewer characters
 * than `minViewWords` may fit several things.
 */
const maxViews = 3
const minViewWords = 12

/** Counts the pictures so far with the same description, ignoring digits. */
function viewsOf(image: Element, counts: Map<string, number>): number {
  const words = sameWords(altOf(image)).replace(/\p{N}+/gu, '')
  if (words.length < minViewWords) return 0
  const count = (counts.get(words) ?? 0) + 1
  counts.set(words, count)
  return count
}

function leadsTo(link: Element, home: string): boolean {
  const href = link.getAttribute('href')
  return (href === home || href === `${home}/`) && !exceedsSize(link, maxLineNodes) && link.textContent.trim() === ''
}

function isSmall(image: Element): boolean {
  const source = image.getAttribute('src') ?? ''
  if (source.startsWith('data:') && source.length < maxInlineIcon) return altOf(image) === ''
  const size = Math.min(pixels(image, 'width'), pixels(image, 'height'))
  if (size <= maxIcon || smallClass.test(classOf(image))) return true
  const parent = image.parentNode
  if (parent && /^(?:span|i|a|div|picture)$/.test(parent.localName) && smallClass.test(classOf(parent))) return true
  if (/^https?:\/\/[^/]*gravatar\.com\//i.test(source)) return true
  const path = source.replace(/[?#].*$/s, '')
  return (
    smallName.test(path.replace(/^https?:\/\/[^/]+/i, '').slice(-maxName)) ||
    (path.endsWith('.svg') && altOf(image) === '')
  )
}

function pixels(image: Element, side: 'width' | 'height'): number {
  const written = image.getAttribute(side) ?? ''
  if (/^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(written)) return Number.parseFloat(written)
  const styled = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`, 'i').exec(
    image.getAttribute('style') ?? '',
  )
  return styled ? Number(styled[1]) : Infinity
}

/** True for a picture without alt text in a heading, or in a link with words, which it only decorates. */
function isBesideWords(image: Element): boolean {
  if (altOf(image) !== '') return false
  const holder = closest(image, ({ localName }) => /^(?:a|h[1-6]|button)$/.test(localName), 6)
  return holder !== undefined && !exceedsSize(holder, maxLineNodes) && holder.textContent.trim() !== ''
}

const altOf = (image: Element): string => {
  const alt = (image.getAttribute('alt') ?? '').trim()
  return /[\p{L}\p{N}]/u.test(alt) ? alt : ''
}

const sizeParameter = /[?&](?:w|h|q|s|width|height|quality|size|resize|fit|crop|dpr|fm|auto)=[^&]*/gi

/** Returns a key that is equal for all sizes of one picture. */
function pictureKey(source: string): string {
  const path = source.replace(/[?#].*$/s, '')
  const whole = /\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(path) ? path : source.replace(sizeParameter, '')
  return whole.replace(/[-_@](?:\d{2,4}x\d{0,4}|\dx)(?=\.\w+$)/i, '').replace(/\/resize:[^/]+(?=\/)/, '')
}

/**
 * Removes a picture and a link around it without other content; the URL moves to the title next to it, if there is one.
 */
function dropPicture(image: Element, root: Element): void {
  const alt = altOf(image)
  const link = linkShowingOnly(image)
  replaceBy(missedWords(image), image)
  if (!link || link.textContent.trim() !== '') return
  linkTitleBeside(link, alt, root)
  link.remove()
}

/** Removes a picture unless a link would be lost with it. Returns true if removed. */
function dropPictureOnly(image: Element, root: Element): boolean {
  const missed = missedWords(image)
  const link = missed === '' ? linkShowingOnly(image) : undefined
  if (link && !linkTitleBeside(link, altOf(image), root)) return false
  if (link) link.remove()
  else replaceBy(missed, image)
  return true
}

/**
 * Returns the alt text that replaces a picture in a sentence or alone in a cell; '' if the text next to it is the same.
 */
function missedWords(image: Element): string {
  const alt = altOf(image)
  if (alt === '') return ''
  const { before, after } = wordsBeside(image)
  if (before + after !== '')
    return spaced(before).endsWith(spaced(alt)) || spaced(after).startsWith(spaced(alt)) ? '' : alt
  const cell = closest(image, ({ localName }) => /^(?:td|th|dd)$/.test(localName), 6)
  const isAlone = cell && !exceedsSize(cell, maxLineNodes) && cell.textContent.trim() === ''
  return isAlone ? alt : ''
}

const spaced = (text: string) => ` ${plainWordsIn(text).join(' ')} `

/** Adds spaces where the alt text would join the words around it. */
function replaceBy(words: string, image: Element): void {
  const isAfterWord = /[\p{L}\p{N}]$/u.test(image.previousSibling?.textContent ?? '')
  const isBeforeWord = /^[\p{L}\p{N}]/u.test(image.nextSibling?.textContent ?? '')
  image.replaceWith(...(words === '' ? [] : [`${isAfterWord ? ' ' : ''}${words}${isBeforeWord ? ' ' : ''}`]))
}

/** Returns the link around a picture if it contains nothing else. */
function linkShowingOnly(image: Element): Element | undefined {
  const link = closest(image, ({ localName }) => localName === 'a', 6)
  if (!link || exceedsSize(link, maxLineNodes) || link.textContent.trim() !== '') return undefined
  const others = elementsIn(link).some((each) => each !== image && /^(?:img|iframe|code|math)$/.test(each.localName))
  return others ? undefined : link
}
