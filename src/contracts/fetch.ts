/** A picture or PDF that answers link to. */
export type LinkedFile = { mediaType: string; bytes: Uint8Array }

export type LinkedFiles = {
  /**
   * Keeps a file of a team until that moment, ms since the epoch, or else as long as the result of a job. Answers its
   * id: who knows it may read the file, and nobody can guess it. The same bytes keep their id for as long as they are there.
   */
  keep(file: LinkedFile & { teamId: string; until?: number | undefined }): Promise<string>
  find(id: string): Promise<LinkedFile | undefined>
}

/** Where a server answers such a file. */
export const linkedFilePath = (id: string) => `/v2/files/${id}`

/** Makes an address of a data URL; what is no file of ours comes back as it is. */
export type Link = (dataUrl: string, until?: number) => Promise<string>

/** Proxies of the operator: the usual ones, and those for sites that refuse the usual ones. */
export type ProxyKind = 'basic' | 'enhanced'

export type PageRequest = {
  url: string
  /** Whose request it is: which private hosts it may reach depends on it. */
  teamId: string
  headers: Readonly<Record<string, string>>
  skipTlsVerification: boolean
  /** Basic when absent. */
  proxy?: ProxyKind | undefined
  /** Where the request should seem to come from, as far as there is a proxy of that country. */
  country?: string | undefined
  /** Cap on the decoded body. */
  maxBytes: number
  /** Whether to go where a redirect leads; anywhere when absent. Fails with SCRAPE_SITE_ERROR where it says no. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined
  /** Returns true if a body of this media type is to be read; otherwise the body stays empty. Default: all types but audio and video. */
  isWanted?: ((mediaType: string) => boolean) | undefined
  signal: AbortSignal
}

export type PageResponse = {
  /** The address that answered, after redirects. */
  url: string
  status: number
  /** Names in lower case; a repeated header is joined with ", ". */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** What is wrong with it, if anything. */
  faults?: readonly PageFault[]
}

/** The body ended before it was whole; the page sends its visitors to an address that may not be reached. */
export type PageFault = 'cut off' | 'refresh refused'

/** Fetches over HTTP. Fails with SCRAPE_* errors; a 4xx or 5xx answer of the target is a response, not a failure. */
export type FetchPage = (request: PageRequest) => Promise<PageResponse>

/** The same with one GET of a browser, which reads nearly every answer: a redirect is an answer, and the body is decoded. */
export type BrowsePage = (request: Omit<PageRequest, 'mayFollow' | 'isWanted'>) => Promise<PageResponse>

/** One page as it came over the network, for those who keep everything. */
export type Exchange = {
  /** When it was asked for, ms since the epoch. */
  at: number
  request: { url: string; method: string; headers: Readonly<Record<string, string>> }
  /** The body decoded; of a page that a browser rendered, its HTML in the end. */
  response: { url: string; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  metadata?: Readonly<Record<string, string>>
}
export type ExchangeListener = (exchange: Exchange) => Promise<void> | void

export type FileContent = { filename: string; bytes: Uint8Array<ArrayBuffer> }

export type Files = {
  /** A file of this machine. Fails with FILE_NOT_ALLOWED outside the folders of the setting, FILE_NOT_FOUND, or PAYLOAD_TOO_LARGE. */
  read(path: string): Promise<FileContent>
}
