import type { Ports } from '../../core/ports.ts'
import { hostKey } from './host-key.ts'
import type { RobotsBook } from './robots.ts'

/** Gives the site of a URL the pause between two visits that its robots.txt asks for. Costs something once for each host. */
export function createDistance(
  { crawls }: Pick<Ports, 'crawls'>,
  crawlId: string,
  robots: RobotsBook,
): (url: string) => Promise<void> {
  const known = new Set<string>()
  return async (url) => {
    const host = hostKey(url)
    if (known.has(host)) return
    known.add(host)
    const delayMs = robots.delayMs(await robots.of(url))
    if (delayMs !== undefined && delayMs > 0) await crawls.slowDown(crawlId, host, delayMs)
  }
}
