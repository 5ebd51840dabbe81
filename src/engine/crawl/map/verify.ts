import { AppError } from '../../../core/error.ts'
import type { MapLink } from '../../../schema/map.ts'
import type { MapPorts, Site } from './site.ts'

const sideBySide = 8
const oneLimitMs = 10_000
/** An answer that is longer is no page that says it is gone. */
const maxBytes = 1_000_000
const gone = new Set([404, 410])
const unreachable = new Set(['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_ADDRESS_REFUSED'])

/**
 * The links that lead somewhere. Those that robots.txt forbids to visit, and those for which no time is left, stay.
 * Fails only when the caller's own signal does.
 */
export async function withoutDead(
  ports: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  links: readonly MapLink[],
  signal: AbortSignal,
): Promise<MapLink[]> {
  const { found, call } = site
  const unseen = links.filter(({ url }) => !found.isSeen(url))
  const rest = unseen[Symbol.iterator]()
  const dead = new Set<MapLink>()
  let checked = 0
  const checkInTurn = async () => {
    for (const link of rest) {
      if (signal.aborted) return
      if (await isDead(ports, site, link.url, signal)) dead.add(link)
      if (!signal.aborted) checked += 1
      call.progress(checked, unseen.length, 'Checking links')
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, checkInTurn))
  call.signal.throwIfAborted()
  if (checked < unseen.length) call.warn(`There was no time to check ${unseen.length - checked} of the links.`)
  return links.filter((link) => !dead.has(link))
}

async function isDead(
  { fetchPage }: Pick<MapPorts, 'fetchPage'>,
  site: Site,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    if (!(await site.robots.allows(url))) return false
    const { status } = await fetchPage({
      url,
      // One byte tells as much as the whole page, where the site keeps to it.
      headers: { range: 'bytes=0-0', ...site.headersFor(url) },
      skipTlsVerification: site.skipTlsVerification,
      country: site.input.location?.country,
      maxBytes,
      signal: AbortSignal.any([signal, AbortSignal.timeout(oneLimitMs)]),
    })
    return gone.has(status)
  } catch (thrown) {
    return thrown instanceof AppError && unreachable.has(thrown.code)
  }
}
