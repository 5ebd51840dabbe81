import type { Crawl, SeedingFacts, RobotsFacts, SitemapFacts } from '../../../contracts/crawl-ports.ts'
import type { PageRequest } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { type Robots, groupsFor } from '../../net/robots/robots.ts'
import { sitemapUrls } from '../../net/sitemap/sitemap-entries.ts'
import { readSitemaps } from '../../net/sitemap/read-sitemaps.ts'
import type { CrawlOptions } from '../crawl-options.ts'
import type { Links, RobotsCache } from '../crawl-links.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { toAppError } from '../../../kernel/error.ts'
import { jobEvent } from './crawl-job.ts'
import type { RunPorts, RunTools, Work } from './run-tools.ts'

/** Pause between attempts to seed a crawl, for example while another worker seeds it. */
const seedAgainMs = 1000
/** Additional pause after a failed attempt. */
const retryMs = 5000

/** Makes one worker seed the crawl. If that worker dies, another starts over without adding a page twice. */
export async function ensureSeeded(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { rules, options, signal } = work
  if (!rules || !options) return
  while (!signal.aborted && !work.crawl.isSeeded) {
    try {
      if (await seedInTurn(ports, work, tools)) return
    } catch (cause) {
      signal.throwIfAborted()
      tools.log.error('crawl could not be seeded', { crawlId: work.crawl.id, cause })
      await sleep(retryMs, undefined, { signal })
    }
    await sleep(seedAgainMs, undefined, { signal })
  }
}

/** Returns false if another worker seeds the crawl. */
async function seedInTurn(ports: RunPorts, work: Work, tools: RunTools): Promise<boolean> {
  const { crawl, signal } = work
  const leave = await tools.seedings.acquire(crawl.teamId, signal)
  try {
    const isOurs = await ports.crawls.claimSeeding(crawl.id, tools.workerId, tools.leaseMs)
    if (isOurs) await seed(ports, work, tools)
    return isOurs
  } finally {
    leave()
  }
}

async function seed(ports: RunPorts, work: Work, tools: RunTools): Promise<void> {
  const { crawl, rules, options, robots, request, signal } = work
  if (!rules || !options) return
  const { links, applyCrawlDelay } = rules
  const result = await seedCrawl(ports, {
    crawl,
    options,
    robots,
    links,
    applyCrawlDelay,
    request,
    signal,
  }).catch((thrown: unknown) => {
    signal.throwIfAborted()
    const { code, message, cause } = toAppError(thrown)
    tools.log.error('crawl could not be seeded', { crawlId: crawl.id, cause })
    return { warnings: [], error: { code, message } }
  })
  const failed = result.error && jobEvent(crawl, 'failed', ports.clock.now(), { error: result.error.message })
  await ports.crawls.finishSeeding(crawl.id, result, failed ?? undefined)
  if (failed) tools.eventWritten()
  await work.refreshNow()
}

/**
 * Limits of the facts that are stored for people to read: a robots.txt may have thousands of rules, and an index
 * hundreds of sitemaps.
 */
const maxRules = 500
const maxFiles = 50
const maxLength = 1000

/** Returns the robots.txt rules that apply to this crawl, for storage. */
function robotsFacts(
  robots: Robots,
  { agent, delayMs }: Pick<RobotsCache, 'agent' | 'delayMs'>,
  { url, isObeyed }: { url: string; isObeyed: boolean },
): RobotsFacts {
  let room = maxRules
  const applicable = groupsFor(robots, agent)
  const groups = applicable.map(({ agents, rules }) => {
    const stored = rules.filter(({ pattern }) => pattern.length <= maxLength).slice(0, room)
    room -= stored.length
    return { agents: agents.slice(0, maxFiles).map((name) => name.slice(0, maxLength)), rules: stored }
  })
  return {
    url: new URL('/robots.txt', url).href,
    agent,
    isObeyed,
    ...(robots.why && { why: robots.why }),
    groups,
    isCut: rulesIn(applicable) > rulesIn(groups),
    delayMs: delayMs(robots),
  }
}

const rulesIn = (groups: readonly { rules: readonly unknown[] }[]) =>
  groups.reduce((sum, { rules }) => sum + rules.length, 0)

