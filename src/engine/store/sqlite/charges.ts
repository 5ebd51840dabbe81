import { dayMs, dayOf, text, type Condition, type Db, type Row, type Statement } from './db/db.ts'
import type { ModelMonth, Usage, UsagePeriod } from '../../../contracts/account-ports.ts'

/** Returns calendar months (UTC) since year 0, so the next month is always one more. */
function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const startOfMonth = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12)

/**
 * Reads daily sums, which are kept longer than the ledger entries. Only the first day of a period is summed up entry by
 * entry.
 */
export function createUsage(db: Db): Usage {
  return {
    async months({ teamId, byKey, byEndpoint }) {
      const columns = ['month', ...(byKey ? ['key_name'] : []), ...(byEndpoint ? ['endpoint'] : [])].join(', ')
      const rows = await db.all(
        `SELECT ${columns}, SUM(credits) AS credits FROM usage_day WHERE team_id = ? GROUP BY ${columns} ORDER BY ${columns}`,
        [teamId],
      )
      return rows.map(periodOf)
    },
    async days(teamId, from) {
      const rows = await db.all(
        'SELECT day, SUM(credits) AS credits FROM usage_day WHERE team_id = ? AND day >= ? GROUP BY day ORDER BY day',
        [teamId, dayOf(from)],
      )
      return rows.map((row) => ({ start: Number(row.day) * dayMs, credits: Number(row.credits) }))
    },
    async since(teamId, from) {
      const firstWholeDay = Math.ceil(from / dayMs)
      const [row] = await db.all(
        `SELECT COALESCE((SELECT SUM(credits) FROM usage_day WHERE team_id = ? AND day >= ?), 0)
          + COALESCE((SELECT SUM(credits) FROM ledger WHERE team_id = ? AND created_at >= ? AND created_at < ?), 0) AS credits`,
        [teamId, firstWholeDay, teamId, from, firstWholeDay * dayMs],
      )
      return Number(row?.credits ?? 0)
    },
    charge: async (charge, at) => void (await db.transaction(chargeOnce({ ...charge, createdAt: at }))),
    async addModel({ teamId, keyName, task, model, calls, inputTokens, outputTokens }, at) {
      await db.run(
        `INSERT INTO model_month (team_id, month, key_name, task, model, calls, input_tokens, output_tokens)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (team_id, month, key_name, task, model) DO UPDATE SET
          calls = model_month.calls + excluded.calls, input_tokens = model_month.input_tokens + excluded.input_tokens,
          output_tokens = model_month.output_tokens + excluded.output_tokens`,
        [teamId, monthOf(at), keyName ?? '', task, model, calls, inputTokens, outputTokens],
      )
    },
    async modelMonths({ teamId }) {
      const rows = await db.all(
        `SELECT * FROM model_month WHERE ? IN ('', team_id) ORDER BY month, team_id, key_name, task, model`,
        [teamId ?? ''],
      )
      return rows.map(modelMonthOf)
    },
  }
}

const periodOf = (row: Row): UsagePeriod => ({
  ...monthAndKey(row),
  ...(row.endpoint !== undefined && { endpoint: text(row.endpoint) }),
  credits: Number(row.credits),
})

const modelMonthOf = (row: Row): ModelMonth => ({
  ...monthAndKey(row),
  teamId: text(row.team_id),
  task: text(row.task),
  model: text(row.model),
  calls: Number(row.calls),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
})

/** Returns the key and the span of a row's month; `end` is the start of the next month. */
function monthAndKey(row: Row) {
  const month = Number(row.month)
  return { start: startOfMonth(month), end: startOfMonth(month + 1), keyName: text(row.key_name) || null }
}

export type Charge = {
  /** Id that is charged at most once: a job, a page of a job, or a session. */
  jobId: string
  teamId: string
  keyName: string | null
  /** Endpoint as shown in activity; for a workflow its kind. */
  endpoint: string
  createdAt: number
  credits: number
}
const always: Condition = { sql: 'TRUE', params: [] }

/** Charges credits unless the id was charged before. */
export const chargeOnce = (charge: Charge, condition: Condition = always): Statement[] => chargeAll([charge], condition)

/**
 * Charges several ids together, each unless it was charged before; the sums are written once for all of them. The
 * condition may use additional fields of a charge as `charge.value ->> 'name'`. The ledger is written last, because the
 * sums are increased only for ids that it lacks.
 */
export function chargeAll(charges: readonly Charge[], condition: Condition = always): Statement[] {
  if (charges.length === 0) return []
  const list = JSON.stringify(charges.map((charge) => ({ ...charge, ...partsOf(charge) })))
  const params = [list, ...condition.params]
  const texts = statementTexts.get(condition.sql) ?? chargingUnder(condition.sql)
  statementTexts.set(condition.sql, texts)
  return texts.map((sql) => ({ sql, params }))
}

/** Cached SQL texts by condition, of which there are few: building the texts takes longer than everything else. */
const statementTexts = new Map<string, readonly string[]>()

function chargingUnder(condition: string): readonly string[] {
  const isNew = `${field('credits')} > 0.0 AND ${condition}
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE job_id = charge.value ->> 'jobId')`
  return [
    `INSERT INTO usage_day (team_id, day, key_name, endpoint, month, credits)
      SELECT ${field('teamId')}, ${field('day')}, ${field('key')}, ${field('endpoint')}, ${field('month')}, SUM(${field('credits')})
      FROM json_each(?) AS charge WHERE ${isNew} GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (team_id, day, key_name, endpoint) DO UPDATE SET credits = usage_day.credits + excluded.credits`,
    `INSERT INTO ledger (job_id, team_id, key_name, created_at, credits)
      SELECT ${field('jobId')}, ${field('teamId')}, ${field('key')}, ${field('createdAt')}, ${field('credits')}
      FROM json_each(?) AS charge WHERE ${condition} ON CONFLICT DO NOTHING`,
  ]
}

/** Types of numeric fields: PostgreSQL reads JSON values as text. */
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
