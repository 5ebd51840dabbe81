import { setTimeout as sleep } from 'node:timers/promises'
import type { PageSource } from '../../../contracts/crawl-ports.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { AppError } from '../../../kernel/error.ts'
import type { MapInput, MapLink } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { withoutSecrets, withUrlCredentials } from '../../net/http/request-headers.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { readSitemaps } from '../../net/sitemap/read-sitemaps.ts'
import { sitemapUrls } from '../../net/sitemap/sitemap-entries.ts'
import { kindOfName, nameIn } from '../../document/media-types.ts'
import { getPage, type PagePorts } from '../../scrape/get-page.ts'
import { type Plan, planPage } from '../../scrape/plan.ts'
import { createExtendableScope, type ExtendableScope, type Scope } from '../scope/crawl-scope.ts'
import { createRobotsCache, leadsOf, type RobotsCache } from '../crawl-links.ts'
import { siteOf } from '../scope/crawl-place.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'

type Entry = MapLink & {
  /** The URL that is visited, which may differ from the listed one. */
  visit: string
  /** True if the page was read. */
  isSeen: boolean
}

/** Collects the links of a site: each page once, in the order found. */
type LinkCollection = {
  /** Adds a URL that belongs to the site. Returns the URL to visit if it is new. The first title of a page is kept. */
  add(url: string, source: PageSource, title?: string): string | undefined
  /** Sets the page's own title and description, which override those from links. */
  describe(url: string, facts: { title?: string | undefined; description?: string | undefined }): void
  drop(url: string): void
  size(): number
  isFull(): boolean
  /**
   * Returns the unread URLs to visit whose names are those of files. Their pages are last among the links, and do not
   * count towards the size.
   */
  doubtful(): string[]
  /** Returns the links, the start page first if it is included. */
  links(): MapLink[]
  /** Returns the URLs to visit of pages that were not read yet. */
  unchecked(): string[]
  isSeen(url: string): boolean
}

const maxTitle = 300
const maxDescription = 500

type CollectionRules = {
  startUrl: string
  /** Maximum number of links to collect. */
  most: number
  queries: 'kept' | 'dropped'
}

function createCollection(
  scope: Pick<Scope, 'judge' | 'keyOf'>,
  { startUrl, most, queries }: CollectionRules,
): LinkCollection {
  const entries = new Map<string, Entry>()
  const doubtful = new Map<string, Entry>()
  const dropped = new Set<string>()
  const listOf = (key: string) => (doubtful.has(key) ? doubtful : entries)
  const startKey = scope.keyOf(startUrl)

  return {
    add(found, source, title) {
      const verdict = scope.judge(found, 0, source)
      if ('skipped' in verdict) return undefined
      const { key, url, turn } = verdict.page
      const known = listOf(key).get(key)
      if (known && !known.title) listOf(key).set(key, { ...known, ...fields(title, undefined) })
      const list = turn ? doubtful : entries
      if (known || dropped.has(key) || list.size >= most) return undefined
      const listed = queries === 'kept' || source === 'start' ? url : withoutQuery(url)
      list.set(key, { url: listed, visit: url, isSeen: false, ...fields(title, undefined) })
      return url
    },
    describe(url, { title, description }) {
      const key = scope.keyOf(url)
      const known = listOf(key).get(key)
      if (known) listOf(key).set(key, { ...known, isSeen: true, ...fields(title, description) })
    },
    drop(url) {
      const key = scope.keyOf(url)
      listOf(key).delete(key)
      dropped.add(key)
    },
    size: () => entries.size,
    isFull: () => entries.size >= most,
    links() {
      const start = entries.get(startKey)
      const others = [...entries, ...doubtful].filter(([key]) => key !== startKey).map(([, entry]) => entry)
      return (start ? [start, ...others] : others).map(linkOf)
    },
    unchecked: () => Array.from(entries.values()).flatMap(({ visit, isSeen }) => (isSeen ? [] : [visit])),
    doubtful: () => Array.from(doubtful.values()).flatMap(({ visit, isSeen }) => (isSeen ? [] : [visit])),
    isSeen: (url) => listOf(scope.keyOf(url)).get(scope.keyOf(url))?.isSeen ?? false,
  }
}