/** Collects the result of reading each sitemap. */
function gatherSitemaps() {
  const files = new Map<string, { pages: number; fault?: string | undefined }>()
  return {
    read: (url: string, pages: number) => void files.set(url, { ...files.get(url), pages }),
    note: (fault: string, url: string) => void files.set(url, { pages: 0, ...files.get(url), fault }),
    facts(): SitemapFacts {
      const all = [...files].map(([url, { pages, fault }]) => ({ url, urls: pages, fault }))
      return {
        files: all.slice(0, maxFiles),
        more: Math.max(0, all.length - maxFiles),
        urls: all.reduce((sum, { urls }) => sum + urls, 0),
      }
    },
  }
}

type SeedingTask = {
  crawl: Pick<Crawl, 'id' | 'pageLimit'>
  options: CrawlOptions
  robots: RobotsCache
  links: Links
  applyCrawlDelay(url: string): Promise<number>
  request: Pick<PageRequest, 'teamId' | 'headers' | 'skipTlsVerification'>
  signal: AbortSignal
}
type SeedingPorts = Pick<Ports, 'fetchPage' | 'crawls'>
type SeedingResult = { warnings: string[]; error?: Crawl['error']; facts?: SeedingFacts }

/** Error code of a site that exists but does not work; any other robots.txt error ends the crawl. */
const brokenSite = 'SCRAPE_SITE_ERROR'
/** Maximum number of sitemap URLs read: a sitemap may list many out-of-scope pages first. */
const maxListed = 1_000_000
const maxSitemapWarnings = 5

/** Reads robots.txt and the sitemaps. Adds the start URL and the URLs that the sitemaps list. */
async function seedCrawl(ports: SeedingPorts, work: SeedingTask): Promise<SeedingResult> {
  const { options, robots, links, applyCrawlDelay } = work
  const obeysRobots = !options.ignoreRobotsTxt
  const rules = await robots.patiently(options.url)
  const sitemaps = gatherSitemaps()
  const seedingResult = (warnings: string[], error?: Crawl['error']): SeedingResult => ({
    warnings,
    ...(error && { error }),
    facts: {
      robots: robotsFacts(rules, robots, { url: options.url, isObeyed: obeysRobots }),
      sitemaps: sitemaps.facts(),
    },
  })
  if (obeysRobots && rules.fault && rules.fault.code !== brokenSite) return seedingResult([], rules.fault)
  if (obeysRobots) await applyCrawlDelay(options.url)
  await links.take([options.url], 0, 'start')
  const isForbidden = obeysRobots && rules.why === 'unreachable'
  const warnings = isForbidden ? [unreadableRobots] : rules.why === 'redirects' ? [endlessRobots] : []
  if (options.sitemap === 'skip' || isForbidden) return seedingResult(warnings)
  return seedingResult([...warnings, ...(await takeSitemaps(ports, work, rules, sitemaps))])
}

async function takeSitemaps(
  ports: SeedingPorts,
  work: SeedingTask,
  rules: Robots,
  gathered: ReturnType<typeof gatherSitemaps>,
): Promise<string[]> {
  const { crawl, options, links, request, signal } = work
  const warnings: string[] = []
  const sitemaps = sitemapUrls(options.url, rules.sitemaps)
  const batches = readSitemaps(ports.fetchPage, {
    urls: sitemaps,
    origin: new URL(options.url).origin,
    ...request,
    signal,
    maxUrls: maxListed,
    wanted: frontierLimit(crawl),
    read: gathered.read,
    note: (text, url, read) => {
      gathered.note(text, url)
      // A missing sitemap is worth a warning only if robots.txt or another sitemap names it.
      if (read > 0 || rules.sitemaps.includes(url) || !sitemaps.includes(url)) warnings.push(text)
    },
  })
  for await (const entries of batches) {
    const urls = entries.map(({ url }) => url)
    await links.take(urls, 0, 'sitemap')
    if (await hasEnough(ports, crawl.id)) break
  }
  return warnings.slice(0, maxSitemapWarnings)
}

/** Maximum number of pages that the frontier stores. */
const frontierLimit = ({ pageLimit }: Pick<Crawl, 'pageLimit'>) => pageLimit * 2 + 100

async function hasEnough({ crawls }: SeedingPorts, crawlId: string): Promise<boolean> {
  const crawl = await crawls.find(crawlId)
  if (crawl?.status !== 'scraping') return true
  const { waiting, active, done, failed } = crawl.counts
  return waiting + active + done + failed >= frontierLimit(crawl)
}

const endlessRobots = 'robots.txt of the site only redirects, so it forbids nothing (RFC 9309).'
const unreadableRobots = 'robots.txt of the site could not be read, so nothing may be crawled (RFC 9309).'
