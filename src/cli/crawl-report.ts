import { localTeam } from '../app/app.ts'
import {
  type CrawlPlanFacts,
  type CrawlReasons,
  groupSkips,
  planOf,
  reasonsOf,
  ruleText,
} from '../engine/support/explain/explain-crawl.ts'
import { type CommandContext, isForPerson } from './command.ts'
import { harmless } from './terminal-io.ts'
import type { RobotsFacts, SitemapFacts } from '../contracts/crawl-ports.ts'
import { counted, durationText } from '../util/amounts.ts'
import { cacheSkips } from '../engine/support/explain/explain-scrape.ts'

type From = CrawlPlanFacts['options'][number]['origin'] | { from: 'flag'; flag: string }
/** Rules of a crawl in the form that the command line reports. */
type ShownCrawlPlan = Omit<CrawlPlanFacts, 'options' | 'limits'> & {
  options: readonly { name: string; value: unknown; origin: From }[]
  limits: CrawlPlanFacts['limits'] & { ofOneHost: number }
}
/** Explains which pages a crawl took. */
export type CrawlExplanation = ShownCrawlPlan & Pick<CrawlReasons, 'skipped'>

const nameWidth = 10
const row = (name: string, text: string) => `  ${name.padEnd(nameWidth)}  ${text}`
const rows = (name: string, texts: readonly string[]) => texts.map((text, at) => row(at === 0 ? name : '', text))
const lines = (all: readonly string[]) => `${all.join('\n')}\n`

