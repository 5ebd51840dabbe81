import type { Condition, Db, Statement } from '../db/db.ts'
import type { Wanted } from './wanted.ts'

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
