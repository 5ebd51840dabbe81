import type { FoundPage, PageSource, Skipped, SkipReason } from '../../../contracts/crawl-ports.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Scope } from '../scope/scope.ts'
import type { RobotsCache } from './robots.ts'

export type Links = {
  /** Adds the URLs that are pages of the crawl and records why the others are not. Answers how many pages are new. */
  take(urls: readonly string[], depth: number, source: PageSource): Promise<number>
  /** Call once the final URL of the start is known: judges again the URLs that were out of scope until then. */
  releaseDeferred(): Promise<void>
}
type FoundLink = { url: string; depth: number; source: PageSource }

/** URLs remembered as judged. Forgetting them costs time and changes nothing. */
const maxRemembered = 200_000
/** Skipped URLs recorded by one process: a site that links everywhere must not fill the disk. */
const maxSkipped = 20_000
const maxDeferred = 100_000
const slice = 1000

type LinksOptions = {
  crawlId: string
  scope: Scope
  /** Absent where robots.txt is ignored. */
  robots: RobotsCache | undefined
  isStartVisited: boolean
}

export function createLinks({ crawls }: Pick<Ports, 'crawls'>, options: LinksOptions): Links {
  const { crawlId, scope, robots } = options
  const seen = createSeen()
  const keys = new Set<string>()
  let { isStartVisited } = options
  let deferred: FoundLink[] = []
  let recorded = 0

  /** A URL that is too deep is only another name of a page that the crawl has already. */
  const isOtherName = (url: string, reason: SkipReason) => reason === 'depth' && keys.has(scope.keyOf(url))

  async function judge({ url, depth, source }: FoundLink): Promise<FoundPage | Skipped> {
    const verdict = scope.judge(url, depth, source)
    if ('skipped' in verdict) return { url, reason: isOtherName(url, verdict.skipped) ? 'duplicate' : verdict.skipped }
    // robots.txt of another host is read before its first visit, so that links to a thousand hosts need not wait for it.
    const isBlocked = robots?.knows(url) === true && !(await robots.allows(url))
    if (isBlocked) return { url, reason: 'robots' }
    if (keys.size >= maxRemembered) keys.clear()
    keys.add(verdict.page.key)
    return { ...verdict.page, source }
  }

  const addAll = (found: readonly FoundLink[]) => inSlices(found, addSlice)

  async function addSlice(found: readonly FoundLink[]): Promise<number> {
    const isScopeFinal = isStartVisited
    const judged = await Promise.all(found.map(async (each) => ({ each, verdict: await judge(each) })))
    // A start URL that is skipped is never visited.
    isStartVisited ||= judged.some(({ each, verdict }) => each.source === 'start' && 'reason' in verdict)
    const outside = isScopeFinal
      ? []
      : judged.filter(({ verdict }) => 'reason' in verdict && verdict.reason === 'outOfScope')
    const deferring = new Set(outside)
    const verdicts = judged.filter((each) => !deferring.has(each)).map(({ verdict }) => verdict)
    const skipped = verdicts.filter((each) => 'reason' in each).slice(0, Math.max(0, maxSkipped - recorded))
    recorded += skipped.length
    const pages = verdicts.filter((each) => 'key' in each)
    const [added] = await Promise.all([crawls.add(crawlId, pages), crawls.skip(crawlId, skipped)])
    return added + (await deferOutside(outside.map(({ each }) => each)))
  }

  /** URLs out of scope may be on the site that the start URL redirects to. */
  async function deferOutside(found: readonly FoundLink[]): Promise<number> {
    if (isStartVisited) return addAll(found)
    deferred = [...deferred, ...found].slice(0, maxDeferred)
    return 0
  }

  return {
    take(urls, depth, source) {
      const found = urls.filter((url) => seen.isFirst(url, depth)).map((url) => ({ url, depth, source }))
      return seen.orForget(found, addAll(found))
    },
    async releaseDeferred() {
      isStartVisited = true
      await addAll(deferred)
      deferred = []
    },
  }
}

/** In slices, so that other work can run in between, however many links a page has. */
async function inSlices(
  found: readonly FoundLink[],
  take: (some: readonly FoundLink[]) => Promise<number>,
): Promise<number> {
  let added = 0
  for (let from = 0; from < found.length; from += slice) added += await take(found.slice(from, from + slice))
  return added
}

function createSeen() {
  const depths = new Map<string, number>()
  return {
    /** True for a URL that is new, or whose depth is less than before. */
    isFirst(url: string, depth: number): boolean {
      if ((depths.get(url) ?? Infinity) <= depth) return false
      if (depths.size >= maxRemembered) depths.clear()
      depths.set(url, depth)
      return true
    },
    /** Forgets URLs that could not be added: when the page that links to them is visited again, they are new again. */
    async orForget<T>(found: readonly FoundLink[], adding: Promise<T>): Promise<T> {
      try {
        return await adding
      } catch (thrown) {
        for (const { url } of found) depths.delete(url)
        throw thrown
      }
    },
  }
}
