import type { ClaimedPage, Crawl, PageOutcome, SkipReason } from '../../../contracts/crawl.ts'
import type { PageResponse } from '../../../contracts/fetch.ts'
import type { Ports } from '../../../contracts/ports.ts'
import { AppError, toAppError } from '../../../kernel/error.ts'
import { scrapeRequest } from '../../scrape/request.ts'
import { scrape, type ScrapePorts, type ScrapeResult } from '../../scrape/scrape.ts'
import { missingPage } from '../../webhook/event.ts'
import type { GrowingScope } from '../discovery/growing-scope.ts'
import type { Links } from '../discovery/links.ts'
import type { RobotsBook } from '../discovery/robots.ts'
import { jobEvent, pageInput, requestOf } from './job.ts'
import type { Clock } from '../../../contracts/clock.ts'

export type VisitPorts = ScrapePorts & Pick<Ports, 'crawls'>
/** What the pages of one crawl share. A batch has no rules. */
export type CrawlWork = {
  crawl: Crawl
  rules:
    | {
        scope: GrowingScope
        links: Links
        robots: RobotsBook | undefined
        keepDistance(url: string): Promise<void>
        followsLinks: boolean
      }
    | undefined
  signal: AbortSignal
}

/** A page that went with its process so often is not tried again: it may be what ends them. */
const maxTries = 12

/** Reads one page of a crawl, takes its links in, and says what became of it. Rejects only when the crawl is over. */
export async function visitPage(ports: VisitPorts, work: CrawlWork, page: ClaimedPage): Promise<PageOutcome> {
  const outcome = await visitOnce(ports, work, page)
  // A start that comes again has not shown yet where it leads.
  if (page.source === 'start' && outcome.kind !== 'retry') await work.rules?.links.settle()
  return outcome
}

async function visitOnce(ports: VisitPorts, work: CrawlWork, page: ClaimedPage): Promise<PageOutcome> {
  const { rules, signal } = work
  if (page.tries > maxTries) return failed(ports, work, page, toAppError(new Error('tried too often')))
  if (rules?.robots && !(await rules.robots.allows(page.url))) return { kind: 'dropped', reason: 'robots' }
  if (rules?.robots) await rules.keepDistance(page.url)
  const way = keptWay(ports, rules?.robots)
  try {
    const scraped = await scrapeOf(way.ports, work, page)
    return await outcomeOf(ports, work, page, scraped)
  } catch (thrown) {
    signal.throwIfAborted()
    if (way.isForbidden()) return { kind: 'dropped', reason: 'robots' }
    const error = toAppError(thrown)
    if (rules && isNoDocument(error)) return { kind: 'dropped', reason: 'type' }
    return retryOf(ports.clock, page.retries, error) ?? failed(ports, work, page, error)
  }
}

/** Redirects are followed only to where robots.txt lets us go. A browser follows by itself, and is judged by where it came to. */
function keptWay(ports: VisitPorts, robots: RobotsBook | undefined): { ports: VisitPorts; isForbidden(): boolean } {
  if (!robots) return { ports, isForbidden: () => false }
  let isForbidden = false
  const mayFollow = async (url: string): Promise<boolean> => {
    isForbidden = !(await robots.allows(url))
    return !isForbidden
  }
  return {
    ports: { ...ports, fetchPage: (request) => ports.fetchPage({ ...request, mayFollow }) },
    isForbidden: () => isForbidden,
  }
}

function scrapeOf(ports: VisitPorts, { crawl, rules, signal }: CrawlWork, page: ClaimedPage): Promise<ScrapeResult> {
  const call = {
    team: { id: page.teamId, key: page.keyName, permissions: [] },
    jobId: page.id,
    startedAt: ports.clock.now(),
    signal,
    queuedMs: 0,
    progress: () => {},
  }
  const request = scrapeRequest(pageInput(requestOf(crawl), page.url), call, {
    parts: rules?.followsLinks ? ['links'] : [],
    isLinked: page.source !== 'sitemap',
    reuse: rules && crawl.id,
  })
  return scrape(ports, request)
}

