import { createScope, type ScopeRules, type Verdict } from '../../../src/engine/crawl/scope/crawl-scope.ts'

const noRules: ScopeRules = {
  bases: ['https://example.com/'],
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  maxDiscoveryDepth: undefined,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: false,
}
const now = Date.UTC(2026, 5, 15)

export async function scoped(rules: Partial<ScopeRules>) {
  const warnings: string[] = []
  const scope = await createScope({ ...noRules, ...rules }, (text) => warnings.push(text), now)
  return { ...scope, warnings }
}

/** `page`, or the reason why it is not a page. */
export const outcomeOf = (verdict: Verdict) => ('page' in verdict ? 'page' : verdict.skipped)
