import { type Deliveries, type Delivery, eventTurns, type QueuedEvent } from '../../../../contracts/job-ports.ts'
import {
  dayMs,
  jsonRecord,
  nullableNumber,
  text,
  type Condition,
  type Db,
  packed,
  type Param,
  type Row,
  type Statement,
  type Expired,
} from '../db/db.ts'
import type { Clock } from '../../../../contracts/ports.ts'

const keptMs = 7 * dayMs

export const createDeliveries = (tools: { db: Db; clock: Clock }): Deliveries => ({
  ...createDeliveryQueues(tools),
  ...createEvents(tools),
})

type Events = Pick<Deliveries, 'look' | 'read' | 'sent' | 'failed' | 'missed' | 'abandoned'>

function createEvents({ db, clock }: { db: Db; clock: Clock }): Events {
  return {
    async look(crawlId, count) {
      const now = clock.now()
      const [due, [missed]] = await Promise.all([
        db.all(
          `SELECT ${known} FROM delivery WHERE crawl_id = ? AND state = 'due' AND next_at <= ?
            ORDER BY turn, next_at, id LIMIT ?`,
          [crawlId, now, count],
        ),
        db.all(
          `SELECT ${known} FROM delivery WHERE crawl_id = ? AND state = 'due' AND tries > 0 AND turn < ? AND next_at > ?
            ORDER BY turn, first_tried_at DESC LIMIT 1`,
          [crawlId, eventTurns.passed, now],
        ),
      ])
      return { due: due.map(eventOf), missed: missed && eventOf(missed) }
    },
    async read(id) {
      const [row] = await db.all(
        'SELECT id, crawl_id, type, url, headers, body_zst, created_at FROM delivery WHERE id = ?',
        [id],
      )
      return row && deliveryOf(row)
    },
    async sent(id) {
      await db.transaction([
        {
          sql: `UPDATE delivery SET turn = ${eventTurns.passed} WHERE state = 'due' AND tries > 0
            AND crawl_id = (SELECT crawl_id FROM delivery WHERE id = ?) AND turn < (SELECT turn FROM delivery WHERE id = ?)`,
          params: [id, id],
        },
        { sql: `${close} WHERE id = ?`, params: ['sent', clock.now(), null, ...emptied, id] },
      ])
    },
    async failed(id, workerId, { why, triedAt, retryAt }) {
      // After the lease has expired another worker may be sending the event.
      const isLeased = `id = ? AND state = 'due'
        AND EXISTS (SELECT 1 FROM delivery_queue WHERE crawl_id = delivery.crawl_id AND worker_id = ?)`
      await (retryAt === undefined
        ? db.run(`${close} WHERE ${isLeased}`, ['abandoned', clock.now(), why, ...emptied, id, workerId])
        : db.run(
            `UPDATE delivery SET next_at = ?, why = ?, tries = tries + 1, first_tried_at = coalesce(first_tried_at, ?)
              WHERE ${isLeased}`,
            [retryAt, why, triedAt, id, workerId],
          ))
    },
    ...failures(db),
  }
}

const failures = (db: Db): Pick<Events, 'missed' | 'abandoned'> => ({
  missed: async (crawlId) =>
    (
      await db.all(
        "SELECT type, tries, why FROM delivery WHERE crawl_id = ? AND state = 'due' AND tries > 0 ORDER BY next_at, id",
        [crawlId],
      )
    ).map((row) => ({ type: text(row.type), tries: Number(row.tries), why: text(row.why) })),
  abandoned: async (crawlId) =>
    (
      await db.all(
        "SELECT id, type, ended_at, why FROM delivery WHERE crawl_id = ? AND state = 'abandoned' ORDER BY ended_at, id",
        [crawlId],
      )
    ).map((row) => ({ id: text(row.id), type: text(row.type), at: Number(row.ended_at), why: text(row.why) })),
})

/** Body and headers of a finished delivery are deleted, because they may contain secrets. */
const close = 'UPDATE delivery SET state = ?, ended_at = ?, why = ?, headers = ?, body_zst = ?'
const emptied: readonly Param[] = ['{}', packed('')]

/** Adds a delivery that is due immediately; does nothing if the id exists. */
export const insertDelivery = (delivery: Delivery, now: number): Statement => ({
  sql: `INSERT INTO delivery (${columns}) VALUES (${values}) ON CONFLICT (id) DO NOTHING`,
  params: paramsOf(delivery, now),
})

/** Same as `insertDelivery`, but only if a condition on other rows of the transaction holds. */
export const insertDeliveryIf = (delivery: Delivery, now: number, condition: Condition): Statement => ({
  sql: `INSERT INTO delivery (${columns}) SELECT ${values} WHERE ${condition.sql} ON CONFLICT (id) DO NOTHING`,
  params: [...paramsOf(delivery, now), ...condition.params],
})

const columns = 'id, crawl_id, type, turn, url, headers, body_zst, created_at, state, next_at'
const values = "?, ?, ?, ?, ?, ?, ?, ?, 'due', ?"
const paramsOf = ({ id, crawlId, type, url, headers, body, createdAt }: Delivery, now: number): Param[] => [
  id,
  crawlId,
  type,
  turnOf(type),
  url,
  JSON.stringify(headers),
  packed(body),
  createdAt,
  now,
]

