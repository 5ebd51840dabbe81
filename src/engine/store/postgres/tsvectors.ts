import type { Statement } from '../sqlite/db/db.ts'
import {
  type FullText,
  type PageWords,
  type Search,
  type Phrase,
  type Wanted,
  phrasesIn,
} from '../sqlite/page-index/full-text.ts'
import { wordsIn } from '../../../util/words.ts'

/** Weight letter per column (postgresql.org/docs/current/datatype-textsearch.html). */
const letters = { title: 'A', body: 'B', url: 'C', scope: 'D' } as const
type Column = keyof typeof letters
/** First position and maximum number of words per column: no phrase spans two columns. */
const places: Readonly<Record<Column, { from: number; room: number }>> = {
  title: { from: 1, room: 400 },
  url: { from: 500, room: 400 },
  scope: { from: 1000, room: 100 },
  body: { from: 1200, room: 15_000 },
}
/** Maximum length of an indexed word in characters; PostgreSQL limits words to 2,046 bytes. */
const maxWord = 200

/**
 * Returns the words of a page as the text of a `tsvector`: `'kitchen':1A,1207B`. PostgreSQL stores at most 256
 * positions of a word.
 */
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

/** Returns the text of a `tsquery`. */
export function queryOf(wanted: Wanted): string {
  if ('words' in wanted) return phraseOf(wanted)
  if ('wanted' in wanted) return `(${queryOf(wanted.wanted)} & !${joined(wanted.never, '|')})`
  return 'all' in wanted ? joined(wanted.all, '&') : joined(wanted.any, '|')
}

const joined = (parts: readonly Wanted[], operator: '&' | '|') => `(${parts.map(queryOf).join(` ${operator} `)})`

/** A phrase without words matches no page. */
function phraseOf({ words, columns, isPrefix }: Phrase): string {
  const within = columns.map((column) => letters[column]).join('')
  const tokens = tokensOf(words)
  if (tokens.length === 0) return quoted(' ')
  return `(${tokens.map((word, at) => `${quoted(word)}:${isPrefix && at === tokens.length - 1 ? '*' : ''}${within}`).join(' <-> ')})`
}

const tokensOf = (text: string): string[] => wordsIn(text).map((word) => word.slice(0, maxWord))

const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`

/** Weights of scope, url, body and title, in the proportions of the full text in SQLite. */
const weights = "'{0, 0.17, 0.33, 1}'"
/** Rank normalization: divides by the logarithm of the document length. */
const byLength = 1
/** Above this number of pages, a word's frequency no longer matters. */
const common = 4000

/**
 * Full text in PostgreSQL, as `tsvector`. Words are tokenized here. PostgreSQL's rank ignores how rare a word is, so
 * each word is ranked separately and weighted by its rarity.
 */
export const tsvectors: FullText = {
  write: (pages) => pages.map(textOf),
  find,
  spread: (expressions, most) => ({
    sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM page_text WHERE words @@ CAST(input.value AS tsquery) LIMIT ?) AS held) AS pages
      FROM json_each(?) AS input ORDER BY input.key`,
    params: [most, JSON.stringify(expressions.map(queryOf))],
  }),
  bytes: "pg_total_relation_size('page_text')",
  // PostgreSQL's own vacuum does this.
  tidy: async () => {},
}

const textOf = (page: PageWords): Statement => ({
  sql: `INSERT INTO page_text (page_id, words)
    SELECT page_id, CAST(? AS tsvector) FROM page_entry JOIN cache_page ON cache_page.id = page_id
    WHERE cache_page.key = ? AND cache_page.fetched_at = ?
    ON CONFLICT (page_id) DO UPDATE SET words = excluded.words`,
  params: [vectorOf(page), page.cacheKey, page.fetchedAt],
})

function find({ wanted, conditions, order, limit, teamId }: Search): Statement {
  const phrases = phrasesIn(wanted).map(queryOf)
  return {
    sql: `WITH phrase AS MATERIALIZED (
        SELECT CAST(value AS tsquery) AS query, ln(1 + ${common} / (1.0 + (SELECT COUNT(*) FROM (
          SELECT 1 FROM page_text WHERE words @@ CAST(value AS tsquery) LIMIT ${common}) AS held))) AS rarity
        FROM json_each(?)
      )
      SELECT entry.page_id, entry.url, entry.title, entry.description, entry.fetched_at,
        -COALESCE((SELECT SUM(rarity * ts_rank(${weights}, hit.words, query, ${byLength})) FROM phrase), 0) AS score
      FROM page_text AS hit JOIN page_entry AS entry ON entry.page_id = hit.page_id
      WHERE hit.words @@ CAST(? AS tsquery) AND entry.team_id = ?${conditions.map(({ sql }) => ` AND ${sql}`).join('')}
      ORDER BY ${order === 'newest first' ? 'entry.fetched_at DESC' : 'score, entry.fetched_at DESC'} LIMIT ?`,
    params: [JSON.stringify(phrases), queryOf(wanted), teamId, ...conditions.flatMap(({ params }) => params), limit],
  }
}
