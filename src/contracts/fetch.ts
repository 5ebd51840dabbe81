/** A picture or PDF that responses link to. */
export type LinkedFile = { mediaType: string; bytes: Uint8Array }

export type LinkedFiles = {
  /**
   * Stores a file of a team until `until` (ms since the epoch), by default as long as the result of a job. Returns
   * its id, which cannot be guessed and grants access to the file. Identical bytes keep their id while they are
   * stored.
   */
  keep(file: LinkedFile & { teamId: string; until?: number | undefined }): Promise<string>
  find(id: string): Promise<LinkedFile | undefined>
}

/** Path at which a server returns such a file. */
export const linkedFilePath = (id: string) => `/v2/files/${id}`

/** Turns a data URL into a link; returns any other text unchanged. */
export type Link = (dataUrl: string, until?: number) => Promise<string>

/** Proxies of the operator: `basic` ones, and `enhanced` ones for sites that refuse those. */
export type ProxyKind = 'basic' | 'enhanced'

export type PageRequest = {
  url: string
  /** The team that sends the request; it determines which private hosts may be reached. */
  teamId: string
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  /** Default: basic. */
  proxy?: ProxyKind | undefined
  /** Country that the request should appear to come from, if there is a proxy in that country. */
  country?: string | undefined
  /** Cap on the decoded body. */
  maxBytes: number
  /**
   * Returns true if a redirect may be followed; by default all are. Fails with SCRAPE_SITE_ERROR if it returns false.
   */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined
  /**
   * Returns true if a body of this media type should be read; otherwise the body stays empty. Default: all types but
   * audio and video.
   */
  isWanted?: ((mediaType: string) => boolean) | undefined
  /** Called for each way in which the page could not be fetched, even if another way succeeds. */
  reportAttempt?: ((attempt: FetchAttempt) => void) | undefined
  signal: AbortSignal
}

export type PageResponse = {
  /** The final URL, after redirects. */
  url: string
  status: number
  /** Names in lower case; repeated headers are joined with ", ". */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** Faults of the response. */
  faults?: readonly PageFault[]
}

/** `cut off`: the body ended early; `refresh refused`: the page redirects to an address that may not be reached. */
export type PageFault = 'cut off' | 'refresh refused'

/** Fetches over HTTP. Fails with SCRAPE_* errors; a 4xx or 5xx answer of the target is a response, not a failure. */
export type FetchPage = (request: PageRequest) => Promise<PageResponse>

/** A failed attempt to fetch a page. `timestamp` is ISO 8601. */
export type FetchAttempt = { way: 'HTTP' | 'tolerant HTTP' | 'browser'; timestamp: string; code: string; error: string }

/** Sends one GET request for a browser. Unlike FetchPage it returns redirects as responses; the body is decoded. */
export type BrowsePage = (
  request: Omit<PageRequest, 'mayFollow' | 'isWanted' | 'reportAttempt'>,
) => Promise<PageResponse>

/** One page as received over the network, for callers that archive everything. */
export type Exchange = {
  /** Time of the request, ms since the epoch. */
  at: number
  request: { url: string; method: string; headers: Readonly<Record<string, string>> }
  /** The body is decoded; for a page rendered by a browser, it is the final HTML. */
  response: { url: string; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  metadata?: Readonly<Record<string, string>>
}
export type ExchangeListener = (exchange: Exchange) => Promise<void> | void

export type FileContent = { filename: string; bytes: Uint8Array<ArrayBuffer> }

export type Files = {
  /**
   * Reads a file of this machine. Fails with FILE_NOT_ALLOWED outside the configured folders, FILE_NOT_FOUND, or
   * PAYLOAD_TOO_LARGE.
   */
  read(path: string): Promise<FileContent>
}
