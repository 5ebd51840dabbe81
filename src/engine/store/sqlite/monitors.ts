import { keptChecks, type Monitor, type Monitors, monitorStatuses, type NewCheck } from '../../../contracts/workflow.ts'
import {
  jsonObject,
  nullableNumber,
  nullableText,
  oneOf,
  text,
  type Condition,
  packed,
  type Row,
  type Statement,
  createSweep,
  type SweepTools,
  dayMs,
  type Expired,
} from './db/db.ts'
import { expiredWorkflows, insertWorkflow, workflowOf } from './workflows.ts'
import { disabledTeams } from './accounts.ts'
import type { Snapshot, Snapshots } from '../../../contracts/crawl-ports.ts'

const keptMs = 400 * dayMs

/**
 * Stores one snapshot per team, URL and tag. The snapshot with the later time is kept, regardless of the order of
 * writes.
 */
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
  slice: 200,
  rows: (now) => [{ table: 'snapshot', key: 'team_id, url, tag', sql: 'taken_at <= ?', params: [now - keptMs] }],
}

const withoutResult = `id, kind, team_id, key_name, target, created_at, expires_at, completed_at, status, request_zst,
  progress_zst, NULL AS result_zst, error_code, error, warnings, credits`

export function createMonitors(tools: SweepTools): Monitors & { idle(): Promise<void> } {
  const { db } = tools
  const sweep = createSweep(tools, expiredWorkflows)
  return {
    async add(monitor) {
      await db.run(
        `INSERT INTO monitor (team_id, key_name, name, status, settings_zst, next_at, created_at, updated_at, id)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [monitor.teamId, monitor.keyName, ...changeable(monitor), monitor.createdAt, monitor.updatedAt, monitor.id],
      )
    },
    async find(id) {
      const [row] = await db.all('SELECT * FROM monitor WHERE id = ?', [id])
      return row && monitorOf(row)
    },
    async list(teamId, { offset, limit }) {
      const [rows = [], [count] = []] = await db.snapshot([
        {
          sql: 'SELECT * FROM monitor WHERE team_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
          params: [teamId, limit, offset],
        },
        { sql: 'SELECT count(*) AS total FROM monitor WHERE team_id = ?', params: [teamId] },
      ])
      return { monitors: rows.map(monitorOf), total: Number(count?.total ?? 0) }
    },
    async update(monitor) {
      const changed = await db.run(
        'UPDATE monitor SET name = ?, status = ?, settings_zst = ?, next_at = ?, updated_at = ? WHERE id = ?',
        [...changeable(monitor), monitor.updatedAt, monitor.id],
      )
      return changed === 1
    },
    async remove(id) {
      const [, removed] = await db.transaction([
        { sql: 'DELETE FROM workflow WHERE monitor_id = ?', params: [id] },
        { sql: 'DELETE FROM monitor WHERE id = ?', params: [id] },
      ])
      return removed?.changes === 1
    },
    ...createTurns(tools, sweep.nudge),
    idle: sweep.idle,
  }
}

type Turns = Pick<Monitors, 'due' | 'ahead' | 'reschedule' | 'upcoming' | 'begin' | 'checks'>

function createTurns({ db, clock }: Pick<SweepTools, 'db' | 'clock'>, onBegin: () => void): Turns {
  return {
    async due(count) {
      const rows = await db.all(
        `SELECT * FROM monitor WHERE next_at <= ? AND team_id NOT IN (${disabledTeams}) ORDER BY next_at, id LIMIT ?`,
        [clock.now(), count],
      )
      return rows.map(monitorOf)
    },
    async ahead(count) {
      const rows = await db.all('SELECT * FROM monitor WHERE next_at > ? ORDER BY next_at DESC, id LIMIT ?', [
        clock.now(),
        count,
      ])
      return rows.map(monitorOf)
    },
    async reschedule({ id, nextAt: before }, nextAt) {
      await db.run('UPDATE monitor SET next_at = ? WHERE id = ? AND next_at = ?', [nextAt, id, before])
    },
    async upcoming() {
      const [row] = await db.all(
        `SELECT count(next_at) AS active, min(next_at) AS next_at FROM monitor WHERE team_id NOT IN (${disabledTeams})`,
      )
      return { active: Number(row?.active ?? 0), nextAt: nullableNumber(row?.next_at ?? null) }
    },
    async begin(check) {
      const [started] = await db.transaction(beginningOf(check))
      onBegin()
      return started?.changes === 1
    },
    async checks(monitorId, limit = keptChecks) {
      const rows = await db.all(
        `SELECT ${withoutResult} FROM workflow WHERE monitor_id = ? AND (expires_at > ? OR status = 'processing')
          ORDER BY created_at DESC, id DESC LIMIT ?`,
        [monitorId, clock.now(), limit],
      )
      return rows.map(workflowOf)
    },
  }
}

/** Statements that start a check. A unique index ensures that only one check runs at a time. */
function beginningOf({ monitorId, workflow, turn }: NewCheck): Statement[] {
  const condition: Condition = {
    sql: `EXISTS (SELECT 1 FROM monitor WHERE id = ?${turn ? ' AND next_at = ?' : ''})`,
    params: [monitorId, ...(turn ? [turn.dueAt] : [])],
  }
  return [
    insertWorkflow(workflow, { monitorId, condition }),
    ...(turn
      ? [
          {
            sql: 'UPDATE monitor SET next_at = ? WHERE id = ? AND next_at = ?',
            params: [turn.nextAt, monitorId, turn.dueAt],
          },
        ]
      : []),
    {
      sql: `DELETE FROM workflow WHERE monitor_id = ? AND status <> 'processing' AND id NOT IN
        (SELECT id FROM workflow WHERE monitor_id = ? ORDER BY created_at DESC, id DESC LIMIT ?)`,
      params: [monitorId, monitorId, keptChecks],
    },
  ]
}

const changeable = ({ name, status, settings, nextAt }: Monitor) =>
  [name, status, packed(JSON.stringify(settings)), nextAt] as const

const monitorOf = (row: Row): Monitor => ({
  id: text(row.id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  name: text(row.name),
  status: oneOf(monitorStatuses, row.status),
  settings: jsonObject(row.settings_zst),
  nextAt: nullableNumber(row.next_at),
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
})
