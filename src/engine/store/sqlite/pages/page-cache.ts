import { Keyv } from 'keyv'
import type { Log } from '../../../../kernel/log.ts'
import type { Db } from '../db/db.ts'
import { bodyKey, type CachedBody, createKeyvSqlite, findSame, pageKey } from './keyv-sqlite.ts'
import { addMadeParts } from './page-writes.ts'
import type { CachedPage, PageCache } from '../../../../contracts/pages/page-cache.ts'
import type { Clock } from '../../../../contracts/ports.ts'

/**
 * Pages in a Keyv, kept under `maxBytes` (as stored, packed) by dropping the least recently used.
 * The cache never fails a caller: a read that fails is a miss, a write that fails is not kept, and the log says so.
 */
export function createPageCache(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  maxBytes: number,
): PageCache & { hasten(): void } {
  const cap = createCap(db, maxBytes)
  const store = createKeyvSqlite(db, clock, cap.grew)
  const keyv = new Keyv({ store, serialization: false, checkExpired: false })
  const complain = (cause: unknown) => log.warn('page cache failed', { cause })
  keyv.on('error', complain)

  return {
    hasten: store.hasten,
    find: (key) => keyv.get<CachedPage>(pageKey(key)),
    body: async (key) => (await keyv.get<CachedBody>(bodyKey(key)))?.body,
    madeOfSame: (key, page, body) =>
      findSame(db, { key, page, body, now: clock.now() }).catch((thrown: unknown) => void complain(thrown)),
    async keep(key, page, body) {
      if (body.byteLength > maxBytes) return log.debug('page too large for the cache', { bytes: body.byteLength })
      const [isKept] = await keyv.setMany<CachedPage | CachedBody>([
        { key: pageKey(key), value: page },
        { key: bodyKey(key), value: { fetchedAt: page.fetchedAt, body } },
      ])
      if (isKept) await cap.keepTo().catch(complain)
    },
    async addMade(key, fetchedAt, variant, parts) {
      try {
        cap.grew(await addMadeParts(db, key, fetchedAt, variant, parts))
        await cap.keepTo()
      } catch (thrown) {
        complain(thrown)
      }
    },
  }
}

/**
 * Measuring the cache costs a scan of an index, so it is done once for every `slack` bytes written, and pages are
 * dropped down to one slack below the cap: between two measures the total of one process cannot pass the cap.
 */
function createCap(db: Db, maxBytes: number): { grew(bytes: number): void; keepTo(): Promise<void> } {
  const slack = Math.min(maxBytes / 32, 8 * 2 ** 20)
  let unmeasured = slack
  return {
    grew(bytes) {
      unmeasured += bytes
    },
    async keepTo() {
      if (unmeasured < slack) return
      unmeasured = 0
      await evict(db, maxBytes - slack)
    },
  }
}

const pagesASlice = 64

/**
 * Deletes pages until the cache takes at most `targetBytes`, the least recently used first, a slice at a time so that
 * other calls get in between.
 */
async function evict(db: Db, targetBytes: number): Promise<void> {
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
