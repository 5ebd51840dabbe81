import type { Crawl, Crawls, ManyPages, NewCrawl, SeedingFacts } from '../../../../contracts/crawl-ports.ts'
import {
  type Condition,
  abandonedMs,
  createSweep,
  type Db,
  type Expired,
  nullableText,
  type Outcome,
  packed,
  type Statement,
  type SweepTools,
} from '../db/db.ts'
import { expiredDeliveries, insertDelivery, insertDeliveryIf } from './deliveries.ts'
import { finishTogether, groupOutcomes } from './frontier-finish.ts'
import { createFrontier, unusedHosts } from './frontier.ts'
import { crawlOf, createCrawlResults, pageState, selectCrawl } from './results.ts'
import type { Delivery } from '../../../../contracts/job-ports.ts'
import { givenSlices, insertFirstPages, slice } from './frontier-add.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { ownTurn } from '../../../../util/async.ts'

export function createCrawls(tools: SweepTools): Crawls & { idle(): Promise<void> } {
  const { db, clock } = tools
  const sweep = createSweep(tools, expired, expiredDeliveries, unusedHosts)
  const jobs = createCrawlJobs(tools)
  const frontier = createFrontier(tools)
  const { flush, ...visits } = groupOutcomes(frontier.claim, (ended) => finishTogether(db, clock.now(), ended))
  return {
    ...jobs,
    ...frontier,
    ...createCrawlResults(tools),
    ...visits,
    async start(...started) {
      await jobs.start(...started)
      sweep.nudge()
    },
    reap() {
      sweep.nudge()
      return frontier.reap()
    },
    idle() {
      flush()
      return sweep.idle()
    },
  }
}

/** A crawl is deleted with all its pages and results, so only a few per slice. */
const expired: Expired = {
  slice: 5,
  rows: (now) => [
    { table: 'crawl', key: 'id', sql: "expires_at <= ? AND status <> 'scraping'", params: [now] },
    { table: 'crawl', key: 'id', sql: "status = 'starting' AND seeding_lease_until <= ?", params: [now] },
    { table: 'crawl', key: 'id', sql: 'expires_at <= ?', params: [now - abandonedMs] },
  ],
}

type Beginning = { crawl: NewCrawl; pages: ManyPages; delivery: Delivery | undefined }

/** After this time the start of a crawl counts as abandoned by a process that died. */
const startingMs = 600_000

/**
 * Writes a crawl with its first pages. A hundred thousand given pages in one transaction would block all others for a
 * second, so each slice is its own transaction. Until the last one is written the crawl is `starting`, a status that no
 * query finds. If writing fails, everything is deleted.
 */
async function start(db: Db, now: number, beginning: Beginning): Promise<void> {
  const { crawl, pages, delivery } = beginning
  const [known] = await db.all('SELECT status FROM crawl WHERE id = ?', [crawl.id])
  if (known && known.status !== 'starting') return
  const deletions: Statement[] = known ? [deleteStarting(crawl.id)] : []
  if (pages.length > slice && areGiven(pages)) return startInSlices(db, now, beginning, deletions)
  const delivered = delivery ? [insertDelivery(delivery, now)] : []
  await db.transaction([
    ...deletions,
    insertCrawl(crawl),
    ...[...insertFirstPages(crawl.id, pages)].flat(),
    ...delivered,
  ])
}

async function startInSlices(
  db: Db,
  now: number,
  { crawl, pages, delivery }: Beginning,
  deletions: Statement[],
): Promise<void> {
  const { id } = crawl
  const mark = crypto.randomUUID()
  try {
    await db.transaction([...deletions, insertCrawl(crawl), hide(id, mark, now + startingMs)])
    for (const statement of givenSlices(id, pages, isOurs(id, mark))) {
      await db.transaction([statement])
      await ownTurn()
    }
    const [shown] = await db.transaction([
      {
        sql: `UPDATE crawl SET status = 'scraping', seeding_worker_id = NULL, seeding_lease_until = NULL
          WHERE id = ? AND status = 'starting' AND seeding_worker_id = ? RETURNING id`,
        params: [id, mark],
      },
      ...(delivery ? [insertDeliveryIf(delivery, now, isRunning(id))] : []),
    ])
    if (shown?.rows.length !== 1) throw new Error('Writing the crawl took so long that it was deleted as abandoned.')
  } catch (thrown) {
    // If another process has taken the crawl over, its mark differs and nothing is deleted.
    await db.transaction([deleteOurs(id, mark)]).catch(() => undefined)
    throw thrown
  }
}

