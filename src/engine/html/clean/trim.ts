import { type Element, elementsIn, visit } from '../dom.ts'
import { dropCallsToAction } from './calls.ts'
import type { PageKind } from './kind.ts'
import type { Measures } from './measure.ts'
import { dropNotices } from './notices.ts'
import { dropTails } from './tails.ts'

const heading = /^h[1-6]$/

/** Removes the small things between the text: buttons, labels, forms, lone calls to action, and sections such as "Related". */
export function trim(root: Element, measures: Measures, kind: PageKind): void {
  dropControls(root, measures)
  dropNotices(root, measures)
  dropForms(root, measures)
  dropCallsToAction(root, measures)
  dropTails(root, measures, kind)
}

function dropControls(root: Element, measures: Measures): void {
  visit(root, (element) => {
    const name = element.localName
    if (heading.test(name) || name === 'summary' || name === 'dt') return 'skip'
    const isControl =
      name === 'button' || name === 'label' || name === 'legend' || element.getAttribute('role') === 'button'
    if (!isControl || holdsContent(element, measures)) return undefined
    if (measures.of(element).text > 30 && name !== 'label') return undefined
    measures.remove(element)
    return 'skip'
  })
}

function holdsContent(control: Element, measures: Measures): boolean {
  const { headings, paragraphs, images, elements } = measures.of(control)
  if (headings + paragraphs + images > 0) return true
  return elements > 1 && elementsIn(control).some((inner) => inner.localName === 'h4' || inner.localName === 'li')
}

function dropForms(root: Element, measures: Measures): void {
  const total = measures.of(root).text || 1
  for (const element of elementsIn(root)) {
    if (element.localName !== 'form' && element.localName !== 'fieldset') continue
    const { text, h1, pre, paragraphs } = measures.of(element)
    if (text >= 0.2 * total || h1 + pre > 0 || paragraphs >= 4) continue
    if (elementsIn(element).some((inner) => inner.localName === 'article' || inner.localName === 'blockquote')) continue
    measures.remove(element)
  }
}
