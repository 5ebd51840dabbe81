import type { Log } from '../../src/kernel/log.ts'
import type { FoundPage, NewCrawl } from '../../src/contracts/crawl-ports.ts'
import type { Delivery, Job } from '../../src/contracts/job-ports.ts'
import type { CachedPage, PageCache } from '../../src/contracts/stored-pages.ts'
import type { NewWorkflow } from '../../src/contracts/workflow.ts'

export type FakeClock = { now(): number; advance(ms: number): void }

export function fakeClock(at = Date.UTC(2026, 4, 20, 12)): FakeClock {
  let now = at
  return { now: () => now, advance: (ms) => void (now += ms) }
}

export type LogLine = { level: string; event: string; facts: object | undefined }

export function logBook(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: string) => (event: string, facts?: object) => void lines.push({ level, event, facts })
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

export const aJob = (changes: Partial<Job> = {}): Job => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: null,
  endpoint: 'scrape',
  target: 'https://example.com/',
  createdAt: Date.UTC(2026, 4, 20, 12),
  status: 'completed',
  errorCode: null,
  result: { markdown: '# Hello' },
  replay: null,
  credits: 1,
  ...changes,
})

export const aPage = (changes: Partial<CachedPage> = {}): CachedPage => ({
  fetchedAt: 1000,
  url: 'https://example.com/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  made: {},
  ...changes,
})

/** Stores a page without the wait for others of its group, because reading a page writes it immediately. */
export async function keepNow(pages: PageCache, key: string, page: CachedPage, body: Uint8Array): Promise<void> {
  const written = pages.keep(key, page, body)
  await pages.body(key)
  await written
}

export const aCrawl = (changes: Partial<NewCrawl> = {}): NewCrawl => ({
  id: crypto.randomUUID(),
  teamId: 'team',
  keyName: null,
  kind: 'crawl',
  target: 'https://site.test/',
  createdAt: Date.UTC(2026, 4, 20, 12),
  expiresAt: Date.UTC(2026, 4, 21, 12),
  request: { options: null },
  pageLimit: 100,
  maxConcurrency: 10,
  delayMs: 0,
  isSeeded: true,
  warnings: [],
  ...changes,
})

export const aWorkflow = (changes: Partial<NewWorkflow> = {}): NewWorkflow => ({
  id: crypto.randomUUID(),
  kind: 'extract',
  teamId: 'team',
  keyName: 'laptop',
  target: 'https://site.test/',
  createdAt: Date.UTC(2026, 4, 20, 12),
  expiresAt: Date.UTC(2026, 4, 21, 12),
  request: { urls: ['https://site.test/'] },
  ...changes,
})

export const page = (path: string, changes: Partial<FoundPage> = {}): FoundPage => ({
  url: `https://site.test${path}`,
  key: `site.test${path}`,
  host: 'site.test:443',
  depth: 0,
  source: 'link',
  ...changes,
})

export const pages = (count: number, changes: Partial<FoundPage> = {}) =>
  Array.from({ length: count }, (_, nth) => page(`/${nth}`, changes))

export const document = (title: string) => ({ markdown: title, metadata: { title } })

const nth = { last: 0 }

/** Returns a delivery whose id sorts after that of the one before. */
export const aDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: `event-${String(++nth.last).padStart(6, '0')}`,
  crawlId: 'crawl-1',
  type: 'crawl.page',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: JSON.stringify({ n: nth.last }),
  createdAt: Date.UTC(2026, 4, 20, 12),
  ...changes,
})
