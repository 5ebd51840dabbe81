import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type KeyOwner,
  type Keys,
  type ListedKey,
  type GrantedPermission,
  permissions as knownPermissions,
} from '../../../../contracts/account.ts'
import { fail } from '../../../../kernel/error.ts'
import { jsonTexts, nullableNumber, text } from '../db/columns.ts'
import type { Db, Row, Value } from '../db/db.ts'
import type { Clock } from '../../../../contracts/ports.ts'

const prefixLength = 8
/** A key that is used all the time is written down once a minute. */
const useNotedMs = 60_000

/** API keys; only their SHA-256 is stored, so that a stolen file opens nothing. */
export function createKeys(db: Db, clock: Clock): Keys {
  return {
    async add({ name, teamId, permissions, expiresAt }) {
      if (!/^[^\p{C}]{1,64}$/u.test(name))
        fail('BAD_REQUEST', { message: 'A key name has 1 to 64 printable characters.' })
      const key = `gsm-${randomBytes(24).toString('base64url')}`
      const added = await db.run(
        `INSERT INTO api_key (name, hash, prefix, team_id, permissions, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
        [
          [name, hash('sha256', key), key.slice(0, prefixLength), teamId],
          [JSON.stringify(permissions), clock.now(), expiresAt ?? null],
        ].flat(),
      )
      if (added === 0) fail('BAD_REQUEST', { message: `There is already a key named "${name}".`, hint: takenHint })
      return { key }
    },
    list: async () => (await db.all('SELECT * FROM api_key ORDER BY created_at, name')).map(listedOf),
    async revoke(name) {
      const revoked = await db.run('DELETE FROM api_key WHERE name = ?', [name])
      if (revoked === 0) fail('BAD_REQUEST', { message: `There is no key named "${name}".`, hint: unknownHint })
    },
    async find(presentedKey) {
      const presented = hash('sha256', presentedKey)
      const now = clock.now()
      const [row] = await db.all('SELECT * FROM api_key WHERE hash = ? AND coalesce(expires_at > ?, TRUE)', [
        presented,
        now,
      ])
      if (!row || !isSame(text(row.hash), presented)) return undefined
      noteUse(db, row, now)
      return ownerOf(row)
    },
  }
}

/** Nobody waits for it, and a full disk turns no key away. */
function noteUse(db: Db, { name, last_used_at: before = null }: Row, now: number): void {
  if (before !== null && now - Number(before) < useNotedMs) return
  db.run('UPDATE api_key SET last_used_at = ? WHERE name = ?', [now, name ?? null]).catch(() => {})
}

const takenHint = 'Choose another name, or revoke the old key first.'
const unknownHint = 'List the keys to see their names.'

function isSame(stored: string, presented: string): boolean {
  return stored.length === presented.length && timingSafeEqual(Buffer.from(stored), Buffer.from(presented))
}

const ownerOf = (row: Row): KeyOwner => ({
  name: text(row.name),
  teamId: text(row.team_id),
  permissions: permissionsOf(row.permissions),
})

const listedOf = (row: Row): ListedKey => ({
  ...ownerOf(row),
  prefix: text(row.prefix),
  createdAt: Number(row.created_at),
  expiresAt: nullableNumber(row.expires_at),
  lastUsedAt: nullableNumber(row.last_used_at),
})

/** A permission that this version no longer knows grants nothing. */
function permissionsOf(value: Value | undefined): GrantedPermission[] {
  const stored = jsonTexts(value)
  return knownPermissions.filter((name) => stored.includes(name))
}
