import {
  type Crawl,
  crawlKinds,
  type Crawls,
  crawlStatuses,
  type PageDocument,
  type PageFailure,
  type ResultWindow,
  skipReasons,
} from '../../../../contracts/crawl-ports.ts'
import { StoredJson } from '../../../../util/json.ts'
import {
  jsonObject,
  jsonTexts,
  nullableNumber,
  nullableText,
  oneOf,
  text,
  type Db,
  type Row,
  type Statement,
} from '../db/db.ts'
import type { Clock } from '../../../../contracts/ports.ts'
import { piecesOf, restored } from '../kept-text.ts'

/**
 * Values of `crawl_page.state`. Statements refer to them by name. The partial indexes and triggers of the schema
 * contain the same numbers, so a number must never be reused for another state.
 */
export const pageState = {
  waiting: 0,
  active: 1,
  done: 2,
  failed: 3,
  dropped: 4,
  /** Not a page to visit: the URL that a redirected page ended at, stored so no other page gets it. */
  redirectTarget: 5,
} as const

type Results = Pick<
  Crawls,
  'progress' | 'document' | 'documentOf' | 'refused' | 'failures' | 'skipped' | 'skippedAfter'
>

/** Maximum number of failures, and of URLs blocked by robots.txt, in one response. */
const maxListed = 10_000

/** Results of crawls: documents, failures, skipped URLs. */
export function createCrawlResults({ db, clock }: { db: Db; clock: Clock }): Results {
  return {
    async progress(crawlId, window) {
      const [crawls = [], documents = [], skipped = []] = await db.snapshot([
        selectCrawl(crawlId, clock.now()),
        selectDocuments(crawlId, window),
        {
          sql: `${countSkipped} AND EXISTS (SELECT 1 FROM crawl WHERE id = ? AND status <> 'scraping') ${byReason}`,
          params: [crawlId, crawlId],
        },
      ])
      return (
        crawls[0] && {
          crawl: crawlOf(crawls[0]),
          documents: documents.map((row) => new StoredJson(...piecesOf(row, 'document_zst'))),
          skipped: countsOf(skipped),
        }
      )
    },
    document: async (pageId) => documentIn(await db.all(`${selectDocument} page_id = ?`, [clock.now(), pageId])),
    async documentOf(crawlId, which) {
      const [sql, param] =
        'place' in which
          ? ['n = ?', which.place]
          : [
              'page_id IN (SELECT id FROM crawl_page WHERE crawl_id = crawl.id AND url IN (SELECT value FROM json_each(?)))',
              JSON.stringify(which.urls),
            ]
      return documentIn(
        await db.all(`${selectDocument} crawl_id = ? AND ${sql} ORDER BY n LIMIT 1`, [clock.now(), crawlId, param]),
      )
    },
    refused: (crawlId, window) => refusedIn(db, crawlId, window),
    failures: (crawlId) => failuresIn(db, crawlId),
    skipped: (crawlId) => skippedIn(db, crawlId),
    async skippedAfter(crawlId, url, limit) {
      const rows = await db.all(
        'SELECT url, reason FROM crawl_skip WHERE crawl_id = ? AND url > ? ORDER BY url LIMIT ?',
        [crawlId, url, limit],
      )
      return rows.map((row) => ({ url: text(row.url), reason: oneOf(skipReasons, row.reason) }))
    },
  }
}

async function refusedIn(db: Db, crawlId: string, { skip, limit }: Omit<ResultWindow, 'maxBytes'>) {
  const [count] = await db.all(`SELECT count(*) AS number ${fromRefused}`, [crawlId])
  const sql = `SELECT document_zst, json_zst ${fromRefused} ORDER BY n LIMIT ? OFFSET ?`
  const rows = limit === 0 ? [] : await db.all(sql, [crawlId, limit, skip])
  const documents = rows.map((row) => new StoredJson(...piecesOf(row, 'document_zst')))
  return { total: Number(count?.number), documents }
}

