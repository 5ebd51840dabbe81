import type { Skipped, RobotsFacts } from '../../../contracts/crawl-ports.ts'
import { ruleFor } from '../../net/robots/robots.ts'
import { createPatternMatches } from './patterns.ts'
import { createPlace, mainDomains } from './place.ts'
import { createScope, type ScopeRules } from './scope.ts'

/** What is to be said of a skipped URL besides the reason that is kept of it. */
export type SkipDetail =
  | { outside: 'folder' | 'subdomain' | 'site' }
  /** Of `excludePaths`. */
  | { pattern: { index: number; text: string } }
  | { rule: { kind: 'allow' | 'disallow'; pattern: string } }
  /** Its address did not show it: a redirect led on, or the server sent another type. */
  | { seen: 'at the visit' }

/** Reasons that an address shows by itself. */
const shown = new Set<Skipped['reason']>(['outOfScope', 'excluded', 'notIncluded', 'type', 'trap'])

const silent = () => {}

/** Judges skipped URLs once more, by the parts that judged them in the crawl. */
export async function createWhy(
  rules: ScopeRules,
  robots: RobotsFacts | undefined,
  now: number,
): Promise<(skipped: Skipped) => SkipDetail | undefined> {
  const [scope, outsideOf, matchOf] = await Promise.all([
    createScope(rules, silent, now),
    createPlace(rules),
    createPatternMatches(rules, silent),
  ])
  const isOfMainDomain = await mainDomains(rules.bases.flatMap((base) => URL.parse(base) ?? []))

  function outside(url: URL): SkipDetail | undefined {
    const where = outsideOf(url)
    if (where === undefined) return undefined
    return { outside: where === 'site' && isOfMainDomain(url) ? 'subdomain' : where }
  }

  function excluded(url: URL, visited: string): SkipDetail | undefined {
    const match = matchOf(url, visited)
    if (match?.reason !== 'excluded') return undefined
    return { pattern: { index: match.index, text: rules.excludePaths[match.index] ?? '' } }
  }

  /** Only the rules of the site of the start are kept. */
  function forbidden(url: URL): SkipDetail | undefined {
    if (!robots || robots.isCut || new URL(robots.url).origin !== url.origin) return undefined
    const rule = ruleFor(robots, robots.agent, url.href)
    return rule?.kind === 'disallow' ? { rule } : { seen: 'at the visit' }
  }

  return ({ url: found, reason }) => {
    const url = URL.parse(found)
    if (!url) return undefined
    const verdict = scope.judge(found, 0, 'link')
    const judged = 'skipped' in verdict ? verdict.skipped : undefined
    if (shown.has(reason) && judged !== reason) return { seen: 'at the visit' }
    if (reason === 'outOfScope') return outside(url)
    if (reason === 'excluded') return excluded(url, found)
    return reason === 'robots' ? forbidden(url) : undefined
  }
}
