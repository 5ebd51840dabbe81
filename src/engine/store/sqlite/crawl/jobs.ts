import type { Crawl, Crawls, ManyPages, SeedingFacts } from '../../../../contracts/crawl-ports.ts'
import type { Delivery } from '../../../../contracts/job-ports.ts'
import { nullableText } from '../db/columns.ts'
import { type Condition, type Db, type Outcome, type Statement } from '../db/db.ts'
import { insertDeliveryIf } from './deliveries.ts'
import { insertFirstPages, slice } from './frontier-add.ts'
import { pageState } from './page-state.ts'
import { crawlOf, selectCrawl } from './results.ts'
import { start } from './start.ts'
import type { Clock } from '../../../../contracts/ports.ts'

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

/** Crawls as a whole: how they start, are seeded and end. */
export function createCrawlJobs({ db, clock }: { db: Db; clock: Clock }): CrawlJobs {
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
      // Workers that have no pages ask all the time: they need not wait for the lock, nor hold up those that have some.
      if ((await db.all(`SELECT 1 WHERE ${sql}`, params)).length === 0) return false
      return end(db, endOf(crawlId, 'completed', clock.now(), hasNothingLeft(crawlId), delivery))
    },
    cancel: (crawlId, delivery) => end(db, endOf(crawlId, 'cancelled', clock.now(), isRunning(crawlId), delivery)),
    async append(crawlId, pages) {
      const grow: Statement = {
        sql: `UPDATE crawl SET page_limit = page_limit + ? WHERE id = ? AND status = 'scraping'`,
        params: [pages.length, crawlId],
      }
      const [grown] = await inOne(db, [grow], { crawlId, pages })
      return grown?.changes === 1
    },
  }
}

type Adding = { crawlId: string; pages: ManyPages }

/** One transaction. A hundred thousand pages would hold up the process if they were made in one go. */
function inOne(db: Db, before: Statement[], { crawlId, pages }: Adding): Promise<Outcome[]> {
  const slices = insertFirstPages(crawlId, pages)
  if (pages.length <= slice) return db.transaction([...before, ...[...slices].flat()])
  return db.transactionInParts(parts())
  function* parts() {
    yield before
    yield* slices
  }
}

/** Each warning once. */
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

/** Ends a crawl if the condition holds. Its status is written after all that depends on it; its retention starts anew. */
function endOf(
  crawlId: string,
  status: Exclude<Crawl['status'], 'scraping'>,
  now: number,
  condition: Condition,
  delivery: Delivery | undefined,
): Statement[] {
  return [
    ...(delivery ? [insertDeliveryIf(delivery, now, condition)] : []),
    {
      sql: `INSERT INTO crawl_skip (crawl_id, url, reason) SELECT crawl_id, url, 'limit' FROM crawl_page
        WHERE crawl_id = ? AND state = ${pageState.waiting} AND ${condition.sql} ON CONFLICT DO NOTHING`,
      params: [crawlId, ...condition.params],
    },
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

/** One worker seeds a crawl, and another when its lease ends. */
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
      const kept = row ? nullableText(row.seeding) : null
      return kept === null ? undefined : (JSON.parse(kept) as SeedingFacts)
    },
  }
}
