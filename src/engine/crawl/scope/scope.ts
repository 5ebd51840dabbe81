import type { PageSource, SkipReason } from '../../../core/crawl.ts'
import { portOf } from '../../net/host.ts'
import { mayBeDocument } from './file-type.ts'
import { keyOf, visitedUrl, type KeyRules } from './key.ts'
import { createPatterns, type PatternRules } from './patterns.ts'
import { createPlace, type PlaceRules } from './place.ts'
import { isTrap } from './traps.ts'

export { checkPatterns } from './patterns.ts'

export type ScopeRules = PlaceRules & PatternRules & KeyRules & { maxDiscoveryDepth: number | undefined }
export type Verdict = { page: { url: string; key: string; host: string; depth: number } } | { skipped: SkipReason }
export type Scope = {
  /**
   * Whether an address is a page of the crawl; if not, the first reason that holds. `depth` is that of a link, one more
   * than its page's; all else has depth 0. The start address is judged by its patterns and its type, a given one by nothing but that it is one.
   */
  judge(url: string, depth: number, source: PageSource): Verdict
  /** The key of an address; text that is none is its own key. */
  keyOf(url: string): string
}

/** What servers commonly take; what is longer was not written by people. */
const maxLength = 2_000

/** Fails with BAD_REQUEST for a pattern that is not valid. `warn` hears of patterns that are slow or too slow, also later. */
export async function createScope(
  rules: ScopeRules,
  warn: (text: string) => void,
  nowMs: number = Date.now(),
): Promise<Scope> {
  const isInPlace = await createPlace(rules)
  const byPatterns = await createPatterns(rules, warn)
  const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = rules

  const reasonAgainst = (url: URL, visited: string, depth: number, isDiscovered: boolean): SkipReason | undefined => {
    if (!mayBeDocument(url.pathname)) return 'type'
    if (isDiscovered && !isInPlace(url)) return 'outOfScope'
    const byPattern = byPatterns(url, visited)
    if (byPattern) return byPattern
    if (isDiscovered && isTrap(url, nowMs)) return 'trap'
    return depth > maxDiscoveryDepth ? 'depth' : undefined
  }

  return {
    judge(found, linkDepth, source) {
      const isDiscovered = source === 'link' || source === 'sitemap'
      if (isDiscovered && found.length > maxLength) return { skipped: /^\s*https?:/i.test(found) ? 'trap' : 'invalid' }
      const url = URL.parse(found)
      if (!url || !/^https?:$/.test(url.protocol)) return { skipped: 'invalid' }
      const visited = visitedUrl(url)
      const depth = source === 'link' ? linkDepth : 0
      const reason = source === 'given' ? undefined : reasonAgainst(url, visited, depth, isDiscovered)
      if (reason) return { skipped: reason }
      return { page: { url: visited, key: keyOf(url, rules), host: `${url.hostname}:${portOf(url)}`, depth } }
    },
    keyOf(found) {
      const url = URL.parse(found)
      return url ? keyOf(url, rules) : found.trim()
    },
  }
}