function turnOf(type: string): number {
  if (type.endsWith('.started')) return eventTurns.started
  return /\.(?:completed|failed|cancelled)$/.test(type) ? eventTurns.end : eventTurns.during
}

const known = 'id, url, turn, tries, first_tried_at, next_at'
const eventOf = (row: Row): QueuedEvent => ({
  id: text(row.id),
  url: text(row.url),
  turn: Number(row.turn),
  tries: Number(row.tries),
  firstTriedAt: nullableNumber(row.first_tried_at),
  dueAt: Number(row.next_at),
})

const deliveryOf = (row: Row): Delivery => ({
  id: text(row.id),
  crawlId: text(row.crawl_id),
  type: text(row.type),
  url: text(row.url),
  headers: jsonRecord(row.headers),
  body: text(row.body_zst),
  createdAt: Number(row.created_at),
})

export const expiredDeliveries: Expired = {
  slice: 200,
  rows: (now) => [{ table: 'delivery', key: 'id', sql: 'created_at <= ?', params: [now - keptMs] }],
}

type Queues = Pick<Deliveries, 'claim' | 'leave' | 'renew' | 'release' | 'workers' | 'nextDueAt'>

/** SQL for the team of a queue, which belongs to a crawl or a workflow. */
const teamOfQueue = `coalesce((SELECT team_id FROM crawl WHERE id = crawl_id),
  (SELECT team_id FROM workflow WHERE id = crawl_id)) AS team_id`

/** Numbers the queues of each team: those the worker holds, then those that are free and due. */
const placesOfTeams = `SELECT crawl_id, is_held,
    row_number() OVER (PARTITION BY team_id ORDER BY is_held DESC, due_at, crawl_id) AS place
  FROM (SELECT crawl_id, ${teamOfQueue}, max(next_at, paused_until) AS due_at,
      worker_id IS NOT DISTINCT FROM ? AND lease_until > ? AS is_held
    FROM delivery_queue
    WHERE (worker_id = ? AND lease_until > ?)
      OR (next_at <= ? AND paused_until <= ? AND (worker_id IS NULL OR lease_until <= ?))) AS queues`

/**
 * Queues with one row per crawl or workflow that has events to send. A trigger inserts the row with the first event;
 * `leave` deletes it after the last one.
 */
function createDeliveryQueues({ db, clock }: { db: Db; clock: Clock }): Queues {
  return {
    async claim(workerId, perTeam, leaseMs) {
      // Called after each event and status query, so check first without taking the write lock.
      if ((await db.all('SELECT 1 FROM delivery_queue LIMIT 1')).length === 0) return []
      const now = clock.now()
      const [claimed] = await db.transaction([
        {
          sql: `UPDATE delivery_queue SET worker_id = ?, lease_until = ? WHERE crawl_id IN (
              SELECT crawl_id FROM (${placesOfTeams}) AS places WHERE place <= ? AND NOT is_held)
            RETURNING crawl_id, paused_until, ${teamOfQueue}`,
          params: [workerId, now + leaseMs, workerId, now, workerId, now, now, now, now, perTeam],
        },
      ])
      return (claimed?.rows ?? []).map((row) => ({
        crawlId: text(row.crawl_id),
        teamId: row.team_id === null ? '' : text(row.team_id),
        wasPaused: Number(row.paused_until) > 0,
      }))
    },
    async leave(crawlId, workerId, pausedUntil = 0) {
      const firstDue = "(SELECT min(next_at) FROM delivery WHERE crawl_id = ? AND state = 'due')"
      await db.transaction([
        {
          sql: `DELETE FROM delivery_queue WHERE crawl_id = ? AND worker_id = ? AND ${firstDue} IS NULL`,
          params: [crawlId, workerId, crawlId],
        },
        {
          sql: `UPDATE delivery_queue SET worker_id = NULL, lease_until = NULL, paused_until = ?, next_at = ${firstDue}
            WHERE crawl_id = ? AND worker_id = ?`,
          params: [pausedUntil, crawlId, crawlId, workerId],
        },
      ])
    },
    async renew(workerId, crawlIds, leaseMs) {
      await db.run(
        `UPDATE delivery_queue SET lease_until = ?
          WHERE worker_id = ? AND crawl_id IN (SELECT value FROM json_each(?))`,
        [clock.now() + leaseMs, workerId, JSON.stringify(crawlIds)],
      )
    },
    async release(workerId) {
      await db.run('UPDATE delivery_queue SET worker_id = NULL, lease_until = NULL WHERE worker_id = ?', [workerId])
    },
    workers: async () =>
      (await db.all('SELECT DISTINCT worker_id FROM delivery_queue WHERE worker_id IS NOT NULL')).map((row) =>
        text(row.worker_id),
      ),
    async nextDueAt() {
      const [row] = await db.all(
        'SELECT min(CASE WHEN worker_id IS NULL THEN max(next_at, paused_until) ELSE lease_until END) AS next_at FROM delivery_queue',
      )
      return typeof row?.next_at === 'number' ? row.next_at : undefined
    },
  }
}
