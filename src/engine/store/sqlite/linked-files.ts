import { createHash, randomBytes } from 'node:crypto'
import { failure } from '../../../kernel/error.ts'
import type { LinkedFile, LinkedFiles } from '../../../contracts/fetch.ts'
import type { Objects } from '../data-places.ts'
import {
  bytes,
  nullableText,
  text,
  createSweep,
  type Expired,
  type SweepTools,
  type Db,
  type Row,
  type Statement,
} from './db/db.ts'

/** Length of a file id in bytes; too long to guess, because the id alone protects the file. */
const idBytes = 32
const digestBytes = 32
/** Files from this size on go to the object store; for a smaller one, the database costs less than a request to it. */
const minObjectBytes = 65_536
/** Time after which an upload counts as failed; longer than any upload takes. */
const putMs = 600_000
/** Pause after the object store refused a file, so not every caller waits for its timeout. */
const restMs = 10_000

type NewFile = LinkedFile & { teamId: string; digest: Uint8Array; expiresAt: number }

/**
 * Files behind links. Large ones are in the object store, if there is one; each object belongs to one row, because its
 * key contains a random part. A row is written before its object is uploaded, and deleted after the object, so a
 * process may die between any two steps: until the upload is complete, no link leads to the row, and the row expires.
 * @param retentionMs time for which a file is kept after it was last saved
 */
export function createLinkedFiles(
  tools: SweepTools,
  retentionMs: number,
  objects?: Objects,
): LinkedFiles & { idle(): Promise<void> } {
  const { db, clock, log } = tools
  const after = objects && (() => deleteObjects(tools, objects))
  const sweep = createSweep(tools, { ...expired, after })
  const putObject = objects && createPut(tools, objects)

  async function keep(file: NewFile): Promise<string> {
    if (putObject && file.bytes.byteLength >= minObjectBytes) {
      const renew = () => renewExisting(db, file, clock.now())
      const id = (await renew()) ?? (await putObject(file)) ?? (await renew())
      if (id) return id
    }
    const [, outcome] = await db.transaction([
      freeDigest(file, clock.now(), objects ? '' : ' OR object_key IS NOT NULL'),
      insertion(file),
    ])
    return text(outcome?.rows[0]?.id)
  }

  async function contentOf(id: string, row: Row): Promise<Uint8Array | undefined> {
    const key = nullableText(row.object_key ?? null)
    if (key === null) return bytes(row.bytes)
    if (!objects) throw failure('OBJECT_STORE_UNAVAILABLE', { cause: new Error('GOSSAMER_OBJECTS_URL is not set.') })
    const content = await objects.get(key, Number(row.object_bytes))
    if (content && digestOf(text(row.media_type), content).equals(bytes(row.digest))) return content
    log.warn('the object store lacks a file or returned other content', { key })
    // Otherwise a caller that saves the same file again would get this id.
    await db.run('UPDATE linked_file SET digest = ?, expires_at = 0 WHERE id = ?', [randomBytes(digestBytes), id])
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
      const content = row && (await contentOf(id, row))
      return content && { mediaType: text(row?.media_type), bytes: content }
    },
    idle: sweep.idle,
  }
}

/** Extends the expiry of an unexpired file and returns its id; undefined if there is none. */
async function renewExisting(db: Db, { teamId, digest, expiresAt }: NewFile, now: number): Promise<string | undefined> {
  const [row] = await db.all(
    `UPDATE linked_file SET expires_at = CASE WHEN expires_at > ? THEN expires_at ELSE ? END
      WHERE team_id = ? AND digest = ? AND expires_at > ? RETURNING id`,
    [expiresAt, expiresAt, teamId, digest, now],
  )
  return row && text(row.id)
}

const newId = () => randomBytes(idBytes).toString('base64url')

const digestOf = (mediaType: string, content: Uint8Array) =>
  createHash('sha256').update(mediaType).update('\n').update(content).digest()

/**
 * Frees the digest of a row that can no longer be read, so a new row for the same file can be inserted. The old link
 * stops working.
 */
const freeDigest = ({ teamId, digest }: NewFile, now: number, others = ''): Statement => ({
  sql: `UPDATE linked_file SET digest = ?, expires_at = 0
    WHERE team_id = ? AND digest = ? AND (expires_at <= ?${others})`,
  params: [randomBytes(digestBytes), teamId, digest, now],
})