async function outcomeOf(
  ports: VisitPorts,
  work: CrawlWork,
  page: ClaimedPage,
  { document, page: { response, content, challenge } }: ScrapeResult,
): Promise<PageOutcome> {
  const { crawl, rules } = work
  const retry = retryOf(ports.clock, page.retries, response)
  if (retry) return retry
  if (rules && response.status < 400 && isMedia(response.headers)) return { kind: 'dropped', reason: 'type' }
  const redirectedTo = rules && (await landing(ports, work, page, response.url))
  if (redirectedTo && 'skipped' in redirectedTo) return { kind: 'dropped', reason: redirectedTo.skipped }
  const isWhole = response.status < 400 && !challenge
  // Before the page is finished: a crawl without pages under way is one that knows them all.
  if (rules?.followsLinks && isWhole) await rules.links.take(content.links ?? [], page.depth + 1, 'link')
  return {
    kind: 'document',
    document,
    credits: document.metadata.creditsUsed,
    redirectedTo: redirectedTo?.page,
    delivery: jobEvent(crawl, 'page', ports.clock.now(), { data: [document] }),
  }
}

/** A file whose address did not show that it is none to read. Documents that are broken are failures. */
const isNoDocument = ({ code, details }: AppError) =>
  code === 'SCRAPE_UNSUPPORTED_FILE_ERROR' && (details as { kind?: unknown } | undefined)?.kind === 'binary'

const isMedia = (headers: Readonly<Record<string, string>>) =>
  /^(?:image|audio|video|font)\/|^text\/css|^(?:text|application)\/(?:x-)?javascript/i.test(
    headers['content-type'] ?? '',
  )

type Landing = { page: { key: string; url: string } } | { skipped: SkipReason } | undefined

/** Where a redirect led. The start page may lead anywhere, and the crawl is then about that place. */
async function landing(
  ports: VisitPorts,
  { crawl, rules }: CrawlWork,
  page: ClaimedPage,
  url: string,
): Promise<Landing> {
  if (!rules) return undefined
  const { scope } = rules
  const key = scope.keyOf(url)
  if (key === scope.keyOf(page.url)) return undefined
  if (rules.robots && !(await rules.robots.allows(url))) return { skipped: 'robots' }
  if (page.source === 'start') {
    await ports.crawls.setFinalUrl(crawl.id, url)
    await scope.land(url)
    return { page: { key, url } }
  }
  const verdict = scope.judge(url, page.depth, page.source)
  return 'skipped' in verdict ? { skipped: verdict.skipped } : { page: { key, url } }
}

function failed(ports: VisitPorts, { crawl }: CrawlWork, page: ClaimedPage, error: AppError): PageOutcome {
  const { code, message } = error
  return {
    kind: 'failed',
    code,
    message,
    delivery: jobEvent(crawl, 'page', ports.clock.now(), { data: [missingPage(page.url)], error: message }),
  }
}

/** How often a page is put off, where another try may help. */
const maxRetries = 2
const firstPauseMs = 1000
/** A site may ask for hours; a crawl does not wait that long for one page. */
const longestPauseMs = 60_000

/** Failures of the moment: the site or the way to it, not the page. */
const passing = new Set(['SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_TIMEOUT'])

type Retry = Extract<PageOutcome, { kind: 'retry' }>
type Came = AppError | Pick<PageResponse, 'status' | 'headers'>

/** Whether to try a page again, and when, ms since the epoch; undefined where what came is what there is. */
function retryOf(clock: Clock, retries: number, came: Came): Retry | undefined {
  if (retries >= maxRetries || !isPassing(came)) return undefined
  const asked = came instanceof AppError ? undefined : askedPauseMs(came.headers['retry-after'], clock.now())
  const usual = firstPauseMs * 4 ** retries
  const at = clock.now() + Math.min(asked ?? usual, longestPauseMs)
  return { kind: 'retry', at, scope: isOfHost(came, asked) ? 'host' : 'page' }
}

/** Who says that we are too many, or for how long, speaks for the site; one page that is always out of order does not. */
const isOfHost = (came: Came, asked: number | undefined): boolean =>
  !(came instanceof AppError) && (came.status === 429 || asked !== undefined)

const isPassing = (came: Came): boolean =>
  came instanceof AppError ? passing.has(came.code) : came.status === 429 || came.status === 503

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function askedPauseMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
