import { dayOf, monthOf } from './db/calendar.ts'
import type { Condition, Statement } from './db/db.ts'

export type Charge = {
  /** Id of what is charged, once: a job, a page of one, or a session. */
  jobId: string
  teamId: string
  keyName: string | null
  /** As activity names it; of a workflow its kind. */
  endpoint: string
  createdAt: number
  credits: number
}
const always: Condition = { sql: 'TRUE', params: [] }

/** Charges credits unless that was done before. */
export const chargeOnce = (charge: Charge, condition: Condition = always): Statement[] => chargeAll([charge], condition)

/**
 * Charges many at once, each unless that was done before; the sums are written once for all of them. The condition may ask
 * for what a charge has besides, as `charge.value ->> 'name'`. The ledger is written last: while it lacks the id, the sums
 * lack the credits.
 */
export function chargeAll(charges: readonly Charge[], condition: Condition = always): Statement[] {
  if (charges.length === 0) return []
  const list = JSON.stringify(charges.map((charge) => ({ ...charge, ...partsOf(charge) })))
  const params = [list, ...condition.params]
  const texts = written.get(condition.sql) ?? chargingUnder(condition.sql)
  written.set(condition.sql, texts)
  return texts.map((sql) => ({ sql, params }))
}

/** By their condition, of which there are few: putting the texts together takes longer than the rest. */
const written = new Map<string, readonly string[]>()

function chargingUnder(condition: string): readonly string[] {
  const isNew = `${field('credits')} > 0.0 AND ${condition}
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE job_id = charge.value ->> 'jobId')`
  return [
    `INSERT INTO usage_day (team_id, day, key_name, month, credits)
      SELECT ${field('teamId')}, ${field('day')}, ${field('key')}, ${field('month')}, SUM(${field('credits')})
      FROM json_each(?) AS charge WHERE ${isNew} GROUP BY 1, 2, 3, 4
      ON CONFLICT (team_id, day, key_name) DO UPDATE SET credits = usage_day.credits + excluded.credits`,
    `INSERT INTO usage_month (team_id, month, key_name, endpoint, credits)
      SELECT ${field('teamId')}, ${field('month')}, ${field('key')}, ${field('endpoint')}, SUM(${field('credits')})
      FROM json_each(?) AS charge WHERE ${isNew} GROUP BY 1, 2, 3, 4
      ON CONFLICT (team_id, month, key_name, endpoint) DO UPDATE SET credits = usage_month.credits + excluded.credits`,
    `INSERT INTO ledger (job_id, team_id, key_name, created_at, credits)
      SELECT ${field('jobId')}, ${field('teamId')}, ${field('key')}, ${field('createdAt')}, ${field('credits')}
      FROM json_each(?) AS charge WHERE ${condition} ON CONFLICT DO NOTHING`,
  ]
}

/** PostgreSQL reads text from JSON. */
const numbers = { credits: 'DOUBLE PRECISION', day: 'INTEGER', month: 'INTEGER', createdAt: 'BIGINT' } as const
const field = (name: 'jobId' | 'teamId' | 'key' | 'endpoint' | keyof typeof numbers) =>
  name in numbers
    ? `CAST(charge.value ->> '${name}' AS ${numbers[name as keyof typeof numbers]})`
    : `(charge.value ->> '${name}')`

const partsOf = ({ createdAt, keyName }: Charge) => ({
  key: keyName ?? '',
  day: dayOf(createdAt),
  month: monthOf(createdAt),
})
