import type { Ctx } from '../../../kernel/ctx.ts'
import type { MapInput } from '../../../schema/map.ts'
import { ScrapeInput } from '../../../schema/scrape/options.ts'
import { withoutSecrets, withUrlCredentials } from '../../net/http/request-headers.ts'
import type { PagePorts } from '../../scrape/get-page.ts'
import { createExtendableScope, type ExtendableScope } from '../scope/extendable-scope.ts'
import { createRobotsCache, type RobotsCache } from '../discovery/robots.ts'
import { siteOf } from '../scope/place.ts'
import { createFound, type Found } from './found.ts'

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
