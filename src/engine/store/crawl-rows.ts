import type { ClaimedPage, Crawl, CrawlKind, CrawlStatus, PageSource } from '../../core/crawl.ts'
import { nullableText, text, type Row } from './db.ts'

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
