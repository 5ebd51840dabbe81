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
  abandonedMs,
  type Condition,
  type Expired,
  type Statement,
} from './db/db.ts'
import { createUsage } from './charges.ts'
import { pageState } from './crawl/results.ts'
import {
  type GrantedPermission,
  type KeyLimits,
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

/** Refused calls of each team, shared by all processes on one database. */
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
  slice: 200,
  rows: (now) => [
    { table: 'refusal', key: 'team_id, digest', sql: 'refused_at <= ?', params: [now - refusalsKept.ms] },
  ],
}

/** Usage, terms, API keys and refused calls of teams. */
export function createAccounts(tools: SweepTools, hasOtherAccess: HasAccess = () => false) {
  const { db, clock } = tools
  const { idle, ...refusals } = createRefusals(tools)
  const teams = createTeams(db, clock, hasOtherAccess)
  return { usage: createUsage(db), teams, keys: createKeys(db, clock, hasOtherAccess), refusals, idle }
}

type HasAccess = (teamId: string) => boolean

const prefixLength = 8
/** Minimum time between two records of a key's use. */
const useRecordedMs = 60_000

/** API keys. Only their SHA-256 is stored, so a stolen database file contains no usable keys. */
function createKeys(db: Db, clock: Clock, hasOtherAccess: HasAccess): Keys {
  return {
    async add({ name, teamId, permissions, limits, expiresAt }) {
      if (!/^[^\p{C}]{1,64}$/u.test(name))
        fail('BAD_REQUEST', { message: 'A key name has 1 to 64 printable characters.' })
      const key = `gsm-${randomBytes(24).toString('base64url')}`
      const added = await db.run(
        `INSERT INTO api_key (name, hash, prefix, team_id, permissions, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
        [
          [name, hash('sha256', key), key.slice(0, prefixLength), teamId],
          [JSON.stringify([...permissions, ...storedLimits(limits)]), clock.now(), expiresAt ?? null],
        ].flat(),
      )
      if (added === 0) fail('BAD_REQUEST', { message: `There is already a key named "${name}".`, hint: takenHint })
      await reopenTeam(db, teamId)
      return { key }
    },
    list: async () => (await db.all('SELECT * FROM api_key ORDER BY created_at, name')).map(listedOf),
    async revoke(name) {
      const [row] = await db.all('SELECT team_id FROM api_key WHERE name = ?', [name])
      if (!row) return fail('BAD_REQUEST', { message: `There is no key named "${name}".`, hint: unknownHint })
      const teamId = text(row.team_id)
      const revoked = { sql: 'DELETE FROM api_key WHERE name = ?', params: [name] }
      const isOver = teamId !== localTeamId && !hasOtherAccess(teamId)
      const [, stopped] = await db.transaction([
        revoked,
        ...(isOver ? await stopTeam(db, teamId, clock.now(), 'pause') : []),
      ])
      return { stoppedTeam: stopped?.changes === 1 ? teamId : undefined }
    },
    async find(presentedKey) {
      const presented = hash('sha256', presentedKey)
      const now = clock.now()
      const [row] = await db.all('SELECT * FROM api_key WHERE hash = ? AND coalesce(expires_at > ?, TRUE)', [
        presented,
        now,
      ])
      if (!row || !isSame(text(row.hash), presented)) return undefined
      recordUse(db, row, now)
      return ownerOf(row)
    },
  }
}

/** Records the use of a key in the background, so a full disk does not reject the key. */
function recordUse(db: Db, { name, last_used_at: before = null }: Row, now: number): void {
  if (before !== null && now - Number(before) < useRecordedMs) return
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
  ...limitsOf(row.permissions),
})

const listedOf = (row: Row): ListedKey => ({
  ...ownerOf(row),
  prefix: text(row.prefix),
  createdAt: Number(row.created_at),
  expiresAt: nullableNumber(row.expires_at),
  lastUsedAt: nullableNumber(row.last_used_at),
})

/** Returns the stored permissions that this version knows. */
function permissionsOf(value: Value | undefined): GrantedPermission[] {
  const stored = jsonTexts(value)
  return knownPermissions.filter((name) => stored.includes(name))
}

/** Selects disabled teams. Quotes within a JSON text are escaped, so the pattern matches only the term itself. */
export const disabledTeams = `SELECT id FROM team WHERE terms LIKE '%"disabled":true%'`

const readMark = 'limit:read'
const operationMark = 'limit:operation:'

/** Returns the limits of a key as entries of its permissions column, because both are read with every call. */
const storedLimits = ({ readOnly, operations = [] }: KeyLimits = {}): string[] => [
  ...(readOnly ? [readMark] : []),
  ...operations.map((name) => operationMark + name),
]

function limitsOf(value: Value | undefined): Pick<KeyOwner, 'limits'> {
  const stored = jsonTexts(value)
  const operations = stored.flatMap((each) => (each.startsWith(operationMark) ? each.slice(operationMark.length) : []))
  const readOnly = stored.includes(readMark)
  if (!readOnly && operations.length === 0) return {}
  return { limits: { ...(readOnly && { readOnly }), ...(operations.length > 0 && { operations }) } }
}

/** Terms of each team, stored in one JSON column because they are read and written together. */
function createTeams(db: Db, clock: Clock, hasOtherAccess: HasAccess): Teams {
  const rowOf = async (id: string): Promise<Row | undefined> =>
    (await db.all(`SELECT * FROM team WHERE id = ? AND NOT ${isHidden}`, [id]))[0]
  return {
    async add(id, terms) {
      checkId(id)
      const createdAt = clock.now()
      const { stoppedAt } = await storedTerms(db, id)
      const added = await db.run(
        `INSERT INTO team (id, created_at, terms) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at, terms = excluded.terms
          WHERE ${isHidden.replace('terms', 'team.terms')}`,
        [id, createdAt, JSON.stringify({ ...terms, stoppedAt })],
      )
      if (added === 0) fail('BAD_REQUEST', { message: `There is already a team "${id}".`, hint: 'Change it instead.' })
      return { id, createdAt, terms }
    },
    async change(id, terms) {
      for (;;) {
        const row = (await rowOf(id)) ?? unknown(id)
        const team = teamOf(row)
        const changed = { ...jsonObject(row.terms), ...terms }
        const written = await db.run('UPDATE team SET terms = ? WHERE id = ? AND terms = ?', [
          JSON.stringify(changed),
          id,
          text(row.terms),
        ])
        // If nothing was written, another process changed the team in between: retry.
        if (written === 1) return { ...team, terms: { ...team.terms, ...terms } }
      }
    },
    async find(id) {
      const row = await rowOf(id)
      return row && teamOf(row)
    },
    async stateOf(id) {
      const { isHidden: _, isOver, stoppedAt, ...terms } = await storedTerms(db, id)
      return { ...knownTerms(terms), stoppedAt: isOver ? Infinity : stoppedAt }
    },
    list: async () => (await db.all(`SELECT * FROM team WHERE NOT ${isHidden} ORDER BY id`)).map(teamOf),
    async remove(id) {
      // An unknown id must revoke nothing.
      if (!(await rowOf(id))) unknown(id)
      const deleteFrom = (table: string) => ({ sql: `DELETE FROM ${table} WHERE team_id = ?`, params: [id] })
      const now = clock.now()
      // A hidden row only stops jobs. Those of a team stopped this long ago are deleted, so its row is not needed.
      const old = { sql: `DELETE FROM team WHERE created_at <= ? AND ${isHidden}`, params: [now - abandonedMs] }
      const stopped = await stopTeam(db, id, now, hasOtherAccess(id) ? 'keep access' : 'remove')
      await db.transaction([deleteFrom('api_key'), deleteFrom('refusal'), deleteFrom('monitor'), old, ...stopped])
    },
  }
}

function checkId(id: string): void {
  if (!isTeamId(id))
    fail('BAD_REQUEST', { message: 'A team id has 1 to 64 printable characters, without spaces and colons.' })
  if (id === localTeamId)
    fail('BAD_REQUEST', {
      message: `"${id}" is the team of the operator.`,
      hint: 'Its limits are those of the settings. Choose another id.',
    })
}

const unknown = (id: string): never =>
  fail('BAD_REQUEST', { message: `There is no team "${id}".`, hint: 'Add it first, or list the teams.' })

function teamOf(row: Row): StoredTeam {
  const { isHidden: _, isOver: __, stoppedAt: ___, ...terms } = jsonObject(row.terms) as StoredTerms
  return { id: text(row.id), createdAt: Number(row.created_at), terms: knownTerms(terms) }
}

/** Removes permissions that this version does not know. */
function knownTerms(terms: TeamTerms): TeamTerms {
  const known = terms.permissions && knownPermissions.filter((name) => terms.permissions?.includes(name))
  return { ...terms, ...(known && { permissions: known }) }
}

/**
 * `isHidden`: the team has no terms of its own; the row only records that the team was stopped. `isOver`: no key grants
 * access to the team any more, so even work that a running call starts after `stoppedAt` is stopped.
 */
type StoredTerms = TeamTerms & { isHidden?: true; isOver?: boolean; stoppedAt?: number }
/** SQL condition for hidden teams; `isHidden` is always the first field of the JSON. */
const isHidden = `(terms LIKE '{"isHidden":true%')`

async function storedTerms(db: Db, id: string): Promise<StoredTerms> {
  const [row] = await db.all('SELECT terms FROM team WHERE id = ?', [id])
  return row ? jsonObject(row.terms) : {}
}

/**
 * Returns statements that stop the work of a team if it has no keys; the first one changes a row in that case. Work in
 * the memory of a process (sessions, crawls with zero data retention) ends when that process reads `stoppedAt`.
 */
async function stopTeam(
  db: Db,
  id: string,
  now: number,
  how: 'pause' | 'remove' | 'keep access',
): Promise<Statement[]> {
  const row = how === 'pause' ? (await db.all('SELECT * FROM team WHERE id = ?', [id]))[0] : undefined
  const before: StoredTerms = row ? jsonObject(row.terms) : { isHidden: true }
  const terms = JSON.stringify({ ...before, isOver: how !== 'keep access', stoppedAt: now })
  const isKeyless: Condition = { sql: 'NOT EXISTS (SELECT 1 FROM api_key WHERE team_id = ?)', params: [id] }
  const params = [id, ...isKeyless.params]
  const cancel = (table: string, running: string, more = ''): Statement => ({
    sql: `UPDATE ${table} SET status = 'cancelled', completed_at = ?, expires_at = ? + expires_at - created_at${more}
      WHERE team_id = ? AND status = '${running}' AND ${isKeyless.sql}`,
    params: [now, now, ...params],
  })
  return [
    {
      sql: `INSERT INTO team (id, created_at, terms) SELECT ?, ?, ? WHERE ${isKeyless.sql}
        ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at, terms = excluded.terms`,
      params: [id, row?.created_at ?? now, terms, ...isKeyless.params],
    },
    cancel('crawl', 'scraping'),
    {
      sql: `UPDATE crawl_page SET state = ${pageState.dropped}, worker_id = NULL
        WHERE state IN (${pageState.waiting}, ${pageState.active})
        AND crawl_id IN (SELECT id FROM crawl WHERE team_id = ? AND status = 'cancelled')`,
      params: [id],
    },
    cancel('workflow', 'processing', ', worker_id = NULL'),
    {
      sql: `DELETE FROM workflow_step WHERE workflow_id IN
        (SELECT id FROM workflow WHERE team_id = ? AND status = 'cancelled')`,
      params: [id],
    },
    {
      sql: `UPDATE monitor SET status = 'paused', next_at = NULL WHERE team_id = ? AND ${isKeyless.sql}`,
      params,
    },
  ]
}

/** Makes a team usable again when it gets a key. Its stopped work stays stopped. */
async function reopenTeam(db: Db, id: string): Promise<void> {
  const { isOver, ...terms } = await storedTerms(db, id)
  if (isOver) await db.run('UPDATE team SET terms = ? WHERE id = ?', [JSON.stringify(terms), id])
}
