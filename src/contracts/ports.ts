import type { Crawls, Deliveries, Snapshots } from './crawl.ts'
import type { FetchPage } from './fetch.ts'
import type { FindMedia, Media } from './media.ts'
import type { ProductProfile } from './product.ts'
import type { LiveParts, RenderPage } from './render.ts'
import type { PageIndex, Search } from './search.ts'
import type { Sessions } from './session.ts'

/** The world as the engine sees it. Each port is a type here, a function in the engine, and a fake in tests. */
export type Ports = {
  clock: Clock
  fetchPage: FetchPage
  renderPage: RenderPage
  readHtml: ReadHtml
  readDocument: ReadDocument
  findMedia: FindMedia
  hosts: Hosts
  pages: PageCache
  index: PageIndex
  jobs: Jobs
  crawls: Crawls
  crawler: Crawler
  deliveries: Pick<Deliveries, 'abandoned'>
  snapshots: Snapshots
  usage: Usage
  search: Search
  sessions: Sessions
  account: Account
  files: Files
}

export type Clock = { now(): number }

/** What can be made of an HTML page. */
export type PagePart =
  | 'markdown'
  | 'html'
  | 'links'
  | 'anchors'
  | 'images'
  | 'attributes'
  | 'metadata'
  | 'blocks'
  | 'media'
  | 'product'
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
  /** Fingerprints of text blocks that most pages of the host share; with onlyMainContent they are left out. */
  repeated?: readonly string[]
}
/** All that is made of a page: what is read from its HTML, and what only a live page gives. */
export type PageContent = LiveParts & {
  markdown?: string
  html?: string
  links?: string[]
  /** Links with what they show, at most 200 characters; empty where they show nothing. */
  anchors?: { url: string; text: string }[]
  images?: string[]
  attributes?: (AttributeQuery & { values: string[] })[]
  metadata?: Record<string, unknown>
  /** Fingerprints of the page's text blocks in document order, to find what the pages of a host share. */
  blocks?: string[]
  /** Empty where the page names none. */
  media?: Media
  /** Null where the page describes none. */
  product?: ProductProfile | null
  /** True when the HTML is an empty shell that scripts fill, absent otherwise. Found where markdown or html is made of a page. */
  needsBrowser?: boolean
  /** What a file that is no HTML page was read as. */
  kind?: DocumentKind
  /** Pages, sheets or slides of such a file. */
  numPages?: number
  /** What the reader should know about how the parts were made. */
  warning?: string
}
export type ReadHtml = (request: ReadRequest, signal: AbortSignal) => Promise<PageContent>

/** Files that are not HTML but can be turned into text. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'rtf'
  | 'epub'
  | 'csv'
  | 'json'
  | 'ndjson'
  | 'xml'
  | 'feed'
  | 'text'
  | 'markdown'
  | 'code'
  | 'image'
export type PdfOptions = { mode: 'fast' | 'auto' | 'ocr'; maxPages?: number | undefined }
/** Plain data in, plain data out, so that the work can move to another process. */
export type DocumentRequest = ContentOptions & {
  kind: DocumentKind
  bytes: Uint8Array
  /** Address of the file; relative links are resolved against it. */
  url: string
  /** As the sender declared it; its charset counts for text. */
  contentType: string | undefined
  wanted: readonly PagePart[]
  attributes: readonly AttributeQuery[]
  pdf: PdfOptions
}
/** Fails with SCRAPE_UNSUPPORTED_FILE_ERROR for a file that is broken, locked or too large, and SCRAPE_PDF_OCR_REQUIRED for a scan. */
export type ReadDocument = (request: DocumentRequest, signal: AbortSignal) => Promise<PageContent>

/** What is known of sites from earlier visits. */
export type Hosts = {
  /** Whether pages of this host lately came empty without a browser. */
  needsBrowser(host: string): Promise<boolean>
  /** Notes how a page of the host came out. */
  note(host: string, came: 'whole' | 'empty'): Promise<void>
}

export type CachedPage = {
  fetchedAt: number
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  /** Parts made earlier, by the options they were made with. */
  made: Readonly<Record<string, PageContent>>
}
/** Pages by key. The body is apart, so that a hit whose parts are already made never reads it. */
export type PageCache = {
  find(key: string): Promise<CachedPage | undefined>
  body(key: string): Promise<Uint8Array | undefined>
  keep(key: string, page: CachedPage, body: Uint8Array): Promise<void>
  /** Adds parts to a page that is still the one fetched at `fetchedAt`. */
  addMade(key: string, fetchedAt: number, variant: string, parts: PageContent): Promise<void>
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
  /** What the visit was asked to do, so that it can be made again; null when it cannot. */
  replay: object | null
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

/** Works on what crawls have waiting, in this process, beside the calls. */
export type Crawler = {
  /**
   * There may be something to do. Returns at once; a crawler that works already looks again, but not for the sake of a
   * crawl that it works on.
   */
  wake(crawlId?: string): void
}

/** What the operator grants each team, and how much of it is in use in this process. */
export type Account = {
  /** Credits a calendar month; undefined = no limit. */
  monthlyCredits: number | undefined
  maxConcurrency: number
  /** How long finished jobs can be read. */
  jobRetentionMs: number
  load(teamId: string): { active: number; waiting: number }
  /** A turn among the team's scrapes, for work that belongs to no call; what it resolves to ends it. */
  enter(teamId: string, signal: AbortSignal): Promise<() => void>
}

export type FileContent = { filename: string; bytes: Uint8Array }
export type Files = {
  /** A file of this machine. Fails with FILE_NOT_ALLOWED outside the folders of the setting, FILE_NOT_FOUND, or PAYLOAD_TOO_LARGE. */
  read(path: string): Promise<FileContent>
}
