import { absoluteUrl } from '../dom/absolute-url.ts'
import { classOf, closest, type Element, elementsIn, isElement, oneLine, rename } from '../dom/dom.ts'
import { createElement } from '../dom/node.ts'
import type { ContentIndex } from '../dom/element-index.ts'

const titleClass =
  /(?:^|\s)(?:admonition-title|admonitionHeading_\w+|admonition-heading|markdown-alert-title|custom-block-title|callout-title|starlight-aside__title)(?:\s|$)/
const boxClass =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|custom-block|callout|starlight-aside|notecard|admonitionblock)(?:\s|$)/
const labelledByName = /(?:^|\s)(?:admonitionblock)(?:\s|$)/

/**
 * Notes and warnings in boxes of their own become quotes that begin with their title in bold, in whatever words the page
 * has it: `> **Note**`. The form `> [!NOTE]` knows five titles only and means something in one place only.
 */
export function normaliseAdmonitions(content: ContentIndex): void {
  for (const element of content.classed()) {
    const name = classOf(element)
    if (!/title|admonition|notecard/.test(name)) continue
    if (titleClass.test(name)) fromTitle(element)
    else if (labelledByName.test(name)) fromTable(element)
    else if (/(?:^|\s)notecard(?:\s|$)/.test(name)) quote(element)
  }
}

function fromTitle(title: Element): void {
  const parent = title.parentNode
  if (!parent || parent.localName === 'blockquote') return
  const box = closest(parent, (up) => boxClass.test(classOf(up)), 3) ?? parent
  // A foldable note keeps its summary as a line of its own, as all details do.
  if (/^(?:details|body|article|main|td|li)$/.test(box.localName)) return
  const strong = createElement('strong')
  strong.textContent = oneLine(title.textContent)
  const line = createElement('p')
  line.append(strong)
  title.replaceWith(line)
  quote(box)
}

/** Asciidoctor lays its notes out in a table with the kind in the first cell. */
function fromTable(box: Element): void {
  const table = elementsIn(box).find(({ localName }) => localName === 'table')
  const [kind, content] = elementsIn(box).filter(({ localName }) => localName === 'td')
  if (!table || !kind || !content) return
  const strong = createElement('strong')
  strong.textContent = oneLine(kind.textContent) || kindOf(kind)
  const line = createElement('p')
  line.append(strong)
  const inner = createElement('div')
  for (let child = content.firstChild; child; child = content.firstChild) inner.append(child)
  table.replaceWith(line, inner)
  quote(box)
}

function kindOf(cell: Element): string {
  return (
    elementsIn(cell)
      .find((inner) => inner.hasAttribute('title'))
      ?.getAttribute('title') ?? 'Note'
  )
}

function quote(box: Element): void {
  if (!box.parentNode) return
  const quoted = createElement('blockquote')
  for (let child = box.firstChild; child; child = box.firstChild) quoted.append(child)
  box.replaceWith(quoted)
}

/** Captions and summaries become paragraphs of their own, and what held them plain boxes. */
export function normaliseFigures(content: ContentIndex): void {
  for (const figure of content.named('figure')) separateImages(figure)
  for (const caption of content.named('figcaption', 'summary')) rename(caption, 'p')
  for (const picture of content.named('picture')) rename(picture, 'span')
  for (const box of content.named('figure', 'details')) rename(box, 'div')
}

function separateImages(figure: Element): void {
  for (const child of figure.childNodes) {
    if (!isElement(child) || !/^(?:img|picture|a)$/.test(child.localName)) continue
    const paragraph = createElement('p')
    child.replaceWith(paragraph)
    paragraph.append(child)
  }
}

/** A video frame becomes a link to the video. Frames of other kinds are gone by now. */
export function normaliseEmbeds(content: ContentIndex): void {
  for (const frame of content.named('iframe')) {
    const address = absoluteUrl(frame.getAttribute('src') ?? '', content.base)
    if (!address) {
      frame.remove()
      continue
    }
    const link = createElement('a')
    link.setAttribute('href', address)
    link.textContent = frame.getAttribute('title')?.trim() || address
    const paragraph = createElement('p')
    paragraph.append(link)
    frame.replaceWith(paragraph)
  }
}
