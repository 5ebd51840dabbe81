import { hash } from 'node:crypto'
import type { FoundPage, Skipped } from '../../../../contracts/crawl-ports.ts'
import type { Condition, Statement } from '../db/db.ts'
import { pageState } from './results.ts'

export const hashKey = (key: string): Uint8Array => hash('sha256', key, 'buffer').subarray(0, 16)

/** Pages per statement: large enough to keep the cost per page low, small enough not to delay other calls. */
export const slice = 1000
/**
 * Once a crawl has this many skipped URLs, duplicates and URLs over the limit are no longer stored: a site with endless
 * links must not fill the disk.
 */
const maxSkipped = 100_000

/**
 * Number of further pages to store. More than the limit, because some URLs turn out not to be pages, but not the whole
 * of a huge site.
 */
const room = `(SELECT max(0, page_limit * 2 + 100 - waiting - active - done - failed) FROM crawl
  WHERE id = ? AND status = 'scraping')`

/** SQL condition; the records of a finished crawl are not changed. */
const isRunning = "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'scraping')"

/** Number of statements per slice. The change count of the first is the number of new pages. */
export const statementsPerSlice = 3

/** Adds new pages, lowers the depth of waiting ones, and records why the other URLs are not pages of the crawl. */
export const insertPages = (crawlId: string, pages: readonly FoundPage[]): Statement[] =>
  [...slicesOf(pages)].flatMap((some) => sliceOf(crawlId, some))

/**
 * Inserts the first pages of a crawl, or pages added to a batch, in slices. Given pages all have unique keys, so no
 * depth is lowered and no duplicates are skipped.
 */
export function* insertFirstPages(crawlId: string, pages: Iterable<FoundPage>): Generator<Statement[]> {
  for (const some of slicesOf(pages))
    yield some.every(({ source }) => source === 'given')
      ? [insertNew(crawlId, JSON.stringify(some.map(withId)))]
      : sliceOf(crawlId, some)
}

/** Inserts given pages while the condition holds. No limit applies, because no links have been found yet. */
export function* givenSlices(
  crawlId: string,
  pages: Iterable<FoundPage>,
  { sql, params }: Condition,
): Generator<Statement> {
  for (const some of slicesOf(pages))
    yield {
      sql: insertNewSql(`(SELECT ${slice} WHERE ${sql})`),
      params: [crawlId, JSON.stringify(some.map(withId)), crawlId, ...params],
    }
}

function* slicesOf(pages: Iterable<FoundPage>): Generator<HashedPage[]> {
  let some: HashedPage[] = []
  for (const page of pages) {
    some.push({ ...page, keyHash: Buffer.from(hashKey(page.key)).toString('hex') })
    if (some.length < slice) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

type HashedPage = FoundPage & { keyHash: string }
const withId = <T extends object>(page: T) => ({ ...page, id: crypto.randomUUID() })

const insertNew = (crawlId: string, pages: string): Statement => ({
  sql: insertNewSql(room),
  params: [crawlId, pages, crawlId, crawlId],
})

/** @param most SQL for the maximum number of new pages; null counts as 0 */
const insertNewSql = (
  most: string,
) => `INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, turn, source, state)
  SELECT value ->> 'id', ?, unhex(value ->> 'keyHash'), value ->> 'url', value ->> 'host',
    CAST(value ->> 'depth' AS INTEGER), coalesce(CAST(value ->> 'turn' AS INTEGER), 0), value ->> 'source', ${pageState.waiting} FROM json_each(?) WHERE NOT EXISTS
    (SELECT 1 FROM crawl_page WHERE crawl_id = ? AND key_hash = unhex(value ->> 'keyHash'))
  ORDER BY key LIMIT coalesce(${most}, 0)`

/** Passes pages as one JSON text: a hundred thousand single statements would take half a minute. */
function sliceOf(crawlId: string, pages: readonly HashedPage[]): Statement[] {
  const unique = JSON.stringify(withLeastDepth(pages).map(withId))
  const found = JSON.stringify(pages.map(({ url, keyHash }) => ({ url, keyHash })))
  return [
    insertNew(crawlId, unique),
    {
      // CROSS JOIN: the planner would otherwise scan all pages of the crawl for each new one.
      sql: `WITH nearer AS MATERIALIZED (
          SELECT seq, depth, source, CAST(found.value ->> 'depth' AS INTEGER) AS new_depth, found.value ->> 'source' AS new_source
          FROM json_each(?) AS found CROSS JOIN crawl_page ON crawl_id = ? AND key_hash = unhex(found.value ->> 'keyHash')
          WHERE +state = ${pageState.waiting})
        UPDATE crawl_page SET depth = min(nearer.depth, new_depth),
          source = CASE WHEN nearer.source = 'sitemap' THEN new_source ELSE nearer.source END
        FROM nearer WHERE crawl_page.seq = nearer.seq
          AND (nearer.depth > new_depth OR (nearer.source = 'sitemap' AND new_source = 'link'))`,
      params: [unique, crawlId],
    },
    {
      sql: `INSERT INTO crawl_skip (crawl_id, url, reason)
        SELECT ?, one.value ->> 'url', CASE WHEN known.url IS NULL THEN 'limit' ELSE 'duplicate' END
        FROM json_each(?) AS one LEFT JOIN crawl_page AS known
          ON known.crawl_id = ? AND known.key_hash = unhex(one.value ->> 'keyHash')
        WHERE (known.url IS NULL OR known.url <> one.value ->> 'url' OR known.state = ${pageState.redirectTarget})
          AND (SELECT count(*) FROM crawl_skip WHERE crawl_id = ?) < ${maxSkipped} AND ${isRunning}
        ON CONFLICT DO NOTHING`,
      params: [crawlId, found, crawlId, crawlId, crawlId],
    },
  ]
}

/** Returns each page once, as first found, with its smallest depth. */
function withLeastDepth(pages: readonly HashedPage[]): HashedPage[] {
  const pagesByKey = new Map<string, HashedPage>()
  for (const page of pages) {
    const known = pagesByKey.get(page.keyHash)
    const isLinked = [known?.source, page.source].includes('link') && known?.source === 'sitemap'
    const depth = Math.min(known?.depth ?? Infinity, page.depth)
    pagesByKey.set(page.keyHash, { ...(known ?? page), depth, ...(isLinked && { source: 'link' }) })
  }
  return [...pagesByKey.values()]
}

export const insertSkip = (crawlId: string, { url, reason }: Skipped): Statement => ({
  sql: `INSERT INTO crawl_skip (crawl_id, url, reason) SELECT ?, ?, ? WHERE ${isRunning} ON CONFLICT DO NOTHING`,
  params: [crawlId, url, reason, crawlId],
})
