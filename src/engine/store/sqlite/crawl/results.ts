import {
  type ClaimedPage,
  type Crawl,
  crawlKinds,
  type Crawls,
  crawlStatuses,
  type PageFailure,
  pageSources,
  skipReasons,
} from '../../../../contracts/crawl.ts'
import { jsonObject, jsonTexts, nullableNumber, nullableText, oneOf, text } from '../db/columns.ts'
import type { Db, Row } from '../db/db.ts'
import { pageState } from './page-state.ts'

type Results = Pick<Crawls, 'documents' | 'document' | 'failures' | 'skipped'>

/** Failures, and URLs blocked by robots.txt, in one answer. */
const maxListed = 10_000

/** What crawls have found: documents, failures, skipped URLs. */
export function createCrawlResults(db: Db): Results {
  return {
    async documents(crawlId, { skip, limit, maxBytes }) {
      const sizes = await db.all(
        'SELECT n, bytes FROM crawl_document WHERE crawl_id = ? AND n >= ? ORDER BY n LIMIT ?',
        [crawlId, skip, limit],
      )
      const count = countFitting(sizes, maxBytes)
      const rows = await db.all(
        'SELECT document_zst FROM crawl_document WHERE crawl_id = ? AND n >= ? ORDER BY n LIMIT ?',
        [crawlId, skip, count],
      )
      return rows.map(({ document_zst }) => jsonObject(document_zst))
    },
    async document(pageId) {
      const [row] = await db.all(
        `SELECT team_id, crawl_id, document_zst FROM crawl_document JOIN crawl ON crawl.id = crawl_id WHERE page_id = ?`,
        [pageId],
      )
      if (!row) return undefined
      const document = jsonObject(row.document_zst)
      return { teamId: text(row.team_id), crawlId: text(row.crawl_id), document }
    },
    async failures(crawlId) {
      const rows = await db.all(
        `SELECT id, url, ended_at, error_code, error FROM crawl_page WHERE crawl_id = ? AND state = ${pageState.failed}
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
        counts: Object.fromEntries(counts.map(({ reason, number }) => [oneOf(skipReasons, reason), Number(number)])),
        robots: robots.map(({ url }) => text(url)),
      }
    },
  }
}

/** How many of the first fit, at least one. */
function countFitting(sizes: readonly Row[], maxBytes: number): number {
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

export const claimedOf = (row: Row): ClaimedPage => ({
  crawlId: text(row.crawl_id),
  teamId: text(row.team_id),
  keyName: nullableText(row.key_name),
  seq: Number(row.seq),
  id: text(row.id),
  url: text(row.url),
  host: text(row.host),
  depth: Number(row.depth),
  source: oneOf(pageSources, row.source),
  tries: Number(row.tries),
  retries: Number(row.retries),
})
