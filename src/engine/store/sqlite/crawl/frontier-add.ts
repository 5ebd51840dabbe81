import { hash } from 'node:crypto'
import type { FoundPage, Skipped } from '../../../../contracts/crawl.ts'
import type { Statement } from '../db/db.ts'
import { pageState } from './page-state.ts'

export const hashKey = (key: string): Uint8Array => hash('sha256', key, 'buffer').subarray(0, 16)

/** Large enough that a statement costs little per page, small enough that other calls need not wait for it. */
const slice = 1000
/** Skipped URLs kept for each crawl: a site that links on without an end must not fill the disk. */
const maxSkipped = 100_000

/** More pages than the limit are stored, because some turn out to be none, but not the whole of a huge site. */
const room = `(SELECT max(0, page_limit * 2 + 100 - waiting - active - done - failed) FROM crawl
  WHERE id = ? AND status = 'scraping')`

/** What a crawl that is over says of itself stays. */
const isRunning = "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'scraping')"

/** Statements of each slice. What the first of them changes is the number of new pages. */
export const statementsPerSlice = 3

/** Adds new pages, lowers the depth of those that wait, and records why the other URLs are no pages of the crawl. */
export function insertPages(crawlId: string, pages: readonly FoundPage[]): Statement[] {
  const all = pages.map((page) => ({ ...page, keyHash: Buffer.from(hashKey(page.key)).toString('hex') }))
  const slices = Array.from({ length: Math.ceil(all.length / slice) }, (_, n) => all.slice(n * slice, (n + 1) * slice))
  return slices.flatMap((some) => sliceOf(crawlId, some))
}

type HashedPage = FoundPage & { keyHash: string }

/** Pages are passed as one JSON text: a hundred thousand statements, one for each, would take half a minute. */
function sliceOf(crawlId: string, pages: readonly HashedPage[]): Statement[] {
  const unique = JSON.stringify(withLeastDepth(pages).map((page) => ({ ...page, id: crypto.randomUUID() })))
  const found = JSON.stringify(pages.map(({ url, keyHash }) => ({ url, keyHash })))
  return [
    {
      sql: `INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, source, state)
        SELECT value ->> 'id', ?, unhex(value ->> 'keyHash'), value ->> 'url', value ->> 'host', value ->> 'depth',
          value ->> 'source', ${pageState.waiting} FROM json_each(?) WHERE NOT EXISTS
          (SELECT 1 FROM crawl_page WHERE crawl_id = ? AND key_hash = unhex(value ->> 'keyHash'))
        ORDER BY key LIMIT coalesce(${room}, 0)`,
      params: [crawlId, unique, crawlId, crawlId],
    },
    {
      // CROSS JOIN: the planner would otherwise scan all pages of the crawl for each new one.
      sql: `WITH nearer AS MATERIALIZED (
          SELECT seq, found.value ->> 'depth' AS new_depth, found.value ->> 'source' AS new_source
          FROM json_each(?) AS found CROSS JOIN crawl_page ON crawl_id = ? AND key_hash = unhex(found.value ->> 'keyHash')
          WHERE +state = ${pageState.waiting} AND (depth > new_depth OR (source = 'sitemap' AND new_source = 'link')))
        UPDATE crawl_page SET depth = min(depth, new_depth),
          source = CASE WHEN source = 'sitemap' THEN new_source ELSE source END
        FROM nearer WHERE crawl_page.seq = nearer.seq`,
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

/** Each page once, as it was found first, with the least depth at which it was found. */
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