/** Inserts a file and returns its id; for a file that exists, extends its expiry and returns the existing id. */
const insertion = ({ teamId, digest, mediaType, bytes: content, expiresAt }: NewFile): Statement => ({
  sql: `INSERT INTO linked_file (id, team_id, digest, media_type, expires_at, bytes) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (team_id, digest) DO UPDATE SET expires_at = CASE WHEN linked_file.expires_at > excluded.expires_at THEN linked_file.expires_at
        ELSE excluded.expires_at END
    RETURNING id`,
  params: [newId(), teamId, digest, mediaType, expiresAt, content],
})

/**
 * Uploads a file to the object store and returns its id; undefined if the store refuses it or has refused one within
 * `restMs`, or if another row has the file by now.
 */
function createPut({ db, clock, log }: SweepTools, objects: Objects): (file: NewFile) => Promise<string | undefined> {
  let restsUntil = 0
  let isFailing = false

  async function attempt(key: string, content: { mediaType: string; bytes: Uint8Array }): Promise<boolean> {
    try {
      await objects.put(key, content)
      if (isFailing) log.warn('the object store accepts files again')
      isFailing = false
      return true
    } catch (cause) {
      restsUntil = performance.now() + restMs
      if (!isFailing)
        log.warn('the object store accepts no files; they are stored in the database until it does', { cause })
      isFailing = true
      return false
    }
  }

  return async (file) => {
    if (performance.now() < restsUntil) return undefined
    const { teamId, digest, mediaType, bytes: content, expiresAt } = file
    const id = newId()
    const key = `${teamFolder(teamId)}/${Buffer.from(digest).toString('hex')}-${randomBytes(8).toString('hex')}`
    await db.run(
      `INSERT INTO linked_file (id, team_id, digest, media_type, bytes, expires_at, object_key, object_bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, teamId, randomBytes(digestBytes), mediaType, new Uint8Array(), clock.now() + putMs, key, content.byteLength],
    )
    // An upload that seems to have failed may have succeeded: its row stays until the object is deleted.
    if (!(await attempt(key, file))) return undefined
    const [, outcome] = await db.transaction([
      freeDigest(file, clock.now()),
      {
        sql: `UPDATE linked_file SET digest = ?, expires_at = ? WHERE id = ? AND expires_at > 0
          AND NOT EXISTS (SELECT 1 FROM linked_file WHERE team_id = ? AND digest = ?) RETURNING id`,
        params: [digest, expiresAt, id, teamId, digest],
      },
    ])
    return outcome?.rows[0] && id
  }
}

/** Returns the folder of a team's objects. Team ids may contain any letters, but object keys should not. */
const teamFolder = (teamId: string) =>
  /^[\w-]{1,64}$/.test(teamId) ? teamId : `team-${createHash('sha256').update(teamId).digest('hex').slice(0, 32)}`

const expired: Expired = {
  /** Rows may contain whole images, so few are deleted per slice. */
  slice: 20,
  rows: (now) => [{ table: 'linked_file', key: 'id', sql: 'object_key IS NULL AND expires_at <= ?', params: [now] }],
}

const objectsASlice = 5

/**
 * Deletes objects whose rows have expired, then the rows. An upload that finishes later finds its row deleted, or
 * with `expires_at` 0, and fails.
 */
async function deleteObjects({ db, clock, log, closing }: SweepTools, objects: Objects): Promise<void> {
  while (!closing.aborted) {
    const rows = await db.all(
      `UPDATE linked_file SET expires_at = 0 WHERE id IN
        (SELECT id FROM linked_file WHERE object_key IS NOT NULL AND expires_at <= ? LIMIT ${objectsASlice})
        RETURNING id, object_key`,
      [clock.now()],
    )
    if (rows.length === 0) return
    try {
      await Promise.all(rows.map((row) => objects.delete(text(row.object_key))))
    } catch (cause) {
      return log.warn('objects could not be deleted; the next round tries again', { cause })
    }
    await db.run(
      `DELETE FROM linked_file WHERE id IN (${rows.map(() => '?').join(', ')})`,
      rows.map(({ id }) => id ?? null),
    )
  }
}
