import type { Condition, Db, Statement } from '../db/db.ts'
import { partedQuery } from './index-text.ts'

/** The columns of the full text. `scope` holds whose a page is, its hosts and its types, as words. */
type Column = 'scope' | 'url' | 'title' | 'body'

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

/** What the full text holds of a page; script without spaces is parted into words already. */
export type PageWords = {
  /** The page in the cache. One that is not there, or is of another fetch, gets no text. */
  cacheKey: string
  fetchedAt: number
  scope: string
  url: string
  title: string
  body: string
}
export type Search = {
  wanted: Wanted
  /** About the columns of `entry`; all must hold. */
  conditions: readonly Condition[]
  order: 'best first' | 'newest first'
  limit: number
  teamId: string
}

/**
 * The full text of a database. Pages are rows of `page_entry` (`entry` in conditions); their text leaves with them.
 */
export type FullText = {
  /** What writes the text of some pages, replacing what they had. Their entries were written before, in the same transaction. */
  write(pages: readonly PageWords[]): Statement[]
  /** Pages of a team with `score`, the least the best: `page_id`, `url`, `title`, `description`, `fetched_at`. */
  find(search: Search): Statement
  /** A row `pages` for each of some expressions, in their order: how many pages match it, counted up to `most`. */
  spread(expressions: readonly Wanted[], most: number): Statement
  /** An expression: bytes that it takes. */
  bytes: string
  /** Gives back what deleted pages took, as far as the database does not by itself. */
  tidy(db: Db): Promise<void>
}

/** Weights of scope, url, title and body: measured on collections with known answers. */
const rank = 'bm25(page_text, 0.0, 0.5, 3.0, 1.0)'
const entryColumns = 'entry.page_id, entry.url, entry.title, entry.description, entry.fetched_at'

/** The full text of SQLite: FTS5 (sqlite.org/fts5.html). */
export const fts5: FullText = {
  write: (pages) => [...pages.map(textOf), { sql: 'DELETE FROM page_text WHERE rowid = 0' }],
  find,
  spread: (expressions, most) => ({
    sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM page_text WHERE page_text MATCH asked.value LIMIT ?)) AS pages
      FROM json_each(?) AS asked ORDER BY asked.key`,
    params: [most, JSON.stringify(expressions.map(expressionOf))],
  }),
  bytes: '(SELECT COALESCE(SUM(LENGTH(block)), 0) FROM page_text_data)',
  tidy,
}

/**
 * Not from a SELECT: SQLite would else have the full text write out what it gathered after each page, which takes twice the
 * time. Row 0 is nobody's: what has no page goes there, and is then deleted.
 */
const textOf = ({ cacheKey, fetchedAt, scope, url, title, body }: PageWords): Statement => ({
  sql: `INSERT OR REPLACE INTO page_text (rowid, scope, url, title, body)
    VALUES (COALESCE((SELECT id FROM cache_page WHERE key = ? AND fetched_at = ?), 0), ?, ?, ?, ?)`,
  params: [cacheKey, fetchedAt, scope, url, title, body],
})

/**
 * Whatever was matched, an entry is only answered to its team. CROSS JOIN keeps the order in which tables are looked up:
 * SQLite would else walk through all entries of the team, for fear that more were matched.
 */
function find({ wanted, conditions, order, limit, teamId }: Search): Statement {
  const expression = expressionOf(wanted)
  if (conditions.length === 0 && order === 'best first')
    return {
      sql: `SELECT ${entryColumns}, hit.score FROM (
        SELECT rowid AS page_id, ${rank} AS score FROM page_text WHERE page_text MATCH ? ORDER BY score LIMIT ?
      ) AS hit CROSS JOIN page_entry AS entry ON entry.page_id = hit.page_id
      WHERE entry.team_id = ? ORDER BY hit.score, entry.fetched_at DESC`,
      params: [expression, limit, teamId],
    }
  const further = conditions.map(({ sql }) => ` AND ${sql}`).join('')
  return {
    sql: `SELECT ${entryColumns}, ${rank} AS score FROM page_text CROSS JOIN page_entry AS entry ON entry.page_id = page_text.rowid
      WHERE page_text MATCH ? AND entry.team_id = ?${further}
      ORDER BY ${order === 'newest first' ? 'entry.fetched_at DESC' : 'score, entry.fetched_at DESC'} LIMIT ?`,
    params: [expression, teamId, ...conditions.flatMap(({ params }) => params), limit],
  }
}

/** Nothing that was typed can be read as syntax: all of it is quoted, and holds no quotes. */
function expressionOf(wanted: Wanted): string {
  if ('words' in wanted) {
    const { words, columns: within, isPrefix } = wanted
    const place = within.length === 1 ? within[0] : `{${within.join(' ')}}`
    return `${place} : "${words.replaceAll(/["\0]/g, ' ')}"${isPrefix ? ' *' : ''}`
  }
  if ('wanted' in wanted) return `(${expressionOf(wanted.wanted)}) NOT (${wanted.never.map(expressionOf).join(' OR ')})`
  return 'all' in wanted ? joined(wanted.all, 'AND') : joined(wanted.any, 'OR')
}

const joined = (parts: readonly Wanted[], operator: 'AND' | 'OR') =>
  `(${parts.map(expressionOf).join(` ${operator} `)})`

/** Pages of the full text that one merge writes; a merge that writes less had nothing to do. */
const mergedPages = 500
const maxMerges = 200

async function tidy(db: Db): Promise<void> {
  for (let merges = 0; merges < maxMerges; merges++) {
    const written = await db.run(
      `INSERT INTO page_text (page_text, rank) VALUES ('merge', ${merges === 0 ? -mergedPages : mergedPages})`,
    )
    if (written < 2) break
  }
  while (await db.compact());
}
