import {
  classOf,
  closest,
  type Element,
  elementsIn,
  linkContents,
  wordsBeside,
  isPartOfText,
  exceedsSize,
  maxLineNodes,
} from '../dom/dom-tree.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { sameWords } from '../main-content/page-title.ts'

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
    if (title) linkContents(title, link.getAttribute('href') ?? '')
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

/** Removes icons, avatars, spacers and repeated pictures. */
export function dropSmallPictures(images: readonly Element[], root: Element, url: string): void {
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

/** Pictures with the same description are views of one thing; shorter descriptions (letters) may fit several. */
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

export const altOf = (image: Element): string => {
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
export function dropPictureOnly(image: Element, root: Element): boolean {
  const missed = missedWords(image)
  const link = missed === '' ? linkShowingOnly(image) : undefined
  if (link && !linkTitleBeside(link, altOf(image), root)) return false
  if (link) link.remove()
  else replaceBy(missed, image)
  return true
}

/** Returns the alt text that replaces a picture in a sentence or alone in a cell; '' if the text next to it is the same. */
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
