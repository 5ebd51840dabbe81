import type { DocsHit } from '../../../contracts/documentation.ts'
import { passageOf } from '../docs/passage.ts'

/** Of the question's telling words, what a page must hold to answer it here. */
const leastCoverage = 0.6
const sureCoverage = 0.85

export type Told = { says: string; source: string; isSure: boolean }

/** What the documentation says to a question, with its source; undefined where it does not cover it. */
export function fromDocs(hits: readonly DocsHit[], question: string): Told | undefined {
  const [best] = hits
  if (!best || best.coverage < leastCoverage) return undefined
  const { section, coverage } = best
  const says = passageOf(section.text, question)
  if (says === '') return undefined
  const source = `${section.path}#L${section.firstLine}-L${section.lastLine}`
  return { says, source: `${source} (${section.headings.join(' > ')})`, isSure: coverage >= sureCoverage }
}
