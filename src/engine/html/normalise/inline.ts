import { type Element, classOf, elementsIn, isElement, unwrap } from '../dom.ts'
import type { ContentView } from './view.ts'

const emoji = /(?:^|\s)(?:emoji|wp-smiley|smiley|smilies|emoticon)(?:\s|$)/i

/** Emoji drawn as images are the characters or names in their alt text. */
export function writeEmoji(view: ContentView): void {
  for (const image of view.named('img')) {
    const alt = emoji.test(classOf(image)) ? image.getAttribute('alt')?.trim() : undefined
    if (alt) image.replaceWith(alt)
  }
}

/** Readings beside characters get the brackets that pages leave to the browser. */
export function bracketReadings(view: ContentView): void {
  for (const reading of view.named('rt')) {
    const near = [reading.previousSibling, reading.nextSibling]
    if (near.some((node) => isElement(node) && node.localName === 'rp')) continue
    reading.before('(')
    reading.after(')')
  }
}

/** Boxes in a heading are its lines; a heading that holds more than a heading can is left as it is. */
export function flattenHeadings(view: ContentView): void {
  for (const heading of view.named('h1', 'h2', 'h3', 'h4', 'h5', 'h6')) {
    const [first] = heading.children
    if (!first || closesHeading(heading)) continue
    for (const box of elementsIn(heading)) if (/^(?:p|div)$/.test(box.localName)) unwrapApart(box)
  }
}

function closesHeading(heading: Element): boolean {
  return elementsIn(heading).some(({ localName }) =>
    /^(?:ul|ol|dl|table|pre|blockquote|h[1-6]|section|article|figure|hr)$/.test(localName),
  )
}

function unwrapApart(box: Element): void {
  box.prepend(' ')
  box.append(' ')
  unwrap(box)
}
