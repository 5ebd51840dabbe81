import type { StoredJson } from '../util/json.ts'
import type { FetchAttempt } from './fetch.ts'
import type { Delivery } from './job-ports.ts'

/** A job over many pages: a crawl discovers them, a batch receives a list. */
export const crawlKinds = ['crawl', 'batch_scrape'] as const
export type CrawlKind = (typeof crawlKinds)[number]
export const crawlStatuses = ['scraping', 'completed', 'failed', 'cancelled'] as const
export type CrawlStatus = (typeof crawlStatuses)[number]

/** Reasons why a discovered URL is not part of the crawl. */
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

/** Ways in which a page is first discovered. */
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
  /** 1: visited after all others, because its URL looks like that of a file. */
  turn?: 0 | 1
}

/** A page leased to one worker: no other worker visits it until the lease ends. */
export type ClaimedPage = {
  crawlId: string
  /** The team to charge. */
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
  /** Number of these visits that ended with a retry because of the site's response. */
  retries: number
  /** Crawl delay of the host at the time of the claim. */
  crawlDelayMs: number
}

/** Pages by state. `dropped` pages turned out not to belong to the crawl and are counted nowhere else. */
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
  /** True once robots.txt, the start URL and the sitemaps have been read: all sources of URLs other than pages. */
  isSeeded: boolean
  /** Final URL if the start URL redirected; otherwise null. */
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
    /** True if nothing of it is written to disk: the crawl ends with this process. */
    isEphemeral?: boolean
  }

export type Which = { place: number } | { urls: readonly string[] }
export type PageDocument = { teamId: string; crawlId: string; document: object; isEphemeral?: boolean }
/** Why a page could not be read. */
export type FailureReason = { code: string; message: string; attempts?: readonly FetchAttempt[] | undefined }
export type PageFailure = FailureReason & { id: string; url: string; at: number }

/** Result of the visit of a claimed page. */
export type PageOutcome =
  | {
      kind: 'document'
      document: object
      credits: number
      /** Target of a redirect. Of all pages that end at this key, the first is kept. */
      redirectedTo?: { key: string; url: string } | undefined
      delivery?: Delivery | undefined
    }
  | (FailureReason & { kind: 'failed'; delivery?: Delivery | undefined })
  /** `failure`: the page could not be read either; it is listed among the failures without being counted. */
  | { kind: 'dropped'; reason: SkipReason; failure?: FailureReason }
  /** Visit again at `at`. With the scope `host` (the default), no page of the host is visited before then. */
  | { kind: 'retry'; at: number; scope?: 'page' | 'host' }
  /** Returned unvisited: no request was sent to the site. */
  | { kind: 'returned' }

/** A request for up to `count` pages, leased to a worker for `leaseMs`. */
export type ClaimRequest = {
  crawlId: string
  workerId: string
  count: number
  leaseMs: number
  hostConcurrency: number
  /** Numbers of the worker's pages whose visit has ended but is not written yet: they no longer occupy their host. */
  unwritten?: readonly number[]
  /** `by depth`: no page is claimed while one of less depth waits or is being visited. */
  order: 'by depth' | 'as found'
}

/** Results from index `skip` on, in the order they were written; as many as fit `maxBytes`, at least one. */
export type ResultWindow = { skip: number; limit: number; maxBytes: number }
/** `skipped` is counted only once the crawl is over, because clients poll often while it runs. */
export type CrawlProgress = { crawl: Crawl; documents: StoredJson[]; skipped: Partial<Record<SkipReason, number>> }

/** A list, or a lazy iterable: a hundred thousand pages in memory would take tens of megabytes. */
export type ManyPages = Iterable<FoundPage> & { readonly length: number }

