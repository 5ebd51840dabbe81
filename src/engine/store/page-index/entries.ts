import type { IndexedPage } from '../../../core/search.ts'
import type { Statement } from '../db.ts'
import { indexedText, parted } from './index-text.ts'
import { placeOf, type Place } from './place.ts'
import { scopeOf } from './tokens.ts'

const maxTitle = 500
const maxDescription = 1000

/**
 * Writes pages that the cache holds from the same fetch; for any other nothing is written. Earlier entries of these pages
 * are replaced. Entries come before texts, and texts not from a SELECT: SQLite would else have the full text write out
 * what it gathered after each page, which takes twice the time.
 */
export function entryStatements(pages: readonly IndexedPage[]): Statement[] {
  const found = pages.flatMap(placed)
  return [...found.map(entryOf), ...found.map(textOf), { sql: 'DELETE FROM page_text WHERE rowid = 0' }]
}

/** A page with all that is said of it in the form it is kept in. */
type Placed = IndexedPage & { place: Place }

function placed(page: IndexedPage): Placed[] {
  const place = placeOf(page.url)
  const [title, description] = [oneLine(page.title, maxTitle), oneLine(page.description, maxDescription)]
  return place ? [{ ...page, title, description, place }] : []
}

const entryOf = ({ cacheKey, teamId, url, title, description, fetchedAt, place }: Placed): Statement => ({
  sql: `INSERT INTO page_entry (page_id, team_id, host_key, path, url, title, description, fetched_at)
    SELECT id, ?, ?, ?, ?, ?, ?, fetched_at FROM cache_page WHERE key = ? AND fetched_at = ?
    ON CONFLICT (page_id) DO UPDATE SET title = excluded.title, description = excluded.description`,
  params: [teamId, place.hostKey, place.path, url, title, description, cacheKey, fetchedAt],
})

/** Row 0 is nobody's: what has no page goes there, and is then deleted. */
const textOf = ({
  cacheKey,
  fetchedAt,
  teamId,
  contentType,
  url,
  title,
  description,
  text,
  place,
}: Placed): Statement => ({
  sql: `INSERT OR REPLACE INTO page_text (rowid, scope, url, title, body)
    VALUES (COALESCE((SELECT id FROM cache_page WHERE key = ? AND fetched_at = ?), 0), ?, ?, ?, ?)`,
  params: [
    cacheKey,
    fetchedAt,
    scopeOf(teamId, place, contentType),
    parted(readable(url)),
    parted(title),
    `${parted(description)} ${indexedText(text)}`,
  ],
})

const oneLine = (text: string, most: number) =>
  text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)

/** The words of an address without its scheme, which all have. */
function readable(url: string): string {
  const bare = url.replace(/^[a-z]+:\/\//i, '').slice(0, 2000)
  if (!bare.includes('%')) return bare
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