/** Only the first page is checked: long lists have pages of one source only. */
function areGiven(pages: ManyPages): boolean {
  for (const { source } of pages) return source === 'given'
  return false
}

const isOurs = (id: string, mark: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'starting' AND seeding_worker_id = ?)",
  params: [id, mark],
})

const hide = (id: string, mark: string, until: number): Statement => ({
  sql: "UPDATE crawl SET status = 'starting', seeding_worker_id = ?, seeding_lease_until = ? WHERE id = ?",
  params: [mark, until, id],
})

const deleteStarting = (id: string): Statement => ({
  sql: "DELETE FROM crawl WHERE id = ? AND status = 'starting'",
  params: [id],
})

const deleteOurs = (id: string, mark: string): Statement => ({
  sql: "DELETE FROM crawl WHERE id = ? AND status = 'starting' AND seeding_worker_id = ?",
  params: [id, mark],
})

const insertCrawl = (crawl: NewCrawl): Statement => ({
  sql: `INSERT INTO crawl (id, team_id, key_name, kind, target, created_at, expires_at, status,
      request_zst, page_limit, max_concurrency, delay_ms, is_seeded, warnings)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'scraping', ?, ?, ?, ?, ?, ?)`,
  params: [
    [crawl.id, crawl.teamId, crawl.keyName, crawl.kind, crawl.target, crawl.createdAt, crawl.expiresAt],
    [packed(JSON.stringify(crawl.request)), crawl.pageLimit, crawl.maxConcurrency],
    [crawl.delayMs, crawl.isSeeded ? 1 : 0, JSON.stringify(crawl.warnings)],
  ].flat(),
})

type CrawlJobs = Pick<
  Crawls,
  | 'start'
  | 'find'
  | 'running'
  | 'claimSeeding'
  | 'finishSeeding'
  | 'seeding'
  | 'setFinalUrl'
  | 'stopClaiming'
  | 'warn'
  | 'complete'
  | 'cancel'
  | 'append'
>

/** Operations on whole crawls: how they start, are seeded and end. */
function createCrawlJobs({ db, clock }: { db: Db; clock: Clock }): CrawlJobs {
  return {
    start: (crawl, pages, delivery) => start(db, clock.now(), { crawl, pages, delivery }),
    async find(id) {
      const { sql, params } = selectCrawl(id, clock.now())
      const [row] = await db.all(sql, params)
      return row && crawlOf(row)
    },
    async running(teamId) {
      const rows = await db.all(
        `SELECT * FROM crawl WHERE status = 'scraping' ${teamId === undefined ? '' : 'AND team_id = ?'} ORDER BY created_at`,
        teamId === undefined ? [] : [teamId],
      )
      return rows.map(crawlOf)
    },
    ...createSeeding({ db, clock }),
    async setFinalUrl(crawlId, url) {
      await db.run('UPDATE crawl SET final_url = ? WHERE id = ?', [url, crawlId])
    },
    async stopClaiming(crawlId) {
      await db.run(`UPDATE crawl SET page_limit = active + done + failed WHERE id = ? AND status = 'scraping'`, [
        crawlId,
      ])
    },
    async warn(crawlId, warning) {
      await db.transaction([warnOf(crawlId, warning)])
    },
    async complete(crawlId, delivery) {
      const { sql, params } = hasNothingLeft(crawlId)
      // Workers without pages call this repeatedly, so check first without taking the write lock.
      if ((await db.all(`SELECT 1 WHERE ${sql}`, params)).length === 0) return false
      return end(db, endOf(crawlId, 'completed', clock.now(), hasNothingLeft(crawlId), delivery))
    },
    cancel: (crawlId, delivery) => end(db, endOf(crawlId, 'cancelled', clock.now(), isRunning(crawlId), delivery)),
    async append(crawlId, pages) {
      const grow: Statement = {
        sql: `UPDATE crawl SET page_limit = page_limit + ? WHERE id = ? AND status = 'scraping'`,
        params: [pages.length, crawlId],
      }
      const [grown] = await addInOneTransaction(db, [grow], { crawlId, pages })
      return grown?.changes === 1
    },
  }
}

type Adding = { crawlId: string; pages: ManyPages }

