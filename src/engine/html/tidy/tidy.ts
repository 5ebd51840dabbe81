import { closest, type Element, elementsIn, unwrap } from '../dom/dom.ts'
import { withoutPartsOfText } from '../dom/part-of-text.ts'
import { writeEmoji } from '../normalise/links.ts'
import { dropCardPictures } from './card-pictures.ts'
import { keepWithinShare } from './picture-share.ts'
import { holdsMoreThan, maxLineNodes } from './size.ts'
import { dropSmallPictures } from './small-pictures.ts'

/**
 * Takes out of the main content what a reader would skip but its words do not show: pictures that say nothing, links of
 * headings to themselves, ways to log in, empty rows. Addresses must be absolute.
 */
export function tidy(root: Element, url: string, pictures: 'all' | 'telling'): void {
  const all = elementsIn(root)
  unlinkHeadings(all, url)
  if (pictures === 'telling') dropPictures(root, url)
  for (const element of all) if (element.localName === 'tr') dropEmptyRow(element)
  const entries = all.filter((element) => element.localName === 'a' && isEntry(element))
  for (const entry of withoutPartsOfText(entries)) dropWithBox(entry, root)
}

function dropPictures(root: Element, url: string): void {
  const images = elementsIn(root).filter(({ localName }) => localName === 'img')
  if (images.length === 0) return
  writeEmoji(images)
  dropSmallPictures(root, url)
  dropCardPictures(root)
  keepWithinShare(root)
}

const withoutFragment = (address: string) => address.replace(/#.*$/s, '').replace(/\/$/, '')

/** A heading that leads to itself, or to a place on its own page, only looks like a link. */
function unlinkHeadings(elements: readonly Element[], url: string): void {
  const own = withoutFragment(url)
  for (const title of elements) {
    if (!/^h[1-6]$/.test(title.localName)) continue
    for (const link of elementsIn(title))
      if (link.localName === 'a' && withoutFragment(link.getAttribute('href') ?? '') === own) unwrap(link)
  }
}

/** A row of nothing between rows of data. */
function dropEmptyRow(row: Element): void {
  const cells = row.children
  const isSpanned = cells.some((cell) => cell.hasAttribute('rowspan'))
  if (cells.length === 0 || isSpanned || row.textContent.trim() !== '') return
  if (!elementsIn(row).some(({ localName }) => /^(?:img|input|code|math|iframe)$/.test(localName))) row.remove()
}

const entry =
  /\/(?:log-?in|sign-?in|register|registration|sign-?up|signup|cart|basket|checkout|wishlist)(?:\.\w{2,5})?\/?$/i
const maxEntryText = 40

const pathOf = (link: Element) => (link.getAttribute('href') ?? '').replace(/[?#].*$/s, '')
const letters = (element: Element) => element.textContent.replace(/[^\p{L}\p{N}]+/gu, '').length

/** A link to where one logs in or pays, in a line that has nothing but such links. */
function isEntry(link: Element): boolean {
  if (!entry.test(pathOf(link)) || closest(link, ({ localName }) => /^(?:h[1-6]|td|th|dd)$/.test(localName), 6))
    return false
  if (link.textContent.length > maxEntryText) return false
  const line = lineOf(link)
  if (holdsMoreThan(line, maxLineNodes)) return false
  const linked = elementsIn(line).filter(({ localName }) => localName === 'a')
  if (linked.some((other) => !entry.test(pathOf(other)))) return false
  return letters(line) === linked.reduce((sum, other) => sum + letters(other), 0)
}

function lineOf(link: Element): Element {
  let box = link
  for (let up = link.parentNode; up && /^(?:span|p|div|li|strong|b|em)$/.test(up.localName); up = up.parentNode) {
    box = up
    if (up.localName !== 'span') break
  }
  return box
}

/** Removes an element and the boxes that held nothing else. */
function dropWithBox(element: Element, root: Element): void {
  let box = element
  for (let up = element.parentNode; up && up !== root; up = up.parentNode) {
    if (
      holdsMoreThan(up, maxLineNodes) ||
      up.textContent.trim() !== element.textContent.trim() ||
      /^(?:td|th)$/.test(up.localName)
    )
      break
    if (elementsIn(up).some(({ localName }) => localName === 'img')) break
    box = up
  }
  box.remove()
}
