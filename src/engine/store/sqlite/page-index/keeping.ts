import type { PageIndex } from '../../../../contracts/search.ts'
import { text } from '../db/columns.ts'
import type { Condition, Db } from '../db/db.ts'
import { hostKeyOf, hostOf, hostRange, placeOf } from './place.ts'

const topHosts = 20
const slice = 100
/** Pages of the full text that one merge writes; a merge that writes less had nothing to do. */
const mergedPages = 500
const maxMerges = 200

/** The page of each address, as the team read it last; addresses that it has not read are absent. */
export async function pagesAt(db: Db, teamId: string, urls: readonly string[]): Promise<Map<string, number>> {
  const places = urls.flatMap((url) => {
    const place = placeOf(url)
    return place ? [{ url, ...place }] : []
  })
  if (places.length === 0) return new Map()
  const rows = await db.all(
    `SELECT asked.value ->> 'url' AS asked, entry.page_id, MAX(entry.fetched_at) FROM json_each(?) AS asked
      CROSS JOIN page_entry AS entry ON entry.team_id = ? AND entry.host_key = asked.value ->> 'hostKey'
        AND entry.path = asked.value ->> 'path' GROUP BY 1`,
    [JSON.stringify(places), teamId],
  )
  return new Map(rows.map((row) => [text(row.asked), Number(row.page_id)]))
}

type Asked = { teamId: string; host: string; reach: 'host' | 'with sub-domains'; limit: number }

export async function urlsAt(db: Db, { teamId, host, reach, limit }: Asked): Promise<{ url: string; title: string }[]> {
  const [from, below] = hostRange(host)
  const rows = await db.all(
    `SELECT url, title, MAX(fetched_at) AS fetched_at FROM page_entry WHERE team_id = ? AND host_key >= ? AND host_key < ?
      GROUP BY url ORDER BY 3 DESC, url LIMIT ?`,
    [teamId, from, reach === 'host' ? `${from}!` : below, limit],
  )
  return rows.map((row) => ({ url: text(row.url), title: text(row.title) }))
}

export async function factsOf(db: Db): Promise<Awaited<ReturnType<PageIndex['facts']>>> {
  const [size] = await db.all(
    `SELECT (SELECT COUNT(*) FROM page_entry) AS pages,
      (SELECT COALESCE(SUM(LENGTH(block)), 0) FROM page_text_data)
      + (SELECT COALESCE(SUM(LENGTH(url) + LENGTH(title) + LENGTH(description) + LENGTH(host_key) * 2 + LENGTH(path) * 2), 0)
        FROM page_entry) AS bytes`,
  )
  const hosts = await db.all(
    'SELECT host_key, COUNT(*) AS pages FROM page_entry GROUP BY host_key ORDER BY pages DESC, host_key LIMIT ?',
    [topHosts],
  )
  return {
    pages: Number(size?.pages ?? 0),
    bytes: Number(size?.bytes ?? 0),
    hosts: hosts.map((row) => ({ host: hostOf(text(row.host_key)), pages: Number(row.pages) })),
  }
}

/** Deletes cached pages a slice at a time, and gives what they took back. With no condition all pages of the index go. */
export async function pruneWhere(db: Db, what: Parameters<PageIndex['prune']>[0], now: number): Promise<number> {
  const conditions: Condition[] = [
    ...(what.host === undefined ? [] : [{ sql: 'host_key = ?', params: [hostKeyOf(what.host)] }]),
    ...(what.olderThanMs === undefined ? [] : [{ sql: 'fetched_at < ?', params: [now - what.olderThanMs] }]),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map((each) => each.sql).join(' AND ')}`
  const sql = `DELETE FROM cache_page WHERE id IN (SELECT page_id FROM page_entry ${where} LIMIT ?)`
  let deleted = 0
  for (;;) {
    const gone = await db.run(sql, [...conditions.flatMap(({ params }) => params), slice])
    deleted += gone
    if (gone < slice) break
  }
  if (deleted > 0) await tidy(db)
  return deleted
}

async function tidy(db: Db): Promise<void> {
  for (let merges = 0; merges < maxMerges; merges++) {
    const written = await db.run(
      `INSERT INTO page_text (page_text, rank) VALUES ('merge', ${merges === 0 ? -mergedPages : mergedPages})`,
    )
    if (written < 2) break
  }
  while (await db.compact());
}
