import type { Quotas, Ticket } from '../../quotas.ts'
import { text } from '../db/columns.ts'
import type { Db, Row, Statement } from '../db/db.ts'
import type { Clock } from '../../../../contracts/ports.ts'

type Slots = Pick<Quotas, 'join' | 'leave' | 'advance' | 'heldBy' | 'load'>

/** The slots of each team and the line before them: rows in the order of their arrival, the first of which hold a slot. */
export function createSlots(db: Db, clock: Clock): Slots {
  return {
    async join(ticket, { maxConcurrency, maxWaiting }) {
      const [added, entered] = await db.transaction([
        insertTicket(ticket, maxConcurrency + maxWaiting),
        letIn(ticket.teamId, maxConcurrency),
      ])
      const ids = idsOf(entered?.rows)
      const state = added?.changes === 0 ? 'full' : ids.includes(ticket.id) ? 'held' : 'waiting'
      return { state, letIn: ids }
    },
    async leave({ id, teamId }, maxConcurrency) {
      const [, entered] = await db.transaction([
        { sql: 'DELETE FROM slot WHERE id = ?', params: [id] },
        letIn(teamId, maxConcurrency),
      ])
      return idsOf(entered?.rows)
    },
    async advance(teamId, maxConcurrency) {
      const [, entered] = await db.transaction([forgetLost(clock.now()), letIn(teamId, maxConcurrency)])
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

/** As many as there are free slots, in the order in which they came. */
const letIn = (teamId: string, maxConcurrency: number): Statement => ({
  sql: `UPDATE slot SET is_held = TRUE WHERE seq IN (
      SELECT seq FROM slot WHERE team_id = ? AND NOT is_held ORDER BY seq
        LIMIT max(0, ? - (SELECT COUNT(*) FROM slot WHERE team_id = ? AND is_held))
    ) RETURNING id`,
  params: [teamId, maxConcurrency, teamId],
})

/** What such a worker took goes with it. */
export const forgetLost = (now: number): Statement => ({
  sql: 'DELETE FROM quota_worker WHERE lease_until <= ?',
  params: [now],
})
