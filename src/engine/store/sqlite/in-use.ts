import type { Clock } from '../../../contracts/ports.ts'
import type { Claim, ClaimedCall, KeyedCalls, Quotas, Store, Ticket } from '../store.ts'
import {
  dayMs,
  dayOf,
  bytes,
  text,
  createSweep,
  type Expired,
  type SweepTools,
  type Db,
  type Row,
  type Statement,
} from './db/db.ts'

const minuteMs = 60_000

function createQuotas(db: Db, clock: Clock): Quotas {
  return {
    ...createSlots(db, clock),
    async countCall({ teamId, endpoint, limit }) {
      const minute = Math.floor(clock.now() / minuteMs)
      const [counted] = await db.transaction([
        {
          // A process with a slow clock counts into the minute that others have started.
          sql: `INSERT INTO call_count (team_id, endpoint, minute, calls) SELECT ?, ?, ?, 1 WHERE ? > 0
            ON CONFLICT (team_id, endpoint) DO UPDATE SET
              calls = CASE WHEN excluded.minute > call_count.minute THEN 1 ELSE call_count.calls + 1 END,
              minute = max(call_count.minute, excluded.minute)
              WHERE excluded.minute > call_count.minute OR call_count.calls < ?
            RETURNING calls`,
          params: [teamId, endpoint, minute, limit, limit],
        },
      ])
      const [row] = counted?.rows ?? []
      return { isCounted: row !== undefined, left: row ? Math.max(0, limit - Number(row.calls)) : 0 }
    },
    async holdCredits({ jobId, teamId, workerId, credits, limit, since }) {
      const [, held] = await db.transaction([
        deleteExpiredWorkers(clock.now()),
        {
          sql: `INSERT INTO credit_hold (job_id, team_id, worker_id, credits) SELECT ?, ?, ?, ?
            WHERE ? + (SELECT COALESCE(SUM(credits), 0) FROM credit_hold WHERE team_id = ?)
              + (SELECT COALESCE(SUM(credits), 0) FROM usage_day WHERE team_id = ? AND day >= ?) <= ?
            ON CONFLICT (job_id) DO NOTHING`,
          params: [jobId, teamId, workerId, credits, credits, teamId, teamId, dayOf(since), limit],
        },
      ])
      return held?.changes === 1
    },
    releaseCredits: async (jobId) => void (await db.run('DELETE FROM credit_hold WHERE job_id = ?', [jobId])),
    async renew(workerId, leaseMs) {
      const now = clock.now()
      const [, renewed] = await db.transaction([
        deleteExpiredWorkers(now),
        { sql: 'UPDATE quota_worker SET lease_until = ? WHERE id = ?', params: [now + leaseMs, workerId] },
        {
          sql: 'INSERT INTO quota_worker (id, lease_until) VALUES (?, ?) ON CONFLICT DO NOTHING',
          params: [workerId, now + leaseMs],
        },
      ])
      return renewed?.changes === 1
    },
    workers: async () => (await db.all('SELECT id FROM quota_worker ORDER BY id')).map(({ id }) => text(id)),
    release: async (workerId) => void (await db.run('DELETE FROM quota_worker WHERE id = ?', [workerId])),
  }
}

type Slots = Pick<Quotas, 'join' | 'leave' | 'advance' | 'heldBy' | 'load'>

/** Slots of each team and their queue: one row per ticket, in order of arrival; the first rows hold a slot. */
function createSlots(db: Db, clock: Clock): Slots {
  return {
    async join(ticket, { maxConcurrency, maxWaiting }) {
      const [added, entered] = await db.transaction([
        insertTicket(ticket, maxConcurrency + maxWaiting),
        admit(ticket.teamId, maxConcurrency),
      ])
      const ids = idsOf(entered?.rows)
      const state = added?.changes === 0 ? 'full' : ids.includes(ticket.id) ? 'held' : 'waiting'
      return { state, admitted: ids }
    },
    async leave({ id, teamId }, maxConcurrency) {
      const [, entered] = await db.transaction([
        { sql: 'DELETE FROM slot WHERE id = ?', params: [id] },
        admit(teamId, maxConcurrency),
      ])
      return idsOf(entered?.rows)
    },
    async advance(teamId, maxConcurrency) {
      const [, entered] = await db.transaction([deleteExpiredWorkers(clock.now()), admit(teamId, maxConcurrency)])
      return idsOf(entered?.rows)
    },
    heldBy: async (workerId) => idsOf(await db.all('SELECT id FROM slot WHERE worker_id = ? AND is_held', [workerId])),
    async load(teamId) {
      const [row] = await db.all(
        `SELECT COUNT(*) FILTER (WHERE is_held) AS active, COUNT(*) FILTER (WHERE NOT is_held) AS waiting FROM slot
          JOIN quota_worker ON quota_worker.id = worker_id AND lease_until > ? WHERE team_id = ?`,
        [clock.now(), teamId],
      )
      return { active: Number(row?.active), waiting: Number(row?.waiting) }
    },
  }
}

