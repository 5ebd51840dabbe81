import { sanitiseLine } from '../../util/sanitise-text.ts'

const maxWords = 20
const maxCharacters = 250

/**
 * The words of a query that a model wrote. It has read pages, and one may have told it to search for what another says;
 * operators, addresses, and what looks like a key or a code pass only where the task holds them itself.
 */
export function plainQuery(written: string, task: string): string | undefined {
  const known = new Set(wordsOf(task).map(bare))
  const words = wordsOf(written).filter((word) => known.has(bare(word)) || isPlain(word))
  const query = words.slice(0, maxWords).join(' ').slice(0, maxCharacters).trim()
  return /[\p{L}\p{N}]/u.test(query) ? query : undefined
}

const wordsOf = (text: string) => sanitiseLine(text).split(' ')
const bare = (word: string) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

const longestWord = 30
const longestNumber = 6

/** Words, years, amounts, and short names with a number, such as `B2B` or `GPT-5`. */
function isPlain(word: string): boolean {
  if (word.length > longestWord || /[:/=@\\%_<>{}]/.test(word)) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^\p{L}]/gu, '').length
  return digits <= longestNumber && (digits === 0 || letters + digits <= 8)
}
