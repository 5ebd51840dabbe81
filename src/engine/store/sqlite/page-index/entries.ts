import type { IndexedPage } from '../../../../contracts/pages/page-index.ts'
import type { Statement } from '../db/db.ts'
import { indexedText, parted } from './index-text.ts'
import { type Place, placeOf } from './place.ts'
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

const maxBatch = 1024
/** A transaction of so much text holds up the database for about 50 ms. */
const maxWeight = 2 ** 21
/** A page in a transaction of its own costs four times what it costs among many. */
const gatheringMs = 1000

type Batch<T> = { items: T[]; weight: number; written: Promise<void>; release(): void }

/**
 * Writes one batch at a time. What comes after a quiet second is written at once, and gathered for a second after that.
 * `put` resolves when its item is written; `idle` has all written that was put before, now. Neither ever fails; what
 * cannot be written is told to `complain`.
 */
export function createWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
  complain: (cause: unknown, items: number) => void,
  weigh: (item: T) => number,
): { put(item: T): Promise<void>; idle(): Promise<void> } {
  let open: Batch<T> | undefined
  let last = Promise.resolve()
  let quietAt = -Infinity
  const flushed = async (items: readonly T[], before: Promise<unknown>) => {
    await before
    if (open?.items === items) open = undefined
    quietAt = performance.now() + gatheringMs
    await write(items).catch((cause: unknown) => complain(cause, items.length))
  }
  const begin = (): Batch<T> => {
    const items: T[] = []
    const { promise: gathered, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(0, quietAt - performance.now()))
    const written = flushed(items, Promise.all([gathered, last]))
    last = written
    const release = () => {
      clearTimeout(timer)
      resolve()
    }
    return { items, weight: 0, written, release }
  }
  return {
    put(item) {
      open ??= begin()
      const { items, written, release } = open
      items.push(item)
      open.weight += weigh(item)
      if (items.length >= maxBatch || open.weight >= maxWeight) {
        release()
        open = undefined
      }
      return written
    },
    idle() {
      open?.release()
      return last
    },
  }
}
