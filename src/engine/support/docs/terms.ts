import { stopWords } from '../../../util/stop-words.ts'
import { stemOf, wordsIn } from '../../../util/words.ts'
import { formsOfWords } from './vocabulary.ts'

const runs = /[\p{L}\p{N}]+(?:[_'’][\p{L}\p{N}]+)*/gu

/**
 * The telling words of a text as stems. Names such as `maxAge`, `SearXNG` and `SCRAPE_TIMEOUT` are words as a whole
 * besides those that they are made of, since people write them either way.
 */
export function termsOf(text: string): string[] {
  return Array.from(text.matchAll(runs), ([run]) => run).flatMap((run) => {
    const lower = run.toLowerCase()
    if (stopWords.has(lower.replace(/['’].*/u, ''))) return []
    const parts = wordsIn(run.replaceAll('_', ' ')).map((part) => formsOfWords.get(part) ?? part)
    return parts.length > 1 ? [...parts, stemOf(lower.replace(/[_'’]/gu, ''))] : parts
  })
}