async function failuresIn(db: Db, crawlId: string): Promise<PageFailure[]> {
  const rows = await db.all(
    `SELECT id, url, ended_at, error_code, error, attempts FROM crawl_page WHERE crawl_id = ? AND error_code IS NOT NULL
      ORDER BY seq LIMIT ?`,
    [crawlId, maxListed],
  )
  return rows.map(failureOf)
}

async function skippedIn(db: Db, crawlId: string) {
  const counts = await db.all(`${countSkipped} ${byReason}`, [crawlId])
  const robots = await db.all(
    "SELECT url FROM crawl_skip WHERE crawl_id = ? AND reason = 'robots' ORDER BY url LIMIT ?",
    [crawlId, maxListed],
  )
  return { counts: countsOf(counts), robots: robots.map(({ url }) => text(url)) }
}

/** Only a running crawl is found after its expiry. One with status `starting` is not found. */
export const selectCrawl = (id: string, now: number): Statement => ({
  sql: "SELECT * FROM crawl WHERE id = ? AND (expires_at > ? OR status = 'scraping') AND status <> 'starting'",
  params: [id, now],
})

const selectDocument = `SELECT team_id, crawl_id, document_zst, json_zst FROM crawl_document
  JOIN crawl ON crawl.id = crawl_id LEFT JOIN kept_text ON kept_text.id = text_id
  WHERE (expires_at > ? OR crawl.status = 'scraping') AND`

const fromRefused = `FROM crawl_document LEFT JOIN kept_text ON kept_text.id = text_id
  WHERE crawl_id = ? AND status >= 400`

const documentIn = ([row]: readonly Row[]): PageDocument | undefined =>
  row && { teamId: text(row.team_id), crawlId: text(row.crawl_id), document: restored(row, 'document_zst') as object }

/** Selects documents up to `maxBytes`, but at least one; sizes are summed up before any document is read. */
const selectDocuments = (crawlId: string, { skip, limit, maxBytes }: ResultWindow): Statement => ({
  sql: `SELECT document_zst, json_zst FROM crawl_document LEFT JOIN kept_text ON kept_text.id = text_id
    WHERE crawl_id = ? AND n IN (
      SELECT n FROM (
        SELECT n, sum(bytes) OVER (ORDER BY n) AS total FROM (
          SELECT n, bytes FROM crawl_document WHERE crawl_id = ? AND n >= ? ORDER BY n LIMIT ?
        ) AS selected
      ) AS summed WHERE total <= ? OR n = ?
    ) ORDER BY n`,
  params: [crawlId, crawlId, skip, limit, maxBytes, skip],
})

const countSkipped = 'SELECT reason, count(*) AS number FROM crawl_skip WHERE crawl_id = ?'
const byReason = 'GROUP BY reason ORDER BY reason'

const countsOf = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map(({ reason, number }) => [oneOf(skipReasons, reason), Number(number)]))

const failureOf = (row: Row): PageFailure => ({
  id: text(row.id),
  url: text(row.url),
  at: Number(row.ended_at),
  code: text(row.error_code),
  message: text(row.error),
  ...(row.attempts !== null && { attempts: jsonObject(row.attempts) as PageFailure['attempts'] }),
})

export const crawlOf = (row: Row): Crawl => ({
  id: text(row.id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  kind: oneOf(crawlKinds, row.kind),
  target: text(row.target),
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  completedAt: nullableNumber(row.completed_at),
  status: oneOf(crawlStatuses, row.status),
  request: jsonObject(row.request_zst),
  pageLimit: Number(row.page_limit),
  maxConcurrency: Number(row.max_concurrency),
  delayMs: Number(row.delay_ms),
  isSeeded: row.is_seeded === 1,
  finalUrl: nullableText(row.final_url),
  counts: {
    waiting: Number(row.waiting),
    active: Number(row.active),
    done: Number(row.done),
    failed: Number(row.failed),
    dropped: Number(row.dropped),
  },
  credits: Number(row.credits),
  error: row.error_code === null ? null : { code: text(row.error_code), message: text(row.error) },
  warnings: jsonTexts(row.warnings),
})