/** Runs one transaction. A hundred thousand pages are prepared in slices, so they do not block the process. */
function addInOneTransaction(db: Db, before: Statement[], { crawlId, pages }: Adding): Promise<Outcome[]> {
  const slices = insertFirstPages(crawlId, pages)
  if (pages.length <= slice) return db.transaction([...before, ...[...slices].flat()])
  return db.transactionInParts(parts())
  function* parts() {
    yield before
    yield* slices
  }
}

/** Adds a warning unless the crawl has it already, or 20 others. */
const warnOf = (crawlId: string, warning: string): Statement => ({
  sql: `UPDATE crawl SET warnings = json_insert(warnings, '$[#]', ?) WHERE id = ?
    AND NOT EXISTS (SELECT 1 FROM json_each(warnings) WHERE value = ?) AND json_array_length(warnings) < 20`,
  params: [warning, crawlId, warning],
})

const isRunning = (crawlId: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'scraping')",
  params: [crawlId],
})

const hasNothingLeft = (crawlId: string): Condition => ({
  sql: `EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'scraping' AND active = 0
    AND (is_seeded AND waiting = 0 OR done + failed >= page_limit))`,
  params: [crawlId],
})

/** When a crawl completes, records its waiting pages as skipped: they are over its limit. */
const skipWaiting = (crawlId: string, condition: Condition): Statement => ({
  sql: `INSERT INTO crawl_skip (crawl_id, url, reason) SELECT crawl_id, url, 'limit' FROM crawl_page
    WHERE crawl_id = ? AND state = ${pageState.waiting} AND ${condition.sql} ON CONFLICT DO NOTHING`,
  params: [crawlId, ...condition.params],
})

/**
 * Ends a crawl if the condition holds. The statements that check the condition precede the change of status, which
 * would make it false. The retention starts again.
 */
function endOf(
  crawlId: string,
  status: Exclude<Crawl['status'], 'scraping'>,
  now: number,
  condition: Condition,
  delivery: Delivery | undefined,
): Statement[] {
  return [
    ...(delivery ? [insertDeliveryIf(delivery, now, condition)] : []),
    ...(status === 'completed' ? [skipWaiting(crawlId, condition)] : []),
    {
      sql: `UPDATE crawl SET status = ?, completed_at = ?, expires_at = ? + expires_at - created_at
        WHERE id = ? AND ${condition.sql} RETURNING id`,
      params: [status, now, now, crawlId, ...condition.params],
    },
    {
      sql: `UPDATE crawl_page SET state = ${pageState.dropped}, worker_id = NULL
        WHERE crawl_id = ? AND state IN (${pageState.waiting}, ${pageState.active}) AND EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status NOT IN ('scraping', 'starting'))`,
      params: [crawlId, crawlId],
    },
  ]
}

async function end(db: Db, statements: Statement[]): Promise<boolean> {
  return (await db.transaction(statements)).some(({ rows }) => rows.length > 0)
}

/** One worker seeds a crawl; another takes over when its lease expires. */
function createSeeding({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): Pick<Crawls, 'claimSeeding' | 'finishSeeding' | 'seeding'> {
  return {
    async claimSeeding(crawlId, workerId, leaseMs) {
      const now = clock.now()
      const changes = await db.run(
        `UPDATE crawl SET seeding_worker_id = ?, seeding_lease_until = ?
          WHERE id = ? AND status = 'scraping' AND NOT is_seeded
          AND (seeding_worker_id IS NULL OR seeding_worker_id = ? OR seeding_lease_until <= ?)`,
        [workerId, now + leaseMs, crawlId, workerId, now],
      )
      return changes === 1
    },
    async finishSeeding(crawlId, { warnings = [], error, facts }, delivery) {
      await db.transaction([
        ...warnings.map((warning) => warnOf(crawlId, warning)),
        ...(error ? endOf(crawlId, 'failed', clock.now(), isRunning(crawlId), delivery) : []),
        {
          sql: `UPDATE crawl SET is_seeded = TRUE, seeding_worker_id = NULL, error_code = ?, error = ?, seeding = ? WHERE id = ?`,
          params: [error?.code ?? null, error?.message ?? null, facts ? JSON.stringify(facts) : null, crawlId],
        },
      ])
    },
    async seeding(crawlId) {
      const [row] = await db.all('SELECT seeding FROM crawl WHERE id = ?', [crawlId])
      const json = row ? nullableText(row.seeding) : null
      return json === null ? undefined : (JSON.parse(json) as SeedingFacts)
    },
  }
}
