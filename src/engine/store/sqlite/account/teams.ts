import {
  isTeamId,
  localTeamId,
  permissions,
  type StoredTeam,
  type Teams,
  type TeamTerms,
} from '../../../../contracts/account.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { fail } from '../../../../kernel/error.ts'
import { jsonObject, text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'

/** The terms of each team, as one JSON column: they are read and written together. */
export function createTeams(db: Db, clock: Clock): Teams {
  const rowOf = async (id: string): Promise<Row | undefined> =>
    (await db.all('SELECT * FROM team WHERE id = ?', [id]))[0]
  return {
    async add(id, terms) {
      checkId(id)
      const createdAt = clock.now()
      const added = await db.run('INSERT INTO team (id, created_at, terms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
        id,
        createdAt,
        JSON.stringify(terms),
      ])
      if (added === 0) fail('BAD_REQUEST', { message: `There is already a team "${id}".`, hint: 'Change it instead.' })
      return { id, createdAt, terms }
    },
    async change(id, terms) {
      for (;;) {
        const row = (await rowOf(id)) ?? unknown(id)
        const team = teamOf(row)
        const changed = { ...team.terms, ...terms }
        const written = await db.run('UPDATE team SET terms = ? WHERE id = ? AND terms = ?', [
          JSON.stringify(changed),
          id,
          text(row.terms),
        ])
        // Otherwise somebody else changed it in between.
        if (written === 1) return { ...team, terms: changed }
      }
    },
    async find(id) {
      const row = await rowOf(id)
      return row && teamOf(row)
    },
    list: async () => (await db.all('SELECT * FROM team ORDER BY id')).map(teamOf),
    async remove(id) {
      // What goes with it stays where there is no such team: a wrong id must revoke nothing.
      const its = (table: string) => ({
        sql: `DELETE FROM ${table} WHERE team_id = ? AND EXISTS (SELECT 1 FROM team WHERE id = ?)`,
        params: [id, id],
      })
      const done = await db.transaction([
        its('api_key'),
        its('refusal'),
        { sql: 'DELETE FROM team WHERE id = ?', params: [id] },
      ])
      if (done.at(-1)?.changes === 0) unknown(id)
    },
  }
}

function checkId(id: string): void {
  if (!isTeamId(id))
    fail('BAD_REQUEST', { message: 'A team id has 1 to 64 printable characters, without spaces and colons.' })
  if (id === localTeamId)
    fail('BAD_REQUEST', {
      message: `"${id}" is the team of whoever runs the program.`,
      hint: 'Its limits are those of the settings. Choose another id.',
    })
}

const unknown = (id: string): never =>
  fail('BAD_REQUEST', { message: `There is no team "${id}".`, hint: 'Add it first, or list the teams.' })

/** A permission that this version no longer knows grants nothing. */
function teamOf(row: Row): StoredTeam {
  const terms: TeamTerms = jsonObject(row.terms)
  const known = terms.permissions && permissions.filter((name) => terms.permissions?.includes(name))
  return {
    id: text(row.id),
    createdAt: Number(row.created_at),
    terms: { ...terms, ...(known && { permissions: known }) },
  }
}
