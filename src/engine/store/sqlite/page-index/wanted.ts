import { partedQuery } from './index-text.ts'

/** The columns of the full text. `scope` holds whose a page is, its hosts and its types, as words. */
export type Column = 'scope' | 'url' | 'title' | 'body'

/** Words that stand in turn in one of some columns. The last one only begins a word where `isPrefix`. */
export type Phrase = { words: string; columns: readonly Column[]; isPrefix: boolean }

/** What a page must hold. Each full text writes it in its own language. */
export type Wanted =
  | Phrase
  | { all: readonly Wanted[] }
  | { any: readonly Wanted[] }
  | { wanted: Wanted; never: readonly Wanted[] }

/** Where words are looked for that were typed without a place. */
export const anywhere: readonly Column[] = ['url', 'title', 'body']
export const inText: readonly Column[] = ['title', 'body']

/** Empty for what holds neither letter nor digit. */
export function phrase(columns: readonly Column[], text: string): Phrase[] {
  const { words, isPrefix } = partedQuery(text)
  return /[\p{L}\p{N}]/u.test(words) ? [{ words, columns, isPrefix }] : []
}

/** One of some, or nothing where there is none to choose from. */
export const anyOf = (parts: readonly Wanted[]): Wanted[] => (parts.length === 0 ? [] : [{ any: parts }])
export const allOf = (parts: readonly Wanted[]): Wanted[] => (parts.length === 0 ? [] : [{ all: parts }])

/** The phrases that count towards how well a page fits: those that it may hold, but for its scope. */
export function phrasesIn(wanted: Wanted): Phrase[] {
  if ('words' in wanted) return wanted.columns.includes('scope') ? [] : [wanted]
  if ('wanted' in wanted) return phrasesIn(wanted.wanted)
  return ('all' in wanted ? wanted.all : wanted.any).flatMap(phrasesIn)
}
