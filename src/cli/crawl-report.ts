import { localTeam } from '../app/app.ts'
import {
  type CrawlPlanFacts,
  planOf,
  reasonsOf,
  type ExplainedSkip,
  type CrawlReasons,
} from '../engine/crawl/explain-crawl.ts'
import type { CommandContext } from './command.ts'
import { harmless } from './terminal-io.ts'
import type { SkipReason, RobotsFacts, SitemapFacts } from '../contracts/crawl-ports.ts'
import { durationText } from './progress-bar.ts'
import { cacheSkips } from './explain-scrape.ts'

type From = CrawlPlanFacts['options'][number]['origin'] | { from: 'flag'; flag: string }
/** Rules of a crawl, as reported by the command line. */
type CrawlPlanSaid = Omit<CrawlPlanFacts, 'options' | 'limits'> & {
  options: readonly { name: string; value: unknown; origin: From }[]
  limits: CrawlPlanFacts['limits'] & { ofOneHost: number }
}
/** Explains which pages a crawl took. */
export type CrawlExplanation = CrawlPlanSaid & Pick<CrawlReasons, 'skipped'>

const nameWidth = 10
const row = (name: string, text: string) => `  ${name.padEnd(nameWidth)}  ${text}`
const rows = (name: string, texts: readonly string[]) => texts.map((text, at) => row(at === 0 ? name : '', text))
const lines = (all: readonly string[]) => `${all.join('\n')}\n`

/** Rules of a crawl as text. Contains unchanged text of sites. */
function planText(plan: CrawlPlanSaid): string {
  const { url, finalUrl, patterns, seeding } = plan
  return lines([
    `How ${url} is crawled:`,
    ...(finalUrl === null ? [] : [row('Start', `redirected to ${finalUrl}, which is crawled as well`)]),
    ...rows('Options', optionTexts(plan)),
    ...rows(
      'Patterns',
      patterns.map(({ field, index, pattern, by }) => `${field}[${index}] ${pattern} (${placeOf(plan)}, by ${by})`),
    ),
    row('Pages', pagesText(plan.pages)),
    row('Limits', limitsText(plan.limits)),
    ...(seeding ? rows('robots.txt', robotsTexts(seeding.robots)) : [row('robots.txt', 'not read yet')]),
    ...(seeding ? rows('Sitemaps', sitemapTexts(seeding.sitemaps, valueOf(plan, 'sitemap'))) : []),
  ])
}

const valueOf = ({ options }: CrawlPlanSaid, name: string) => options.find((option) => option.name === name)?.value
const placeOf = (plan: CrawlPlanSaid) =>
  valueOf(plan, 'regexOnFullURL') === true ? 'anywhere in the whole URL' : 'anywhere in the path'

