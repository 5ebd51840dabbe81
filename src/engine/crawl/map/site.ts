import type { Ctx } from '../../../kernel/ctx.ts'
import type { MapInput, MapLink } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { withoutSecrets, withUrlCredentials } from '../../net/http/request-headers.ts'
import type { PagePorts } from '../../scrape/get-page.ts'
import { createExtendableScope, type ExtendableScope, type Scope } from '../scope/crawl-scope.ts'
import { createRobotsCache, type RobotsCache } from '../crawl-links.ts'
import { siteOf } from '../scope/crawl-place.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { PageSource } from '../../../contracts/crawl-ports.ts'

type Entry = MapLink & {
  /** The URL that is visited, which may differ from the listed one. */
  visit: string
  /** True if the page was read. */
  isSeen: boolean
}

/** Collects the links of a site: each page once, in the order found. */
type Found = {
  /** Adds a URL that belongs to the site. Returns the URL to visit if it is new. The first title of a page is kept. */
  add(url: string, source: PageSource, title?: string): string | undefined
  /** Sets the page's own title and description, which override those from links. */
  describe(url: string, facts: { title?: string | undefined; description?: string | undefined }): void
  drop(url: string): void
  size(): number
  isFull(): boolean
  /** Returns the URLs to visit whose names are those of files. They come last, and do not count towards the size. */
  doubtful(): string[]
  /** Returns the links, the start page first if it is included. */
  links(): MapLink[]
  /** Returns the URLs to visit of pages that were not read yet. */
  unchecked(): string[]
  isSeen(url: string): boolean
}

const maxTitle = 300
const maxDescription = 500

type FoundRules = {
  startUrl: string
  /** Maximum number of links to collect. */
  most: number
  queries: 'kept' | 'dropped'
}

function createFound(scope: Pick<Scope, 'judge' | 'keyOf'>, { startUrl, most, queries }: FoundRules): Found {
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
  found: Found
  robots: Omit<RobotsCache, 'patiently' | 'agent'>
  skipTlsVerification: boolean
  /** Returns the caller's headers as they are sent to a URL. */
  headersFor(url: string): Readonly<Record<string, string>>
}

/** User agent for robots.txt if the call specifies no other. */
export const userAgent = 'Mozilla/5.0 (compatible; Gossamer)'
/** Links collected at most if they are ranked: ranking needs more links than are returned. */
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
    found: createFound(scope, {
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
export function pageInput({ input, headersFor }: Site, url: string): ScrapeInput {
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
