import type { FoundPage, PageSource, Skipped, SkipReason } from '../../core/crawl.ts'
import type { Ports } from '../../core/ports.ts'
import type { RobotsBook } from './robots.ts'
import type { Scope } from './scope/scope.ts'

/** Takes the addresses that were found somewhere into the crawl, or notes why they are not taken. */
export type Links = {
  take(urls: readonly string[], depth: number, source: PageSource): Promise<void>
}

/** An address is judged once; after so many the memory of them begins anew, which costs time and changes nothing. */
const maxRemembered = 200_000
/** So many reasons are written down by one process; a site that links everywhere must not fill the disk. */
const maxSkipped = 20_000

type Parts = {
  crawlId: string
  scope: Scope
  /** Absent where robots.txt does not count. */
  robots: RobotsBook | undefined
}

export function createLinks({ crawls }: Pick<Ports, 'crawls'>, { crawlId, scope, robots }: Parts): Links {
  const seen = new Map<string, number>()
  const keys = new Set<string>()
  let noted = 0

  const isNews = (url: string, depth: number): boolean => {
    if ((seen.get(url) ?? Infinity) <= depth) return false
    if (seen.size >= maxRemembered) seen.clear()
    seen.set(url, depth)
    return true
  }

  /** A page that is taken is not too deep where it is found once more under another address. */
  const isOtherName = (url: string, reason: SkipReason) => reason === 'depth' && keys.has(scope.keyOf(url))

  async function judge(url: string, depth: number, source: PageSource): Promise<FoundPage | Skipped> {
    const verdict = scope.judge(url, depth, source)
    if ('skipped' in verdict) return { url, reason: isOtherName(url, verdict.skipped) ? 'duplicate' : verdict.skipped }
    // A site that was not asked yet is asked before its first page is visited; links to a thousand sites need not wait for it.
    const isBlocked = robots?.knows(url) === true && !(await robots.allows(url))
    if (isBlocked) return { url, reason: 'robots' }
    if (keys.size >= maxRemembered) keys.clear()
    keys.add(verdict.page.key)
    return { ...verdict.page, source }
  }

  return {
    async take(urls, depth, source) {
      const fresh = urls.filter((url) => isNews(url, depth))
      if (fresh.length === 0) return
      const judged = await Promise.all(fresh.map((url) => judge(url, depth, source)))
      const skipped = judged.filter((each) => 'reason' in each).slice(0, Math.max(0, maxSkipped - noted))
      noted += skipped.length
      await Promise.all([
        crawls.add(
          crawlId,
          judged.filter((each) => 'key' in each),
        ),
        crawls.skip(crawlId, skipped),
      ])
    },
  }
}
