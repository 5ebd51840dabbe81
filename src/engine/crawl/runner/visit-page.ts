import type { ClaimedPage, Crawl, PageOutcome, SkipReason } from '../../../contracts/crawl-ports.ts'
import type { PageResponse } from '../../../contracts/fetch.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import type { Ports, Clock } from '../../../contracts/ports.ts'
import { AppError, failure, toAppError } from '../../../kernel/error.ts'
import { retryAfterMs } from '../../net/http/answer-head.ts'
import { isRedactedUrl } from '../../scrape/redact/placeholder.ts'
import { scrapeRequest } from '../../scrape/scrape-request.ts'
import { attemptsOf, scrape, type ScrapePorts, type ScrapeResult } from '../../scrape/scrape.ts'
import { rethrowPause } from '../../store/store.ts'
import { missingPage } from '../../webhook/event.ts'
import type { ExtendableScope } from '../scope/crawl-scope.ts'
import { doubtfulEnding, type FileFolders, isDocumentType, isMedia, manyFiles } from '../scope/file-names.ts'
import { leadsOf, type Links, type RobotsCache } from '../crawl-links.ts'
import { jobEvent, pageInput, requestOf, startTrouble } from './crawl-job.ts'

export type VisitPorts = ScrapePorts & Pick<Ports, 'crawls'>
/** State shared by all pages of one crawl. A batch has no rules. */
export type CrawlWork = {
  crawl: Crawl
  rules:
    | {
        scope: ExtendableScope
        links: Links
        robots: RobotsCache | undefined
        applyCrawlDelay(url: string): Promise<number>
        files: FileFolders
        followsLinks: boolean
      }
    | undefined
  signal: AbortSignal
}

/** A page whose process died this often is not retried, because the page may crash the process. */
const maxTries = 12

/** Scrapes one page of a crawl and adds its links. Rejects only if the crawl is over or the store is unavailable. */
export async function visitPage(ports: VisitPorts, work: CrawlWork, page: ClaimedPage): Promise<PageOutcome> {
  const outcome = await visitOnce(ports, work, page)
  // A start URL that will be retried has not shown its redirect target yet.
  if (page.source === 'start' && outcome.kind !== 'retry' && outcome.kind !== 'returned') {
    await work.rules?.links.releaseDeferred()
    const unread = outcome.kind === 'dropped' ? outcome.failure : outcome.kind === 'failed' && outcome
    if (unread) await ports.crawls.warn(page.crawlId, `${startTrouble.unread}: ${unread.message}`)
  }
  return outcome
}

async function visitOnce(ports: VisitPorts, work: CrawlWork, page: ClaimedPage): Promise<PageOutcome> {
  const { rules } = work
  if (page.tries > maxTries) return failed(ports, work, page, toAppError(new Error('tried too often')))
  const ending = page.source === 'start' || !rules ? undefined : doubtfulEnding(new URL(page.url).pathname)
  const early = rules && (await refusalOf(rules, page, ending))
  if (early) return early
  const checking = ending === undefined ? ports : checkTypeFirst(ports)
  const fetching = obeyRobotsOnRedirects(checking, rules?.robots)
  try {
    const scraped = await scrapeOf(fetching.ports, work, page)
    return await outcomeOf(ports, work, page, scraped)
  } catch (thrown) {
    rethrowPause(thrown, work)
    if (fetching.isForbidden()) return { kind: 'dropped', reason: 'robots' }
    const error = toAppError(thrown)
    if (rules && isNoDocument(error)) return noDocument(ports, rules, page, ending)
    return retryOf(ports.clock, page.retries, error) ?? failed(ports, work, page, error)
  }
}

type Rules = NonNullable<CrawlWork['rules']>

/** Returns why a page is not visited now; undefined if it may be visited. */
async function refusalOf(
  { robots, files, applyCrawlDelay }: Rules,
  { url, crawlDelayMs }: ClaimedPage,
  ending: string | undefined,
): Promise<PageOutcome | undefined> {
  if (robots && !(await robots.allows(url))) return { kind: 'dropped', reason: 'robots' }
  // Other pages of this host were claimed concurrently, before its crawl delay was known.
  if (robots && (await applyCrawlDelay(url)) > crawlDelayMs) return { kind: 'returned' }
  return ending !== undefined && files.isFull(url, ending) ? { kind: 'dropped', reason: 'type' } : undefined
}

async function noDocument(
  { crawls }: VisitPorts,
  { files }: Rules,
  { url, crawlId }: ClaimedPage,
  ending: string | undefined,
): Promise<PageOutcome> {
  if (ending !== undefined && files.add(url, ending) === 'full') await crawls.warn(crawlId, fullFolderText(ending))
  return { kind: 'dropped', reason: 'type' }
}

const fullFolderText = (ending: string) =>
  `${manyFiles} links of a folder led to files that end in .${ending} and are not pages, so its other links to such files were skipped.`

/** Visits a URL that looks like a file: reads the headers first, and the body only if it is a page or a document. */
function checkTypeFirst(ports: VisitPorts): VisitPorts {
  return {
    ...ports,
    async fetchPage(request) {
      const page = await ports.fetchPage({ ...request, isWanted: isDocumentType })
      if (page.status >= 400 || isDocumentType(page.headers['content-type'] ?? '')) return page
      throw failure('SCRAPE_UNSUPPORTED_FILE_ERROR', { details: { kind: 'binary' } })
    },
  }
}

/**
 * Follows redirects only to URLs that robots.txt allows. A browser follows redirects itself, so only its final URL is
 * checked.
 */
