import type { Db } from '../db.ts'

/** Two look-ups in an index, and as a rule there is one team. */
export async function reachOf(db: Db, teamId: string): Promise<'one team' | 'many teams'> {
  const [other] = await db.all(
    `SELECT EXISTS (SELECT 1 FROM page_entry WHERE team_id < ?) OR EXISTS (SELECT 1 FROM page_entry WHERE team_id > ?) AS is_there`,
    [teamId, teamId],
  )
  return other?.is_there === 0 ? 'one team' : 'many teams'
}

/** In how many pages each of some phrases occurs, counted up to `most`: beyond it is as good as everywhere. */
export async function spreadOf(db: Db, expressions: readonly string[], most: number): Promise<number[]> {
  const rows = await db.all(
    `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM page_text WHERE page_text MATCH asked.value LIMIT ?)) AS pages
      FROM json_each(?) AS asked ORDER BY asked.key`,
    [most, JSON.stringify(expressions)],
  )
  return rows.map(({ pages }) => Number(pages))
}
