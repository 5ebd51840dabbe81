import { watchDisk } from './db/disk.ts'
import { openLazily } from './db/lazy-db.ts'
import { choosePlace } from './db/place.ts'
import type { Db } from './db/db.ts'
import { openSqlite } from './db/sqlite-db.ts'
import { followFile } from './file-changes.ts'
import { fts5 } from './page-index/fts5.ts'
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
