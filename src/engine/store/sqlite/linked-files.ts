import { createHash, randomBytes } from 'node:crypto'
import type { LinkedFiles } from '../../../kernel/linked-file.ts'
import { bytes, text } from './db/columns.ts'
import { createSweep, type Expired, type SweepTools } from './db/sweep.ts'

/** Rows hold whole pictures, so few are deleted at a time. */
const slice = 20
/** As many as a key has: the id is all that protects the file. */
const idBytes = 32

/** @param retentionMs how long a file is kept, from the moment it is kept last. */
export function createLinkedFiles(tools: SweepTools, retentionMs: number): LinkedFiles & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async keep({ teamId, mediaType, bytes: content, until }) {
      const now = clock.now()
      const expiresAt = Math.min(until ?? Infinity, now + retentionMs)
      const digest = createHash('sha256').update(mediaType).update('\n').update(content).digest()
      // A row that has expired but was not swept yet lives on under a new id: its old link has promised to end.
      const [row] = await db.all(
        `INSERT INTO linked_file (id, team_id, digest, media_type, bytes, expires_at) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (team_id, digest) DO UPDATE SET
            id = CASE WHEN linked_file.expires_at > ? THEN linked_file.id ELSE excluded.id END,
            expires_at = CASE WHEN linked_file.expires_at > excluded.expires_at THEN linked_file.expires_at
              ELSE excluded.expires_at END
          RETURNING id`,
        [randomBytes(idBytes).toString('base64url'), teamId, digest, mediaType, content, expiresAt, now],
      )
      sweep.nudge()
      return text(row?.id)
    },
    async find(id) {
      const [row] = await db.all('SELECT media_type, bytes FROM linked_file WHERE id = ? AND expires_at > ?', [
        id,
        clock.now(),
      ])
      return row && { mediaType: text(row.media_type), bytes: bytes(row.bytes) }
    },
    idle: sweep.idle,
  }
}

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: 'DELETE FROM linked_file WHERE id IN (SELECT id FROM linked_file WHERE expires_at <= ? LIMIT ?)',
      params: [now, slice],
    },
  ],
}
