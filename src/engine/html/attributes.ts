import type { AttributeQuery } from '../../core/ports.ts'
import { cleanText } from './hygiene.ts'
import type { ParsedPage } from './parse/parse.ts'
import { select } from './select.ts'
import { absoluteUrl } from './survey.ts'

const addressAttributes = new Set(['href', 'src', 'action', 'poster', 'data-src', 'cite'])

/** The values of an attribute on every element that a selector finds; addresses are absolute. Fails with BAD_REQUEST. */
export function attributesOf(
  page: ParsedPage,
  queries: readonly AttributeQuery[],
  base: string,
): (AttributeQuery & { values: string[] })[] {
  return queries.map(({ selector, attribute }) => {
    const values = select(page.document, selector, 'attributes').flatMap((element) => {
      const value = element.getAttribute(attribute)
      return value === null ? [] : cleanText(value)
    })
    const isAddress = addressAttributes.has(attribute.toLowerCase())
    return {
      selector,
      attribute,
      values: isAddress ? values.map((value) => absoluteUrl(value, base) ?? value) : values,
    }
  })
}
