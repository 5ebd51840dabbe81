import { databasePlace } from '../database-url.ts'
import { storeOver } from '../store-over.ts'
import type { Store, StoreOptions } from '../store.ts'
import { schemaVersion } from '../tables.ts'
import { tsvectors } from './full-text/tsvectors.ts'
import { listenTo } from './listen.ts'
import { openPostgres } from './postgres-db.ts'

/**
 * The ports over PostgreSQL, which several machines may share. Connects with the first call.
 * @param url `postgres://user:password@host/database`; tables go into the first schema of its search path.
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  return storeOver(
    {
      db: openPostgres(url),
      fullText: tsvectors,
      openReader: async () => openPostgres(url),
      describe: () => ({ kind: 'server', path: databasePlace(url) }),
      // The server's disk is its operator's to watch; what it cannot write it refuses.
      storage: { isFull: async () => false },
      schema: schemaVersion,
      listen: (heard) => listenTo(url, heard, options.log),
    },
    options,
  )
}
