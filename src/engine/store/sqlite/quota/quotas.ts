import type { Clock } from '../../../../contracts/ports.ts'
import type { Quotas } from '../../quotas.ts'
import { dayOf } from '../db/calendar.ts'
import { text } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { createSlots, forgetLost } from './slots.ts'

const minuteMs = 60_000

export function createQuotas(db: Db, clock: Clock): Quotas {
  return {
    ...createSlots(db, clock),
    async countCall({ teamId, endpoint, limit }) {
      const minute = Math.floor(clock.now() / minuteMs)
      const [counted] = await db.transaction([
        {
          // A clock that runs behind counts into the minute that others have begun.
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
        forgetLost(clock.now()),
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
        forgetLost(now),
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
