import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Storage } from '../../../../contracts/jobs.ts'
import { AppError } from '../../../../kernel/error.ts'
import type { StoreLocation } from '../../store.ts'
import type { Db } from './db.ts'

/** Less than one page of a crawl may take with all that is written for it. */
const leastFreeBytes = 2 ** 20
/** A large write may find no room where the next small one does. */
const rememberedMs = 10_000

/** Notices when the disk has no room left, by the writes that fail for it and by what the system says of it. */
export function watchDisk(place: () => StoreLocation): { storage: Storage; watched(db: Db): Db } {
  let refusedAt = -Infinity
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'STORAGE_FULL') refusedAt = performance.now()
      throw thrown
    }
  }
  return {
    storage: {
      async isFull() {
        if (performance.now() - refusedAt < rememberedMs) return true
        const { path } = place()
        return path !== null && (await freeBytes(dirname(path))) < leastFreeBytes
      },
    },
    watched: (db) => ({
      ...db,
      run: (sql, params) => noted(db.run(sql, params)),
      transaction: (statements, when) => noted(db.transaction(statements, when)),
      transactionInParts: (parts) => noted(db.transactionInParts(parts)),
    }),
  }
}

/** What this user may still write; file systems keep a part for root. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  if (!found) return Infinity
  return found.bsize * (process.getuid?.() === 0 ? found.bfree : found.bavail)
}
