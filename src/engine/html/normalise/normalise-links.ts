import { sanitiseText } from '../../../util/sanitise-text.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import {
  classOf,
  closest,
  type DomNode,
  type Element,
  elementsIn,
  exceedsSize,
  isElement,
  moveChildren,
  previousElement,
  unwrap,
} from '../dom/dom-tree.ts'
import { createElement } from '../dom/tree-node.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { screenReaderClass } from '../hidden/hidden.ts'
import { blockStyle } from './code.ts'

export const inertScheme = /^\s*(?:javascript|data|vbscript|blob):/i
const editLink = /(?:^|\s)mw-editsection(?:\s|$)/
const anchorClass = /(?:^|\s)(?:anchor|headerlink|hash-link|header-anchor|heading-anchor|permalink)(?:\s|$)/
const anchorText = /^[#¶§\u{200B}\s🔗]*$/u
const heading = /^h[1-6]$/
const block = /^(?:h[1-6]|p|div|ul|ol|table|section|article|figure|pre)$/

/**
 * Makes links absolute, removes anchors of headings and the edit links of MediaWiki, and unwraps links without a target
 * or with a script as one.
 */
export function absolutiseLinks(content: ContentIndex): void {
  for (const link of content.named('a')) {
    const href = link.getAttribute('href')?.trim()
    // The URL parser drops inner white space, and the writer invisible characters, so the scheme is checked without
    // them.
    const address = href && (absoluteUrl(href, content.base) ?? href)
    // Anchors are the targets of notes.
    if (!href && link.hasAttribute('name')) continue
    if (!address || inertScheme.test(sanitiseText(address))) unwrap(link)
    else if (isHeadingAnchor(link, href)) link.remove()
    else link.setAttribute('href', address)
  }
  for (const box of content.named('span')) if (editLink.test(classOf(box))) box.remove()
}

/** Narrows a link around a whole card to its heading or its first line, and unwraps a picture that links to itself. */
export function narrowBlockLinks(content: ContentIndex): void {
  for (const link of content.named('a')) {
    if (link.textContent.trim() === '') nameLink(link)
    if (link.children.length === 1 && link.firstElementChild?.getAttribute('src') === link.getAttribute('href'))
      unwrap(link)
    if (!link.firstElementChild || !content.root.contains(link)) continue
    const inner = elementsIn(link)
    const target = inner.find((element) => heading.test(element.localName)) ?? firstLine(inner)
    if (target) narrow(link, target)
    else if (inner.some((element) => block.test(element.localName))) unwrap(link)
  }
}

/** Takes the name of an icon-only link from an attribute. */
function nameLink(link: Element): void {
  if (elementsIn(link).some(({ localName }) => localName === 'img')) return
  const name = link.getAttribute('aria-label')?.trim() || link.getAttribute('title')?.trim()
  if (!name) return
  link.textContent = name
  link.removeAttribute('title')
}

function isHeadingAnchor(link: Element, href: string): boolean {
  if (isBesideItsHeading(link, href)) return true
  if (anchorClass.test(classOf(link)) && link.textContent.trim().length < 3) return true
  if (!href.startsWith('#') || !anchorText.test(link.textContent)) return false
  if (elementsIn(link).some((inner) => inner.localName === 'img')) return false
  return closest(link, (up) => heading.test(up.localName), 6) !== undefined
}

/** True for a link to the heading before it, which only screen readers name. */
function isBesideItsHeading(link: Element, href: string): boolean {
  const title = previousElement(link)
  return (
    title !== null &&
    heading.test(title.localName) &&
    href === `#${title.getAttribute('id')}` &&
    title.textContent.trim() !== '' &&
    link.textContent.includes(title.textContent.trim())
  )
}

function firstLine(inner: readonly Element[]): Element | undefined {
  return inner.find(
    (element) =>
      block.test(element.localName) &&
      element.textContent.trim() !== '' &&
      !elementsIn(element).some((deeper) => block.test(deeper.localName)),
  )
}

/** Puts the contents of an element into a link with the URL of another one. */
export function linkContents(target: Element, link: Element): void {
  const narrowed = createElement('a', ['href', link.getAttribute('href') ?? ''])
  moveChildren(target, narrowed)
  target.append(narrowed)
}

function narrow(link: Element, target: Element): void {
  linkContents(target, link)
  const box = createElement('div')
  moveChildren(link, box)
  link.replaceWith(box)
}

const inlineNames = ['a', 'abbr', 'b', 'cite', 'data', 'del', 'em', 'i', 'ins', 's', 'small', 'span', 'strong', 'time']
const isInline = (node: DomNode | null): node is Element => isElement(node) && inlineNames.includes(node.localName)
const signature = (element: Element) => `${element.localName} ${element.getAttribute('href') ?? classOf(element)}`
const code = /^(?:code|kbd|pre|samp|var)$/
const standsApart = (element: Element) =>
  screenReaderClass.test(classOf(element)) || blockStyle.test(element.getAttribute('style') ?? '')
const endsInWord = (node: DomNode | null) => /[\p{L}\p{N}]$/u.test(node?.textContent ?? '')
const startsWithWord = (node: DomNode | null) => /^[\p{L}\p{N}]/u.test(node?.textContent ?? '')
/** Maximum number of nodes and characters of an element that is one of several next to each other. */
const maxPart = { nodes: 40, characters: 400 }

/** True for the start of another text; a continuation is in lower case, or a part like the one before it. */
function isNextText(one: Element, other: Element): boolean {
  const [left, right] = [one.textContent, other.textContent]
  if (isLinkBesideLink(one, other)) return endsInWord(one) && startsWithWord(other)
  if (areAmounts(left, right)) return true
  if (signature(one) === signature(other)) return false
  if (/^\p{N}+$/u.test(left) && /^\p{N}/u.test(right)) return false
  return /^[\p{Lu}\p{N}\p{Sc}]/u.test(right) && /..[\p{Ll}\p{N}:;.,!?%)]$|[\p{N}:]$/u.test(left)
}

