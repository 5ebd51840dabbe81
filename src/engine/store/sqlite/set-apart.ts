import { createHash, randomBytes } from 'node:crypto'
import type { Objects } from '../objects.ts'
import { text } from './db/columns.ts'
import type { Condition, Statement } from './db/db.ts'
import type { SweepTools } from './db/sweep.ts'

/** What is shorter is not set apart: it costs the database less than a request to the store takes. */
export const leastApart = 65_536
/** Longer than any put takes. What was begun to be put and is no part of a row by then is deleted. */
const putMs = 600_000
/** After a store has not taken something it is left alone for a moment, so that callers do not wait for it one after the other. */
const restMs = 10_000
const slice = 50
const atOnce = 5

/** An object that is there and no part of a row yet. Rows refer to it by its key. */
export type PutApart = { key: string; isThere: Condition; settled: Statement }

/**
 * Contents of rows that lie in the object store. Each object belongs to one row: its key holds a part that is drawn for it, so that
 * deleting one can never meet another that holds the same. `object_left` lists what no row holds: keys from before they are put, and
 * those of rows that were changed or deleted, which triggers note. Whatever is on that list when its time has come is deleted, so that a
 * process may die between any two steps.
 */
export type SetApart = {
  /** undefined: the store does not take it, so that it belongs into the database. */
  put(content: {
    teamId: string
    digest: Uint8Array
    mediaType: string
    bytes: Uint8Array
  }): Promise<PutApart | undefined>
  get: Objects['get']
  /** Deletes what rows no longer hold. */
  clear(): Promise<void>
}

export function createSetApart(tools: SweepTools, objects: Objects): SetApart {
  const { db, clock, log } = tools
  let restsUntil = 0
  let isMissed = false

  async function attempt(key: string, content: { mediaType: string; bytes: Uint8Array }): Promise<boolean> {
    try {
      await objects.put(key, content)
      if (isMissed) log.warn('the object store takes files again')
      isMissed = false
      return true
    } catch (cause) {
      restsUntil = performance.now() + restMs
      if (!isMissed) log.warn('the object store takes no files; they are kept in the database until it does', { cause })
      isMissed = true
      return false
    }
  }

  return {
    async put({ teamId, digest, ...content }) {
      if (performance.now() < restsUntil) return undefined
      const key = `${teamFolder(teamId)}/${Buffer.from(digest).toString('hex')}-${randomBytes(8).toString('hex')}`
      await db.run('INSERT INTO object_left (object_key, due_at, is_doomed) VALUES (?, ?, FALSE)', [
        key,
        clock.now() + putMs,
      ])
      // A put that seems to have failed may have come through: the key stays on the list.
      return (await attempt(key, content)) ? putApart(key) : undefined
    },
    get: objects.get,
    clear: () => clearLeft(tools, objects),
  }
}

async function clearLeft(tools: SweepTools, objects: Objects): Promise<void> {
  for (;;) {
    const keys = await dueKeys(tools)
    for (let at = 0; at < keys.length; at += atOnce)
      if (!(await removed(tools, objects, keys.slice(at, at + atOnce)))) return
    if (keys.length < slice) return
  }
}

/** Whoever puts one of these and is late finds it doomed. Another server does not take them meanwhile. */
async function dueKeys({ db, clock, closing }: SweepTools): Promise<string[]> {
  if (closing.aborted) return []
  const now = clock.now()
  const rows = await db.all(
    `UPDATE object_left SET is_doomed = TRUE, due_at = ? WHERE object_key IN
      (SELECT object_key FROM object_left WHERE due_at <= ? LIMIT ${slice}) RETURNING object_key`,
    [now + putMs, now],
  )
  return rows.map((row) => text(row.object_key))
}

async function removed({ db, log, closing }: SweepTools, objects: Objects, keys: readonly string[]): Promise<boolean> {
  if (closing.aborted) return false
  try {
    await Promise.all(keys.map((key) => objects.delete(key)))
  } catch (cause) {
    log.warn('objects could not be deleted; it is tried again', { cause })
    return false
  }
  await db.run(`DELETE FROM object_left WHERE object_key IN (${keys.map(() => '?').join(', ')})`, keys)
  return true
}

const putApart = (key: string): PutApart => ({
  key,
  isThere: { sql: 'EXISTS (SELECT 1 FROM object_left WHERE object_key = ? AND NOT is_doomed)', params: [key] },
  settled: {
    sql: 'DELETE FROM object_left WHERE object_key = ? AND EXISTS (SELECT 1 FROM linked_file WHERE object_key = ?)',
    params: [key, key],
  },
})

/** Teams may have any letters in their names, keys should not. */
const teamFolder = (teamId: string) =>
  /^[\w-]{1,64}$/.test(teamId) ? teamId : `team-${createHash('sha256').update(teamId).digest('hex').slice(0, 32)}`
