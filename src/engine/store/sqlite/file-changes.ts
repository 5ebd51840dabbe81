import type { Db } from './db/db.ts'

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
