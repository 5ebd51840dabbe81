import { wordsIn } from '../../../../util/words.ts'
import type { PageWords } from '../../sqlite/page-index/full-text.ts'
import type { Phrase, Wanted } from '../../sqlite/page-index/wanted.ts'

/** The column of a word is its weight (postgresql.org/docs/current/datatype-textsearch.html). */
const letters = { title: 'A', body: 'B', url: 'C', scope: 'D' } as const
type Column = keyof typeof letters
/** The first position of each column, and how many words it has room for: no phrase goes from one column to the next. */
const places: Readonly<Record<Column, { from: number; room: number }>> = {
  title: { from: 1, room: 400 },
  url: { from: 500, room: 400 },
  scope: { from: 1000, room: 100 },
  body: { from: 1200, room: 15_000 },
}
/** A word may take 2,046 bytes; what is longer is no word that anybody looks for. */
const maxWord = 200

/** The words of a page as the text of a `tsvector`: `'kitchen':1A,1207B`. A word in a column counts up to 256 times. */
export function vectorOf(page: PageWords): string {
  const found = new Map<string, string[]>()
  for (const column of Object.keys(places) as Column[]) {
    const { from, room } = places[column]
    for (const [at, word] of tokensOf(page[column]).slice(0, room).entries()) {
      const positions = found.get(word) ?? []
      if (positions.length === 0) found.set(word, positions)
      positions.push(`${from + at}${letters[column]}`)
    }
  }
  return [...found].map(([word, positions]) => `${quoted(word)}:${positions.join(',')}`).join(' ')
}

/** The text of a `tsquery`. */
export function queryOf(wanted: Wanted): string {
  if ('words' in wanted) return phraseOf(wanted)
  if ('wanted' in wanted) return `(${queryOf(wanted.wanted)} & !${joined(wanted.never, '|')})`
  return 'all' in wanted ? joined(wanted.all, '&') : joined(wanted.any, '|')
}

const joined = (parts: readonly Wanted[], operator: '&' | '|') => `(${parts.map(queryOf).join(` ${operator} `)})`

/** What has no word is in no page. */
function phraseOf({ words, columns, isPrefix }: Phrase): string {
  const within = columns.map((column) => letters[column]).join('')
  const tokens = tokensOf(words)
  if (tokens.length === 0) return quoted(' ')
  return `(${tokens.map((word, at) => `${quoted(word)}:${isPrefix && at === tokens.length - 1 ? '*' : ''}${within}`).join(' <-> ')})`
}

const tokensOf = (text: string): string[] => wordsIn(text).map((word) => word.slice(0, maxWord))

const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`
