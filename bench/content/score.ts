import type { LabelledPage } from './page-set.ts'
import { plainText } from './plain-text.ts'

/** Comparison of an answer with the main content of its page. */
export type Score = {
  precision: number
  recall: number
  f1: number
  isEmpty: boolean
  /** Number of main content snippets in the answer, and in total. */
  found: number
  wanted: number
  /** Number of snippets from outside the main content in the answer, and in total. */
  leaked: number
  unwanted: number
}

/** Compares words as lower-case multisets, the measure of WCXB, and snippets regardless of white space and case. */
export function scoreOf(markdown: string, page: LabelledPage): Score {
  const text = plainText(markdown)
  const flat = flattened(text)
  const count = (snippets: readonly string[]) => snippets.filter((each) => flat.includes(flattened(each))).length
  return {
    ...compared(wordsOf(text), wordsOf(page.truth)),
    isEmpty: text.trim() === '',
    found: count(page.with),
    wanted: page.with.length,
    leaked: count(page.without),
    unwanted: page.without.length,
  }
}

function compared(answer: readonly string[], truth: readonly string[]): Pick<Score, 'precision' | 'recall' | 'f1'> {
  if (answer.length === 0 || truth.length === 0) {
    const same = answer.length === truth.length ? 1 : 0
    return { precision: same, recall: same, f1: same }
  }
  const given = countsOf(answer)
  let shared = 0
  for (const [word, count] of countsOf(truth)) shared += Math.min(count, given.get(word) ?? 0)
  const [precision, recall] = [shared / answer.length, shared / truth.length]
  return { precision, recall, f1: (2 * shared) / (answer.length + truth.length) }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const flattened = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
