import { type Element, elementsIn, isElement, isText } from '../dom/dom.ts'
import { createElement } from '../dom/node.ts'
import { type ContentIndex, indexContent } from '../dom/element-index.ts'
import { normaliseAdmonitions, normaliseEmbeds, normaliseFigures } from './admonitions.ts'
import { normaliseCode } from './code.ts'
import { normaliseFootnotes } from './footnotes.ts'
import { absolutiseForms } from './forms.ts'
import { normaliseImages } from './images.ts'
import { absolutiseLinks, bracketRuby, flattenHeadings, narrowBlockLinks, writeEmoji } from './links.ts'
import { normaliseMath } from './math.ts'
import { normaliseTables } from './tables.ts'

/** Makes all URLs in the content absolute, which is all that the `html` part needs. */
export function absolutise(root: Element, base: string): void {
  const content = indexContent(root, base)
  normaliseImages(content)
  absolutiseLinks(content)
  absolutiseForms(content)
}

/** Converts absolutised content into the few forms that the markdown writer knows. */
export function normalise(root: Element, base: string): void {
  const content = indexContent(root, base)
  normaliseMath(content)
  normaliseCode(content)
  normaliseAdmonitions(content)
  normaliseEmbeds(content)
  normaliseFootnotes(content)
  writeEmoji(content.named('img'))
  narrowBlockLinks(content)
  normaliseFigures(content)
  flattenHeadings(content)
  bracketRuby(content)
  numberLists(content)
  joinTerms(content)
  normaliseSignatures(content)
  normaliseTables(content)
}

/** Removes attributes that run scripts (`onclick` and its kind). */
export function dropHandlers(root: Element): void {
  for (const element of elementsIn(root))
    for (const name of element.getAttributeNames()) if (/^on/i.test(name)) element.removeAttribute(name)
}

/** Numbers the items of ordered lists once, so that the writer need not count siblings for each. */
function numberLists(content: ContentIndex): void {
  for (const list of content.named('ol')) {
    const items = list.children.filter(({ localName }) => localName === 'li')
    const step = list.hasAttribute('reversed') ? -1 : 1
    let number = integer(list.getAttribute('start')) ?? (step < 0 ? items.length : 1)
    for (const item of items) {
      number = integer(item.getAttribute('value')) ?? number
      // Markdown knows no negative numbers, and none of more than nine digits (CommonMark §5.2).
      item.setAttribute('data-number', String(Math.min(Math.max(number, 0), 999_999_999)))
      number += step
    }
  }
}

function integer(written: string | null): number | undefined {
  const number = Number.parseInt(written ?? '', 10)
  return Number.isNaN(number) ? undefined : number
}

/** Marks a term that follows a term, and a definition that has none, for the writer to set them close or apart. */
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

/** The signature of a function or class in the pages of Sphinx is code, which its many small elements hide. */
function normaliseSignatures(content: ContentIndex): void {
  for (const term of content.named('dt')) {
    if (!/(?:^|\s)sig(?:\s|$)/.test(term.getAttribute('class') ?? '')) continue
    const source = term.children.filter((child) => /viewcode-link|headerlink/.test(linkClass(child)))
    for (const link of source) link.remove()
    const code = createElement('code')
    code.textContent = term.textContent.trim()
    term.textContent = ''
    term.append(code)
    for (const link of source) term.append(' ', link)
  }
}

function linkClass(element: Element): string {
  const own = element.getAttribute('class') ?? ''
  return element.firstElementChild ? `${own} ${element.firstElementChild.getAttribute('class') ?? ''}` : own
}
