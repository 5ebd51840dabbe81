import { type Element, oneLine, visit } from '../dom.ts'
import type { Measures } from './measure.ts'

const box = /^(?:div|section|article|ul|ol|li|figure)$/
/** Shorter texts are repeated by people; longer ones by templates: cloned slides, a copy for phones and one for desks. */
const minText = 80
const maxText = 20_000
/** Boxes nest, so their texts add up to more than the page; a page that exceeds this is too odd to be worth it. */
const maxRead = 5_000_000

/** Removes boxes whose whole text stands in an earlier box. */
export function dropRepeats(root: Element, measures: Measures): void {
  const seen = new Map<string, Element>()
  let read = 0
  visit(root, (element) => {
    const { text, pre } = measures.of(element)
    if (pre > 0 || text < minText || text > maxText || read > maxRead || !box.test(element.localName)) return undefined
    read += text
    const words = oneLine(element.textContent)
    const earlier = seen.get(words)
    if (earlier && !earlier.contains(element)) {
      measures.remove(element)
      return 'skip'
    }
    seen.set(words, element)
    return undefined
  })
}
