import { type WebhookEvent, webhookEvents } from '../../../../schema/webhook-schema.ts'
import type { CrawlOptions } from '../../../crawl/crawl-options.ts'
import { either, lacking, slow, type Question } from '../question.ts'
import type { CrawlFacts, Diagnosis, JobCase, JobRule, Parameters } from '../case.ts'

type Crawled = JobCase & { crawl: CrawlFacts }
type Led = Crawled & { crawl: { options: CrawlOptions } }

type Finds<J> = (job: J, question: Question) => Diagnosis | undefined
const job = (id: string, asks: RegExp, finds: Finds<Crawled>): JobRule => ({
  id,
  asks,
  finds: (each, _, question) => (each.crawl ? finds({ ...each, crawl: each.crawl }, question) : undefined),
})
/** Creates a rule for jobs that discover their pages themselves. */
const crawl = (id: string, asks: RegExp, finds: Finds<Led>): JobRule =>
  job(id, asks, (each, question) => {
    const { options } = each.crawl
    return options ? finds({ ...each, crawl: { ...each.crawl, options } }, question) : undefined
  })

const hostWords = {
  allowSubdomains: /sub-?domain|\bother (?:hosts?|domains?)/i,
  allowExternalLinks: /external|\bother (?:sites?|hosts?|domains?)|another (?:site|host|domain)/i,
} as const

const also = (more: RegExp) => either(lacking, more)

/** Creates a diagnosis that suggests wider options; the links of the start page show how many pages they add. */
function widened({ crawl: { options } }: Led, parameters: Parameters, says: string): Diagnosis {
  return { says, parameters, trial: { kind: 'links', options: { ...options, ...parameters } } }
}

/** Any site has some links to other sites; if a crawl found hardly anything else, they were probably wanted. */
const isMost = (outside: number, done: number) => outside > (done <= 1 ? 0 : 2 * done)

const aboutWebhooks = /webhook|deliver|callback|hook|event|receiver/i

/** Returns a diagnosis if the question names events that the webhook is not subscribed to. */
function untold(events: readonly WebhookEvent[], words: string): Diagnosis | undefined {
  const missing = webhookEvents.filter((event) => !events.includes(event) && new RegExp(event, 'i').test(words))
  if (missing.length === 0) return undefined
  return {
    says: `The webhook of the job is told of ${events.join(', ')} only, as its events say. Add ${missing.join(', ')} to the events of the webhook, or leave events out for all.`,
    parameters: { webhook: { events: webhookEvents.filter((event) => [...events, ...missing].includes(event)) } },
  }
}

