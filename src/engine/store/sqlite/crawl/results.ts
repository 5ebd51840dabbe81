import type {
  ClaimedPage,
  Crawl,
  CrawlKind,
  Crawls,
  CrawlStatus,
  PageFailure,
  PageSource,
  SkipReason,
} from '../../../../contracts/crawl.ts'
import { type Db, nullableText, type Row, text } from '../db/db.ts'

type Results = Pick<Crawls, 'documents' | 'document' | 'failures' | 'skipped'>

/** How many robots-blocked addresses and failures one answer tells. */
const maxListed = 10_000

/** What crawls brought. */
export function createCrawlResults(db: Db): Results {
  return {
    async documents(crawlId, { skip, limit, maxBytes }) {
      const sizes = await db.all(
        'SELECT n, bytes FROM crawl_document WHERE crawl_id = ? AND n >= ? ORDER BY n LIMIT ?',
        [crawlId, skip, limit],
      )
      const count = fitting(sizes, maxBytes)
      const rows = await db.all(
        'SELECT document_zst FROM crawl_document WHERE crawl_id = ? AND n >= ? ORDER BY n LIMIT ?',
        [crawlId, skip, count],
      )
      return rows.map(({ document_zst }) => JSON.parse(text(document_zst)) as object)
    },
    async document(pageId) {
      const [row] = await db.all(
        `SELECT team_id, crawl_id, document_zst FROM crawl_document JOIN crawl ON crawl.id = crawl_id WHERE page_id = ?`,
        [pageId],
      )
      if (!row) return undefined
      const document = JSON.parse(text(row.document_zst)) as object
      return { teamId: text(row.team_id), crawlId: text(row.crawl_id), document }
    },
    async failures(crawlId) {
      const rows = await db.all(
        `SELECT id, url, ended_at, error_code, error FROM crawl_page WHERE crawl_id = ? AND state = 3
          ORDER BY seq LIMIT ?`,
        [crawlId, maxListed],
      )
      return rows.map(failureOf)
    },
    async skipped(crawlId) {
      const counts = await db.all(
        'SELECT reason, count(*) AS number FROM crawl_skip WHERE crawl_id = ? GROUP BY reason ORDER BY reason',
        [crawlId],
      )
      const robots = await db.all(
        "SELECT url FROM crawl_skip WHERE crawl_id = ? AND reason = 'robots' ORDER BY url LIMIT ?",
        [crawlId, maxListed],
      )
      return {
        counts: Object.fromEntries(counts.map(({ reason, number }) => [text(reason) as SkipReason, Number(number)])),
        robots: robots.map(({ url }) => text(url)),
      }
    },
  }
}

/** As many as fit, and one at least. */
function fitting(sizes: readonly Row[], maxBytes: number): number {
  let total = 0
  const count = sizes.findIndex(({ bytes }) => (total += Number(bytes)) > maxBytes)
  return count < 0 ? sizes.length : Math.max(1, count)
}

const failureOf = (row: Row): PageFailure => ({
  id: text(row.id),
  url: text(row.url),
  at: Number(row.ended_at),
  code: text(row.error_code),
  message: text(row.error),
})

/** What a row of `crawl_page` can be. A `taken` one is no page: a page that was redirected stands there. */
export const states = { waiting: 0, active: 1, done: 2, failed: 3, dropped: 4, taken: 5 } as const

export const crawlOf = (row: Row): Crawl => ({
  id: text(row.id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  kind: text(row.kind) as CrawlKind,
  target: text(row.target),
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  completedAt: row.completed_at === null ? null : Number(row.completed_at),
  status: text(row.status) as CrawlStatus,
  request: JSON.parse(text(row.request_zst)) as object,
  pageLimit: Number(row.page_limit),
  maxConcurrency: Number(row.max_concurrency),
  delayMs: Number(row.delay_ms),
  isKickedOff: row.is_kicked_off === 1,
  landedUrl: nullableText(row.landed_url),
  counts: {
    waiting: Number(row.waiting),
    active: Number(row.active),
    done: Number(row.done),
    failed: Number(row.failed),
    dropped: Number(row.dropped),
  },
  credits: Number(row.credits),
  error: row.error_code === null ? null : { code: text(row.error_code), message: text(row.error) },
  warnings: JSON.parse(text(row.warnings)) as string[],
})

export const claimedOf = (row: Row): ClaimedPage => ({
  crawlId: text(row.crawl_id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  seq: Number(row.seq),
  id: text(row.id),
  url: text(row.url),
  host: text(row.host),
  depth: Number(row.depth),
  source: text(row.source) as PageSource,
  tries: Number(row.tries),
  retries: Number(row.retries),
})
