import type { StoredJson } from '../util/json.ts'
import type { Delivery } from './job-ports.ts'

/** A job over many pages: a crawl finds them itself, a batch is given them. */
export const crawlKinds = ['crawl', 'batch_scrape'] as const
export type CrawlKind = (typeof crawlKinds)[number]
export const crawlStatuses = ['scraping', 'completed', 'failed', 'cancelled'] as const
export type CrawlStatus = (typeof crawlStatuses)[number]

/** Why a URL that was found is not a page of the crawl. */
export const skipReasons = [
  'outOfScope',
  'robots',
  'excluded',
  'notIncluded',
  'duplicate',
  'depth',
  'limit',
  'type',
  'trap',
  'invalid',
] as const
export type SkipReason = (typeof skipReasons)[number]
export type Skipped = { url: string; reason: SkipReason }

/** How a page was found first. */
export const pageSources = ['start', 'sitemap', 'link', 'given'] as const
export type PageSource = (typeof pageSources)[number]

/** A URL to visit. Two URLs with the same `key` are one page. */
export type FoundPage = {
  url: string
  key: string
  /** `host:port`, to which the crawl delay and the limit of concurrent visits apply. */
  host: string
  depth: number
  source: PageSource
}

/** A page leased to one worker: nobody else visits it until the lease ends. */
export type ClaimedPage = {
  crawlId: string
  /** Who pays, and for what. */
  teamId: string
  keyName: string | null
  kind: CrawlKind
  /** Number of the page's row. */
  seq: number
  /** Id of the page: its scrapeId. */
  id: string
  url: string
  host: string
  depth: number
  source: PageSource
  /** Visits started, this one included. */
  tries: number
  /** Of those, visits that ended with a retry because of what the site answered. */
  retries: number
  /** Of its host, as it was known when the page was claimed. */
  crawlDelayMs: number
}

/** Pages by state. `dropped` ones turned out to be no page of the crawl and count nowhere else. */
export type PageCounts = { waiting: number; active: number; done: number; failed: number; dropped: number }

export type Crawl = {
  id: string
  teamId: string
  keyName: string | null
  kind: CrawlKind
  /** The start URL, or the first URL of a batch. */
  target: string
  createdAt: number
  expiresAt: number
  completedAt: number | null
  status: CrawlStatus
  /** The input of the operation that started it. */
  request: object
  pageLimit: number
  maxConcurrency: number
  delayMs: number
  /** Whether robots.txt, the start URL and the sitemaps have been read: all that is not found on pages. */
  isSeeded: boolean
  /** Where the start URL redirected to; null when it did not. */
  finalUrl: string | null
  counts: PageCounts
  credits: number
  error: { code: string; message: string } | null
  warnings: readonly string[]
}
export type NewCrawl = Pick<
  Crawl,
  'id' | 'teamId' | 'keyName' | 'kind' | 'target' | 'createdAt' | 'expiresAt' | 'request'
> &
  Pick<Crawl, 'pageLimit' | 'maxConcurrency' | 'delayMs' | 'isSeeded' | 'warnings'> & {
    /** Nothing of it is written to a disk: it ends with this process. */
    isUnkept?: boolean
  }

export type Which = { place: number } | { urls: readonly string[] }
export type PageDocument = { teamId: string; crawlId: string; document: object; isUnkept?: boolean }
export type PageFailure = { id: string; url: string; at: number; code: string; message: string }

/** How the visit of a claimed page ended. */
export type PageOutcome =
  | {
      kind: 'document'
      document: object
      credits: number
      /** Where a redirect led. Of all pages that end at this key, the first is kept. */
      redirectedTo?: { key: string; url: string } | undefined
      delivery?: Delivery | undefined
    }
  | { kind: 'failed'; code: string; message: string; delivery?: Delivery | undefined }
  | { kind: 'dropped'; reason: SkipReason }
  /** To be visited again at `at`. With the scope `host` (the default) its whole host rests until then. */
  | { kind: 'retry'; at: number; scope?: 'page' | 'host' }
  /** Given back by a worker that has not asked the site for it. */
  | { kind: 'returned' }

/** A request for up to `count` pages, leased to a worker for `leaseMs`. */
export type ClaimRequest = {
  crawlId: string
  workerId: string
  count: number
  leaseMs: number
  hostConcurrency: number
  /** `by depth`: no page is claimed while one of less depth waits or is being visited. */
  order: 'by depth' | 'as found'
}

/** Results from number `skip` on, in the order they were written; as many as fit `maxBytes`, at least one. */
export type ResultWindow = { skip: number; limit: number; maxBytes: number }
/** `skipped` is counted once the crawl is over: clients ask all the time while it runs. */
export type CrawlProgress = { crawl: Crawl; documents: StoredJson[]; skipped: Partial<Record<SkipReason, number>> }

/** A list, or pages that are made when their turn comes: a hundred thousand of them at once would take tens of megabytes. */
export type ManyPages = Iterable<FoundPage> & { readonly length: number }

