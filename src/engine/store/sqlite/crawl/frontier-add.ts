import { hash } from 'node:crypto'
import type { FoundPage, Skipped } from '../../../../contracts/crawl.ts'
import type { Statement } from '../db/db.ts'
import { states } from './results.ts'

export const keyHash = (key: string): Uint8Array => hash('sha256', key, 'buffer').subarray(0, 16)

/** Large enough that a statement costs little for each page, small enough to be read in one go. */
const slice = 1000
/** So many reasons a crawl keeps: a site that links on without an end must not fill the disk. */
const maxNoted = 100_000

/** More pages than the limit wait, because some turn out to be none; but not the whole of a huge site. */
const room = `(SELECT max(0, page_limit * 2 + 100 - waiting - active - done - failed) FROM crawl
  WHERE id = ? AND status = 'scraping')`

/** What the first of the statements of each slice changes is the number of new pages. */
export const addSize = 3

/** New pages; or shorter ways to those that wait; or reasons why the addresses are no pages of the crawl. */
export function addOf(crawlId: string, pages: readonly FoundPage[]): Statement[] {
  const all = pages.map((page) => ({ ...page, hashed: Buffer.from(keyHash(page.key)).toString('hex') }))
  const slices = Array.from({ length: Math.ceil(all.length / slice) }, (_, n) => all.slice(n * slice, (n + 1) * slice))
  return slices.flatMap((some) => sliceOf(crawlId, some))
}

type Hashed = FoundPage & { hashed: string }

/** Pages go over as one JSON text: for a hundred thousand of them, statements of their own would take half a minute. */
function sliceOf(crawlId: string, pages: readonly Hashed[]): Statement[] {
  const ways = JSON.stringify(shortestWays(pages).map((page) => ({ ...page, id: crypto.randomUUID() })))
  const found = JSON.stringify(pages.map(({ url, hashed }) => ({ url, hashed })))
  return [
    {
      sql: `INSERT INTO crawl_page (id, crawl_id, key_hash, url, host, depth, source, state)
        SELECT value ->> 'id', ?, unhex(value ->> 'hashed'), value ->> 'url', value ->> 'host', value ->> 'depth',
          value ->> 'source', 0 FROM json_each(?) WHERE NOT EXISTS
          (SELECT 1 FROM crawl_page WHERE crawl_id = ? AND key_hash = unhex(value ->> 'hashed'))
        ORDER BY key LIMIT coalesce(${room}, 0)`,
      params: [crawlId, ways, crawlId, crawlId],
    },
    {
      // Looked up from the ways: the planner would go through all pages of the crawl for each of them.
      sql: `WITH nearer AS MATERIALIZED (
          SELECT seq, way.value ->> 'depth' AS new_depth, way.value ->> 'source' AS new_source
          FROM json_each(?) AS way CROSS JOIN crawl_page ON crawl_id = ? AND key_hash = unhex(way.value ->> 'hashed')
          WHERE +state = 0 AND (depth > new_depth OR (source = 'sitemap' AND new_source = 'link')))
        UPDATE crawl_page SET depth = min(depth, new_depth),
          source = CASE WHEN source = 'sitemap' THEN new_source ELSE source END
        FROM nearer WHERE crawl_page.seq = nearer.seq`,
      params: [ways, crawlId],
    },
    {
      sql: `INSERT INTO crawl_skip (crawl_id, url, reason)
        SELECT ?, one.value ->> 'url', CASE WHEN known.url IS NULL THEN 'limit' ELSE 'duplicate' END
        FROM json_each(?) AS one LEFT JOIN crawl_page AS known
          ON known.crawl_id = ? AND known.key_hash = unhex(one.value ->> 'hashed')
        WHERE (known.url IS NULL OR known.url <> one.value ->> 'url' OR known.state = ${states.taken})
          AND (SELECT count(*) FROM crawl_skip WHERE crawl_id = ?) < ${maxNoted} ON CONFLICT DO NOTHING`,
      params: [crawlId, found, crawlId, crawlId],
    },
  ]
}

/** Each page once, as it was found first, with the shortest of the ways to it. */
function shortestWays(pages: readonly Hashed[]): Hashed[] {
  const ways = new Map<string, Hashed>()
  for (const page of pages) {
    const known = ways.get(page.hashed)
    const isLinked = [known?.source, page.source].includes('link') && known?.source === 'sitemap'
    const depth = Math.min(known?.depth ?? Infinity, page.depth)
    ways.set(page.hashed, { ...(known ?? page), depth, ...(isLinked && { source: 'link' }) })
  }
  return [...ways.values()]
}

export const skipOf = (crawlId: string, { url, reason }: Skipped): Statement => ({
  sql: 'INSERT INTO crawl_skip (crawl_id, url, reason) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  params: [crawlId, url, reason],
})
