import { type WebhookEvent, webhookEvents } from '../../../../schema/webhook-schema.ts'
import type { CrawlOptions } from '../../../crawl/crawl-options.ts'
import { either, lacking, type Question, slow } from '../question.ts'
import type { CrawlFacts, Diagnosis, JobCase, JobRule, Parameters } from '../case.ts'

type CrawlCase = JobCase & { crawl: CrawlFacts }
type SiteCrawlCase = CrawlCase & { crawl: { options: CrawlOptions } }

type Finds<J> = (job: J, question: Question) => Diagnosis | undefined
/** Creates a rule for crawls and batches. */
const job = (id: string, asks: RegExp, finds: Finds<CrawlCase>): JobRule => ({
  id,
  asks,
  finds: (each, _, question) => (each.crawl ? finds({ ...each, crawl: each.crawl }, question) : undefined),
})
/** Creates a rule for jobs that discover their pages themselves. */
const crawl = (id: string, asks: RegExp, finds: Finds<SiteCrawlCase>): JobRule =>
  job(id, asks, (each, question) => {
    const { options } = each.crawl
    return options ? finds({ ...each, crawl: { ...each.crawl, options } }, question) : undefined
  })

const also = (more: RegExp) => either(lacking, more)

/** Creates a diagnosis that suggests wider options; the links of the start page show how many pages they add. */
function widened({ crawl: { options } }: SiteCrawlCase, parameters: Parameters, says: string): Diagnosis {
  return { says, parameters, trial: { kind: 'links', options: { ...options, ...parameters } } }
}

/** True if a crawl skipped more than twice as many pages outside its scope as it read, so they were probably wanted. */
const isProbablyWanted = (outside: number, done: number) => outside > (done <= 1 ? 0 : 2 * done)

const aboutWebhooks = /webhook|deliver|callback|hook|event|receiver/i

/** Returns a diagnosis if the question names events that the webhook is not subscribed to. */
function notSubscribed(events: readonly WebhookEvent[], words: string): Diagnosis | undefined {
  const missing = webhookEvents.filter((event) => !events.includes(event) && new RegExp(event, 'i').test(words))
  if (missing.length === 0) return undefined
  return {
    says: `The webhook of the job is subscribed only to ${events.join(', ')}. Add ${missing.join(', ')} to the events of the webhook, or leave events out for all.`,
    parameters: { webhook: { events: webhookEvents.filter((event) => [...events, ...missing].includes(event)) } },
  }
}

/** Words for the options that keep pages out of a crawl. */
const skipWords = {
  crawlEntireDomain: /path|parent|whole site|other pages/,
  allowSubdomains: /sub-?domain|\bother (?:hosts?|domains?)/,
  allowExternalLinks: /external|\b(?:other|another) (?:sites?|hosts?|domains?)/,
  excludePaths: /section|pattern|filter/,
  includePaths: /section|pattern|filter/,
  maxDiscoveryDepth: /depth|deep|level/,
  limit: /limit|stopp|more pages/,
} as const
type SkipOption = keyof typeof skipWords

/** Rules about these options, one for each. The explanation of the crawl lists the pages that each option kept out. */
const skipRules: JobRule[] = (Object.keys(skipWords) as SkipOption[]).map((option) => ({
  id: `skipped by ${option}`,
  asks: also(skipWords[option]),
  finds: async (each, _, { words }) => {
    const { crawl: facts } = each
    if (!facts?.options) return undefined
    const groups = (await facts.skips()).filter((group) => group.option === option)
    const count = groups.reduce((sum, { urls }) => sum + urls.length, 0)
    const isOutside = option.startsWith('allow') || option === 'crawlEntireDomain'
    if (count === 0 || (isOutside && !isProbablyWanted(count, facts.counts.done) && !skipWords[option].test(words)))
      return undefined
    const siteCrawl: SiteCrawlCase = { ...each, crawl: { ...facts, options: facts.options } }
    const reasons = groups.map(({ reason }) => reason).join('; ')
    const says = `${count} of the addresses that were found ${count === 1 ? 'was' : 'were'} left out: ${reasons}. ${adviceOf(option)}`
    const parameters = { [option]: wider(option, facts.options, count) }
    // The links of the start page cannot show deeper pages, or pages over the limit.
    const isShown = option !== 'limit' && (option !== 'maxDiscoveryDepth' || facts.options.maxDiscoveryDepth === 0)
    return isShown ? widened(siteCrawl, parameters, says) : { says, parameters }
  },
}))

function adviceOf(option: SkipOption): string {
  if (option === 'limit' || option === 'maxDiscoveryDepth') return `Raise ${option}.`
  return option.endsWith('Paths') ? `Leave ${option} out, or change its patterns.` : `Set ${option} to true.`
}

function wider(option: SkipOption, { limit, maxDiscoveryDepth = 0 }: CrawlOptions, count: number): unknown {
  if (option === 'limit') return limit + count
  if (option === 'maxDiscoveryDepth') return maxDiscoveryDepth + 2
  return option.endsWith('Paths') ? [] : true
}

