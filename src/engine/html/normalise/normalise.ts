import { type DomNode, type Element, elementsIn, isElement, isText, nodeAfter } from '../dom/dom-tree.ts'
import { classOf, closest, oneLine, rename, unwrap } from '../dom/dom-tree.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { createAround, createElement } from '../dom/tree-node.ts'
import { type ContentIndex, indexContent } from '../dom/element-index.ts'
import { linkInstead } from '../hidden/show-elements.ts'
import { keepsLines, normaliseCode } from './code.ts'
import { normaliseFootnotes } from './footnotes.ts'
import { normaliseImages } from './images.ts'
import {
  absolutiseLinks,
  bracketRuby,
  flattenHeadings,
  narrowBlockLinks,
  separateInline,
  writeEmoji,
  inertScheme,
} from './normalise-links.ts'
import { normaliseMath } from './math.ts'
import { normaliseTables } from './normalise-tables.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'

const titleClass =
  /(?:^|\s)(?:admonition-title|admonitionHeading_\w+|admonition-heading|markdown-alert-title|custom-block-title|callout-title|starlight-aside__title)(?:\s|$)/
const boxClass =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|custom-block|callout|starlight-aside|notecard|admonitionblock)(?:\s|$)/
const labelledByName = /(?:^|\s)(?:admonitionblock)(?:\s|$)/

/**
 * Turns notes and warnings in boxes into quotes that start with their original title in bold: `> **Note**`. The form `>
 * [!NOTE]` allows only five titles and is specific to GitHub.
 */
function normaliseAdmonitions(content: ContentIndex): void {
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
  // A foldable note keeps its summary as a separate line, as all details do.
  if (/^(?:details|body|article|main|td|li)$/.test(box.localName)) return
  title.replaceWith(createAround('p', createAround('strong', oneLine(title.textContent))))
  quote(box)
}

/** Asciidoctor lays out its notes in a table with the kind in the first cell. */
function fromTable(box: Element): void {
  const table = elementsIn(box).find(({ localName }) => localName === 'table')
  const [kind, content] = elementsIn(box).filter(({ localName }) => localName === 'td')
  if (!table || !kind || !content) return
  const title = createAround('strong', oneLine(kind.textContent) || kindOf(kind))
  table.replaceWith(createAround('p', title), createAround('div', ...content.childNodes))
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
  if (box.parentNode) rename(box, 'blockquote')
}

/** Puts each picture of a figure into a paragraph. */
function separateImages(content: ContentIndex): void {
  for (const child of content.named('figure').flatMap(({ children }) => children)) {
    if (!/^(?:img|picture|a)$/.test(child.localName)) continue
    const paragraph = createElement('p')
    child.replaceWith(paragraph)
    paragraph.append(child)
  }
}

/** Replaces a video frame with a link to the video. Other frames are already removed. */
function normaliseEmbeds(content: ContentIndex): void {
  for (const frame of content.named('iframe'))
    linkInstead(frame, absoluteUrl(frame.getAttribute('src') ?? '', content.base), 'aria-label')
}

/** Makes the URLs of forms and image maps absolute; drops those that run scripts, and the values of password fields. */
function absolutiseForms(content: ContentIndex): void {
  for (const form of content.named('form')) absolutiseAttribute(form, 'action', content.base)
  for (const area of content.named('area')) absolutiseAttribute(area, 'href', content.base)
  for (const control of content.named('input', 'button')) {
    absolutiseAttribute(control, 'formaction', content.base)
    absolutiseAttribute(control, 'src', content.base)
    if (/^password$/i.test(control.getAttribute('type') ?? '')) control.removeAttribute('value')
  }
}

function absolutiseAttribute(element: Element, name: string, base: string): void {
  const written = element.getAttribute(name)?.trim()
  if (!written) return
  const address = absoluteUrl(written, base) ?? written
  if (inertScheme.test(address)) element.removeAttribute(name)
  else element.setAttribute(name, address)
}

/**
 * Makes the URLs of images, links, forms and image maps absolute, for HTML and markdown; returns the content's index.
 */
export function absolutise(root: Element, base: string): ContentIndex {
  const content = indexContent(root, base)
  normaliseImages(content)
  absolutiseLinks(content)
  absolutiseForms(content)
  return content
}

/** Converts content with absolute URLs into the few structures that the markdown writer supports. */
export function normalise(root: Element, base: string): void {
  const content = indexContent(root, base)
  normaliseMath(content)
  normaliseCode(content)
  breakStyledLines(content)
  normaliseAdmonitions(content)
  normaliseEmbeds(content)
  normaliseFootnotes(content)
  writeEmoji(content.named('img'))
  narrowBlockLinks(content)
  normaliseSignatures(content)
  separateInline(content)
  separateImages(content)
  flattenHeadings(content)
  bracketRuby(content)
  nestLists(content)
  numberLists(content)
  joinTerms(content)
  useLists(content)
  normaliseTables(content)
}

/** Breaks lines of text where an inline style shows its newlines; code does so by itself. */
function breakStyledLines(content: ContentIndex): void {
  for (const element of content.all) {
    if (!keepsLines(element)) continue
    if (closest(element, ({ localName }) => localName === 'pre' || localName === 'code')) continue
    for (let at: DomNode | null = element.firstChild, next; at; at = next) {
      next = at.firstChild ?? nodeAfter(at, element)
      if (!isText(at) || !at.textContent.includes('\n')) continue
      for (const part of at.textContent.split(/(\n)/)) at.before(part === '\n' ? createElement('br') : part)
      at.remove()
    }
  }
}