/** Formats the rules of a crawl as text. The result contains unchanged text of sites. */
function planText(plan: ShownCrawlPlan): string {
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

const valueOf = ({ options }: ShownCrawlPlan, name: string) => options.find((option) => option.name === name)?.value
const placeOf = (plan: ShownCrawlPlan) =>
  valueOf(plan, 'regexOnFullURL') === true ? 'anywhere in the whole URL' : 'anywhere in the path'

function optionTexts({ options }: ShownCrawlPlan): string[] {
  const chosen = options.filter(({ origin }) => origin.from !== 'default')
  const usual = options.filter(({ origin, value }) => origin.from === 'default' && value !== undefined)
  const shown = usual.filter(({ value }) => !Array.isArray(value) || value.length > 0)
  return [
    ...chosen.map(({ name, value, origin }) => `${name} ${valueText(value)} (${originText(origin)})`),
    `as usual: ${shown.map(({ name, value }) => `${name} ${valueText(value)}`).join(', ')}`,
  ]
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function originText(origin: ShownCrawlPlan['options'][number]['origin']): string {
  if (origin.from === 'flag') return origin.flag
  if (origin.from !== 'prompt') return 'OPTIONS_JSON'
  const { words, by } = origin
  return `prompt${words === undefined ? '' : `: “${words}”`}${by === undefined ? '' : `, read by ${byText[by]}`}`
}
const byText = { rules: 'rules', site: 'the folders of the site', model: 'the language model' }

function pagesText({ formats, cache, browser }: ShownCrawlPlan['pages']): string {
  const browsers = { must: 'by a browser', should: 'by a browser if there is one', 'if needed': 'a browser if needed' }
  return `${formats.join(', ')}; ${cacheText(cache)}; ${browsers[browser]}`
}

function cacheText(cache: ShownCrawlPlan['pages']['cache']): string {
  if ('skipped' in cache) return `not from the cache: ${cacheSkips[cache.skipped]}`
  const most = cache.maxMs === undefined ? 'of any age' : `at most ${durationText(cache.maxMs)} old`
  return `from the cache if ${cache.minMs > 0 ? `at least ${durationText(cache.minMs)} and ` : ''}${most}`
}

function limitsText({ pages, atOnce, ofOneHost, delayMs }: ShownCrawlPlan['limits']): string {
  const pause = delayMs > 0 ? `, ${delayMs / 1000} s between two` : ''
  return `${counted(pages, 'page')}; ${atOnce} at a time, ${Math.min(atOnce, ofOneHost)} of one host${pause}`
}

const maxRules = 10
const maxFiles = 10

function robotsTexts({ url, agent, isObeyed, why, groups, isCut, delayMs }: RobotsFacts): string[] {
  const rules = groups.flatMap((group) => group.rules)
  if (!isObeyed) return [`${url}: not obeyed (ignoreRobotsTxt)`]
  if (why) return [`${url} could not be read, so nothing may be visited (RFC 9309)`]
  const size = rules.length === 0 ? 'no rules' : `${isCut ? 'more than ' : ''}${counted(rules.length, 'rule')}`
  const of = groups.length === 0 ? '' : `, of ${groups.flatMap(({ agents }) => agents).join(', ')}`
  return [
    `${url}: ${size} for ${agent}${of}`,
    ...(delayMs === undefined ? [] : [`Crawl-delay: ${delayMs / 1000} s, one page at a time`]),
    ...rules.slice(0, maxRules).map(ruleText),
    ...moreText(rules.length - maxRules),
  ]
}

function sitemapTexts({ files, more, urls }: SitemapFacts, wanted: unknown): string[] {
  if (wanted === 'skip') return ['not read (sitemap skip)']
  if (files.length === 0) return ['none was read']
  return [
    `${counted(urls, 'URL')}, read as far as the limit needs`,
    ...files.slice(0, maxFiles).map(({ url, urls: own, fault }) => `${url}: ${fault ?? counted(own, 'URL')}`),
    ...moreText(files.length + more - maxFiles),
  ]
}

const moreText = (left: number) => (left > 0 ? [`… and ${count(left)} more`] : [])
const count = (value: number) => value.toLocaleString('en-US')

const examples = 3

/** Formats the skipped URLs by reason, the most frequent first, with examples. */
function skippedText(explanation: CrawlExplanation): string {
  const groups = groupSkips(explanation)
  if (groups.length === 0) return lines([row('Skipped', 'nothing')])
  return lines(
    groups.flatMap(({ reason, urls }, at) => [
      row(at === 0 ? 'Skipped' : '', `${count(urls.length)} ${reason}`),
      ...urls.slice(0, examples).map((url) => row('', `  ${url}`)),
      ...moreText(urls.length - examples).map((text) => row('', `  ${text}`)),
    ]),
  )
}

export type CrawlExplainer = {
  /** Prints the plan as soon as robots.txt and sitemaps are read; to be called at each poll of the crawl. */
  polled(id: string): Promise<void>
  /** Prints the reason for each skipped URL. */
  ended(id: string): Promise<void>
}

/** Explains the rules of a crawl on stderr, and finally what was skipped, unless a remote service runs the crawl. */
export function createCrawlExplainer(context: CommandContext, say: (text: string) => void): CrawlExplainer {
  const { app, config, flags, signal } = context
  const isText = isForPerson(context)
  const isRemote = config.remoteUrl !== undefined
  const ctx = app.newCtx({ team: localTeam, signal, baseUrl: '' })
  let isReported = false

  const shownPlan = (facts: CrawlPlanFacts): ShownCrawlPlan => ({
    ...facts,
    options: facts.options.map(({ origin, ...option }) => ({ ...option, origin: originOf(option.name, origin) })),
    limits: { ...facts.limits, ofOneHost: config.crawlHostConcurrency },
  })

  function originOf(name: string, origin: CrawlPlanFacts['options'][number]['origin']): From {
    return name === 'limit' && origin.from === 'caller' && flags.limit !== undefined
      ? { from: 'flag', flag: '--limit' }
      : origin
  }

  function reportPlan(plan: CrawlPlanFacts): void {
    if (isReported) return
    isReported = true
    say(harmless(planText(shownPlan(plan))))
  }

  return {
    async polled(id) {
      if (isReported || isRemote || !isText) return
      const plan = await planOf(id, ctx)
      if (plan.seeding) reportPlan(plan)
    },
    async ended(id) {
      if (isRemote && isText) return say('A remote service runs the crawl and returns only its result.\n')
      if (isRemote) return say(`${JSON.stringify({ explanation: { id, isRemote } })}\n`)
      const { skipped, ...plan } = await reasonsOf(id, ctx)
      const explanation: CrawlExplanation = { ...shownPlan(plan), skipped }
      if (!isText) return say(`${JSON.stringify({ explanation })}\n`)
      reportPlan(plan)
      say(harmless(skippedText(explanation)))
    },
  }
}
