import { dayMs, dayOf, monthOf, startOfMonth } from '../db/calendar.ts'
import { text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'
import { chargeOnce } from '../ledger.ts'
import type { ModelMonth, Usage, UsagePeriod } from '../../../../contracts/account.ts'

/** Sums come from the roll-ups, which outlive the entries; only the day on which a period begins is read entry by entry. */
export function createUsage(db: Db): Usage {
  return {
    async months({ teamId, byKey, byEndpoint }) {
      const columns = ['month', ...(byKey ? ['key_name'] : []), ...(byEndpoint ? ['endpoint'] : [])].join(', ')
      const rows = await db.all(
        `SELECT ${columns}, SUM(credits) AS credits FROM usage_month WHERE team_id = ? GROUP BY ${columns} ORDER BY ${columns}`,
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

/** `end` is the first moment of the next month. */
function monthAndKey(row: Row) {
  const month = Number(row.month)
  return { start: startOfMonth(month), end: startOfMonth(month + 1), keyName: text(row.key_name) || null }
}
