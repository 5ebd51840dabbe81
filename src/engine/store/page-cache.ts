import { Keyv } from 'keyv'
import type { Log } from '../../core/log.ts'
import type { CachedPage, Clock, PageCache } from '../../core/ports.ts'
import type { Db } from './db.ts'
import { addMadeParts, bodyKey, createKeyvSqlite, pageKey, type CachedBody } from './keyv-sqlite.ts'
import { evict } from './page-eviction.ts'

/**
 * Pages in a Keyv, kept under `maxBytes` (as stored, packed) by dropping the least recently used.
 * The cache never fails a caller: a read that fails is a miss, a write that fails is not kept, and the log says so.
 */
export function createPageCache({ db, clock, log }: { db: Db; clock: Clock; log: Log }, maxBytes: number): PageCache {
  const cap = createCap(db, maxBytes)
  const keyv = new Keyv({ store: createKeyvSqlite(db, clock, cap.grew), serialization: false, checkExpired: false })
  const complain = (cause: unknown) => log.warn('page cache failed', { cause })
  keyv.on('error', complain)

  return {
    find: (key) => keyv.get<CachedPage>(pageKey(key)),
    body: async (key) => (await keyv.get<CachedBody>(bodyKey(key)))?.body,
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
