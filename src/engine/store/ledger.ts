import { dayOf, monthOf } from './calendar.ts'
import type { Param, Statement } from './db.ts'

export type Charge = {
  /** What is paid for, once: a job, or a page of one. */
  jobId: string
  teamId: string
  keyName: string | null
  createdAt: number
  credits: number
}
/** Something that must hold for a statement to do anything. */
export type Condition = { sql: string; params: readonly Param[] }

const always: Condition = { sql: 'TRUE', params: [] }

/** The ledger is written last: as long as it lacks the job, its credits have not been counted. */
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
