import { fail } from '../../../kernel/error.ts'
import { type Element, elementsIn, visit } from '../dom/dom-tree.ts'
import { matching } from '../dom/element-index.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import type { AttributeQuery, ContentOptions } from '../../../contracts/page-content.ts'

const addressAttributes = new Set(['href', 'src', 'action', 'poster', 'data-src', 'cite'])

/**
 * Returns the values of an attribute on every element that matches a selector; URLs are absolute. Throws BAD_REQUEST
 * for an invalid selector.
 */
export function attributesOf(
  page: ParsedPage,
  queries: readonly AttributeQuery[],
  base: string,
): (AttributeQuery & { values: string[] })[] {
  const { root } = page
  const all = queries.length > 0 ? [root, ...elementsIn(root)] : []
  return queries.map(({ selector, attribute }) => {
    const values = select(all, root, selector, 'attributes').flatMap((element) => {
      const value = element.getAttribute(attribute.toLowerCase())
      return value === null ? [] : sanitiseText(value)
    })
    const isAddress = addressAttributes.has(attribute.toLowerCase())
    return {
      selector,
      attribute,
      values: isAddress ? values.map((value) => absoluteUrl(value, base) ?? value) : values,
    }
  })
}

/** Option that contains the selector, for the error message. */
type SelectorOption = 'includeTags' | 'excludeTags' | 'attributes'

/**
 * Returns the elements in `root` that match a CSS selector, or `*word*`: a tag name or attribute that contains the
 * word, in any case.
 */
function select(elements: readonly Element[], root: Element, selector: string, place: SelectorOption): Element[] {
  const word = /^\*([^*]+)\*$/.exec(selector.trim())?.[1]
  if (word) return elements.filter(holdsWord(word.toLowerCase()))
  try {
    return matching(elements, selector, root)
  } catch (cause) {
    return fail('BAD_REQUEST', {
      message: `${place} holds a selector that is not valid CSS: ${selector}`,
      details: [{ path: [place], selector }],
      cause,
    })
  }
}

function holdsWord(word: string): (element: Element) => boolean {
  return (element) =>
    element.localName.includes(word) ||
    element
      .getAttributeNames()
      .some((name) => `${name}="${element.getAttribute(name) ?? ''}"`.toLowerCase().includes(word))
}

/**
 * Removes excluded elements, then everything but the included ones. Returns the outermost included elements in document
 * order. Throws BAD_REQUEST for an invalid selector.
 */
export function applyTags(body: Element, options: Pick<ContentOptions, 'includeTags' | 'excludeTags'>): Element[] {
  for (const selector of options.excludeTags)
    for (const element of select(elementsIn(body), body, selector, 'excludeTags')) element.remove()
  if (options.includeTags.length === 0) return []
  const top = body.parentNode ?? body
  const all = elementsIn(top)
  const wanted = new Set(options.includeTags.flatMap((selector) => select(all, top, selector, 'includeTags')))
  if (wanted.has(body)) return []
  const kept = outermost(body, wanted)
  for (const child of body.childNodes) child.remove()
  for (const element of kept) body.append(element)
  return kept
}

function outermost(body: Element, wanted: ReadonlySet<Element>): Element[] {
  const found: Element[] = []
  visit(body, (element) => {
    if (!wanted.has(element)) return undefined
    found.push(element)
    return 'skip'
  })
  return found
}
