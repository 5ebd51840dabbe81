import type { Ctx } from '../../../kernel/ctx.ts'
import type { MapInput, MapLink } from '../../../schema/crawl-schema.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { withoutSecrets, withUrlCredentials } from '../../net/http/request-headers.ts'
import type { PagePorts } from '../../scrape/get-page.ts'
import { createExtendableScope, type ExtendableScope, doubtfulEnding, type Scope } from '../scope/crawl-scope.ts'
import { createRobotsCache, type RobotsCache } from '../crawl-links.ts'
import { siteOf } from '../scope/crawl-place.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import type { PageSource } from '../../../contracts/crawl-ports.ts'

type Entry = MapLink & {
  /** As it is visited, which may differ from how it is listed. */
  visit: string
  /** Whether the page was read. */
  isSeen: boolean
}

/** The links of a site while they are found: each page once, in the order they came. */
type Found = {
  /** Takes an address that belongs to the site, and answers it, as it is visited, if it is new. The first title of a page stays. */
  add(url: string, source: PageSource, title?: string): string | undefined
  /** What a page says of itself counts more than what links say of it. */
  describe(url: string, facts: { title?: string | undefined; description?: string | undefined }): void
  drop(url: string): void
  size(): number
  isFull(): boolean
  /** The start first, if it is there. */
  links(): MapLink[]
  /** The addresses of pages that were not read, as they are visited. */
  unseen(): string[]
  isSeen(url: string): boolean
}

const maxTitle = 300
const maxDescription = 500

type FoundRules = {
  startUrl: string
  /** So many links are enough. */
  most: number
  queries: 'kept' | 'dropped'
}

function createFound(scope: Pick<Scope, 'judge' | 'keyOf'>, { startUrl, most, queries }: FoundRules): Found {
  const entries = new Map<string, Entry>()
  const dropped = new Set<string>()
  const startKey = scope.keyOf(startUrl)

  return {
    add(found, source, title) {
      const verdict = scope.judge(found, 0, source)
      if ('skipped' in verdict || (source !== 'start' && doubtfulEnding(new URL(verdict.page.url).pathname)))
        return undefined
      const { key, url } = verdict.page
      const known = entries.get(key)
      if (known && !known.title) entries.set(key, { ...known, ...fields(title, undefined) })
      if (known || dropped.has(key) || entries.size >= most) return undefined
      const listed = queries === 'kept' || source === 'start' ? url : withoutQuery(url)
      entries.set(key, { url: listed, visit: url, isSeen: false, ...fields(title, undefined) })
      return url
    },
    describe(url, { title, description }) {
      const key = scope.keyOf(url)
      const known = entries.get(key)
      if (known) entries.set(key, { ...known, isSeen: true, ...fields(title, description) })
    },
    drop(url) {
      const key = scope.keyOf(url)
      entries.delete(key)
      dropped.add(key)
    },
    size: () => entries.size,
    isFull: () => entries.size >= most,
    links() {
      const start = entries.get(startKey)
      const others = [...entries].filter(([key]) => key !== startKey).map(([, entry]) => entry)
      return (start ? [start, ...others] : others).map(linkOf)
    },
    unseen: () => Array.from(entries.values()).flatMap(({ visit, isSeen }) => (isSeen ? [] : [visit])),
    isSeen: (url) => entries.get(scope.keyOf(url))?.isSeen ?? false,
  }
}

function linkOf({ url, title, description }: Entry): MapLink {
  return { url, ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}

/** What links say that say nothing of where they lead. */
const empty =
  /^(?:(?:click|tap|see) )?here$|^(?:(?:read|learn|view|see|show|find out) )?(?:more|details|all)(?: here)?\W*$|^(?:link|continue(?: reading)?|next|previous|back)\W*$|^[^\p{L}\p{N}]*$/iu

const fields = (title: string | undefined, description: string | undefined) => ({
  ...(title && !empty.test(title) && { title: shortened(title, maxTitle) }),
  ...(description && { description: shortened(description, maxDescription) }),
})

function shortened(said: string, most: number): string {
  const text = sanitiseLine(said)
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function withoutQuery(url: string): string {
  const parsed = new URL(url)
  parsed.search = ''
  return parsed.href
}

export type MapPorts = PagePorts
export type MapCall = Pick<Ctx, 'team' | 'startedAt' | 'signal' | 'progress' | 'warn'>

/** What the parts of one mapping share. */
export type Site = {
  input: MapInput
  call: MapCall
  scope: ExtendableScope
  found: Found
  robots: Omit<RobotsCache, 'patiently' | 'agent'>
  skipTlsVerification: boolean
  /** The caller's headers as they are sent to an address. */
  headersFor(url: string): Readonly<Record<string, string>>
}

/** By this name robots.txt knows us where the call says no other. */
export const userAgent = 'Mozilla/5.0 (compatible; Gossamer)'
/** Where links are ranked there must be more of them than are listed. */
const mostRanked = 100_000

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
  // A header may be a secret of the start's own site, and a site decides which others its links and sitemaps name.
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
      // One more than is listed tells that there are more.
      most: input.search ? Math.max(mostRanked, input.limit + 1) : input.limit + 1,
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

/** With and without `www.`; a secret that was given for https goes over nothing less. */
const isOfSite = (url: URL, start: URL) =>
  siteOf(url) === siteOf(start) && (url.protocol === start.protocol || url.protocol === 'https:')

/** One page of the site as a scrape that wants nothing of it but its links. */
export function pageInput({ input, headersFor }: Site, url: string): ScrapeInput {
  return ScrapeInput.parse({
    url,
    formats: [],
    headers: headersFor(url),
    location: input.location,
    // A scrape takes no less; the signal of the map ends it in time.
    timeout: Math.max(1000, input.timeout),
    ...(input.ignoreCache && { maxAge: 0 }),
  })
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
