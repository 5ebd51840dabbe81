import { type Element, elementsIn, unwrap } from '../dom/dom.ts'
import { writeEmoji } from '../normalise/links.ts'
import { dropCardPictures } from './card-pictures.ts'
import { keepWithinShare } from './picture-share.ts'
import { dropSmallPictures } from './small-pictures.ts'

/**
 * Takes out of the main content what a reader would skip but its words do not show: pictures that say nothing, links of
 * headings to themselves, empty rows. Addresses must be absolute.
 */
export function tidy(root: Element, url: string, pictures: 'all' | 'telling'): void {
  const all = elementsIn(root)
  unlinkHeadings(all, url)
  if (pictures === 'telling') dropPictures(root, url)
  for (const element of all) if (element.localName === 'tr') dropEmptyRow(element)
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
