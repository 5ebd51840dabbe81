import type { FetchPage, PageResponse } from '../../../contracts/fetch.ts'
import { AppError } from '../../../kernel/error.ts'
import { withoutSecrets } from '../http/request-headers.ts'
import type { SitemapItem, SitemapEntry } from './sitemap-entries.ts'
import { maxFileBytes, readSitemapFile } from './sitemap-file.ts'

export type SitemapsRequest = {
  /** URLs of sitemaps, in reading order; see `sitemapUrls`. */
  urls: readonly string[]
  teamId: string
  headers: Readonly<Record<string, string>>
  /** Origin that secret headers are sent to; other origins, or all if undefined, get no secrets. */
  origin?: string | undefined
  skipTlsVerification: boolean
  signal: AbortSignal
  /** Maximum number of entries in total. */
  maxUrls: number
  /**
   * Number of entries that will probably suffice. If it is small, files are fetched one at a time as needed; otherwise
   * four are fetched ahead.
   */
  wanted?: number
  /**
   * Called with a message about a file, its URL and the number of URLs read from it by then; only the URL is text of
   * the site. Each message about files that an index references is reported once.
   */
  note(text: string, url: string, urls: number): void
  /** Called for each file read, with the number of its pages. */
  read?(url: string, pages: number): void
  /** Time limit per file; 15 s by default. */
  fileTimeoutMs?: number
}

/** A fetched file, or the reason why it could not be fetched. */
type Fetched = { file: SitemapFile; page: PageResponse } | { file: SitemapFile; why: string }

const maxConcurrent = 4
/** Up to this number of wanted entries, files are fetched one at a time. */
const fewEntries = 1000
const defaultTimeoutMs = 15_000

/**
 * Reads sitemaps and those they reference, in the order found, and yields their entries in batches of up to 1,000. A
 * file that cannot be fetched or parsed is reported and skipped. A few files are fetched ahead of reading; reading
 * waits for the consumer. Fails if `signal` aborts.
 */
export async function* readSitemaps(fetchPage: FetchPage, request: SitemapsRequest): AsyncGenerator<SitemapEntry[]> {
  let left = request.maxUrls
  if (left <= 0) return
  for await (const batch of allEntries(fetchPage, request)) {
    request.signal.throwIfAborted()
    yield batch.slice(0, left)
    left -= batch.length
    if (left <= 0) return
  }
}

async function* allEntries(fetchPage: FetchPage, request: SitemapsRequest): AsyncGenerator<SitemapEntry[]> {
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const note = onceForChildren(request.note)
  const pending: Promise<Fetched>[] = []
  const { wanted = Infinity } = request
  const ahead = wanted > fewEntries ? maxConcurrent : 1
  const queue = createQueue(request.urls, ahead > 1 ? 'as found' : 'depth first')
  const fetchMore = () => {
    const files = queue.take(ahead - pending.length)
    pending.push(...files.map((file) => fetchFile(fetchPage, { ...request, signal }, file)))
  }
  try {
    for (fetchMore(); pending.length > 0; fetchMore()) {
      const fetched = await pending.shift()
      request.signal.throwIfAborted()
      if (ahead > 1) fetchMore()
      if (fetched && 'page' in fetched) yield* counted(entriesOf(fetched, queue, note), fetched.file, request)
      else if (fetched) note(fetched.why, fetched.file, 0)
    }
  } finally {
    stop.abort()
  }
}

type Note = (text: string, file: SitemapFile, urls: number) => void

/** Reports the number of entries read, even if the consumer stops early. */
async function* counted(
  batches: AsyncGenerator<SitemapEntry[]>,
  { url }: SitemapFile,
  { read }: Pick<SitemapsRequest, 'read'>,
): AsyncGenerator<SitemapEntry[]> {
  let pages = 0
  try {
    for await (const batch of batches) {
      pages += batch.length
      yield batch
    }
  } finally {
    read?.(url, pages)
  }
}