function obeyRobotsOnRedirects(
  ports: VisitPorts,
  robots: RobotsCache | undefined,
): { ports: VisitPorts; isForbidden(): boolean } {
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
  if (rules && isMediaPage(response)) return { kind: 'dropped', reason: 'type' }
  const redirectedTo = rules && (await redirectTarget(ports, work, page, response.url))
  if (redirectedTo && 'skipped' in redirectedTo) return { kind: 'dropped', reason: redirectedTo.skipped }
  const isUnwanted = isUnwantedStart(rules, page)
  if (isUnwanted && response.status >= 400) return failed(ports, work, page, refusedStart(response.status))
  await noteStart(ports, page, response.status)
  // Add links before the page is finished: a crawl without pages in progress counts as complete.
  if (response.status < 400 && !challenge) await takeLinks(rules, page, response, content)
  if (isUnwanted) {
    await ports.crawls.warn(crawl.id, startTrouble.unwanted)
    return { kind: 'dropped', reason: 'notIncluded' }
  }
  return {
    kind: 'document',
    document,
    credits: document.metadata.creditsUsed,
    redirectedTo: redirectedTo?.page,
    delivery: jobEvent(crawl, 'page', ports.clock.now(), { data: [document] }),
  }
}

const isUnwantedStart = (rules: CrawlWork['rules'], { source, url }: ClaimedPage) =>
  source === 'start' && rules?.scope.isUnwanted(url) === true

const refusedStart = (status: number) => failure('SCRAPE_SITE_ERROR', { message: `It answered with status ${status}.` })

async function takeLinks(
  rules: CrawlWork['rules'],
  page: ClaimedPage,
  response: Pick<PageResponse, 'headers' | 'url'>,
  content: PageContent,
): Promise<void> {
  if (!rules?.followsLinks) return
  const leads = leadsOf(response, content).map((lead) => lead.url)
  const links = [...leads, ...(content.links ?? [])].filter((link) => !isRedactedUrl(link))
  await rules.links.take(links, page.depth + 1, 'link', response.url)
}

async function noteStart({ crawls }: Pick<Ports, 'crawls'>, page: ClaimedPage, status: number): Promise<void> {
  if (page.source === 'start' && status >= 400)
    await crawls.warn(page.crawlId, `${startTrouble.refused} ${status}, so no links could be taken from it.`)
}

/** True for an unreadable file whose URL did not show it. Damaged documents count as failures instead. */
const isNoDocument = ({ code, details }: AppError) =>
  code === 'SCRAPE_UNSUPPORTED_FILE_ERROR' &&
  typeof details === 'object' &&
  details !== null &&
  'kind' in details &&
  details.kind === 'binary'

const isMediaPage = ({ status, headers }: Pick<PageResponse, 'status' | 'headers'>) =>
  status < 400 && isMedia(headers['content-type'] ?? '')
type RedirectTarget = { page: { key: string; url: string } } | { skipped: SkipReason } | undefined

/** Returns the target of a redirect. The start URL may redirect anywhere; the crawl then covers that site too. */
async function redirectTarget(
  ports: VisitPorts,
  { crawl, rules }: CrawlWork,
  page: ClaimedPage,
  url: string,
): Promise<RedirectTarget> {
  if (!rules) return undefined
  const { scope } = rules
  const key = scope.keyOf(url)
  if (key === scope.keyOf(page.url)) return undefined
  if (rules.robots && !(await rules.robots.allows(url))) return { skipped: 'robots' }
  if (page.source === 'start') {
    await ports.crawls.setFinalUrl(crawl.id, url)
    await scope.extend(url)
    return { page: { key, url } }
  }
  const verdict = scope.judge(url, page.depth, page.source)
  return 'skipped' in verdict ? { skipped: verdict.skipped } : { page: { key, url } }
}

function failed(ports: VisitPorts, { crawl, rules }: CrawlWork, page: ClaimedPage, error: AppError): PageOutcome {
  const { code, message } = error
  const why = { code, message, attempts: attemptsOf(error) }
  if (isUnwantedStart(rules, page)) return { kind: 'dropped', reason: 'notIncluded', failure: why }
  return {
    kind: 'failed',
    ...why,
    delivery: jobEvent(crawl, 'page', ports.clock.now(), { data: [missingPage(page.url)], error: message }),
  }
}

/** Maximum number of retries of a page. */
const maxRetries = 2
const firstPauseMs = 1000
/** Maximum pause before a retry: a site may request hours, but a crawl does not wait that long for one page. */
const longestPauseMs = 60_000

/** Temporary errors of the site or the network, not of the page. */
const transientCodes = new Set(['SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_TIMEOUT'])

type Retry = Extract<PageOutcome, { kind: 'retry' }>
type VisitAnswer = AppError | Pick<PageResponse, 'status' | 'headers'>

/** Returns the retry of a page, with its time in ms since the epoch; undefined if the answer is final. */
function retryOf(clock: Clock, retries: number, answer: VisitAnswer): Retry | undefined {
  if (retries >= maxRetries || !isTransient(answer)) return undefined
  const requestedMs = answer instanceof AppError ? undefined : retryAfterMs(answer.headers['retry-after'], clock.now())
  const usualMs = firstPauseMs * 4 ** retries
  const at = clock.now() + Math.min(requestedMs ?? usualMs, longestPauseMs)
  return { kind: 'retry', at, scope: isHostWide(answer, requestedMs) ? 'host' : 'page' }
}

/** 429 and Retry-After apply to the whole host; an error of one page does not. */
const isHostWide = (answer: VisitAnswer, requestedMs: number | undefined): boolean =>
  !(answer instanceof AppError) && (answer.status === 429 || requestedMs !== undefined)

const isTransient = (answer: VisitAnswer): boolean =>
  answer instanceof AppError ? transientCodes.has(answer.code) : answer.status === 429 || answer.status === 503
