import type { Db, Statement } from '../db/db.ts'
import type { FullText, PageWords, Search } from './full-text.ts'
import type { Wanted } from './wanted.ts'

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
