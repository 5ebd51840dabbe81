import { choosePlace, openLazily, watchDisk } from './db/database-file.ts'
import { openSqlite } from './db/sqlite-db.ts'
import type { Db } from './db/db.ts'
import { fail } from '../../../kernel/error.ts'
import { fts5 } from './page-index/full-text.ts'
import { storeOver } from '../store-over.ts'
import type { Store, StoreLocation, StoreOptions } from '../store.ts'

/**
 * Opens the store. Never fails: if the folder cannot be used, data is kept in memory and `describe` says why. Starts no
 * thread.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const chosen = await choosePlace(options.dir)
  if (chosen.warning !== undefined) options.log.warn('store', { warning: chosen.warning })
  const { db: lazy, place } = openLazily(chosen, options)
  const { storage, watched } = watchDisk(place)
  const db = watched(lazy)
  const verify = async () => {
    const [row] = await db.all('PRAGMA quick_check(1)')
    if (row?.quick_check !== 'ok') fail('DATABASE_DAMAGED', { cause: row })
  }
  const base = { db, fullText: fts5, openReader: () => openReader(db, place), describe: place, storage, verify }
  const isShared = options.watchesFolder === true && chosen.path !== null
  return storeOver({ ...base, ...(isShared && { listen: (notify: () => void) => followFile(db, notify) }) }, options)
}

/** Opens a separate connection and thread to the same file for long queries; an in-memory database has only one. */
async function openReader(db: Db, place: () => StoreLocation): Promise<Db> {
  await db.all('SELECT 1')
  const { path } = place()
  return path === null ? db : openSqlite(path)
}

/** Short, because a check only reads shared memory. */
const lookAgainMs = 1000

/**
 * Calls `notify` after other connections, in this or another program, have written to the file; checks once a second,
 * because SQLite counts changes but sends no notifications. Returns a function that stops it.
 */
export function followFile(db: Pick<Db, 'all'>, notify: () => void): () => Promise<void> {
  let known: unknown
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const [row] = await db.all('PRAGMA data_version')
    const version = row?.data_version
    if (known !== undefined && version !== known) notify()
    known = version
  }
  const timer = setInterval(() => {
    // Errors are reported to callers that use the file.
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