function optionTexts({ options }: CrawlPlanSaid): string[] {
  const chosen = options.filter(({ origin }) => origin.from !== 'default')
  const usual = options.filter(({ origin, value }) => origin.from === 'default' && value !== undefined)
  const shown = usual.filter(({ value }) => !Array.isArray(value) || value.length > 0)
  return [
    ...chosen.map(({ name, value, origin }) => `${name} ${valueText(value)} (${originText(origin)})`),
    `as usual: ${shown.map(({ name, value }) => `${name} ${valueText(value)}`).join(', ')}`,
  ]
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function originText(origin: CrawlPlanSaid['options'][number]['origin']): string {
  if (origin.from === 'flag') return origin.flag
  if (origin.from !== 'prompt') return 'OPTIONS_JSON'
  const { words, by } = origin
  return `prompt${words === undefined ? '' : `: “${words}”`}${by === undefined ? '' : `, read by ${byText[by]}`}`
}
const byText = { rules: 'rules', site: 'the folders of the site', model: 'the language model' }

function pagesText({ formats, cache, browser }: CrawlPlanSaid['pages']): string {
  const browsers = { must: 'by a browser', should: 'by a browser if there is one', 'if needed': 'a browser if needed' }
  return `${formats.join(', ')}; ${cacheText(cache)}; ${browsers[browser]}`
}

function cacheText(cache: CrawlPlanSaid['pages']['cache']): string {
  if ('skipped' in cache) return `not from the cache: ${cacheSkips[cache.skipped]}`
  const most = cache.maxMs === undefined ? 'of any age' : `at most ${durationText(cache.maxMs)} old`
  return `from the cache if ${cache.minMs > 0 ? `at least ${durationText(cache.minMs)} and ` : ''}${most}`
}

function limitsText({ pages, atOnce, ofOneHost, delayMs }: CrawlPlanSaid['limits']): string {
  const pause = delayMs > 0 ? `, ${delayMs / 1000} s between two` : ''
  return `${plural(pages, 'page')}; ${atOnce} at once, ${Math.min(atOnce, ofOneHost)} of one host${pause}`
}

const maxRules = 10
const maxFiles = 10

function robotsTexts({ url, agent, isObeyed, why, groups, isCut, delayMs }: RobotsFacts): string[] {
  const rules = groups.flatMap((group) => group.rules)
  if (!isObeyed) return [`${url}: not obeyed (ignoreRobotsTxt)`]
  if (why) return [`${url} could not be read, so nothing may be visited (RFC 9309)`]
  const held = rules.length === 0 ? 'no rules' : `${isCut ? 'more than ' : ''}${plural(rules.length, 'rule')}`
  const of = groups.length === 0 ? '' : `, of ${groups.flatMap(({ agents }) => agents).join(', ')}`
  return [
    `${url}: ${held} for ${agent}${of}`,
    ...(delayMs === undefined ? [] : [`Crawl-delay: ${delayMs / 1000} s, one page at a time`]),
    ...rules.slice(0, maxRules).map(ruleText),
    ...moreText(rules.length - maxRules),
  ]
}

const ruleText = ({ kind, pattern }: RobotsFacts['groups'][number]['rules'][number]) =>
  `${kind === 'allow' ? 'Allow' : 'Disallow'}: ${pattern}`

function sitemapTexts({ files, more, urls }: SitemapFacts, wanted: unknown): string[] {
  if (wanted === 'skip') return ['not read (sitemap skip)']
  if (files.length === 0) return ['none was read']
  return [
    `${plural(urls, 'URL')}, read as far as the limit needs`,
    ...files.slice(0, maxFiles).map(({ url, urls: own, fault }) => `${url}: ${fault ?? plural(own, 'URL')}`),
    ...moreText(files.length + more - maxFiles),
  ]
}

const moreText = (left: number) => (left > 0 ? [`… and ${count(left)} more`] : [])
const count = (value: number) => value.toLocaleString('en-US')
const plural = (value: number, what: string) => `${count(value)} ${what}${value === 1 ? '' : 's'}`

const examples = 3

/** Skipped URLs by reason, the most frequent first, with examples. */
function skippedText(explanation: CrawlExplanation): string {
  const groups = Map.groupBy(explanation.skipped, (skip) => reasonText(skip, explanation))
  const sorted = [...groups].toSorted(([, one], [, other]) => other.length - one.length)
  if (sorted.length === 0) return lines([row('Skipped', 'nothing')])
  return lines(
    sorted.flatMap(([reason, skips], at) => [
      row(at === 0 ? 'Skipped' : '', `${count(skips.length)} ${reason}`),
      ...skips.slice(0, examples).map(({ url }) => row('', `  ${url}`)),
      ...moreText(skips.length - examples).map((text) => row('', `  ${text}`)),
    ]),
  )
}

const outsideTexts = {
  folder: 'outside the folder of the start (crawlEntireDomain)',
  subdomain: 'on a subdomain (allowSubdomains)',
  site: 'on another site (allowExternalLinks)',
}

type Detail = ExplainedSkip['detail']
type Texts = Record<SkipReason, (detail: Detail, plan: CrawlExplanation) => string>

const reasonText = ({ reason, detail }: ExplainedSkip, plan: CrawlExplanation) => texts[reason](detail, plan)
const isLate = (detail: Detail) => detail !== undefined && 'seen' in detail

const texts: Texts = {
  outOfScope: (detail) =>
    detail && 'outside' in detail ? outsideTexts[detail.outside] : 'redirected to where the crawl does not go',
  excluded: (detail) =>
    detail && 'pattern' in detail
      ? `excluded by excludePaths[${detail.pattern.index}] ${detail.pattern.text}`
      : 'redirected to what excludePaths exclude',
  notIncluded: (detail) =>
    isLate(detail)
      ? 'redirected to what no pattern of includePaths fits'
      : 'not included: no pattern of includePaths fits',
  robots: (detail) => {
    const rule = detail && 'rule' in detail ? `: ${ruleText(detail.rule)}` : ''
    return `forbidden by robots.txt${rule}${isLate(detail) ? ', after a redirect' : ''}`
  },
  duplicate: () => 'duplicate: another URL of a page already taken',
  depth: (_, plan) => `deeper than maxDiscoveryDepth ${valueText(valueOf(plan, 'maxDiscoveryDepth'))}`,
  limit: (_, { limits: { pages } }) => `over the limit of ${plural(pages, 'page')}`,
  type: (detail) => `of a type that is not read, by ${isLate(detail) ? 'what the server sent' : 'its name'}`,
  trap: () => 'in what looks like a crawler trap',
  invalid: () => 'invalid: no http or https URL',
}

export type CrawlExplainer = {
  /** Called at each poll of the crawl: prints the plan as soon as robots.txt and sitemaps are read. */
  looked(id: string): Promise<void>
  /** Prints the reason for each skipped URL. */
  ended(id: string): Promise<void>
}

/**
 * Explains the rules of a crawl on stderr, and finally what was skipped. A remote service reports only its response.
 */
export function createCrawlExplainer(context: CommandContext, say: (text: string) => void): CrawlExplainer {
  const { app, config, flags, terminal, signal } = context
  const isForPerson = terminal.isInteractive && !flags.json
  const isRemote = config.remoteUrl !== undefined
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '' })
  let isTold = false

  const said = (facts: CrawlPlanFacts): CrawlPlanSaid => ({
    ...facts,
    options: facts.options.map(({ origin, ...option }) => ({ ...option, origin: originOf(option.name, origin) })),
    limits: { ...facts.limits, ofOneHost: config.crawlHostConcurrency },
  })

  function originOf(name: string, origin: CrawlPlanFacts['options'][number]['origin']): From {
    return name === 'limit' && origin.from === 'caller' && flags.limit !== undefined
      ? { from: 'flag', flag: '--limit' }
      : origin
  }

  function tellPlan(plan: CrawlPlanFacts): void {
    if (isTold) return
    isTold = true
    say(harmless(planText(said(plan))))
  }

  return {
    async looked(id) {
      if (isTold || isRemote || !isForPerson) return
      const plan = await planOf(id, ctx)
      if (plan.seeding) tellPlan(plan)
    },
    async ended(id) {
      if (isRemote && isForPerson) return say('A remote service crawls, and tells its answer alone.\n')
      if (isRemote) return say(`${JSON.stringify({ explanation: { id, isRemote } })}\n`)
      const { skipped, ...plan } = await reasonsOf(id, ctx)
      const explanation: CrawlExplanation = { ...said(plan), skipped }
      if (!isForPerson) return say(`${JSON.stringify({ explanation })}\n`)
      tellPlan(plan)
      say(harmless(skippedText(explanation)))
    },
  }
}
