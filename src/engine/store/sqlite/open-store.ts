import { choosePlace, watchDisk } from './db/database-file.ts'
import { openLazily, openSqlite } from './db/sqlite-db.ts'
import type { Db } from './db/db.ts'
import { fts5 } from './page-index/full-text.ts'
import { storeOver } from '../store-over.ts'
import type { Store, StoreLocation, StoreOptions } from '../store.ts'

/** Never fails: where the folder cannot be used the data is held in memory and `describe` says why. Starts no thread. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const asked = await choosePlace(options.dir)
  if (asked.warning !== undefined) options.log.warn('store', { warning: asked.warning })
  const { db: lazy, place } = openLazily(asked, options)
  const { storage, watched } = watchDisk(place)
  const db = watched(lazy)
  const base = { db, fullText: fts5, openReader: () => openReader(db, place), describe: place, storage }
  const isShared = options.hearsFolder === true && asked.path !== null
  return storeOver({ ...base, ...(isShared && { listen: (heard: () => void) => followFile(db, heard) }) }, options)
}

/** A connection and thread of its own to the same file, for what may take long; what is in memory has one. */
async function openReader(db: Db, place: () => StoreLocation): Promise<Db> {
  await db.all('SELECT 1')
  const { path } = place()
  return path === null ? db : openSqlite(path)
}

/** Asking takes SQLite a look into shared memory. */
const lookAgainMs = 1000

/**
 * Calls `heard` within a second of what another connection to the same file has written: another program, or a thread of this
 * one. SQLite tells nobody, but counts. Returns what ends it.
 */
export function followFile(db: Pick<Db, 'all'>, heard: () => void): () => Promise<void> {
  let known: unknown
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const [row] = await db.all('PRAGMA data_version')
    const version = row?.data_version
    if (known !== undefined && version !== known) heard()
    known = version
  }
  const timer = setInterval(() => {
    // A file that cannot be read is the trouble of whoever needs it.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
  }, lookAgainMs).unref()

  return async () => {
    clearInterval(timer)
    await looking
  }
}
