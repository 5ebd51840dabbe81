import type { IndexedPage } from '../../../core/search.ts'
import type { Statement } from '../db.ts'
import { indexedText, parted } from './index-text.ts'
import { placeOf } from './place.ts'
import { scopeOf } from './tokens.ts'

const maxTitle = 500
const maxDescription = 1000

/**
 * Writes pages that the cache holds from the same fetch; for any other nothing is written. Earlier entries of these pages
 * are replaced. Entries come before texts, and texts not from a SELECT: SQLite would else have the full text write out
 * what it gathered after each page, which takes twice the time.
 */
export const entryStatements = (pages: readonly IndexedPage[]): Statement[] => [
  ...pages.flatMap(entryOf),
  ...pages.map(textOf),
  { sql: 'DELETE FROM page_text WHERE rowid = 0' },
]

function entryOf({ cacheKey, teamId, url, title, description, fetchedAt }: IndexedPage): Statement[] {
  const place = placeOf(url)
  if (!place) return []
  return [
    {
      sql: `INSERT INTO page_entry (page_id, team_id, host_key, path, url, title, description, fetched_at)
        SELECT id, ?, ?, ?, ?, ?, ?, fetched_at FROM cache_page WHERE key = ? AND fetched_at = ?
        ON CONFLICT (page_id) DO UPDATE SET title = excluded.title, description = excluded.description`,
      params: [
        teamId,
        place.hostKey,
        place.path,
        url,
        oneLine(title, maxTitle),
        oneLine(description, maxDescription),
        cacheKey,
        fetchedAt,
      ],
    },
  ]
}

/** Row 0 is nobody's: what has no page goes there, and is then deleted. */
function textOf(page: IndexedPage): Statement {
  const { cacheKey, url, title, description, text, fetchedAt } = page
  return {
    sql: `INSERT OR REPLACE INTO page_text (rowid, scope, url, title, body)
      VALUES (COALESCE((SELECT page_id FROM page_entry JOIN cache_page ON id = page_id WHERE key = ? AND cache_page.fetched_at = ?), 0), ?, ?, ?, ?)`,
    params: [
      cacheKey,
      fetchedAt,
      scopeOf(page),
      parted(readable(url)),
      parted(oneLine(title, maxTitle)),
      `${parted(oneLine(description, maxDescription))} ${indexedText(text)}`,
    ],
  }
}

const oneLine = (text: string, most: number) =>
  text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)

/** The words of an address without its scheme, which all have. */
function readable(url: string): string {
  const bare = url.replace(/^[a-z]+:\/\//i, '').slice(0, 2000)
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