const addressName = /^(?:(?:xlink:)?href|src|action|formaction|data|cite|background|to|from|values)$/
/** Browsers ignore white space in a scheme; animations have several values. */
const runsScript = (address: string) =>
  /(?:^|;)(?:javascript|vbscript):/i.test(sanitiseText(address).replace(/\s+/g, ''))

/** False for a name that becomes another one, such as `script`, when invisible characters are removed from the HTML. */
const isPlain = (name: string) => sanitiseText(name) === name

/** Removes event handlers (such as `onclick`), addresses that run scripts, and what would become either. */
export function dropHandlers(root: Element): void {
  for (const element of elementsIn(root)) {
    for (const name of element.getAttributeNames()) {
      const isAddress = addressName.test(name)
      if (/^on/i.test(name) || !isPlain(name) || (isAddress && runsScript(element.getAttribute(name) ?? '')))
        element.removeAttribute(name)
    }
    if (!isPlain(element.localName)) unwrap(element)
    breakRawEnds(element)
  }
}

const rawName = /^(?:xmp|plaintext|iframe|noembed|noframes)$/
const rawEnd = /<(?=\/(?:xmp|plaintext|iframe|noembed|noframes))/gi

/** Breaks end tags in a text that HTML writes without escapes, before invisible characters in them are removed. */
function breakRawEnds(element: Element): void {
  if (rawName.test(element.localName)) element.textContent = sanitiseText(element.textContent).replace(rawEnd, '< ')
}

/** Moves a list directly inside a list into the item before it, as browsers show it. */
function nestLists(content: ContentIndex): void {
  for (const list of content.named('ul', 'ol', 'menu')) {
    if (!/^(?:ul|ol|menu)$/.test(list.parentNode?.localName ?? '')) continue
    const item = elementBefore(list)
    if (item?.localName === 'li') item.append(list)
  }
}

/** Style of items whose text contains their mark. */
const noMarker = /list-style(?:-type)?\s*:\s*none/i

/** Boxes that a role may turn into lists and items; links and pictures would lose their address. */
const listBox = /^(?:div|span|figure|details)$/
const isListBox = (box: Element, role: 'list' | 'listitem') =>
  box.getAttribute('role') === role && listBox.test(box.localName)

/** Replaces boxes with the role `list` by lists if all their children are items. */
function useLists(content: ContentIndex): void {
  for (const box of content.all) {
    const items = isListBox(box, 'list') ? box.children : []
    if (items.length === 0 || !items.every((item) => isListBox(item, 'listitem'))) continue
    for (const item of items) rename(item, 'li')
    rename(box, 'ul')
  }
}

/** Numbers the items of ordered lists once, so the writer need not count siblings for each. */
function numberLists(content: ContentIndex): void {
  for (const list of content.named('ol')) {
    const items = list.children.filter(({ localName }) => localName === 'li')
    const step = list.hasAttribute('reversed') ? -1 : 1
    let number = integer(list.getAttribute('start')) ?? (step < 0 ? items.length : 1)
    for (const item of items) {
      // Quill writes every list as an ordered one, with the kind of each item in this attribute.
      const kind = item.getAttribute('data-list') ?? 'ordered'
      if (kind.endsWith('checked')) item.prepend(createElement('input', ['type', 'checkbox', kind, '']))
      if (kind !== 'ordered' || noMarker.test(item.getAttribute('style') ?? '')) continue
      number = integer(item.getAttribute('value')) ?? number
      // Markdown allows no negative numbers, and at most nine digits (CommonMark §5.2).
      item.setAttribute('data-number', String(Math.min(Math.max(number, 0), 999_999_999)))
      number += step
    }
  }
}

function integer(written: string | null): number | undefined {
  const number = Number.parseInt(written ?? '', 10)
  return Number.isNaN(number) ? undefined : number
}

/** Marks a term that follows a term, and a definition without a term, so the writer can choose the gap. */
function joinTerms(content: ContentIndex): void {
  for (const term of content.named('dt'))
    if (elementBefore(term)?.localName === 'dt') term.setAttribute('data-term', '')
  for (const definition of content.named('dd'))
    if (!elementBefore(definition)) definition.setAttribute('data-alone', '')
}

function elementBefore(element: Element): Element | undefined {
  let before = element.previousSibling
  while (before && isText(before) && before.textContent.trim() === '') before = before.previousSibling
  return isElement(before) ? before : undefined
}

/** Joins the signature of a function or class on Sphinx pages, which is split into many small elements, into code. */
function normaliseSignatures(content: ContentIndex): void {
  for (const term of content.named('dt')) {
    if (!/(?:^|\s)sig(?:\s|$)/.test(term.getAttribute('class') ?? '')) continue
    const source = term.children.filter((child) => /viewcode-link|headerlink/.test(linkClass(child)))
    for (const link of source) link.remove()
    const code = createAround('code', term.textContent.trim())
    term.textContent = ''
    term.append(code)
    for (const link of source) term.append(' ', link)
  }
}

function linkClass(element: Element): string {
  const own = element.getAttribute('class') ?? ''
  return element.firstElementChild ? `${own} ${element.firstElementChild.getAttribute('class') ?? ''}` : own
}
