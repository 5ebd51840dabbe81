import type { Fields } from './gold.ts'

/** Number of pages that have a field, that were answered, and answered correctly. */
export type Tally = { wanted: number; given: number; right: number }

export const precision = ({ given, right }: Tally): number => right / given
export const recall = ({ wanted, right }: Tally): number => right / wanted

const same: Record<string, (given: unknown, truth: string) => boolean> = {
  price: (given, truth) => Math.abs(amountOf(given) - amountOf(truth)) < 0.011,
  date: (given, truth) => String(given).slice(0, 10) === truth,
}

/**
 * True if two texts have the same letters and digits, or one contains the other: pages add the site to a title, or a
 * degree to a name. Case, accents, punctuation, trademark signs and spaces are ignored.
 */
function sameText(given: unknown, truth: string): boolean {
  const [one, other] = [plain(String(given)), plain(truth)]
  if (one === '' || other === '') return false
  return one === other || (one.length > 5 && other.length > 5 && (one.includes(other) || other.includes(one)))
}

const plain = (text: string) => wordsOf(text.replace(/[™®©℠]/gu, '')).join('')
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .match(/[\p{L}\p{N}]+/gu) ?? []
const amountOf = (value: unknown) => Number(String(value).replace(/,/g, ''))

/** Adds one page to the tallies of its fields; returns those that are not right. */
export function countFields(tallies: Map<string, Tally>, gold: Fields, given: Record<string, unknown>): string[] {
  const missed: string[] = []
  for (const [name, truths] of Object.entries(gold)) {
    const tally = tallies.get(name) ?? { wanted: 0, given: 0, right: 0 }
    const value = given[name]
    const isGiven = value !== undefined && value !== ''
    const isRight = isGiven && truths.some((truth) => (same[name] ?? sameText)(value, truth))
    tallies.set(name, {
      wanted: tally.wanted + 1,
      given: tally.given + Number(isGiven),
      right: tally.right + Number(isRight),
    })
    if (!isRight) missed.push(name)
  }
  return missed
}

/** Words of an answer that are in the truth, and of the truth that are in the answer. */
export function overlap(answer: string, truth: string): { precision: number; recall: number } {
  const [given, wanted] = [wordsOf(answer), wordsOf(truth)]
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  const shared = given.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  }).length
  return { precision: given.length > 0 ? shared / given.length : 0, recall: shared / Math.max(1, wanted.length) }
}
