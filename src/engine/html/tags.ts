import type { ContentOptions } from '../../core/ports.ts'
import { type Element, visit } from './dom.ts'
import { select } from './select.ts'

/** Removes what the caller excludes, then keeps only what the caller includes: outermost matches in document order. Fails with BAD_REQUEST. */
export function applyTags(body: Element, options: Pick<ContentOptions, 'includeTags' | 'excludeTags'>): void {
  for (const selector of options.excludeTags)
    for (const element of select(body, selector, 'excludeTags')) element.remove()
  if (options.includeTags.length === 0) return
  const top = body.parentNode ?? body
  const wanted = new Set(options.includeTags.flatMap((selector) => select(top, selector, 'includeTags')))
  if (wanted.has(body)) return
  const kept = outermost(body, wanted)
  for (const child of body.childNodes) child.remove()
  for (const element of kept) body.append(element)
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