/** Rules about what keeps pages out of a crawl, or delays it. */
export const crawledSites: readonly JobRule[] = [
  job('webhook', aboutWebhooks, ({ crawl: { undelivered } }) =>
    undelivered
      ? {
          says: `${undelivered.count === 1 ? 'One event of the job was' : `${undelivered.count} events of the job were`} not taken by the webhook's receiver. ${undelivered.why} It must answer with a status from 200 to 299 within 10 s, from an address that may be reached; failed events are sent again for a while.`,
        }
      : undefined,
  ),
  {
    id: 'untold',
    asks: aboutWebhooks,
    onlyIfAsked: true,
    finds: ({ crawl: { events } = {} }, _, { words }) => events && untold(events, words),
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
  crawl('outside-path', also(/path|parent|whole site|other pages/), (each) => {
    const { options, counts, skipped } = each.crawl
    const outside = skipped.outOfScope ?? 0
    if (!isMost(outside, counts.done) || options.crawlEntireDomain) return undefined
    const says = `${outside} addresses that were found lie outside the path of the start URL ${options.url}, and only pages below it are taken. Set crawlEntireDomain for the others.`
    return widened(each, { crawlEntireDomain: true }, says)
  }),
  ...(['allowSubdomains', 'allowExternalLinks'] as const).map((option) =>
    crawl(`outside-site by ${option}`, also(hostWords[option]), (each, { words }) => {
      const { options, counts, skipped } = each.crawl
      const outside = skipped.outOfScope ?? 0
      // If the path is the more likely reason, other hosts are considered only if the question mentions them.
      const isLikely = options.crawlEntireDomain || hostWords[option].test(words)
      if (!isMost(outside, counts.done) || !isLikely || options[option]) return undefined
      const which = option === 'allowSubdomains' ? 'other hosts of the same domain' : 'other sites'
      const says = `${outside} addresses that were found are of other hosts than ${options.url}, and were left out. Set ${option} for those of ${which}.`
      return widened(each, { [option]: true }, says)
    }),
  ),
  ...(['excludePaths', 'includePaths'] as const).map((option) =>
    crawl(`left out by ${option}`, also(/section|pattern|filter/), (each) => {
      const { options, skipped } = each.crawl
      const count = skipped[option === 'excludePaths' ? 'excluded' : 'notIncluded'] ?? 0
      if (count === 0 || options[option].length === 0) return undefined
      const does = option === 'excludePaths' ? 'match' : 'do not match'
      const says = `${count} addresses that were found ${does} the patterns of ${option}, and were left out. Leave ${option} out, or make its patterns ${option === 'excludePaths' ? 'narrower' : 'wider'}.`
      return widened(each, { [option]: [] }, says)
    }),
  ),
  crawl('one-of-each-path', also(/query|parameter|\?\w+=|\bfirst page/), (each) =>
    each.crawl.options.ignoreQueryParameters
      ? widened(
          each,
          { ignoreQueryParameters: false },
          'The request sets ignoreQueryParameters, so of addresses that differ only after the question mark, such as the pages of a list, one is taken. Set ignoreQueryParameters to false.',
        )
      : undefined,
  ),
  crawl('paused', slow, ({ crawl: { options } }) =>
    options.delay === undefined
      ? undefined
      : {
          says: `The request sets delay to ${options.delay} s, which fetches one page at a time, with that pause in between. Leave delay out where the site allows it: robots.txt and rate limits are kept without it as well.`,
          parameters: { delay: null },
        },
  ),
  crawl('depth', also(/depth|deep|level/), (each) => {
    const { options, skipped } = each.crawl
    if (!skipped.depth || options.maxDiscoveryDepth === undefined) return undefined
    const says = `${skipped.depth} addresses lie deeper than maxDiscoveryDepth ${options.maxDiscoveryDepth} links from the start. Raise it, or leave it out.`
    const parameters = { maxDiscoveryDepth: options.maxDiscoveryDepth + 2 }
    // Pages deeper than the links of the start page cannot be checked there.
    return options.maxDiscoveryDepth === 0 ? widened(each, parameters, says) : { says, parameters }
  }),
  crawl('limit', also(/limit|stopp|more pages/), ({ crawl: { options, skipped, counts } }) =>
    skipped.limit && counts.done >= options.limit
      ? {
          says: `The crawl stopped at its limit of ${options.limit} pages; ${skipped.limit} more addresses were found. Raise limit.`,
          parameters: { limit: options.limit + skipped.limit },
        }
      : undefined,
  ),
]

/** Matches the status of the start page in warnings. */
const statusOf = /^The start page answered with status (\d{3})/

function startTrouble({ crawl: { warnings, options }, url }: Crawled): Diagnosis | undefined {
  const status = Number(warnings.map((each) => statusOf.exec(each)?.[1]).find(Boolean))
  if (!status || !options) return undefined
  const says = `The start page ${url ?? ''} answered with status ${status}, so there was nothing to go on from.`
  if (status === 429)
    return {
      says: `${says} The site limits how often it may be asked: set delay, and start again in some minutes.`,
      parameters: { delay: 1 },
    }
  if (status !== 401 && status !== 403 && status !== 503) return { says: `${says} Start from a page that opens.` }
  const set = { proxy: 'enhanced', waitFor: 3000 }
  return {
    says: `${says} It keeps automated visitors out; try the enhanced proxy.`,
    parameters: { scrapeOptions: set },
    trial: { kind: 'scrape', change: set },
  }
}
