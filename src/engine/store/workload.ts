import { crawlKinds } from '../../contracts/crawl-ports.ts'
import type { Clock } from '../../contracts/ports.ts'
import { workflowKinds } from '../../contracts/workflow.ts'
import type { Db, Row } from './sqlite/db/db.ts'

/** Pending work of all teams and servers on the data. Excludes jobs held in the memory of one process. */
export type Workload = {
  /**
   * Unfinished jobs. `waiting`: crawls and batches of which no page was visited yet, and workflows that no worker
   * holds. Kinds without jobs are included with 0.
   */
  jobs: readonly { kind: string; state: 'waiting' | 'running'; count: number }[]
  /** Pages of unfinished crawls and batches. */
  pages: { waiting: number; active: number; done: number; failed: number }
  /** Age in ms of the oldest job that has waiting pages or, if it is a workflow, no worker; 0 if there is none. */
  oldestWaitingMs: number
  slots: { held: number; waiting: number }
  /** Number of webhook events to send. */
  deliveries: number
  /** Age in ms of the oldest event; 0 if there is none. */
  oldestDeliveryMs: number
  /** Number of open browser sessions. */
  sessions: number
}

/** Reads one snapshot of all tables. Each statement uses an index of unfinished rows, so finished ones cost nothing. */
export async function readWorkload(db: Db, clock: Clock): Promise<Workload> {
  const now = clock.now()
  const [crawls = [], workflows = [], slots, deliveries, sessions] = await db.snapshot([
    {
      sql: `SELECT kind, COUNT(*) AS jobs, COUNT(*) FILTER (WHERE active = 0 AND done + failed = 0) AS waiting_jobs,
          SUM(waiting) AS waiting, SUM(active) AS active, SUM(done) AS done, SUM(failed) AS failed,
          MIN(CASE WHEN waiting > 0 THEN created_at END) AS oldest
        FROM crawl WHERE status = 'scraping' GROUP BY kind`,
    },
    {
      sql: `SELECT kind, COUNT(*) AS jobs, COUNT(*) FILTER (WHERE worker_id IS NULL) AS waiting_jobs,
          MIN(CASE WHEN worker_id IS NULL THEN created_at END) AS oldest
        FROM workflow WHERE status = 'processing' GROUP BY kind`,
    },
    {
      sql: `SELECT COUNT(*) FILTER (WHERE is_held) AS held, COUNT(*) FILTER (WHERE NOT is_held) AS waiting FROM slot
        JOIN quota_worker ON quota_worker.id = worker_id AND lease_until > ?`,
      params: [now],
    },
    { sql: "SELECT COUNT(*) AS waiting, MIN(created_at) AS oldest FROM delivery WHERE state = 'due'" },
    { sql: 'SELECT COUNT(*) AS open FROM browser_session WHERE ended_at IS NULL' },
  ])
  const sum = (column: string) => crawls.reduce((total, row) => total + Number(row[column] ?? 0), 0)
  const oldest = [...crawls, ...workflows].flatMap(({ oldest: at }) => (at === null ? [] : [Number(at)]))
  const due = deliveries?.[0]
  return {
    jobs: [...jobsOf(crawlKinds, crawls), ...jobsOf(workflowKinds, workflows)],
    pages: { waiting: sum('waiting'), active: sum('active'), done: sum('done'), failed: sum('failed') },
    oldestWaitingMs: oldest.length === 0 ? 0 : Math.max(0, now - Math.min(...oldest)),
    slots: { held: Number(slots?.[0]?.['held']), waiting: Number(slots?.[0]?.['waiting']) },
    deliveries: Number(due?.['waiting']),
    oldestDeliveryMs: due?.['oldest'] == null ? 0 : Math.max(0, now - Number(due['oldest'])),
    sessions: Number(sessions?.[0]?.['open']),
  }
}

function jobsOf(kinds: readonly string[], rows: readonly Row[]): Workload['jobs'] {
  return kinds.flatMap((kind) => {
    const row = rows.find((each) => each['kind'] === kind)
    const waiting = Number(row?.['waiting_jobs'] ?? 0)
    return [
      { kind, state: 'waiting' as const, count: waiting },
      { kind, state: 'running' as const, count: Number(row?.['jobs'] ?? 0) - waiting },
    ]
  })
}