const areAmounts = (left: string, right: string) =>
  (/\p{N}$/u.test(left) && /^\p{Sc}\s?\p{N}/u.test(right)) || (/\p{N}\s?\p{Sc}$/u.test(left) && /^\p{N}/u.test(right))

const isLinkBesideLink = (one: Element, other: Element) =>
  one.localName === 'a' && other.localName === 'a' && one.getAttribute('href') !== other.getAttribute('href')

/**
 * Separates different elements next to each other that styles set apart, such as a price and the old one. Parts of one
 * word are not separated: a word continues in lower case, and letters with a style of their own have text around them.
 * Equal elements are parts of one text, except amounts of money. Text for screen readers and blocks is always
 * separated.
 */
export function separateInline(content: ContentIndex): void {
  for (const element of content.named(...inlineNames)) {
    const before = element.previousSibling
    if (isElement(before) && [before, element].some(standsApart)) element.before(' ')
    else {
      separateFromText(element)
      if (isInline(before) && isApart(before, element)) element.before(' ')
    }
  }
}

/** Separates text for screen readers and blocks from words next to them, and a name with a colon from what follows. */
function separateFromText(element: Element): void {
  const { previousSibling: before, nextSibling: after } = element
  const isSeparate = standsApart(element)
  if (isSeparate && endsInWord(before) && startsWithWord(element)) element.before(' ')
  const ends = isSeparate ? endsInWord(element) : element.localName === 'cite' && element.textContent.endsWith(':')
  if (ends && startsWithWord(after)) element.after(' ')
}

/** True for another text than that of the element before, outside code. */
function isApart(before: Element, element: Element): boolean {
  if ([before, element].some((each) => exceedsSize(each, maxPart.nodes, maxPart.characters))) return false
  if (!isNextText(before, element)) return false
  // Links may follow a label.
  const siblings = element.parentNode?.childNodes.slice(isLinkBesideLink(before, element) ? 1 : 0) ?? []
  const isAlone = siblings.every((node) => isElement(node) || node.textContent.trim() === '')
  if (!isAlone && !areAmounts(before.textContent, element.textContent)) return false
  return !closest(element, ({ localName }) => code.test(localName), 20)
}

const emojiClass =
  /(?:^|\s)(?:emoji|wp-smiley|smiley|smilies|smilie(?:--\S+)?|emoticon|bbc_emoticon|ipsEmoji|joypixels)(?:\s|$)/i
/** Emoji, their names between colons, and typed emoticons. */
const emojiText =
  /^(?:(?:\p{Extended_Pictographic}(?:\u200D|\uFE0F|\p{Emoji_Modifier})*)+|:[a-z\d_+-]{2,}:|[:;=8xX]['’]?-?[()DPpOo3|/\\*])$/u

/** Replaces emoji images with the characters or names in their alt text. */
export function writeEmoji(images: readonly Element[]): void {
  for (const image of images) {
    const alt = image.getAttribute('alt')?.trim()
    if (alt && (emojiClass.test(classOf(image)) || emojiText.test(alt))) image.replaceWith(alt)
  }
}

/** Puts ruby annotations in parentheses, as browsers without ruby support do. */
export function bracketRuby(content: ContentIndex): void {
  for (const reading of content.named('rt')) {
    const near = [reading.previousSibling, reading.nextSibling]
    if (near.some((node) => isElement(node) && node.localName === 'rp')) continue
    reading.before('(')
    reading.after(')')
  }
}

const headingBox = /^(?:p|div|figure|figcaption|details|summary)$/

/** Unwraps blocks inside headings; a heading with lists, tables or similar blocks stays unchanged. */
export function flattenHeadings(content: ContentIndex): void {
  for (const title of content.named('h1', 'h2', 'h3', 'h4', 'h5', 'h6')) {
    const [first] = title.children
    if (!first || closesHeading(title)) continue
    for (const box of elementsIn(title)) if (headingBox.test(box.localName)) unwrapApart(box)
  }
}

function closesHeading(title: Element): boolean {
  return elementsIn(title).some(({ localName }) =>
    /^(?:ul|ol|dl|table|pre|blockquote|h[1-6]|section|article|hr)$/.test(localName),
  )
}

function unwrapApart(box: Element): void {
  box.prepend(' ')
  box.append(' ')
  unwrap(box)
}
