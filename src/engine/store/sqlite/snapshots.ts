import type { Snapshot, Snapshots } from '../../../contracts/crawl-ports.ts'
import { dayMs } from './db/calendar.ts'
import { jsonObject, nullableText } from './db/columns.ts'
import { packed, type Row } from './db/db.ts'
import { createSweep, type Expired, type SweepTools } from './db/sweep.ts'

const keptMs = 400 * dayMs
const slice = 200

/** One snapshot for each team, URL and tag. Of two that are kept, the one of the later moment stays, whichever comes first. */
export function createSnapshots(tools: SweepTools): Snapshots & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired)
  return {
    async last(teamId, url, tag) {
      const [row] = await db.all('SELECT * FROM snapshot WHERE team_id = ? AND url = ? AND tag = ? AND taken_at > ?', [
        teamId,
        url,
        tag,
        clock.now() - keptMs,
      ])
      return row && snapshotOf(row)
    },
    async keep(teamId, url, tag, { at, markdown, json, isLinked }) {
      await db.run(
        `INSERT INTO snapshot (team_id, url, tag, taken_at, is_linked, content_zst, json) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (team_id, url, tag) DO UPDATE SET taken_at = excluded.taken_at, is_linked = excluded.is_linked,
          content_zst = excluded.content_zst, json = excluded.json WHERE excluded.taken_at >= snapshot.taken_at`,
        [
          teamId,
          url,
          tag,
          at,
          isLinked ? 1 : 0,
          markdown === null ? null : packed(markdown),
          json === undefined ? null : JSON.stringify(json),
        ],
      )
      sweep.nudge()
    },
    idle: sweep.idle,
  }
}

const snapshotOf = (row: Row): Snapshot => ({
  at: Number(row.taken_at),
  markdown: nullableText(row.content_zst ?? null),
  ...(row.json !== null && { json: jsonObject(row.json) }),
  isLinked: row.is_linked === 1,
})

const expired: Expired = {
  slice,
  statements: (now) => [
    {
      sql: `DELETE FROM snapshot WHERE (team_id, url, tag) IN
        (SELECT team_id, url, tag FROM snapshot WHERE taken_at <= ? LIMIT ?)`,
      params: [now - keptMs, slice],
    },
  ],
}
