import { closest, type Element, elementsIn, hasEvenSpace } from '../dom/dom.ts'
import { altOf, dropPictureOnly } from './small-pictures.ts'
import { holdsMoreThan, maxLineNodes } from './size.ts'

/** Maximum share of the content taken by addresses of pictures. `data:` addresses do not count, as they are not written out. */
const maxShare = 0.15

/**
 * Removes pictures until their addresses take no more than their share: first those without words, from the last to the first, then
 * those whose words were said already, then others; one always stays. Pictures with a caption go last.
 */
export function keepWithinShare(root: Element): void {
  const elements = elementsIn(root)
  const images = elements.filter((each) => each.localName === 'img' && !each.getAttribute('src')?.startsWith('data:'))
  let addresses = images.reduce((sum, image) => sum + lengthOf(image), 0)
  const links = elements.reduce(
    (sum, each) => sum + (each.localName === 'a' ? (each.getAttribute('href') ?? '').length : 0),
    0,
  )
  const alts = images.reduce((sum, image) => sum + altOf(image).length, 0)
  const rest = collapsedLength(root.textContent) + links + alts
  if (addresses <= maxShare * (rest + addresses)) return
  const ranks = ranksOf(images)
  const order = images.toReversed().sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  for (const image of order.slice(0, -1)) {
    if (addresses <= maxShare * (rest + addresses)) return
    if (dropPictureOnly(image, root)) addresses -= lengthOf(image)
  }
}

/** Characters of a text with single spaces only, without writing it. */
const collapsedLength = (text: string) =>
  hasEvenSpace(text)
    ? text.length
    : text.length - (text.match(/\s{2,}/g) ?? []).reduce((sum, run) => sum + run.length - 1, 0)

const lengthOf = (image: Element) => (image.getAttribute('src') ?? '').length

/** The higher, the more a picture says. */
function ranksOf(images: readonly Element[]): ReadonlyMap<Element, number> {
  const said = new Set<string>()
  return new Map(
    images.map((image) => {
      const alt = altOf(image).toLowerCase().replace(/\d+/g, '')
      const isRepeated = said.has(alt)
      said.add(alt)
      if (isCaptioned(image)) return [image, 3]
      if (alt === '') return [image, 0]
      return [image, isRepeated ? 1 : 2]
    }),
  )
}

function isCaptioned(image: Element): boolean {
  const figure = closest(image, ({ localName }) => localName === 'figure', 6)
  return figure !== undefined && !holdsMoreThan(figure, maxLineNodes) && figure.textContent.trim() !== ''
}
