import type { Crawl, Skipped, SeedingFacts, RobotsFacts } from '../../../contracts/crawl-ports.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { AcceptedAge, CacheSkip } from '../../../contracts/scrape-step.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { planPage } from '../../scrape/plan.ts'
import type { CrawlOptions, Origin } from '../../crawl/crawl-options.ts'
import { pageInput, requestOf } from '../../crawl/runner/crawl-job.ts'
import { type PatternReading, readPatterns, createPatternMatches } from '../../crawl/scope/path-patterns.ts'
import { type ScopeRules, createScope } from '../../crawl/scope/crawl-scope.ts'
import { authorizeCrawl } from '../../crawl/start-crawl.ts'
import { ruleFor } from '../../net/robots/robots.ts'
import { createPlace, mainDomains } from '../../crawl/scope/crawl-place.ts'

/** Details of a skipped URL beyond its recorded reason. */
type SkipDetail =
  | { outside: 'folder' | 'subdomain' | 'site' }
  /** The matching entry of `excludePaths`. */
  | { pattern: { index: number; text: string } }
  | { rule: { kind: 'allow' | 'disallow'; pattern: string } }
  /** The reason became known only during the visit: by a redirect or an unexpected content type. */
  | { seen: 'at the visit' }

/** Reasons that can be determined from the URL alone. */
const shown = new Set<Skipped['reason']>(['outOfScope', 'excluded', 'notIncluded', 'type', 'trap'])

const silent = () => {}

/** Judges skipped URLs again, with the same code that judged them during the crawl. */
async function createWhy(
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

  /** Finds the robots.txt rule that applies. Only the rules of the start page's site are stored. */
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

/** Options and limits of a crawl, and the origin of each option. */
export type CrawlPlanFacts = {
  id: string
  url: string
  finalUrl: string | null
  options: readonly { name: keyof CrawlOptions; value: unknown; origin: Origin | { from: 'default' } }[]
  patterns: readonly PatternReading[]
  /** Fetch and format options of each page. */
  pages: {
    formats: readonly string[]
    cache: AcceptedAge | { skipped: CacheSkip }
    browser: 'must' | 'should' | 'if needed'
  }
  limits: { pages: number; atOnce: number; delayMs: number }
  /** Undefined until robots.txt and the sitemaps have been read, and for crawls stored by an older version. */
  seeding: SeedingFacts | undefined
}
export type ExplainedSkip = Skipped & { detail?: SkipDetail }
export type CrawlReasons = CrawlPlanFacts & { skipped: readonly ExplainedSkip[] }

type Asker = Pick<Ctx, 'team'> & { ports: Pick<Ports, 'crawls'> }

/** Returns the plan of a crawl. Fails with JOB_NOT_FOUND, including for a batch, which has no crawl options. */
export async function planOf(id: string, ctx: Asker): Promise<CrawlPlanFacts> {
  const crawl = await authorizeCrawl(ctx.ports, id, ctx, 'crawl')
  return planFacts(crawl, await ctx.ports.crawls.seeding(id))
}

/** Returns the plan of a crawl with all skipped URLs and the reason for each. */
export async function reasonsOf(id: string, ctx: Asker): Promise<CrawlReasons> {
  const crawl = await authorizeCrawl(ctx.ports, id, ctx, 'crawl')
  const seeding = await ctx.ports.crawls.seeding(id)
  const why = await createWhy(rulesOf(crawl), seeding?.robots, crawl.createdAt)
  const skipped: ExplainedSkip[] = []
  for await (const each of allSkipped(ctx.ports, id)) {
    const detail = why(each)
    skipped.push({ ...each, ...(detail && { detail }) })
  }
  return { ...(await planFacts(crawl, seeding)), skipped }
}

function rulesOf(crawl: Crawl): ScopeRules {
  const options = optionsOf(crawl)
  return { ...options, bases: [options.url, ...(crawl.finalUrl === null ? [] : [crawl.finalUrl])] }
}

/** Returns the crawl options. Only a batch has none, and callers never pass a batch. */
function optionsOf(crawl: Crawl): CrawlOptions {
  const { options } = requestOf(crawl)
  if (!options) throw new Error('A batch has no options of a crawl.')
  return options
}

const slice = 2000

async function* allSkipped({ crawls }: Asker['ports'], id: string): AsyncGenerator<Skipped> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const some: Skipped[] = await crawls.skippedAfter(id, after, slice)
    yield* some
    after = some.length < slice ? undefined : some.at(-1)?.url
  }
}

async function planFacts(crawl: Crawl, seeding: SeedingFacts | undefined): Promise<CrawlPlanFacts> {
  const request = requestOf(crawl)
  const options = optionsOf(crawl)
  const { id, target: url, finalUrl, pageLimit, maxConcurrency, delayMs } = crawl
  const names = Object.keys(options).filter((name) => name !== 'url') as (keyof CrawlOptions)[]
  const input = pageInput(request, url)
  const { acceptedAge, cacheSkip = 'not wanted', browser } = planPage(input, crawl.teamId)
  return {
    id,
    url,
    finalUrl,
    options: names.map((name) => ({
      name,
      value: options[name],
      origin: request.origins?.[name] ?? { from: 'default' },
    })),
    patterns: await readPatterns(options),
    pages: {
      formats: input.formats.map(({ type }) => type),
      cache: acceptedAge ? ageOf(acceptedAge) : { skipped: cacheSkip },
      browser,
    },
    limits: { pages: pageLimit, atOnce: maxConcurrency, delayMs },
    seeding,
  }
}

const ageOf = ({ minMs, maxMs }: { minMs: number; maxMs: number }): AcceptedAge => ({
  minMs,
  ...(maxMs < Infinity && { maxMs }),
})
