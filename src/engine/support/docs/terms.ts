import { stemOf, stopWords, wordsIn } from '../../../util/words.ts'
import { formsOfWords } from './vocabulary.ts'

const runs = /[\p{L}\p{N}]+(?:[_'’][\p{L}\p{N}]+)*/gu

/**
 * The telling words of a text as stems. Names such as `maxAge`, `SearXNG` and `SCRAPE_TIMEOUT` are words as a whole
 * besides those that they are made of, since people write them either way.
 */
export function termsOf(text: string): string[] {
  return text.match(runs)?.flatMap(termsIn) ?? []
}

/** `termsOf` for many texts, which have most of their words in common: each is looked at once. */
export function termsOfMany(): (text: string) => string[] {
  const known = new Map<string, string[]>()
  const termsOnce = (run: string) => {
    const terms = known.get(run) ?? termsIn(run)
    known.set(run, terms)
    return terms
  }
  return (text) => text.match(runs)?.flatMap(termsOnce) ?? []
}

function termsIn(run: string): string[] {
  const lower = run.toLowerCase()
  if (stopWords.has(lower.replace(/['’].*/u, ''))) return []
  const parts = wordsIn(run.replaceAll('_', ' ')).map((part) => formsOfWords.get(part) ?? part)
  return parts.length > 1 ? [...parts, stemOf(lower.replace(/[_'’]/gu, ''))] : parts
}
