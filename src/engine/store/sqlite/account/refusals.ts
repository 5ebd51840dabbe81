import { createHash } from 'node:crypto'
import { type Refusal, type Refusals, refusalsKept } from '../../../../contracts/job-ports.ts'
import { jsonObject } from '../db/columns.ts'
import type { Row } from '../db/db.ts'
import { createSweep, type Expired, type SweepTools } from '../db/sweep.ts'

const slice = 200

/** Refused calls of each team, shared by all processes on one database. */
export function createRefusals(tools: SweepTools): Refusals & { idle(): Promise<void> } {
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
  slice,
  statements: (now) => [
    {
      sql: `DELETE FROM refusal WHERE (team_id, digest) IN
        (SELECT team_id, digest FROM refusal WHERE refused_at <= ? LIMIT ?)`,
      params: [now - refusalsKept.ms, slice],
    },
  ],
}