/** Rules about missing or late pages and events of a crawl. */
export const crawledSites: readonly JobRule[] = [
  job('webhook', aboutWebhooks, ({ crawl: { undelivered } }) =>
    undelivered
      ? {
          says: `${undelivered.count === 1 ? 'One event of the job was' : `${undelivered.count} events of the job were`} not accepted by the webhook's receiver. ${undelivered.why} It must answer with a status from 200 to 299 within 10 s, from an address that the server may connect to; failed events are sent again for a while.`,
        }
      : undefined,
  ),
  {
    id: 'not-subscribed',
    asks: aboutWebhooks,
    onlyIfAsked: true,
    finds: ({ crawl: { events } = {} }, _, { words }) => events && notSubscribed(events, words),
  },
  crawl('robots', also(/robots|denied|forbid|disallow|blocked/), ({ crawl: { robotsDenyStart, skipped, options } }) =>
    robotsDenyStart || (skipped.robots ?? 0) > 0
      ? {
          says: `robots.txt of the site forbids ${robotsDenyStart ? `the start URL ${options.url}` : `${skipped.robots} of the addresses that were found`}, so the crawl does not visit it. Start from a URL that it allows, or scrape single pages; ignoreRobotsTxt must be enabled by the operator.`,
        }
      : undefined,
  ),
  job('start-refused', also(/40\d|429|50\d|refus|blocked/), (each) => startTrouble(each)),
  crawl('sitemap-only', also(/sitemap/), (each) => {
    const { options, counts } = each.crawl
    if (options.sitemap !== 'only' || counts.done > 1) return undefined
    const says =
      'sitemap is set to only, and the site has no sitemap that lists pages of this crawl. Set sitemap to include, which follows the links of pages as well.'
    return widened(each, { sitemap: 'include' }, says)
  }),
  crawl('sitemap-skipped', /sitemap/i, (each) =>
    each.crawl.options.sitemap === 'skip'
      ? {
          says: 'The crawl only follows links, because sitemap is set to skip, so pages that only the sitemap names are not found. Set sitemap to include.',
          parameters: { sitemap: 'include' },
        }
      : undefined,
  ),
  ...skipRules,
  crawl('one-of-each-path', also(/query|parameter|\?\w+=|\bfirst page/), (each) =>
    each.crawl.options.ignoreQueryParameters
      ? widened(
          each,
          { ignoreQueryParameters: false },
          'The request sets ignoreQueryParameters, so of addresses that differ only after the question mark, such as the pages of a list, only one is crawled. Set ignoreQueryParameters to false.',
        )
      : undefined,
  ),
  crawl('paused', slow, ({ crawl: { options } }) =>
    options.delay === undefined
      ? undefined
      : {
          says: `The request sets delay to ${options.delay} s, which fetches one page at a time, with that pause in between. Leave delay out if the site allows it: robots.txt and rate limits are obeyed without it as well.`,
          parameters: { delay: null },
        },
  ),
]

/** Matches the warning of a crawl about its start page. */
const statusOf = /^The start page answered with status (\d{3})/

function startTrouble({ crawl: { warnings, options }, url }: CrawlCase): Diagnosis | undefined {
  const status = Number(warnings.map((each) => statusOf.exec(each)?.[1]).find(Boolean))
  if (!status || !options) return undefined
  const says = `The start page ${url ?? ''} answered with status ${status}, so there were no links to follow.`
  if (status === 429)
    return {
      says: `${says} The site limits the rate of requests: set delay, and start again in a few minutes.`,
      parameters: { delay: 1 },
    }
  if (status !== 401 && status !== 403 && status !== 503)
    return { says: `${says} Start from a page that can be opened.` }
  const set = { proxy: 'enhanced', waitFor: 3000 }
  return {
    says: `${says} It keeps automated visitors out; try the enhanced proxy.`,
    parameters: { scrapeOptions: set },
    trial: { kind: 'scrape', change: set },
  }
}

/** Options that filter results, with the value that disables each filter; null if only removing the option does. */
const narrowing: Readonly<Record<string, unknown>> = {
  tbs: null,
  includeDomains: [],
  excludeDomains: [],
  categories: [],
}

const isSet = (value: unknown) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

/** Rules about options that filter search results. */
export const searches: readonly JobRule[] = [
  {
    id: 'narrow-search',
    asks: either(lacking, /narrow|filter|results?\b/),
    onlyIfAsked: true,
    finds: ({ endpoint, code, request }) => {
      if (endpoint !== 'search' || code !== null || !request) return undefined
      const set = Object.keys(narrowing).filter((name) => isSet(request[name]))
      if (set.length === 0) return undefined
      const given = set.map((name) => `${name} (${JSON.stringify(request[name]).slice(0, 100)})`)
      return {
        says: `The search leaves out results that do not match ${given.join(' and ')}, including those whose date or place the providers do not know. Leave ${set.length === 1 ? 'it' : 'them'} out, or make ${set.length === 1 ? 'it' : 'them'} wider.`,
        parameters: Object.fromEntries(set.map((name) => [name, narrowing[name]])),
      }
    },
  },
]