/** Crawls, their pages and their results. Each call is one transaction, because the process may die between any two. */
export type Crawls = {
  /** Leaves an existing crawl of the same id unchanged. */
  start(crawl: NewCrawl, pages: ManyPages, delivery?: Delivery): Promise<void>
  find(id: string): Promise<Crawl | undefined>
  /** Unfinished crawls of one team or of all, oldest first. */
  running(teamId?: string): Promise<Crawl[]>
  /** Adds pages that are not known yet; a known page keeps its smallest depth. Returns the number of new pages. */
  add(crawlId: string, pages: readonly FoundPage[]): Promise<number>
  /** Records URLs that are not part of the crawl, each once. */
  skip(crawlId: string, skipped: readonly Skipped[]): Promise<void>
  /**
   * Leases pages that may be visited now, alternating between hosts, smallest depth first. Crawls of all teams share
   * the visit limit of a host. Those that obey its crawl delay also share the pauses.
   */
  claim(request: ClaimRequest): Promise<ClaimedPage[]>
  /**
   * Writes the result of a visit, its charge and its event, all or nothing. `lost`: the page is no longer leased to
   * this worker, and nothing was written; `duplicate`: another page has the URL that it redirected to.
   */
  finish(page: ClaimedPage, workerId: string, outcome: PageOutcome): Promise<'finished' | 'duplicate' | 'lost'>
  /** Sets the minimum time between two visits of a host; the longest value ever set applies. */
  setCrawlDelay(crawlId: string, host: string, delayMs: number): Promise<void>
  /** True for the one worker that is to read robots.txt and the sitemaps, until its lease ends. */
  claimSeeding(crawlId: string, workerId: string, leaseMs: number): Promise<boolean>
  finishSeeding(
    crawlId: string,
    end: { warnings?: readonly string[]; error?: Crawl['error']; facts?: SeedingFacts | undefined },
    delivery?: Delivery,
  ): Promise<void>
  setFinalUrl(crawlId: string, url: string): Promise<void>
  /** Allows no further claims; waiting pages count as beyond the limit. */
  stopClaiming(crawlId: string): Promise<void>
  warn(crawlId: string, warning: string): Promise<void>
  /** Completes a crawl with no work left; true only for the caller that completed it. */
  complete(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** False if it was already over. */
  cancel(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** Adds pages to a batch; false if the batch is over. */
  append(crawlId: string, pages: ManyPages): Promise<boolean>
  /** Progress of a crawl, with the results and the skipped URLs of the same moment. */
  progress(crawlId: string, window: ResultWindow): Promise<CrawlProgress | undefined>
  /** The result of one page. */
  document(pageId: string): Promise<PageDocument | undefined>
  /** The result at an index in the order of arrival, from 0, or the first result of a page with one of these URLs. */
  documentOf(crawlId: string, which: Which): Promise<PageDocument | undefined>
  /** Results that are error pages of their sites (HTTP status 400 and above), and their total number. */
  refused(crawlId: string, window: Omit<ResultWindow, 'maxBytes'>): Promise<{ total: number; documents: StoredJson[] }>
  failures(crawlId: string): Promise<PageFailure[]>
  skipped(crawlId: string): Promise<{ counts: Partial<Record<SkipReason, number>>; robots: string[] }>
  /** The skipped URLs after `url` in the order of the store; '' starts from the first. */
  skippedAfter(crawlId: string, url: string, limit: number): Promise<Skipped[]>
  /** Undefined until the crawl is seeded, for a batch, and for a crawl started by an older version. */
  seeding(crawlId: string): Promise<SeedingFacts | undefined>
  /** Extends all leases of a worker. */
  renew(workerId: string, leaseMs: number): Promise<void>
  /** Ends all leases of a worker; the visits do not count as tries. */
  release(workerId: string): Promise<void>
  /** Ends expired leases. Returns the workers that still hold one. */
  reap(): Promise<string[]>
}

/** State of a page at the last visit of change tracking. */
export type Snapshot = { at: number; markdown: string | null; json?: object | undefined; isLinked: boolean }
export type Snapshots = {
  last(teamId: string, url: string, tag: string): Promise<Snapshot | undefined>
  keep(teamId: string, url: string, tag: string, snapshot: Snapshot): Promise<void>
}

/** Visits the waiting pages of crawls in the background of this process. */
export type Crawler = {
  /** Looks for work and returns immediately. `crawlId` is ignored if the crawler already works on that crawl. */
  wake(crawlId?: string): void
}

/**
 * Contents of robots.txt and the sitemaps when the crawl was seeded. Stored, so later questions need no request to
 * the site.
 */
export type SeedingFacts = { robots: RobotsFacts; sitemaps: SitemapFacts }

export type RobotsFacts = {
  url: string
  /** The user agent name whose rules apply. */
  agent: string
  isObeyed: boolean
  /** Why robots.txt could not be read; nothing may be visited then. */
  why?: 'unreachable' | 'redirects'
  /** Groups of rules that apply to that name. */
  groups: readonly RobotsGroupFacts[]
  /** True if robots.txt has more rules than are stored. */
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
  /** Number of further files read. */
  more: number
  /** URLs of all files, up to the limit of the crawl. */
  urls: number
}
