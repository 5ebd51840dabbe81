import { setTimeout as sleep } from 'node:timers/promises'
import { kindOfName, nameIn } from '../../document/media-types.ts'
import type { MapPorts, Site } from './site.ts'
import { type Visited, visitForLinks } from './visit.ts'

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
