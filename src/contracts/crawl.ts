/** A job over many pages: a crawl finds them itself, a batch is given them. */
export type CrawlKind = 'crawl' | 'batch_scrape'
export type CrawlStatus = 'scraping' | 'completed' | 'failed' | 'cancelled'

/** Why an address that was found is not among the pages of a crawl. */
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
export type PageSource = 'start' | 'sitemap' | 'link' | 'given'

/** An address to visit. Two addresses with one `key` are one page. */
export type FoundPage = {
  url: string
  key: string
  /** `host:port` whose limits the visit keeps. */
  host: string
  depth: number
  source: PageSource
}

/** A page that is this process's to visit until its lease ends. */
export type ClaimedPage = {
  crawlId: string
  /** Who pays. */
  teamId: string
  keyName: string | null
  /** Place of the page in the crawl's table. */
  seq: number
  /** Id of the page: its scrapeId. */
  id: string
  url: string
  host: string
  depth: number
  source: PageSource
  /** How often it was begun, this time included; of those, how often it was put off because of what came. */
  tries: number
  retries: number
}

/** Pages by what became of them. `dropped` ones turned out to be no page of the crawl; they count nowhere else. */
export type PageCounts = { waiting: number; active: number; done: number; failed: number; dropped: number }

export type Crawl = {
  id: string
  teamId: string
  keyName: string | null
  kind: CrawlKind
  /** The start address, or the first of a batch. */
  target: string
  createdAt: number
  expiresAt: number
  completedAt: number | null
  status: CrawlStatus
  /** The input of the operation that began it. */
  request: object
  pageLimit: number
  maxConcurrency: number
  delayMs: number
  /** Whether all is known that is not found on pages: robots rules, sitemaps. */
  isKickedOff: boolean
  /** Where the start address led, when it led elsewhere. */
  landedUrl: string | null
  counts: PageCounts
  credits: number
  error: { code: string; message: string } | null
  warnings: readonly string[]
}
export type NewCrawl = Pick<
  Crawl,
  'id' | 'teamId' | 'keyName' | 'kind' | 'target' | 'createdAt' | 'expiresAt' | 'request'
> &
  Pick<Crawl, 'pageLimit' | 'maxConcurrency' | 'delayMs' | 'isKickedOff' | 'warnings'> & {
    /** A second crawl of the team with the same key is refused. */
    idempotencyKey: string | null
  }

/** A webhook event to be sent, exactly as it is sent. */
export type Delivery = {
  /** `webhookId`: one id, one content. */
  id: string
  crawlId: string
  /** Such as `crawl.page`. */
  type: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  createdAt: number
}
export type ClaimedDelivery = Delivery & {
  /** How often it was sent, this time included. */
  tries: number
}

export type PageFailure = { id: string; url: string; at: number; code: string; message: string }

/** What became of a claimed page. */
export type PageOutcome =
  | {
      kind: 'document'
      document: object
      credits: number
      /** Where the page really stands, when it was redirected: no other page may stand there. */
      standsAt?: { key: string; url: string } | undefined
      delivery?: Delivery | undefined
    }
  | { kind: 'failed'; code: string; message: string; delivery?: Delivery | undefined }
  | { kind: 'dropped'; reason: SkipReason }
  /** It comes again; its host is left alone until then, unless the trouble may be the page's alone. */
  | { kind: 'retry'; at: number; trouble?: 'of the page' | 'of the host' }

/** Up to `count` pages, taken for `leaseMs`. */
export type ClaimWish = {
  crawlId: string
  owner: string
  count: number
  leaseMs: number
  hostConcurrency: number
  /** No page is taken while one of less depth is under way. */
  byLevel: 'by level' | 'as found'
}

/** Where crawls, their pages and their results lie. Each call is one transaction, so that a process may die between any two. */
export type Crawls = {
  /** Fails with IDEMPOTENCY_KEY_REUSED. */
  begin(crawl: NewCrawl, pages: readonly FoundPage[], delivery?: Delivery): Promise<void>
  find(id: string): Promise<Crawl | undefined>
  /** Crawls that are not over, of one team or of all, oldest first. */
  running(teamId?: string): Promise<Crawl[]>
  /** Pages that are not known yet are added; of those that are, the shortest depth counts. Answers how many are new. */
  add(crawlId: string, pages: readonly FoundPage[]): Promise<number>
  /** Notes addresses that are no pages of the crawl, each once. */
  skip(crawlId: string, skipped: readonly Skipped[]): Promise<void>
  /** Takes up to `count` pages that may be visited now, the hosts in turn, the shallowest first. */
  claim(wish: ClaimWish): Promise<ClaimedPage[]>
  /** `lost`: the lease had ended and the page is another's now; `duplicate`: another page stands there already. */
  finish(page: ClaimedPage, owner: string, outcome: PageOutcome): Promise<'finished' | 'duplicate' | 'lost'>
  /** The least time between two visits of a host, ms; the longest one that was set counts. */
  slowDown(crawlId: string, host: string, gapMs: number): Promise<void>
  /** True for the one process that is to kick the crawl off. */
  takeKickOff(crawlId: string, owner: string, leaseMs: number): Promise<boolean>
  endKickOff(
    crawlId: string,
    end: { warnings?: readonly string[]; error?: Crawl['error'] },
    delivery?: Delivery,
  ): Promise<void>
  land(crawlId: string, url: string): Promise<void>
  /** No page is taken beyond those under way; what waits counts as beyond the limit. */
  takeNoMore(crawlId: string): Promise<void>
  warn(crawlId: string, warning: string): Promise<void>
  /** Ends a crawl that has nothing left to do; true for the one caller that ended it. */
  complete(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** False when it was over already. */
  cancel(crawlId: string, delivery?: Delivery): Promise<boolean>
  /** Pages added to a batch; false when it is over. */
  append(crawlId: string, pages: readonly FoundPage[]): Promise<boolean>
  /** Results from number `skip` on, in the order they came, up to a number and a total length (at least one). */
  documents(crawlId: string, window: { skip: number; limit: number; maxBytes: number }): Promise<object[]>
  /** The result of one page. */
  document(pageId: string): Promise<{ teamId: string; crawlId: string; document: object } | undefined>
  failures(crawlId: string): Promise<PageFailure[]>
  skipped(crawlId: string): Promise<{ counts: Partial<Record<SkipReason, number>>; robots: string[] }>
  /** Keeps the leases of an owner. */
  renew(owner: string, leaseMs: number): Promise<void>
  /** Gives back all that an owner holds. */
  release(owner: string): Promise<void>
  /** Gives back what is held past its lease. Answers the owners that still hold something. */
  reap(): Promise<string[]>
}

export type Deliveries = {
  /** Takes up to `count` that are due; each is another's to take when the lease ends. */
  claim(owner: string, count: number, leaseMs: number): Promise<ClaimedDelivery[]>
  sent(id: string): Promise<void>
  /** It comes again at `retryAt`; without one it is given up. */
  missed(id: string, why: string, retryAt: number | undefined): Promise<void>
  /** When the next one is due, ms since the epoch. */
  nextDueAt(): Promise<number | undefined>
  /** Those of a crawl that were given up. */
  givenUp(crawlId: string): Promise<{ id: string; type: string; at: number; why: string }[]>
}

/** A page as change tracking saw it last. */
export type Snapshot = { at: number; markdown: string | null; json?: object | undefined; isLinked: boolean }
export type Snapshots = {
  last(teamId: string, url: string, tag: string): Promise<Snapshot | undefined>
  keep(teamId: string, url: string, tag: string, snapshot: Snapshot): Promise<void>
}
