import type { Condition, Db, Statement } from '../db/db.ts'
import { segmentedQuery } from './index-text.ts'

/** Columns of the full text. `scope` contains tokens for the team, hosts and types of a page. */
type Column = 'scope' | 'url' | 'title' | 'body'

/** Consecutive words in one of some columns. With `isPrefix`, the last one is a prefix. */
export type Phrase = { words: string; columns: readonly Column[]; isPrefix: boolean }

/** Search condition. Each full-text engine translates it to its own query language. */
export type Wanted =
  | Phrase
  | { all: readonly Wanted[] }
  | { any: readonly Wanted[] }
  | { wanted: Wanted; never: readonly Wanted[] }

/** Columns searched for words without an operator. */
export const anywhere: readonly Column[] = ['url', 'title', 'body']
export const inText: readonly Column[] = ['title', 'body']

/** Returns a phrase; empty if the text has neither letters nor digits. */
export function phrase(columns: readonly Column[], text: string): Phrase[] {
  const { words, isPrefix } = segmentedQuery(text)
  return /[\p{L}\p{N}]/u.test(words) ? [{ words, columns, isPrefix }] : []
}

/** Returns a condition that matches any part; empty without parts. */
export const anyOf = (parts: readonly Wanted[]): Wanted[] => (parts.length === 0 ? [] : [{ any: parts }])
export const allOf = (parts: readonly Wanted[]): Wanted[] => (parts.length === 0 ? [] : [{ all: parts }])

/** Returns the phrases that affect the rank of a page: all positive ones except those on `scope`. */
export function phrasesIn(wanted: Wanted): Phrase[] {
  if ('words' in wanted) return wanted.columns.includes('scope') ? [] : [wanted]
  if ('wanted' in wanted) return phrasesIn(wanted.wanted)
  return ('all' in wanted ? wanted.all : wanted.any).flatMap(phrasesIn)
}

/** Indexed text of a page; scripts without spaces are already split into words. */
export type PageWords = {
  /** Key of the cached page. If it is missing, or from another fetch, no text is written. */
  cacheKey: string
  fetchedAt: number
  scope: string
  url: string
  title: string
  body: string
}
export type Search = {
  wanted: Wanted
  /** Conditions on the columns of `entry`; all must be true. */
  conditions: readonly Condition[]
  order: 'best first' | 'newest first'
  limit: number
  teamId: string
}

/**
 * Full-text engine of a database. Pages are rows of `page_entry` (`entry` in conditions); their text is deleted with
 * them.
 */
export type FullText = {
  /**
   * Returns statements that write or replace the text of pages. Their entries are written earlier in the same
   * transaction.
   */
  write(pages: readonly PageWords[]): Statement[]
  /** Returns pages of a team with `score`, lowest is best: `page_id`, `url`, `title`, `description`, `fetched_at`. */
  find(search: Search): Statement
  /** Returns one row `pages` per expression, in order: the number of matching pages, counted up to `most`. */
  spread(expressions: readonly Wanted[], most: number): Statement
  /** SQL expression for the size in bytes. */
  bytes: string
  /** Frees the space of deleted pages, if the database does not do this itself. */
  tidy(db: Db): Promise<void>
}

/** Weights of scope, url, title and body, measured on collections with known answers. */
const rank = 'bm25(page_text, 0.0, 0.5, 3.0, 1.0)'
const entryColumns = 'entry.page_id, entry.url, entry.title, entry.description, entry.fetched_at'

/** Full text in SQLite: FTS5 (sqlite.org/fts5.html). */
export const fts5: FullText = {
  write: (pages) => [...pages.map(textOf), { sql: 'DELETE FROM page_text WHERE rowid = 0' }],
  find,
  spread: (expressions, most) => ({
    sql: `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM page_text WHERE page_text MATCH input.value LIMIT ?)) AS pages
      FROM json_each(?) AS input ORDER BY input.key`,
    params: [most, JSON.stringify(expressions.map(expressionOf))],
  }),
  bytes: '(SELECT COALESCE(SUM(LENGTH(block)), 0) FROM page_text_data)',
  tidy,
}

/**
 * Not written from a SELECT: SQLite would then flush the full text after each page, which takes twice as long. Row 0 is
 * a dummy for text without a page, deleted afterwards.
 */
const textOf = ({ cacheKey, fetchedAt, scope, url, title, body }: PageWords): Statement => ({
  sql: `INSERT OR REPLACE INTO page_text (rowid, scope, url, title, body)
    VALUES (COALESCE((SELECT id FROM cache_page WHERE key = ? AND fetched_at = ?), 0), ?, ?, ?, ?)`,
  params: [cacheKey, fetchedAt, scope, url, title, body],
})

/**
 * Finds entries of the team only. CROSS JOIN fixes the join order: otherwise SQLite would scan all entries of the team.
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

/** Builds the FTS5 expression. User input is always quoted, with quotes removed, so it cannot contain syntax. */
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

/** Number of full-text pages per merge; a merge that writes fewer than two rows had nothing to do. */
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