function linkOf({ url, title, description }: Entry): MapLink {
  return { url, ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}

/** Link texts that do not describe the target page. */
const empty =
  /^(?:(?:click|tap|see) )?here$|^(?:(?:read|learn|view|see|show|find out) )?(?:more|details|all)(?: here)?\W*$|^(?:link|continue(?: reading)?|next|previous|back)\W*$|^[^\p{L}\p{N}]*$/iu

const fields = (title: string | undefined, description: string | undefined) => ({
  ...(title && !empty.test(title) && { title: shortened(title, maxTitle) }),
  ...(description && { description: shortened(description, maxDescription) }),
})

function shortened(written: string, most: number): string {
  const text = sanitiseLine(written)
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function withoutQuery(url: string): string {
  const parsed = new URL(url)
  parsed.search = ''
  return parsed.href
}

export type MapPorts = PagePorts
export type MapCall = Pick<Ctx, 'team' | 'startedAt' | 'signal' | 'progress' | 'warn'>

/** State shared by the parts of one mapping. */
export type Site = {
  input: MapInput
  call: MapCall
  scope: ExtendableScope
  found: LinkCollection
  robots: Omit<RobotsCache, 'patiently' | 'agent'>
  skipTlsVerification: boolean
  /** Returns the caller's headers as they are sent to a URL. */
  headersFor(url: string): Readonly<Record<string, string>>
}

/** User agent for robots.txt if the call specifies no other. */
export const userAgent = 'Mozilla/5.0 (compatible; Gossamer)'
/** Maximum number of links collected for ranking, which needs more links than are returned. */
const maxRanked = 100_000

export async function openSite(ports: MapPorts, input: MapInput, call: MapCall, signal: AbortSignal): Promise<Site> {
  const { url: start, headers } = withUrlCredentials(new URL(input.url), lowerCase(input.headers ?? {}))
  const skipTlsVerification = Object.keys(headers).length === 0
  const rules = {
    crawlEntireDomain: true,
    allowExternalLinks: false,
    allowSubdomains: input.includeSubdomains,
    ignoreQueryParameters: input.ignoreQueryParameters,
    deduplicateSimilarURLs: true,
    includePaths: [],
    excludePaths: [],
    regexOnFullURL: false,
    maxDiscoveryDepth: undefined,
  }
  const scope = await createExtendableScope([input.url], rules, call.warn, ports.clock.now())
  // A header may be a secret of the start site, and a site controls which other sites its links and sitemaps name.
  const headersFor = (url: string) => (isOfSite(new URL(url), start) ? headers : withoutSecrets(headers))
  const request = { teamId: call.team.id, agent: headers['user-agent'], skipTlsVerification, signal }
  const own = createRobotsCache(ports, userAgent, { ...request, headers })
  const others = createRobotsCache(ports, userAgent, { ...request, headers: withoutSecrets(headers) })
  const cacheFor = (url: string) => (isOfSite(new URL(url), start) ? own : others)
  return {
    input,
    call,
    scope,
    found: createCollection(scope, {
      startUrl: input.url,
      // One more than the limit, to detect that there are more links.
      most: input.search ? Math.max(maxRanked, input.limit + 1) : input.limit + 1,
      queries: input.ignoreQueryParameters ? 'dropped' : 'kept',
    }),
    robots: {
      of: (url) => cacheFor(url).of(url),
      knows: (url) => cacheFor(url).knows(url),
      allows: (url) => cacheFor(url).allows(url),
      delayMs: (robots) => own.delayMs(robots),
    },
    skipTlsVerification,
    headersFor,
  }
}

/** True for the start site with or without `www.`. Secrets given for https are never sent over http. */
const isOfSite = (url: URL, start: URL) =>
  siteOf(url) === siteOf(start) && (url.protocol === start.protocol || url.protocol === 'https:')

/** Returns the input of a scrape that reads one page of the site for its links only. */
function pageInput({ input, headersFor }: Site, url: string): ScrapeInput {
  return ScrapeInput.parse({
    url,
    formats: [],
    headers: headersFor(url),
    location: input.location,
    // Minimum timeout of a scrape; the signal of the map ends it earlier if needed.
    timeout: Math.max(1000, input.timeout),
    ...(input.ignoreCache && { maxAge: 0 }),
  })
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Links and metadata of a page, or the reason why it could not be read. */
export type Visited =
  | {
      url: string
      status: number
      isWall: boolean
      title: string | undefined
      description: string | undefined
      anchors: NonNullable<PageContent['anchors']>
    }
  | { failure: AppError }

/** Cache name of the page parts for links, which depend on no options. */
const variant = 'links of the page'
const maxBytes = 10_000_000
const noContent: PageContent = { anchors: [], metadata: {} }

/** Reads one page for its links, title and description. Rejects only if `signal` aborts. */
export async function visitForLinks(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited> {
  const { team } = site.call
  const input = pageInput(site, url)
  const page = planPage(input, team.id)
  const plan: Plan = { ...page, content: { ...page.content, parts: ['anchors', 'links', 'metadata'], variant } }
  // Converting a document only for its links costs more than they are worth.
  const light: MapPorts = {
    ...ports,
    readDocument: async () => noContent,
    fetchPage: (request) => ports.fetchPage({ ...request, maxBytes }),
  }
  try {
    const { response, content, challenge } = await getPage(light, { input, plan, team, signal })
    const { title, description } = content.metadata ?? {}
    return {
      url: response.url,
      status: response.status,
      isWall: challenge !== undefined,
      title: textOf(title),
      description: textOf(description),
      anchors: [...leadsOf(response, content), ...(content.anchors ?? [])],
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return { failure: thrown }
    throw thrown
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Maximum number of sitemap entries read: a sitemap may list pages of other sites, or the same page many times. */
const maxEntries = 200_000
const maxNotes = 3

/** Adds the links that the sitemaps of a site list. Rejects if `signal` aborts; links read by then are kept. */
export async function takeSitemaps(
  ports: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  robots: Robots,
  signal: AbortSignal,
): Promise<void> {
  const { input, found, call } = site
  const notes = new Set<string>()
  const guessed = new Set(sitemapUrls(input.url, []))
  const batches = readSitemaps(ports.fetchPage, {
    urls: sitemapUrls(input.url, robots.sitemaps),
    teamId: call.team.id,
    headers: site.headersFor(input.url),
    origin: new URL(input.url).origin,
    skipTlsVerification: site.skipTlsVerification,
    signal,
    maxUrls: maxEntries,
    ...(input.search === undefined && { wanted: input.limit }),
    // A missing sitemap at a guessed URL needs no warning.
    note(text, url, read) {
      if (read > 0 || !guessed.has(url) || robots.sitemaps.includes(url)) notes.add(text)
    },
  })
  try {
    for await (const entries of batches) {
      for (const { url, title } of entries) found.add(url, 'sitemap', title)
      call.progress(found.size(), undefined, 'Reading sitemaps')
      if (found.isFull()) break
    }
  } finally {
    for (const note of [...notes].slice(0, maxNotes)) call.warn(note)
  }
}

const maxVisits = 50
const sideBySide = 8
const pageLimitMs = 15_000

/**
 * Follows links breadth-first from the URLs in `next` until there are enough. Rejects if `signal` aborts; links found
 * by then are kept.
 */
export async function walk(
  ports: MapPorts,
  site: Site,
  next: readonly string[],
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...next]
  let visits = 0
  while (queue.length > 0 && visits < maxVisits && !site.found.isFull()) {
    const wave = queue.splice(0, Math.min(maxVisits - visits, delayMs > 0 ? 1 : sideBySide))
    visits += wave.length
    site.call.progress(site.found.size(), undefined, 'Following links')
    if (delayMs > 0) await sleep(delayMs, undefined, { signal })
    const pages = await Promise.all(wave.map((url) => visitAllowed(ports, site, url, signal)))
    const seen = pages.flatMap((page, at) => (page ? [{ url: wave[at] ?? '', page }] : []))
    for (const { url, page } of seen) queue.push(...takePage(site, url, page))
    if (seen.some(({ page }) => isTooMuch(page)))
      return site.call.warn('The site limits requests (429 or 503), so its links were not followed further.')
  }
}

async function visitAllowed(
  ports: MapPorts,
  site: Site,
  url: string,
  signal: AbortSignal,
): Promise<Visited | undefined> {
  if (!mayBePage(url) || !(await site.robots.allows(url))) return undefined
  const late = AbortSignal.timeout(pageLimitMs)
  try {
    return await visitForLinks(ports, site, url, AbortSignal.any([signal, late]))
  } catch (thrown) {
    signal.throwIfAborted()
    if (late.aborted) return undefined
    throw thrown
  }
}

/** Adds the links of a page and returns the new URLs. A missing page (404, 410) is removed from the links. */
export function takePage({ found }: Pick<Site, 'found'>, url: string, page: Visited): string[] {
  if ('failure' in page) return []
  if (page.status === 404 || page.status === 410) found.drop(url)
  if (page.status >= 400 || page.isWall) return []
  found.describe(url, page)
  return page.anchors.flatMap((anchor) => found.add(anchor.url, 'link', anchor.text) ?? [])
}

const isTooMuch = (page: Visited) => 'status' in page && (page.status === 429 || page.status === 503)

/** True if a URL looks like a page with links rather than a file. */
function mayBePage(url: string): boolean {
  const kind = kindOfName(nameIn(url))
  return kind === undefined || kind === 'html'
}