/** Crawls, their pages and their results. Each call is one transaction, so that a process may die between any two. */
export type Crawls = {
  /** One of that id stays as it is. */
  start(crawl: NewCrawl, pages: ManyPages, delivery?: Delivery): Promise<void>
  find(id: string): Promise<Crawl | undefined>
  /** Crawls that are not over, of one team or of all, oldest first. */
  running(teamId?: string): Promise<Crawl[]>
  /** Adds pages that are not known yet; a known page keeps its smallest depth. Answers how many are new. */
  add(crawlId: string, pages: readonly FoundPage[]): Promise<number>
  /** Records URLs that are no pages of the crawl, each once. */
  skip(crawlId: string, skipped: readonly Skipped[]): Promise<void>
  /**
   * Leases pages that may be visited now: hosts take turns, smallest depth first. Crawls of all teams share the places of a
   * host, and those that keep a delay there the pauses.
   */
  claim(request: ClaimRequest): Promise<ClaimedPage[]>
  /**
   * Writes the outcome of a visit, its charge and its event, all or nothing. `lost`: the page is not leased to this worker
   * any more, and nothing was written; `duplicate`: another page has the URL that it redirected to.
   */
  finish(page: ClaimedPage, workerId: string, outcome: PageOutcome): Promise<'finished' | 'duplicate' | 'lost'>
  /** Sets the least time between two visits of a host; the longest that was ever set counts. */
  setCrawlDelay(crawlId: string, host: string, delayMs: number): Promise<void>
  /** True for the one worker that is to read robots.txt and the sitemaps, until its lease ends. */
  claimSeeding(crawlId: string, workerId: string, leaseMs: number): Promise<boolean>
  finishSeeding(
    crawlId: string,
    end: { warnings?: readonly string[]; error?: Crawl['error']; facts?: SeedingFacts | undefined },
    delivery?: Delivery,
  ): Promise<void>
  setFinalUrl(crawlId: string, url: string): Promise<void>
  /** Lets no further page be claimed; those that wait count as beyond the limit. */
  stopClaiming(crawlId: string): Promise<void>
  warn(crawlId: string, warning: string): Promise<void>
  /** Completes a crawl that has nothing left to do; true for the one caller that completed it. */
  complete(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** False when it was over already. */
  cancel(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** Pages added to a batch; false when it is over. */
  append(crawlId: string, pages: ManyPages): Promise<boolean>
  /** How far a crawl is, with the results and the skipped URLs of the same moment. */
  progress(crawlId: string, window: ResultWindow): Promise<CrawlProgress | undefined>
  /** The result of one page. */
  document(pageId: string): Promise<PageDocument | undefined>
  /** The result at a place in the order that they came, from 0, or the first of a page that was at one of these addresses. */
  documentOf(crawlId: string, which: Which): Promise<PageDocument | undefined>
  failures(crawlId: string): Promise<PageFailure[]>
  skipped(crawlId: string): Promise<{ counts: Partial<Record<SkipReason, number>>; robots: string[] }>
  /** The skipped URLs that come after one in the order of the store, from '' on. */
  skippedAfter(crawlId: string, url: string, limit: number): Promise<Skipped[]>
  /** Undefined until the crawl is seeded, for a batch, and for a crawl of an older version. */
  seeding(crawlId: string): Promise<SeedingFacts | undefined>
  /** Extends all leases of a worker. */
  renew(workerId: string, leaseMs: number): Promise<void>
  /** Ends all leases of a worker; the visits do not count as tries. */
  release(workerId: string): Promise<void>
  /** Ends expired leases. Answers the workers that still hold one. */
  reap(): Promise<string[]>
}

/** A page as change tracking saw it last. */
export type Snapshot = { at: number; markdown: string | null; json?: object | undefined; isLinked: boolean }
export type Snapshots = {
  last(teamId: string, url: string, tag: string): Promise<Snapshot | undefined>
  keep(teamId: string, url: string, tag: string, snapshot: Snapshot): Promise<void>
}

/** Visits the waiting pages of crawls in the background of this process. */
export type Crawler = {
  /** Looks for work; returns at once. `crawlId` is ignored while the crawler already works on that crawl. */
  wake(crawlId?: string): void
}

/** What robots.txt and the sitemaps said when a crawl was seeded. It is kept, so that whoever asks later need not ask the site. */
export type SeedingFacts = { robots: RobotsFacts; sitemaps: SitemapFacts }

export type RobotsFacts = {
  url: string
  /** The name whose rules hold. */
  agent: string
  isObeyed: boolean
  /** The site could not say, so nothing may be visited. */
  why?: 'unreachable' | 'redirects'
  /** The groups of rules that hold for that name. */
  groups: readonly RobotsGroupFacts[]
  /** There are more rules than are kept. */
  isCut: boolean
  delayMs?: number | undefined
}
type RobotsGroupFacts = {
  agents: readonly string[]
  rules: readonly { kind: 'allow' | 'disallow'; pattern: string }[]
}

export type SitemapFacts = {
  /** In the order in which they were read. */
  files: readonly { url: string; urls: number; fault?: string | undefined }[]
  /** How many more were read. */
  more: number
  /** Of all files, as far as the limit needed. */
  urls: number
}
