import { text, type Db } from '../db.ts'

/** The markdown of cached pages, by page; of several that were made of one the longest. Pages without are absent. */
export async function textsOf(db: Db, pageIds: readonly number[]): Promise<Map<number, string>> {
  if (pageIds.length === 0) return new Map()
  const rows = await db.all(
    `SELECT page_id, value_zst, MAX(LENGTH(value_zst)) AS bytes FROM cache_made
      WHERE part = 'markdown' AND page_id IN (SELECT value FROM json_each(?)) GROUP BY page_id`,
    [JSON.stringify(pageIds)],
  )
  return new Map(rows.map((row) => [Number(row.page_id), JSON.parse(text(row.value_zst ?? null)) as string]))
}
