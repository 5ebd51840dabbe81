import { type Element, isElement, rename } from '../dom.ts'
import type { ContentView } from './view.ts'

/** Captions and summaries become paragraphs of their own, and what held them plain boxes. */
export function normaliseFigures(view: ContentView): void {
  for (const figure of view.named('figure')) separateImages(figure)
  for (const caption of view.named('figcaption', 'summary')) rename(caption, 'p')
  for (const picture of view.named('picture')) rename(picture, 'span')
  for (const box of view.named('figure', 'details')) rename(box, 'div')
}

function separateImages(figure: Element): void {
  for (const child of figure.childNodes) {
    if (!isElement(child) || !/^(?:img|picture|a)$/.test(child.localName)) continue
    const paragraph = figure.ownerDocument.createElement('p')
    child.replaceWith(paragraph)
    paragraph.append(child)
  }
}
