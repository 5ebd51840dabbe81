import type { Db } from './db.ts'

const pagesASlice = 64

/**
 * Deletes pages until the cache takes at most `targetBytes`, the least recently used first, a slice at a time so that
 * other calls get in between.
 */
export async function evict(db: Db, targetBytes: number): Promise<void> {
  let excess = (await totalBytes(db)) - targetBytes
  while (excess > 0) {
    const deleted = await db.run(deleteOldest, [pagesASlice, excess])
    if (deleted === 0) return
    excess = (await totalBytes(db)) - targetBytes
  }
}

/** Of the oldest pages, those before which not enough has been freed yet. */
const deleteOldest = `DELETE FROM cache_page WHERE id IN (
  SELECT id FROM (
    SELECT id, SUM(bytes) OVER (ORDER BY used_at, id) - bytes AS freed_before
    FROM (SELECT id, used_at, bytes FROM cache_page ORDER BY used_at, id LIMIT ?) AS oldest
  ) AS measured WHERE freed_before < ?)`

async function totalBytes(db: Db): Promise<number> {
  const [row] = await db.all('SELECT SUM(bytes) AS total FROM cache_page')
  return Number(row?.total ?? 0)
}
