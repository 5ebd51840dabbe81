import { dayMs, startOfMonth } from './db/calendar.ts'
import { text } from './db/columns.ts'
import type { Db, Row } from './db/db.ts'
import type { Usage, UsagePeriod } from '../../../contracts/account.ts'

/** Sums come from the daily roll-up; only the day on which a period begins is read entry by entry. */
export function createUsage(db: Db): Usage {
  return {
    async months({ teamId, byKey }) {
      const columns = byKey ? 'month, key_name' : 'month'
      const rows = await db.all(
        `SELECT ${columns}, SUM(credits) AS credits FROM usage_day WHERE team_id = ? GROUP BY ${columns} ORDER BY ${columns}`,
        [teamId],
      )
      return rows.map(periodOf)
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
  }
}

/** `end` is the first moment of the next month. */
function periodOf(row: Row): UsagePeriod {
  const month = Number(row.month)
  return {
    start: startOfMonth(month),
    end: startOfMonth(month + 1),
    keyName: text(row.key_name) || null,
    credits: Number(row.credits),
  }
}
