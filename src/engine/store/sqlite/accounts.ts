import { hash, randomBytes, timingSafeEqual, createHash } from 'node:crypto'
import {
  type SweepTools,
  type Db,
  type Row,
  type Value,
  jsonObject,
  jsonTexts,
  nullableNumber,
  text,
  createSweep,
  type Expired,
} from './db/db.ts'
import { createUsage } from './charges.ts'
import {
  type GrantedPermission,
  isTeamId,
  type KeyOwner,
  type Keys,
  type ListedKey,
  localTeamId,
  type StoredTeam,
  type Teams,
  type TeamTerms,
} from '../../../contracts/account-ports.ts'
import { permissions as knownPermissions } from '../../../schema/team.ts'
import { fail } from '../../../kernel/error.ts'
import type { Clock } from '../../../contracts/ports.ts'
import { type Refusal, type Refusals, refusalsKept } from '../../../contracts/job-ports.ts'

const slice = 200

/** Stores refused calls of each team, shared by all processes on one database. */
function createRefusals(tools: SweepTools): Refusals & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async note(teamId, { at, ...facts }) {
      const json = JSON.stringify(facts)
      await db.transaction([
        {
          sql: `INSERT INTO refusal (team_id, digest, refused_at, facts) VALUES (?, ?, ?, ?)
            ON CONFLICT (team_id, digest) DO UPDATE SET refused_at = max(refusal.refused_at, excluded.refused_at)`,
          params: [teamId, createHash('sha256').update(json).digest('base64'), at, json],
        },
        {
          sql: `DELETE FROM refusal WHERE team_id = ? AND digest NOT IN
            (SELECT digest FROM refusal WHERE team_id = ? ORDER BY refused_at DESC, digest LIMIT ?)`,
          params: [teamId, teamId, refusalsKept.ofTeam],
        },
      ])
      sweep.nudge()
    },
    async list(teamId) {
      const rows = await db.all(
        'SELECT refused_at, facts FROM refusal WHERE team_id = ? AND refused_at > ? ORDER BY refused_at DESC, digest',
        [teamId, clock.now() - refusalsKept.ms],
      )
      return rows.map(refusalOf)
    },
    idle: sweep.idle,
  }
}

const refusalOf = (row: Row): Refusal => ({
  ...(jsonObject(row.facts) as Omit<Refusal, 'at'>),
  at: Number(row.refused_at),
})

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: `DELETE FROM refusal WHERE (team_id, digest) IN
        (SELECT team_id, digest FROM refusal WHERE refused_at <= ? LIMIT ?)`,
      params: [now - refusalsKept.ms, slice],
    },
  ],
}

/** Data about teams themselves, rather than their jobs. */
export function createAccounts(tools: SweepTools) {
  const { db, clock } = tools
  const { idle, ...refusals } = createRefusals(tools)
  return { usage: createUsage(db), teams: createTeams(db, clock), keys: createKeys(db, clock), refusals, idle }
}

const prefixLength = 8
/** The last use of a key is recorded at most once a minute. */
const useNotedMs = 60_000

/** API keys. Only their SHA-256 is stored, so a stolen database file contains no usable keys. */
function createKeys(db: Db, clock: Clock): Keys {
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

/** Not awaited, so a full disk does not reject a key. */
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

/** Permissions that this version does not know grant nothing. */
function permissionsOf(value: Value | undefined): GrantedPermission[] {
  const stored = jsonTexts(value)
  return knownPermissions.filter((name) => stored.includes(name))
}

/** Terms of each team, stored in one JSON column because they are read and written together. */
function createTeams(db: Db, clock: Clock): Teams {
  const rowOf = async (id: string): Promise<Row | undefined> =>
    (await db.all('SELECT * FROM team WHERE id = ?', [id]))[0]
  return {
    async add(id, terms) {
      checkId(id)
      const createdAt = clock.now()
      const added = await db.run('INSERT INTO team (id, created_at, terms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
        id,
        createdAt,
        JSON.stringify(terms),
      ])
      if (added === 0) fail('BAD_REQUEST', { message: `There is already a team "${id}".`, hint: 'Change it instead.' })
      return { id, createdAt, terms }
    },
    async change(id, terms) {
      for (;;) {
        const row = (await rowOf(id)) ?? unknown(id)
        const team = teamOf(row)
        const changed = { ...team.terms, ...terms }
        const written = await db.run('UPDATE team SET terms = ? WHERE id = ? AND terms = ?', [
          JSON.stringify(changed),
          id,
          text(row.terms),
        ])
        // Otherwise another process changed it in between, so retry.
        if (written === 1) return { ...team, terms: changed }
      }
    },
    async find(id) {
      const row = await rowOf(id)
      return row && teamOf(row)
    },
    list: async () => (await db.all('SELECT * FROM team ORDER BY id')).map(teamOf),
    async remove(id) {
      // Keys and refusals are deleted only if the team exists: a wrong id must revoke nothing.
      const its = (table: string) => ({
        sql: `DELETE FROM ${table} WHERE team_id = ? AND EXISTS (SELECT 1 FROM team WHERE id = ?)`,
        params: [id, id],
      })
      const done = await db.transaction([
        its('api_key'),
        its('refusal'),
        { sql: 'DELETE FROM team WHERE id = ?', params: [id] },
      ])
      if (done.at(-1)?.changes === 0) unknown(id)
    },
  }
}

function checkId(id: string): void {
  if (!isTeamId(id))
    fail('BAD_REQUEST', { message: 'A team id has 1 to 64 printable characters, without spaces and colons.' })
  if (id === localTeamId)
    fail('BAD_REQUEST', {
      message: `"${id}" is the team of whoever runs the program.`,
      hint: 'Its limits are those of the settings. Choose another id.',
    })
}

const unknown = (id: string): never =>
  fail('BAD_REQUEST', { message: `There is no team "${id}".`, hint: 'Add it first, or list the teams.' })

/** Permissions that this version does not know grant nothing. */
function teamOf(row: Row): StoredTeam {
  const terms: TeamTerms = jsonObject(row.terms)
  const known = terms.permissions && knownPermissions.filter((name) => terms.permissions?.includes(name))
  return {
    id: text(row.id),
    createdAt: Number(row.created_at),
    terms: { ...terms, ...(known && { permissions: known }) },
  }
}
