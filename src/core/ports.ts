/** The world as the engine sees it. Each port is a type here, a function in the engine, and a fake in tests. */
export type Ports = {
  clock: Clock
  fetchPage: FetchPage
  readHtml: ReadHtml
  pages: PageCache
  jobs: Jobs
  usage: Usage
  account: Account
}

export type Clock = { now(): number }

export type PageRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  /** Cap on the decoded body. */
  maxBytes: number
  signal: AbortSignal
}

export type PageResponse = {
  /** The address that answered, after redirects. */
  url: string
  status: number
  /** Names in lower case; a repeated header is joined with ", ". */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/** Fetches over HTTP. Fails with SCRAPE_* errors; a 4xx or 5xx answer of the target is a response, not a failure. */
export type FetchPage = (request: PageRequest) => Promise<PageResponse>

/** What can be made of an HTML page. */
export type PagePart = 'markdown' | 'html' | 'links' | 'images' | 'attributes' | 'metadata'
export type AttributeQuery = { selector: string; attribute: string }
export type ContentOptions = {
  onlyMainContent: boolean
  includeTags: readonly string[]
  excludeTags: readonly string[]
  removeBase64Images: boolean
}
/** Plain data in, plain data out, so that the work can move to another thread. */
export type ReadRequest = ContentOptions & {
  html: string
  url: string
  wanted: readonly PagePart[]
  attributes: readonly AttributeQuery[]
}
export type PageParts = {
  markdown?: string
  html?: string
  links?: string[]
  images?: string[]
  attributes?: (AttributeQuery & { values: string[] })[]
  metadata?: Record<string, unknown>
}
export type ReadHtml = (request: ReadRequest, signal: AbortSignal) => Promise<PageParts>

export type CachedPage = {
  fetchedAt: number
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  /** Parts made earlier, by the options they were made with. */
  made: Readonly<Record<string, PageParts>>
}
/** Pages by key. The body is apart, so that a hit whose parts are already made never reads it. */
export type PageCache = {
  find(key: string): Promise<CachedPage | undefined>
  body(key: string): Promise<Uint8Array | undefined>
  keep(key: string, page: CachedPage, body: Uint8Array): Promise<void>
  /** Adds parts to a page that is still the one fetched at `fetchedAt`. */
  addMade(key: string, fetchedAt: number, variant: string, parts: PageParts): Promise<void>
}

export type JobStatus = 'completed' | 'failed'
export type Job = {
  id: string
  teamId: string
  keyName: string | null
  endpoint: string
  target: string | null
  createdAt: number
  status: JobStatus
  errorCode: string | null
  /** What GET by id answers; null when it must not be kept. */
  result: object | null
  credits: number
}
export type ActivityRow = Pick<Job, 'id' | 'endpoint' | 'createdAt' | 'target' | 'status'>
export type Jobs = {
  /** Writes the job, its activity row and its ledger row in one transaction; a second call with the same id changes nothing. */
  record(job: Job): Promise<void>
  find(id: string): Promise<Job | undefined>
  /** Newest first; `before` is the last row of the page before. */
  activity(query: {
    teamId: string
    endpoint?: string
    status?: JobStatus
    since: number
    limit: number
    before?: { createdAt: number; id: string }
  }): Promise<ActivityRow[]>
}

export type UsagePeriod = { start: number; end: number; keyName: string | null; credits: number }
export type Usage = {
  /** Calendar months (UTC) with any usage, oldest first; one row a key when `byKey`. */
  months(query: { teamId: string; byKey: boolean }): Promise<UsagePeriod[]>
  /** Credits of the team since a moment. */
  since(teamId: string, from: number): Promise<number>
}

/** What the operator grants each team, and how much of it is in use in this process. */
export type Account = {
  /** Credits a calendar month; undefined = no limit. */
  monthlyCredits: number | undefined
  maxConcurrency: number
  load(teamId: string): { active: number; waiting: number }
}
