import { dayOf, monthOf } from './db/calendar.ts'
import type { Condition, Statement } from './db/db.ts'

export type Charge = {
  /** Id of what is charged, once: a job, a page of one, or a session. */
  jobId: string
  teamId: string
  keyName: string | null
  createdAt: number
  credits: number
}
const always: Condition = { sql: 'TRUE', params: [] }

/** Charges credits unless that was done before. The ledger is written last: while it lacks the id, the sums lack the credits. */
export function chargeOnce(charge: Charge, condition: Condition = always): Statement[] {
  const { jobId, teamId, keyName, createdAt, credits } = charge
  const key = keyName ?? ''
  return [
    {
      sql: `INSERT INTO usage_day (team_id, day, key_name, month, credits) SELECT ?, ?, ?, ?, ?
        WHERE ? > 0 AND NOT EXISTS (SELECT 1 FROM ledger WHERE job_id = ?) AND ${condition.sql}
        ON CONFLICT (team_id, day, key_name) DO UPDATE SET credits = usage_day.credits + excluded.credits`,
      params: [teamId, dayOf(createdAt), key, monthOf(createdAt), credits, credits, jobId, ...condition.params],
    },
    {
      sql: `INSERT INTO ledger (job_id, team_id, key_name, created_at, credits) SELECT ?, ?, ?, ?, ?
        WHERE ${condition.sql} ON CONFLICT DO NOTHING`,
      params: [jobId, teamId, key, createdAt, credits, ...condition.params],
    },
  ]
}