const idsOf = (rows: readonly Row[] = []) => rows.map(({ id }) => text(id))

const insertTicket = ({ id, teamId, workerId }: Ticket, most: number): Statement => ({
  sql: `INSERT INTO slot (id, team_id, worker_id, is_held) SELECT ?, ?, ?, FALSE
    WHERE (SELECT COUNT(*) FROM slot WHERE team_id = ?) < ?`,
  params: [id, teamId, workerId, teamId, most],
})

/** Gives the free slots to waiting tickets in order of arrival. */
const admit = (teamId: string, maxConcurrency: number): Statement => ({
  sql: `UPDATE slot SET is_held = TRUE WHERE seq IN (
      SELECT seq FROM slot WHERE team_id = ? AND NOT is_held ORDER BY seq
        LIMIT max(0, ? - (SELECT COUNT(*) FROM slot WHERE team_id = ? AND is_held))
    ) RETURNING id`,
  params: [teamId, maxConcurrency, teamId],
})

/** Deletes workers whose lease has expired, with everything they hold. */
const deleteExpiredWorkers = (now: number): Statement => ({
  sql: 'DELETE FROM quota_worker WHERE lease_until <= ?',
  params: [now],
})

/** Time for which an idempotency key refers to its first call. */
const keyMs = dayMs

function createKeyedCalls(tools: SweepTools): KeyedCalls & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async claim(call) {
      const now = clock.now()
      const [, , , found] = await db.transaction([
        deleteExpiredWorkers(now),
        {
          sql: 'DELETE FROM keyed_call WHERE team_id = ? AND key_digest = ? AND expires_at <= ?',
          params: [call.teamId, call.keyDigest, now],
        },
        {
          sql: `INSERT INTO keyed_call
              (team_id, key_digest, asks_digest, job_id, claim_id, worker_id, is_answered, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, FALSE, ?)
            ON CONFLICT (team_id, key_digest) DO UPDATE SET claim_id = excluded.claim_id, worker_id = excluded.worker_id
              WHERE keyed_call.asks_digest = excluded.asks_digest AND NOT keyed_call.is_answered
                AND keyed_call.worker_id NOT IN (SELECT id FROM quota_worker)`,
          params: [
            [call.teamId, call.keyDigest, call.asksDigest, call.jobId, call.claimId, call.workerId],
            [now + keyMs],
          ].flat(),
        },
        {
          sql: 'SELECT * FROM keyed_call WHERE team_id = ? AND key_digest = ?',
          params: [call.teamId, call.keyDigest],
        },
      ])
      sweep.nudge()
      return claimOf(found?.rows[0] ?? {}, call)
    },
    async finish({ claimId }, answer) {
      await db.run('UPDATE keyed_call SET is_answered = TRUE, answer = ? WHERE claim_id = ?', [answer, claimId])
    },
    async forget({ claimId }) {
      await db.run('DELETE FROM keyed_call WHERE claim_id = ?', [claimId])
    },
    idle: sweep.idle,
  }
}

function claimOf(row: Row, { claimId, asksDigest }: ClaimedCall): Claim {
  if (Buffer.compare(bytes(row.asks_digest), asksDigest) !== 0) return { state: 'other call' }
  if (row.is_answered === 1) return { state: 'answered', answer: row.answer === null ? null : bytes(row.answer) }
  return text(row.claim_id) === claimId ? { state: 'claimed', jobId: text(row.job_id) } : { state: 'running' }
}

const expired: Expired = {
  /** Responses may be large, so few are deleted per slice. */
  slice: 20,
  rows: (now) => [{ table: 'keyed_call', key: 'claim_id', sql: 'expires_at <= ?', params: [now] }],
}

/** Resources that running calls hold, leased by the process of the call. */
export function createInUse(tools: SweepTools): Pick<Store, 'quotas' | 'keyedCalls'> & { idle(): Promise<void> } {
  const { idle, ...keyedCalls } = createKeyedCalls(tools)
  return { quotas: createQuotas(tools.db, tools.clock), keyedCalls, idle }
}
