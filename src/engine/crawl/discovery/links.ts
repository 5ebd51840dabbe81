import type { FoundPage, PageSource, Skipped, SkipReason } from '../../../contracts/crawl.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { Scope } from '../scope/scope.ts'
import type { RobotsBook } from './robots.ts'

export type Links = {
  /** Takes the addresses that were found somewhere into the crawl, or notes why they are not taken. Answers how many are new pages. */
  take(urls: readonly string[], depth: number, source: PageSource): Promise<number>
  /** It is known where the start leads, and with that what the crawl is about. */
  settle(): Promise<void>
}
type Found = { url: string; depth: number; source: PageSource }

/** An address is judged once; after so many the memory of them begins anew, which costs time and changes nothing. */
const maxRemembered = 200_000
/** So many reasons are written down by one process; a site that links everywhere must not fill the disk. */
const maxSkipped = 20_000
const maxStrays = 100_000
const slice = 1000

type Parts = {
  crawlId: string
  scope: Scope
  /** Absent where robots.txt does not count. */
  robots: RobotsBook | undefined
  isSettled: boolean
}

export function createLinks({ crawls }: Pick<Ports, 'crawls'>, { crawlId, scope, robots, ...parts }: Parts): Links {
  const isNews = createNews()
  const keys = new Set<string>()
  let { isSettled } = parts
  let strays: Found[] = []
  let noted = 0

  /** A page that is taken is not too deep where it is found once more under another address. */
  const isOtherName = (url: string, reason: SkipReason) => reason === 'depth' && keys.has(scope.keyOf(url))

  async function judge({ url, depth, source }: Found): Promise<FoundPage | Skipped> {
    const verdict = scope.judge(url, depth, source)
    if ('skipped' in verdict) return { url, reason: isOtherName(url, verdict.skipped) ? 'duplicate' : verdict.skipped }
    // A site that was not asked yet is asked before its first page is visited; links to a thousand sites need not wait for it.
    const isBlocked = robots?.knows(url) === true && !(await robots.allows(url))
    if (isBlocked) return { url, reason: 'robots' }
    if (keys.size >= maxRemembered) keys.clear()
    keys.add(verdict.page.key)
    return { ...verdict.page, source }
  }

  const takeIn = (found: readonly Found[]) => inSlices(found, takeSlice)

  async function takeSlice(found: readonly Found[]): Promise<number> {
    const isFinal = isSettled
    const judged = await Promise.all(found.map(async (each) => ({ each, verdict: await judge(each) })))
    // Nobody will visit it.
    isSettled ||= judged.some(({ each, verdict }) => each.source === 'start' && 'reason' in verdict)
    const outside = isFinal
      ? []
      : judged.filter(({ verdict }) => 'reason' in verdict && verdict.reason === 'outOfScope')
    const waits = new Set(outside)
    const verdicts = judged.filter((each) => !waits.has(each)).map(({ verdict }) => verdict)
    const skipped = verdicts.filter((each) => 'reason' in each).slice(0, Math.max(0, maxSkipped - noted))
    noted += skipped.length
    const pages = verdicts.filter((each) => 'key' in each)
    const [added] = await Promise.all([crawls.add(crawlId, pages), crawls.skip(crawlId, skipped)])
    return added + (await waitOutside(outside.map(({ each }) => each)))
  }

  /** What lies outside may lie where the start leads, and is judged again when that is known. */
  async function waitOutside(found: readonly Found[]): Promise<number> {
    if (isSettled) return takeIn(found)
    strays = [...strays, ...found].slice(0, maxStrays)
    return 0
  }

  return {
    take: (urls, depth, source) =>
      takeIn(urls.filter((url) => isNews(url, depth)).map((url) => ({ url, depth, source }))),
    async settle() {
      isSettled = true
      const kept = strays
      strays = []
      await takeIn(kept)
    },
  }
}

/** So that other work has its turn in between, however many links a page has. */
async function inSlices(found: readonly Found[], take: (some: readonly Found[]) => Promise<number>): Promise<number> {
  let added = 0
  for (let from = 0; from < found.length; from += slice) added += await take(found.slice(from, from + slice))
  return added
}

/** Whether an address is found for the first time, or less deep than before. */
function createNews(): (url: string, depth: number) => boolean {
  const seen = new Map<string, number>()
  return (url, depth) => {
    if ((seen.get(url) ?? Infinity) <= depth) return false
    if (seen.size >= maxRemembered) seen.clear()
    seen.set(url, depth)
    return true
  }
}
