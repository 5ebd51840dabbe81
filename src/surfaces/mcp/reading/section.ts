import { distance } from '../../../util/closest.ts'
import { plainLine } from '../../../util/plain-markdown.ts'
import { wordsIn } from '../../../util/words.ts'
import { type Heading, nameOf } from './outline.ts'

export type Chosen =
  /** `others` are further headings that the name fits as well. */
  { heading: Heading; others: readonly Heading[] } | { nearest: readonly Heading[] }

const pathMark = /\s+[>›»]\s+/

/**
 * The heading meant by a name: its title, or the end of its path (`Install > Linux`), without regard to case, marks and
 * punctuation; or the only title that holds the name. Otherwise the three nearest.
 */
export function sectionNamed(headings: readonly Heading[], name: string): Chosen {
  const sought = folded(plainLine(name))
  const [first, ...others] = headings.filter(({ title }) => folded(title) === sought)
  if (first) return { heading: first, others }
  const [byPath, ...morePaths] = headings.filter((heading) => isPathOf(heading, name))
  if (byPath) return { heading: byPath, others: morePaths }
  const holding = sought === '' ? [] : headings.filter(({ title }) => folded(title).includes(sought))
  const [only] = holding
  if (only && holding.length === 1) return { heading: only, others: [] }
  return { nearest: holding.length > 1 ? holding.slice(0, 3) : nearest(headings, name) }
}

function isPathOf(heading: Heading, name: string): boolean {
  const steps = name.split(pathMark).map((step) => folded(plainLine(step)))
  if (steps.length < 2 || steps.at(-1) !== folded(heading.title)) return false
  const above = heading.above.map(folded)
  let from = 0
  return steps.slice(0, -1).every((step) => {
    const at = above.indexOf(step, from)
    from = at + 1
    return at !== -1
  })
}

/** Signs count where there is nothing else: `C++` is not `C`. */
function folded(text: string): string {
  const lower = text.toLowerCase().normalize('NFKC')
  const words = lower
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
    .trim()
  return words === '' ? lower.trim() : words
}

/** Comparing letters takes time, and no one looks for the ten thousandth heading by a wrong name. */
const mostCompared = 3000
const longestTitle = 80

function nearest(headings: readonly Heading[], name: string): Heading[] {
  const sought = name.toLowerCase().slice(0, longestTitle)
  const words = new Set(wordsIn(name.slice(0, 500)))
  const ranked = headings.slice(0, mostCompared).map((heading) => ({
    heading,
    shared: new Set(wordsIn(nameOf(heading).slice(-500)).filter((word) => words.has(word))).size,
    far: distance(sought, heading.title.toLowerCase().slice(0, longestTitle)),
  }))
  ranked.sort((one, other) => other.shared - one.shared || one.far - other.far)
  return ranked.slice(0, 3).map(({ heading }) => heading)
}
