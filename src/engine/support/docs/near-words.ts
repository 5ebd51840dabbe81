import { distance } from '../../../util/closest.ts'

/** Shorter ends of words are the ends of too many. */
const leastPart = 4
/** Shorter words are too near to others. */
const leastMistyped = 6

/**
 * The words of the documentation that a word which it does not have may be a form of: the longest one that the word ends or
 * begins with (`ebook`), else those that differ in one letter, or in the order of two.
 */
export function nearWords(word: string, known: Iterable<string>): string[] {
  let longest = ''
  const mistyped: string[] = []
  for (const each of known) {
    const isPart = each.length >= leastPart && (word.endsWith(each) || word.startsWith(each))
    if (isPart && each.length > longest.length) longest = each
    if (isOneOff(word, each)) mistyped.push(each)
  }
  if (longest.length * 2 > word.length) return [longest]
  return mistyped
}

const isOneOff = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= leastMistyped &&
  Math.abs(one.length - other.length) <= 1 &&
  distance(one, other) === 1
