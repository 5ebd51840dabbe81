import type { Element } from '../dom/dom.ts'
import type { Measure, Measures } from '../main-content/measure.ts'
import { namesTitle, wordsOf } from './byline.ts'
import type { Post } from './posts.ts'

/** Smaller blocks before the first post and after the last are controls; larger ones have to look like text to stay. */
const maxControlText = 200
const maxLinkShare = 0.3

/** Removes what stands before the first post and after the last: controls, prompts to log in, other threads. The title stays. */
export function trimThread(posts: readonly Post[], body: Element, measures: Measures): void {
  const [first, last] = [posts[0], posts.at(-1)]
  if (!first || !last) return
  for (const block of siblingsUp(first.whole, body, 'previousSibling', posts))
    if (!opensThread(block, measures)) measures.remove(block)
  for (const block of siblingsUp(last.whole, body, 'nextSibling', posts))
    if (isAside(measures.of(block)) && measures.of(block).h1 === 0) measures.remove(block)
}

/** Siblings of an element and of its ancestors, on one side, that hold none of the posts. */
function siblingsUp(
  from: Element,
  body: Element,
  side: 'previousSibling' | 'nextSibling',
  posts: readonly Post[],
): Element[] {
  const found: Element[] = []
  for (let at = from; at !== body && at.parentNode; at = at.parentNode)
    for (let next = at[side]; next; next = next[side]) {
      const block = next.nodeType === 1 ? (next as Element) : undefined
      if (block && !posts.some(({ text }) => block.contains(text))) found.push(block)
    }
  return found
}

function opensThread(block: Element, measures: Measures): boolean {
  const figures = measures.of(block)
  return figures.headings > 0 || namesTitle(wordsOf(block)) || !isAside(figures)
}

function isAside({ text, linkText }: Measure): boolean {
  return text < maxControlText || linkText > maxLinkShare * text
}