/** Yields the pages of a file; sitemaps it references are added to the queue. */
async function* entriesOf(
  { file, page }: Extract<Fetched, { page: PageResponse }>,
  queue: ReturnType<typeof createQueue>,
  note: Note,
): AsyncGenerator<SitemapEntry[]> {
  const batches = readSitemapFile(page)
  let next = await batches.next()
  let urls = 0
  while (!next.done) {
    urls += next.value.length
    const { sitemap: others = [], page: pages = [] } = Object.groupBy(next.value, ({ kind }) => kind)
    const refusal = queue.add(others.map(urlOf), file)
    if (refusal !== undefined) note(refusal, file, urls)
    if (pages.length > 0) yield pages.map(({ entry }) => entry)
    next = await batches.next()
  }
  if (next.value !== undefined) note(next.value, file, urls)
}

const urlOf = ({ entry }: SitemapItem) => entry.url

/** Fetches a file. Never rejects, because nothing may await the result yet. */
async function fetchFile(fetchPage: FetchPage, request: SitemapsRequest, file: SitemapFile): Promise<Fetched> {
  const timeoutMs = request.fileTimeoutMs ?? defaultTimeoutMs
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const page = await fetchPage({
      url: file.url,
      teamId: request.teamId,
      headers: headersFor(file.url, request),
      skipTlsVerification: request.skipTlsVerification,
      maxBytes: maxFileBytes,
      signal: AbortSignal.any([request.signal, late]),
    })
    if (page.status >= 200 && page.status < 300) return { file, page }
    return { file, why: `A sitemap returned status ${page.status} and was skipped.` }
  } catch (error) {
    if (late.aborted) return { file, why: `A sitemap did not load within ${timeoutMs / 1000} s and was skipped.` }
    const reason = error instanceof AppError ? ` ${error.message}` : ''
    return { file, why: `A sitemap could not be fetched and was skipped.${reason}` }
  }
}

function headersFor(url: string, { headers, origin }: SitemapsRequest): Readonly<Record<string, string>> {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return URL.parse(url)?.origin === origin ? lower : withoutSecrets(lower)
}

/** Reports each message about referenced files once, because an index may list hundreds of missing files. */
function onceForChildren(note: SitemapsRequest['note']): Note {
  const noted = new Set<string>()
  return (text, { url, depth }, urls) => {
    if (depth > 0 && noted.has(text)) return
    if (depth > 0) noted.add(text)
    note(text, url, urls)
  }
}

/** `depth`: 0 for a requested file, otherwise one more than that of its index. */
type SitemapFile = { url: string; depth: number }

const maxDepth = 3
const maxChildren = 500

/** Queue of files to read, each once. */
function createQueue(urls: readonly string[], order: 'as found' | 'depth first') {
  const known = new Set<string>()
  let childCount = 0

  function filesOf(written: readonly string[], depth: number): SitemapFile[] {
    return written.flatMap((each) => {
      const url = fileUrl(each)
      if (url === undefined || known.has(url)) return []
      if (depth > 0) childCount += 1
      known.add(url)
      return [{ url, depth }]
    })
  }
  // A robots.txt may list thousands of sitemaps.
  let waiting = filesOf(urls.slice(0, maxChildren), 0)

  return {
    take(count: number): SitemapFile[] {
      const taken = waiting.slice(0, Math.max(count, 0))
      waiting = waiting.slice(taken.length)
      return taken
    },
    /** Adds the files that an index references. Returns a message if some were skipped. */
    add(found: readonly string[], parent: SitemapFile): string | undefined {
      const fresh = found.filter((url) => !known.has(fileUrl(url) ?? ''))
      if (fresh.length === 0) return undefined
      if (parent.depth === maxDepth)
        return `Sitemaps are nested more than ${maxDepth} indexes deep; deeper ones were skipped.`
      const room = maxChildren - childCount
      const files = filesOf(fresh.slice(0, room), parent.depth + 1)
      waiting = order === 'as found' ? [...waiting, ...files] : [...files, ...waiting]
      return fresh.length > room
        ? `The sitemaps name more than ${maxChildren} others; the rest was skipped.`
        : undefined
    },
  }
}

function fileUrl(written: string): string | undefined {
  const url = URL.parse(written)
  if (!url) return undefined
  url.hash = ''
  return url.href
}
