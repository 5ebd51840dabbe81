import { createHash, randomBytes } from 'node:crypto'
import { failure } from '../../../kernel/error.ts'
import type { LinkedFile, LinkedFiles } from '../../../kernel/linked-file.ts'
import { bytes, nullableText, text } from './db/columns.ts'
import type { Param, Row, Statement } from './db/db.ts'
import { createSweep, type Expired, type SweepTools } from './db/sweep.ts'
import { leastApart, type PutApart, type SetApart } from './set-apart.ts'

/** Rows may hold whole pictures, so few are deleted at a time. */
const slice = 20
/** As many as a key has: the id is all that protects the file. */
const idBytes = 32
const nothing = new Uint8Array()
const contentColumns = ['bytes', 'object_key', 'object_bytes']

type Kept = LinkedFile & { teamId: string; digest: Uint8Array; expiresAt: number }

/**
 * @param retentionMs how long a file is kept, from the moment it is kept last.
 * @param apart where long files lie; without it all are in the database.
 */
export function createLinkedFiles(
  tools: SweepTools,
  retentionMs: number,
  apart?: SetApart,
): LinkedFiles & { idle(): Promise<void> } {
  const { db, clock, log } = tools
  const sweep = createSweep(tools, { ...expired, after: apart?.clear })

  async function keep(file: Kept): Promise<string> {
    const mayBeApart = apart && file.bytes.byteLength >= leastApart
    const [known] = mayBeApart ? await db.all(...renewal(file, clock.now())) : []
    if (known) return text(known.id)
    const object = mayBeApart ? await apart.put(file) : undefined
    if (object) {
      const insert = insertion(file, { now: clock.now(), object, mayReadApart: true })
      const [inserted] = await db.transaction([insert, object.settled])
      const [row] = inserted?.rows ?? []
      if (row) return text(row.id)
    }
    const { sql, params } = insertion(file, { now: clock.now(), mayReadApart: apart !== undefined })
    const [row] = await db.all(sql, params)
    return text(row?.id)
  }

  async function contentApart(row: Row, key: string): Promise<Uint8Array | undefined> {
    if (!apart) throw failure('OBJECT_STORE_UNAVAILABLE', { cause: new Error('GOSSAMER_OBJECTS_URL is not set.') })
    const content = await apart.get(key, Number(row.object_bytes))
    if (content && digestOf(text(row.media_type), content).equals(bytes(row.digest))) return content
    log.warn('a file is not in the object store as it was put', { key })
    // Who keeps it again would be told of it.
    await db.run('DELETE FROM linked_file WHERE object_key = ?', [key])
    return undefined
  }

  return {
    async keep({ teamId, mediaType, bytes: content, until }) {
      const expiresAt = Math.min(until ?? Infinity, clock.now() + retentionMs)
      const id = await keep({ teamId, mediaType, bytes: content, digest: digestOf(mediaType, content), expiresAt })
      sweep.nudge()
      return id
    },
    async find(id) {
      const [row] = await db.all(
        'SELECT media_type, bytes, digest, object_key, object_bytes FROM linked_file WHERE id = ? AND expires_at > ?',
        [id, clock.now()],
      )
      if (!row) return undefined
      const key = nullableText(row.object_key ?? null)
      const content = key === null ? bytes(row.bytes) : await contentApart(row, key)
      return content && { mediaType: text(row.media_type), bytes: content }
    },
    idle: sweep.idle,
  }
}

/** Keeps a file that is there already for longer, and answers its id. */
const renewal = ({ teamId, digest, expiresAt }: Kept, now: number): [string, Param[]] => [
  `UPDATE linked_file SET expires_at = CASE WHEN expires_at > ? THEN expires_at ELSE ? END
    WHERE team_id = ? AND digest = ? AND expires_at > ? RETURNING id`,
  [expiresAt, expiresAt, teamId, digest, now],
]

/** Answers the id of the row; no row where the object has been given up. What an earlier row has of the same file stays, if it can be read still. */
function insertion(
  file: Kept,
  { now, object, mayReadApart }: { now: number; object?: PutApart; mayReadApart: boolean },
): Statement {
  const isReadable = `linked_file.expires_at > ?${mayReadApart ? '' : ' AND linked_file.object_key IS NULL'}`
  const content = contentColumns.map(
    (name) => `${name} = CASE WHEN ${isReadable} THEN linked_file.${name} ELSE excluded.${name} END`,
  )
  return {
    // A row that has expired but was not swept yet lives on under a new id: its old link has promised to end.
    sql: `INSERT INTO linked_file (id, team_id, digest, media_type, expires_at, bytes, object_key, object_bytes)
        SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE ${object?.isThere.sql ?? 'TRUE'}
      ON CONFLICT (team_id, digest) DO UPDATE SET
        id = CASE WHEN linked_file.expires_at > ? THEN linked_file.id ELSE excluded.id END,
        ${content.join(', ')},
        expires_at = CASE WHEN linked_file.expires_at > excluded.expires_at THEN linked_file.expires_at
          ELSE excluded.expires_at END
      RETURNING id`,
    params: [
      randomBytes(idBytes).toString('base64url'),
      file.teamId,
      file.digest,
      file.mediaType,
      file.expiresAt,
      ...(object ? [nothing, object.key, file.bytes.byteLength] : [file.bytes, null, null]),
      ...(object?.isThere.params ?? []),
      now,
      ...contentColumns.map(() => now),
    ],
  }
}

const digestOf = (mediaType: string, content: Uint8Array) =>
  createHash('sha256').update(mediaType).update('\n').update(content).digest()

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: 'DELETE FROM linked_file WHERE id IN (SELECT id FROM linked_file WHERE expires_at <= ? LIMIT ?)',
      params: [now, slice],
    },
  ],
}
