import type { Crawl, Skipped, SeedingFacts, RobotsFacts, SkipReason } from '../../../contracts/crawl-ports.ts'
import { counted } from '../../../util/amounts.ts'
import type { Ports } from '../../../contracts/ports.ts'
import type { AcceptedAge, CacheSkip } from '../../../contracts/scrape-step.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { planPage } from '../../scrape/plan.ts'
import type { CrawlOptions, Origin } from '../../crawl/crawl-options.ts'
import { maxUrlLength } from '../../crawl/scope/crawl-scope.ts'
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

/** Creates a function that judges skipped URLs again, with the code that judged them during the crawl. */
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
type ExplainedSkip = Skipped & { detail?: SkipDetail }
export type CrawlReasons = CrawlPlanFacts & { skipped: readonly ExplainedSkip[] }

type Caller = Pick<Ctx, 'team'> & { ports: Pick<Ports, 'crawls'> }

/** Returns the plan of a crawl. Fails with JOB_NOT_FOUND, including for a batch, which has no crawl options. */
export async function planOf(id: string, ctx: Caller): Promise<CrawlPlanFacts> {
  const crawl = await authorizeCrawl(ctx.ports, id, ctx, 'crawl')
  return planFacts(crawl, await ctx.ports.crawls.seeding(id))
}

/** Returns the plan of a crawl with all skipped URLs and the reason for each. */
export async function reasonsOf(id: string, ctx: Caller): Promise<CrawlReasons> {
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

/** Returns the options of a crawl. Fails for a batch, which has none. */
function optionsOf(crawl: Crawl): CrawlOptions {
  const { options } = requestOf(crawl)
  if (!options) throw new Error('A batch has no options of a crawl.')
  return options
}

const pageSize = 2000

async function* allSkipped({ crawls }: Caller['ports'], id: string): AsyncGenerator<Skipped> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const some: Skipped[] = await crawls.skippedAfter(id, after, pageSize)
    yield* some
    after = some.length < pageSize ? undefined : some.at(-1)?.url
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

type Explained = Pick<CrawlReasons, 'skipped' | 'limits'> & {
  options: readonly { name: string; value: unknown }[]
}
type Detail = ExplainedSkip['detail']
type Reason = { reason: string; option?: keyof CrawlOptions }

/** URLs that a crawl skipped for one reason, and the option that decided it, if one did. */
export type SkipGroup = Reason & { urls: readonly string[] }

/** Returns the skipped URLs of a crawl by reason, the most frequent first. */
export function groupSkips(explanation: Explained): SkipGroup[] {
  const reasons = explanation.skipped.map((skip) => ({
    ...texts[skip.reason](skip.detail, explanation),
    url: skip.url,
  }))
  const groups = [...Map.groupBy(reasons, ({ reason }) => reason).values()]
  return groups
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { url: _, ...reason } = first
      return [{ ...reason, urls: group.map(({ url }) => url) }]
    })
    .toSorted((one, other) => other.urls.length - one.urls.length)
}

const outside: Record<'folder' | 'subdomain' | 'site', Reason> = {
  folder: { reason: 'outside the folder of the start (crawlEntireDomain)', option: 'crawlEntireDomain' },
  subdomain: { reason: 'on a subdomain (allowSubdomains)', option: 'allowSubdomains' },
  site: { reason: 'on another site (allowExternalLinks)', option: 'allowExternalLinks' },
}

/** True if the reason became known only during the visit. */
const isLate = (detail: Detail) => detail !== undefined && 'seen' in detail
const valueOf = ({ options }: Explained, wanted: string) => options.find(({ name }) => name === wanted)?.value

export const ruleText = ({ kind, pattern }: RobotsFacts['groups'][number]['rules'][number]): string =>
  `${kind === 'allow' ? 'Allow' : 'Disallow'}: ${pattern}`

const texts: Record<SkipReason, (detail: Detail, explained: Explained) => Reason> = {
  outOfScope: (detail) =>
    detail && 'outside' in detail ? outside[detail.outside] : { reason: 'redirected out of the scope of the crawl' },
  excluded: (detail) =>
    detail && 'pattern' in detail
      ? { reason: `excluded by excludePaths[${detail.pattern.index}] ${detail.pattern.text}`, option: 'excludePaths' }
      : { reason: 'redirected to a URL that excludePaths excludes', option: 'excludePaths' },
  notIncluded: (detail) =>
    isLate(detail)
      ? { reason: 'redirected to a URL that no pattern of includePaths matches', option: 'includePaths' }
      : { reason: 'not included: no pattern of includePaths matches', option: 'includePaths' },
  robots: (detail) => {
    const rule = detail && 'rule' in detail ? `: ${ruleText(detail.rule)}` : ''
    return { reason: `forbidden by robots.txt${rule}${isLate(detail) ? ', after a redirect' : ''}` }
  },
  duplicate: () => ({ reason: 'duplicate: another URL of a page that the crawl already has' }),
  depth: (_, explained) => ({
    reason: `deeper than maxDiscoveryDepth ${String(valueOf(explained, 'maxDiscoveryDepth'))}`,
    option: 'maxDiscoveryDepth',
  }),
  limit: (_, { limits: { pages } }) => ({
    reason: `over the limit of ${counted(pages, 'page')}`,
    option: 'limit',
  }),
  type: (detail) => ({
    reason: `of a file type that is not read, by its ${isLate(detail) ? 'content type' : 'name'}`,
  }),
  trap: () => ({ reason: `in what looks like a crawler trap, or longer than ${maxUrlLength} characters` }),
  invalid: () => ({ reason: 'invalid: not an http or https URL' }),
}
