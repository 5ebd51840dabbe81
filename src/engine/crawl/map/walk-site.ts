import { setTimeout as sleep } from 'node:timers/promises'
import { kindOfName, nameIn } from '../../document/media-types.ts'
import { type MapPorts, type Site, pageInput } from './site.ts'
import type { Robots } from '../../net/robots/robots.ts'
import { sitemapUrls } from '../../net/sitemap/sitemap-entries.ts'
import { readSitemaps } from '../../net/sitemap/read-sitemaps.ts'
import { AppError } from '../../../kernel/error.ts'
import { getPage } from '../../scrape/get-page.ts'
import { type Plan, planPage } from '../../scrape/plan.ts'
import { leadsOf } from '../crawl-links.ts'
import type { PageContent } from '../../../contracts/page-content.ts'

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

/** Cache key of these page parts, which depend on no options. */
const variant = 'links of the page'
const maxBytes = 10_000_000
const nothing: PageContent = { anchors: [], metadata: {} }

/** Reads one page for its links, title and description. Rejects only if `signal` aborts. */
export async function visitForLinks(ports: MapPorts, site: Site, url: string, signal: AbortSignal): Promise<Visited> {
  const { team } = site.call
  const input = pageInput(site, url)
  const page = planPage(input, team.id)
  const plan: Plan = { ...page, content: { ...page.content, parts: ['anchors', 'links', 'metadata'], variant } }
  // Converting a document only for its links costs more than they are worth.
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
