import { setTimeout as sleep } from 'node:timers/promises'
import { kindOfName, nameIn } from '../../document/media-types.ts'
import { type MapPorts, type Site, pageInput } from './site.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { sitemapUrls } from '../../net/sitemap/sitemap-entries.ts'
import { readSitemaps } from '../../net/sitemap/read-sitemaps.ts'
import { AppError } from '../../../kernel/error.ts'
import { getPage } from '../../scrape/get-page.ts'
import { type Plan, planPage } from '../../scrape/plan.ts'
import type { PageContent } from '../../../contracts/page-content.ts'

/** What a page brought, or why it could not be read. */
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

/** The parts are made by no options, so that they have a name of their own in the cache. */
const variant = 'links of the page'
const maxBytes = 10_000_000
const nothing: PageContent = { anchors: [], metadata: {} }

/** Reads one page for its links and what it says of itself. Rejects only when `signal` does. */
export async function visitForLinks(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited> {
  const { team } = site.call
  const input = pageInput(site, url)
  const page = planPage(input, team.id)
  const plan: Plan = { ...page, content: { ...page.content, parts: ['anchors', 'metadata'], variant } }
  // A file that must be converted for its links costs more than they are worth.
  const light: MapPorts = {
    ...ports,
    readDocument: async () => nothing,
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
      anchors: content.anchors ?? [],
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return { failure: thrown }
    throw thrown
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Entries that are read at most: a sitemap may list pages of other sites, and the same one often. */
const maxEntries = 200_000
const maxNotes = 3

/** Takes in what the sitemaps of a site list. Rejects when `signal` does; what was read until then stays. */
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
    // That there is nothing where a sitemap might have been is no news.
    note: (text, url) => void (guessed.has(url) && !robots.sitemaps.includes(url) ? undefined : notes.add(text)),
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
 * Visits pages that links lead to, the nearest first, and takes in their links, until there are enough. `next` are the
 * addresses to begin with. Rejects when `signal` does; what was found until then stays.
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
    const pages = await Promise.all(wave.map((url) => visit(ports, site, url, signal)))
    const seen = pages.flatMap((page, at) => (page ? [{ url: wave[at] ?? '', page }] : []))
    for (const { url, page } of seen) queue.push(...takePage(site, url, page))
    if (seen.some(({ page }) => isTooMuch(page)))
      return site.call.warn('The site limits requests (429 or 503), so its links were not followed further.')
  }
}

async function visit(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited | undefined> {
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

/** Takes in what a page brought; answers the addresses that are new. A page that is gone is no link of the site. */
export function takePage({ found }: Pick<Site, 'found'>, url: string, page: Visited): string[] {
  if ('failure' in page) return []
  if (page.status === 404 || page.status === 410) found.drop(url)
  if (page.status >= 400 || page.isWall) return []
  found.describe(url, page)
  return page.anchors.flatMap((anchor) => found.add(anchor.url, 'link', anchor.text) ?? [])
}

const isTooMuch = (page: Visited) => 'status' in page && (page.status === 429 || page.status === 503)

/** Whether an address looks like a page with links, not like a file. */
function mayBePage(url: string): boolean {
  const kind = kindOfName(nameIn(url))
  return kind === undefined || kind === 'html'
}
