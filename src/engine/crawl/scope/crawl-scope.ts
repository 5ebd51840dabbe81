import type { FoundPage, PageSource, SkipReason } from '../../../contracts/crawl-ports.ts'
import { portOf } from '../../net/http/canonical-url.ts'
import { doubtfulEnding } from './file-names.ts'
import { keyOf, type KeyRules, visitedUrl, isTrap } from './key.ts'
import { createPatterns, type PatternRules } from './path-patterns.ts'
import { createPlace, type PlaceRules } from './crawl-place.ts'

export type ScopeRules = PlaceRules & PatternRules & KeyRules & { maxDiscoveryDepth: number | undefined }
export type Verdict = { page: Omit<FoundPage, 'source'> } | { skipped: SkipReason }
export type Scope = {
  /**
   * Returns the page of a URL, or the first reason to skip it. `depth` is that of the link, one more than its page's;
   * URLs from other sources have depth 0. The start URL is checked against `excludePaths` only; a given URL only has to
   * be valid.
   */
  judge(url: string, depth: number, source: PageSource): Verdict
  /** True if no pattern includes a URL. The start page is read anyway, because it leads to the included pages. */
  isUnwanted(url: string): boolean
  /** Returns the key of a URL; text that is not a URL is its own key. */
  keyOf(url: string): string
}

/** Maximum URL length in a sitemap (sitemaps.org); most servers accept no longer ones. */
export const maxUrlLength = 2047

/** Fails with BAD_REQUEST for an invalid pattern. `warn` is called for slow patterns, even later during the crawl. */
export async function createScope(
  rules: ScopeRules,
  warn: (text: string) => void,
  nowMs: number = Date.now(),
): Promise<Scope> {
  const outsideOf = await createPlace(rules)
  const byPatterns = await createPatterns(rules, warn)
  const { maxDiscoveryDepth = Number.POSITIVE_INFINITY } = rules

  const reasonAgainst = (url: URL, visited: string, depth: number, isDiscovered: boolean): SkipReason | undefined => {
    if (isDiscovered && outsideOf(url)) return 'outOfScope'
    const byPattern = byPatterns(url, visited)
    if (byPattern && (isDiscovered || byPattern !== 'notIncluded')) return byPattern
    if (isDiscovered && isTrap(url, nowMs)) return 'trap'
    return depth > maxDiscoveryDepth ? 'depth' : undefined
  }

  return {
    judge(found, linkDepth, source) {
      const isDiscovered = source === 'link' || source === 'sitemap'
      const isTooLong = isDiscovered && found.length > maxUrlLength
      if (isTooLong) return { skipped: /^\s*https?:/i.test(found) ? 'trap' : 'invalid' }
      const url = URL.parse(found)
      if (!url || !/^https?:$/.test(url.protocol)) return { skipped: 'invalid' }
      const visited = visitedUrl(url)
      const depth = source === 'link' ? linkDepth : 0
      const reason = source === 'given' ? undefined : reasonAgainst(url, visited, depth, isDiscovered)
      if (reason) return { skipped: reason }
      const page = { url: visited, key: keyOf(url, rules), host: `${url.hostname}:${portOf(url)}`, depth }
      return { page: isDiscovered && doubtfulEnding(url.pathname) ? { ...page, turn: 1 } : page }
    },
    isUnwanted(found) {
      const url = URL.parse(found)
      return url !== null && byPatterns(url, visitedUrl(url)) === 'notIncluded'
    },
    keyOf(found) {
      const url = URL.parse(found)
      return url ? keyOf(url, rules) : found.trim()
    },
  }
}

/** A scope that can be extended to the site that the start URL redirects to. */
export type ExtendableScope = Scope & { extend(url: string): Promise<void> }

type Rules = Omit<ScopeRules, 'bases'>

export async function createExtendableScope(
  bases: readonly string[],
  rules: Rules,
  warn: (text: string) => void,
  now: number,
): Promise<ExtendableScope> {
  let scope = await createScope({ ...rules, bases }, warn, now)
  return {
    judge: (...found) => scope.judge(...found),
    keyOf: (url) => scope.keyOf(url),
    isUnwanted: (url) => scope.isUnwanted(url),
    async extend(url) {
      scope = await createScope({ ...rules, bases: [...bases, url] }, warn, now)
    },
  }
}
