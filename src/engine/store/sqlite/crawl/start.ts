import type { ManyPages, NewCrawl } from '../../../../contracts/crawl-ports.ts'
import type { Delivery } from '../../../../contracts/job-ports.ts'
import { ownTurn } from '../../../../util/async.ts'
import { type Condition, type Db, packed, type Statement } from '../db/db.ts'
import { insertDelivery, insertDeliveryIf } from './deliveries.ts'
import { givenSlices, insertFirstPages, slice } from './frontier-add.ts'

type Beginning = { crawl: NewCrawl; pages: ManyPages; delivery: Delivery | undefined }

/** What takes longer was left behind by a process that died. */
const startingMs = 600_000

/**
 * Writes a crawl with its first pages. A hundred thousand given pages in one transaction would hold up all others for a
 * second, so each slice of them is a transaction of its own. Until the last has come the crawl is `starting`, which no query
 * finds. Nothing is left where it cannot be written.
 */
export async function start(db: Db, now: number, beginning: Beginning): Promise<void> {
  const { crawl, pages, delivery } = beginning
  const [known] = await db.all('SELECT status FROM crawl WHERE id = ?', [crawl.id])
  if (known && known.status !== 'starting') return
  const forgotten: Statement[] = known ? [forget(crawl.id)] : []
  if (pages.length > slice && areGiven(pages)) return startInSlices(db, now, beginning, forgotten)
  const told = delivery ? [insertDelivery(delivery, now)] : []
  await db.transaction([...forgotten, insertCrawl(crawl), ...[...insertFirstPages(crawl.id, pages)].flat(), ...told])
}

async function startInSlices(
  db: Db,
  now: number,
  { crawl, pages, delivery }: Beginning,
  forgotten: Statement[],
): Promise<void> {
  const { id } = crawl
  const mark = crypto.randomUUID()
  try {
    await db.transaction([...forgotten, insertCrawl(crawl), hide(id, mark, now + startingMs)])
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
      ...(delivery ? [insertDeliveryIf(delivery, now, isStillRunning(id))] : []),
    ])
    if (shown?.rows.length !== 1) throw new Error('The crawl took too long to be written.')
  } catch (thrown) {
    // Whoever took it over meanwhile writes it anew.
    await db.transaction([forgetOurs(id, mark)]).catch(() => undefined)
    throw thrown
  }
}

/** Pages are given or found, and long lists are all of one kind. */
function areGiven(pages: ManyPages): boolean {
  for (const { source } of pages) return source === 'given'
  return false
}

const isOurs = (id: string, mark: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'starting' AND seeding_worker_id = ?)",
  params: [id, mark],
})

const isStillRunning = (id: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status = 'scraping')",
  params: [id],
})

const hide = (id: string, mark: string, until: number): Statement => ({
  sql: "UPDATE crawl SET status = 'starting', seeding_worker_id = ?, seeding_lease_until = ? WHERE id = ?",
  params: [mark, until, id],
})

const forget = (id: string): Statement => ({
  sql: "DELETE FROM crawl WHERE id = ? AND status = 'starting'",
  params: [id],
})

const forgetOurs = (id: string, mark: string): Statement => ({
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
