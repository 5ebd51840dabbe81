import type { Ports } from '../../contracts/ports.ts'
import { failure, toAppError } from '../../kernel/error.ts'
import {
  type CheckedPage,
  type Condition,
  maxPages,
  type PageStatus,
  searchWindows,
} from '../../schema/monitor-schema.ts'
import { SearchInput } from '../../schema/search-schema.ts'
import { monthStart } from '../../contracts/account-ports.ts'
import { callOf, stepEach, type WorkflowDefinition, type WorkflowRun } from '../workflow/run-workflow.ts'
import { checkEvents, type CheckProgress, summaryOf } from './manage.ts'
import {
  type CheckRequest,
  type CheckResult,
  type CheckTarget,
  crawlInputOf,
  firstUrl,
  type StoredTarget,
  tagOf,
  watchedOptions,
} from './monitor-settings.ts'
import { isRecord } from '../../util/json.ts'
import type { Crawl, Snapshots } from '../../contracts/crawl-ports.ts'
import { pageInput } from '../crawl/runner/crawl-job.ts'
import { cacheUrl, withoutCredentials } from '../net/http/canonical-url.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'
import { search } from '../search/search.ts'
import { rethrowPause } from '../store/store.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Document } from '../../schema/scrape/document.ts'
import { startCrawl, type Starter } from '../crawl/start-crawl.ts'

type ScrapeTargetPorts = ScrapePorts & Pick<Ports, 'account' | 'jobs'>
type ScrapeTarget = StoredTarget & { urls: readonly string[] }
type SearchTarget = Extract<CheckTarget, { type: 'search' }>
type SnapshotArguments = Parameters<Snapshots['keep']>

/** Scrapes each page of a target in its own step, at the usual price. */
export async function checkPages(
  ports: ScrapeTargetPorts,
  target: ScrapeTarget,
  workflow: WorkflowRun,
): Promise<SeenPage[]> {
  const results = await stepEach(ports, workflow, [...new Set(target.urls)], {
    name: (url) => `${target.id} ${url}`,
    do: (url) => scrapePage(ports, target, url, workflow),
  })
  for (const { snapshots } of results) for (const snapshot of snapshots) await ports.snapshots.keep(...snapshot)
  return results.map(({ page }) => page)
}

/**
 * Scrapes a page and returns its snapshots, which the caller stores once the comparison is recorded. If they were
 * stored earlier and the process died in between, the next process would find no change.
 */
async function scrapePage(
  ports: ScrapeTargetPorts,
  target: ScrapeTarget,
  url: string,
  workflow: WorkflowRun,
): Promise<{ value: { page: SeenPage; snapshots: readonly SnapshotArguments[] }; credits: number }> {
  const snapshots: SnapshotArguments[] = []
  const { last } = ports.snapshots
  const collecting = {
    ...ports,
    snapshots: { last, keep: async (...snapshot: SnapshotArguments) => void snapshots.push(snapshot) },
  }
  const { monitorId } = workflow.request as CheckRequest
  const page = watchedOptions(target, monitorId)
  const input = pageInput({ options: null, page, webhook: undefined, zeroDataRetention: false }, url)
  const call = callOf(ports.clock, workflow)
  const where = { targetId: target.id, url: withoutCredentials(url), createdAt: new Date(call.startedAt).toISOString() }
  const record = { id: call.jobId, teamId: workflow.teamId, keyName: workflow.keyName, endpoint: 'scrape' }
  // The step charges the credits.
  const job = { ...record, target: where.url, createdAt: call.startedAt, replay: null, credits: 0, isPart: true }
  try {
    const { document } = await scrape(collecting, scrapeRequest(input, call))
    await ports.jobs.record({ ...job, status: 'completed', errorCode: null, result: { data: document } })
    const json = snapshots.at(-1)?.[3].json
    const value = { page: seenPage(document, json, where), snapshots }
    return { value, credits: document.metadata.creditsUsed }
  } catch (thrown) {
    rethrowPause(thrown, workflow)
    const { code, message } = toAppError(thrown)
    await ports.jobs.record({ ...job, status: 'failed', errorCode: code, result: null })
    return { value: { page: unreadPage(`${code}: ${message}`, where, call.jobId), snapshots: [] }, credits: 0 }
  }
}

/**
 * True if the page is reported. All pages of a first check are new, which is reported only if the condition has a field
 * or names the status.
 */
export function isReported(
  { status, snapshot }: Pick<CheckedPage, 'status' | 'snapshot'>,
  { status: wanted, field }: Condition,
  { isFirst }: { isFirst: boolean },
): boolean {
  const byDefault: PageStatus[] = isFirst && !field ? ['error'] : ['new', 'changed', 'removed', 'error']
  if (!(wanted ?? byDefault).includes(status)) return false
  return field === undefined || (snapshot !== null && isMet(field, snapshot.json))
}

function isMet({ path, is, value: wanted }: NonNullable<Condition['field']>, json: object): boolean {
  const value = valueAt(json, path)
  if (value === undefined) return false
  if (is === 'contains') return Array.isArray(value) ? value.includes(wanted) : String(value).includes(String(wanted))
  const [one, other] = [amountOf(value), amountOf(wanted)]
  const areAmounts = one !== undefined && other !== undefined
  if (is === '=' || is === '!=') return (areAmounts ? one === other : value === wanted) === (is === '=')
  if (!areAmounts) return false
  return { '<': one < other, '<=': one <= other, '>': one > other, '>=': one >= other }[is]
}

/** Returns a value as a number, because pages often contain numbers as text; undefined if it is not a number. */
function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const amount = Number(value)
  return Number.isNaN(amount) ? undefined : amount
}

/** Returns the value at a path such as `offers[0].price`; undefined if there is none. */
function valueAt(json: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)]
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, json)
}

/** Defines a check: reads every target and compares each page with the previous check. */
export function monitorCheck(ports: Ports): WorkflowDefinition {
  return {
    run: (workflow) => recordedCheck(ports, workflow),
    events: (workflow, end) => checkEvents(workflow, end, ports.clock.now()),
  }
}

/** Runs the check, and records it as one job in the activity of the team. */
async function recordedCheck(ports: Ports, workflow: WorkflowRun): Promise<CheckResult> {
  const { id, teamId, keyName, createdAt } = workflow
  const target = withoutCredentials(firstUrl((workflow.request as CheckRequest).targets))
  const row = { id, teamId, keyName, createdAt, endpoint: 'monitor', target, result: null, replay: null, credits: 0 }
  try {
    const result = await check(ports, workflow)
    await ports.jobs.record({ ...row, status: 'completed', errorCode: null })
    return result
  } catch (thrown) {
    rethrowPause(thrown, workflow)
    await ports.jobs.record({ ...row, status: 'failed', errorCode: toAppError(thrown).code })
    throw thrown
  }
}

async function check(ports: Ports, workflow: WorkflowRun): Promise<CheckResult> {
  const { monitorId, targets, condition } = workflow.request as CheckRequest
  await workflow.step('credits', async () => {
    await requireCredits(ports, workflow)
    return { value: null, credits: 0 }
  })
  const before = await pagesBefore(ports, monitorId)
  const results: TargetPages[] = []
  for (const target of targets) results.push(await checkTarget(ports, target, before ?? [], workflow))
  const pages = results
    .flatMap(({ pages: seen }) => seen)
    .map((page) => ({ ...page, isReported: isReported(page, condition ?? {}, { isFirst: before === undefined }) }))
  const summary = summaryOf(pages)
  const crawlCredits = results.reduce((sum, { credits }) => sum + credits, 0)
  const progress: CheckProgress = { completed: pages.length, total: pages.length, summary, crawlCredits }
  await workflow.report(progress)
  return { pages, targetResults: targets.map((target, index) => targetResult(target, results[index]?.pages.length)) }
}

const targetResult = ({ id, type, crawlId }: CheckTarget, resultCount = 0) => ({
  targetId: id,
  type,
  ...(type === 'crawl' && { crawlId }),
  ...(type === 'search' && { searchCompleted: true, resultCount }),
})

/** Searches in one step, so that a process that resumes the check reads the same pages. Fails as a search does. */
async function searchUrls(ports: Ports, target: SearchTarget, workflow: WorkflowRun): Promise<string[]> {
  const { id, queries, searchWindow, includeDomains, excludeDomains, maxResults: limit } = target
  return workflow.step(`search ${id}`, async () => {
    const urls: string[] = []
    let credits = 0
    for (const query of queries) {
      const tbs = searchWindow && searchWindows[searchWindow]
      const input = SearchInput.parse({ query, limit, tbs, includeDomains, excludeDomains, ignoreInvalidURLs: true })
      const { data, creditsUsed } = await search(ports, input, callOf(ports.clock, workflow))
      urls.push(...(data.web ?? []).map(({ url }) => url))
      credits += creditsUsed
    }
    return { value: urls.slice(0, maxPages), credits }
  })
}

async function requireCredits({ account, usage, clock }: Ports, { teamId }: WorkflowRun): Promise<void> {
  const { monthlyCredits } = await account.limitsOf(teamId)
  if (monthlyCredits === undefined) return
  const used = await usage.since(teamId, monthStart(clock.now()))
  if (used >= monthlyCredits) throw failure('INSUFFICIENT_CREDITS')
}

/** Returns the pages of the last completed check; undefined if there is none. */
async function pagesBefore({ monitors, workflows }: Ports, monitorId: string): Promise<CheckedPage[] | undefined> {
  const last = (await monitors.checks(monitorId)).find(({ status }) => status === 'completed')
  const workflow = last && (await workflows.find(last.id))
  return (workflow?.result as CheckResult | null | undefined)?.pages
}

type TargetPages = { pages: Omit<CheckedPage, 'isReported'>[]; credits: number }

async function checkTarget(
  ports: Ports,
  target: CheckTarget,
  before: readonly CheckedPage[],
  workflow: WorkflowRun,
): Promise<TargetPages> {
  const known = new Map(before.flatMap((page) => (page.targetId === target.id ? [[page.url, page] as const] : [])))
  const linked = (page: SeenPage) => ({ ...page, previousScrapeId: known.get(page.url)?.currentScrapeId ?? null })
  if (target.type !== 'crawl') {
    const urls = target.type === 'search' ? await searchUrls(ports, target, workflow) : target.urls
    return { pages: (await checkPages(ports, { ...target, urls }, workflow)).map(linked), credits: 0 }
  }
  const { pages, credits, isWhole } = await checkCrawl(ports, target, workflow)
  const seen = new Set(pages.map(({ url }) => url))
  const gone = isWhole ? [...known.values()].filter(({ url, status }) => !seen.has(url) && isPresent(status)) : []
  const createdAt = new Date(workflow.createdAt).toISOString()
  return { pages: [...pages.map(linked), ...gone.map((page) => removedPage(page, createdAt))], credits }
}

const isPresent = (status: CheckedPage['status']) => status !== 'removed' && status !== 'error'

/** Creates the entry for a page that the previous crawl found and this one did not. */
const removedPage = ({ targetId, url, currentScrapeId }: CheckedPage, createdAt: string): TargetPages['pages'][0] => ({
  id: crypto.randomUUID(),
  targetId,
  url,
  status: 'removed',
  previousScrapeId: currentScrapeId,
  currentScrapeId: null,
  statusCode: null,
  error: null,
  diff: null,
  snapshot: null,
  createdAt,
})

type CrawlTarget = Extract<CheckTarget, { type: 'crawl' }>
/** The crawl charges its own credits. `isWhole`: it completed with fewer pages than its page limit. */
type CrawlOutcome = { pages: SeenPage[]; credits: number; isWhole: boolean }

const pollMs = 250
const pagesAtOnce = 50
const bytesAtOnce = 10 * 1024 * 1024

/** Starts a crawl, waits for it and reads its results. A process that resumes the check continues the same crawl. */
async function checkCrawl(ports: Ports, target: CrawlTarget, workflow: WorkflowRun): Promise<CrawlOutcome> {
  await workflow.step(`crawl ${target.id}`, async () => {
    if (!(await ports.crawls.find(target.crawlId))) await startTargetCrawl(ports, target, workflow)
    return { value: null, credits: 0 }
  })
  const crawl = await waitForEnd(ports, target, workflow)
  const { monitorId } = workflow.request as CheckRequest
  const pages = await pagesOf(ports, crawl, target, monitorId)
  if (crawl.error) pages.push(unreadPage(`${crawl.error.code}: ${crawl.error.message}`, placeOf(crawl, target)))
  const isWhole = crawl.status === 'completed' && crawl.counts.done + crawl.counts.failed < crawl.pageLimit
  return { pages, credits: crawl.credits, isWhole }
}

async function startTargetCrawl(ports: Ports, target: CrawlTarget, workflow: WorkflowRun): Promise<void> {
  const { url, crawlId } = target
  const { monitorId } = workflow.request as CheckRequest
  const scrapeOptions = watchedOptions(target, monitorId)
  const call = { ...callOf(ports.clock, workflow), jobId: crawlId }
  const starter: Starter = { ...call, ports, baseUrl: '', warn: workflow.warn }
  const { input, warning } = await crawlInputOf(target)
  if (warning !== undefined) workflow.warn(warning)
  await startCrawl({ ...input, scrapeOptions }, starter)
  await ports.jobs.record({
    id: crawlId,
    teamId: workflow.teamId,
    keyName: workflow.keyName,
    endpoint: 'crawl',
    target: withoutCredentials(url),
    createdAt: call.startedAt,
    status: 'completed',
    errorCode: null,
    result: null,
    replay: null,
    credits: 0,
    isPart: true,
  })
}

async function waitForEnd(ports: Ports, { crawlId }: CrawlTarget, workflow: WorkflowRun): Promise<Crawl> {
  for (;;) {
    const crawl = await ports.crawls.find(crawlId)
    if (!crawl) throw new Error('The crawl of the check was deleted.')
    if (crawl.status !== 'scraping') return crawl
    ports.crawler.wake(crawlId)
    const { done, failed, active } = crawl.counts
    await workflow.report({ completed: done + failed, total: done + failed + active })
    await sleep(pollMs, undefined, { signal: workflow.signal })
  }
}

async function pagesOf(ports: Ports, crawl: Crawl, target: CrawlTarget, monitorId: string): Promise<SeenPage[]> {
  const pages: SeenPage[] = []
  const tag = tagOf(monitorId, target.id)
  const place = placeOf(crawl, target)
  for (let skip = 0; skip < crawl.counts.done;) {
    const window = { skip, limit: pagesAtOnce, maxBytes: bytesAtOnce }
    const progress = await ports.crawls.progress(crawl.id, window)
    const documents = (progress?.documents ?? []).map((stored) => stored.read() as Document)
    if (documents.length === 0) break
    skip += documents.length
    for (const document of documents) {
      const url = document.metadata.sourceURL
      const json = (await ports.snapshots.last(crawl.teamId, cacheUrl(url), tag))?.json
      pages.push(seenPage(document, json, { ...place, url }))
    }
  }
  const failures = await ports.crawls.failures(crawl.id)
  const failed = failures.map(({ id, url, code, message }) => unreadPage(`${code}: ${message}`, { ...place, url }, id))
  return [...pages, ...failed]
}

const placeOf = (crawl: Crawl, target: CrawlTarget) => ({
  targetId: target.id,
  url: crawl.target,
  createdAt: new Date(crawl.createdAt).toISOString(),
})

/** Page of a check before it is linked to the previous check. */
type SeenPage = Omit<CheckedPage, 'previousScrapeId' | 'isReported'>
type PagePlace = Pick<CheckedPage, 'targetId' | 'url' | 'createdAt'>

const maxDiffChars = 100_000

/** Converts a scrape with changeTracking; `json`: the extracted data that was compared. */
function seenPage(
  { changeTracking, metadata, warning }: Document,
  json: object | undefined,
  where: PagePlace,
): SeenPage {
  const { statusCode = null, scrapeId } = metadata
  const status = changeTracking?.changeStatus ?? 'error'
  return {
    ...where,
    id: scrapeId,
    status,
    currentScrapeId: scrapeId,
    statusCode,
    error: status === 'error' ? troubleOf(statusCode, warning) : null,
    diff: status === 'changed' ? diffOf(changeTracking ?? {}) : null,
    snapshot: isRecord(json) ? { json } : null,
  }
}

const troubleOf = (status: number | null, warning: string | undefined) =>
  status !== null && status >= 400
    ? `The page answered with status ${status}.`
    : (warning ?? 'The page could not be compared.')

/** Creates the entry for a page that could not be read. */
const unreadPage = (error: string, where: PagePlace, id: string = crypto.randomUUID()): SeenPage => ({
  ...where,
  id,
  status: 'error',
  currentScrapeId: null,
  statusCode: null,
  error,
  diff: null,
  snapshot: null,
})

/**
 * Returns the diff of a page. Text is cut to `maxDiffChars`, and longer JSON is left out. The JSON contains the changed
 * fields if fields were compared, otherwise the changed lines.
 */
function diffOf({ diff, json: fields }: Partial<NonNullable<Document['changeTracking']>>): CheckedPage['diff'] {
  const { text, json: lines } = isRecord(diff) ? diff : { text: diff, json: undefined }
  const json = isRecord(fields) ? fields : lines
  const isShort = JSON.stringify(json ?? {}).length <= maxDiffChars
  return {
    ...(typeof text === 'string' && { text: cut(text) }),
    ...(isRecord(json) && isShort && { json }),
  }
}

const cut = (text: string) =>
  text.length <= maxDiffChars
    ? text
    : `${text.slice(0, maxDiffChars).toWellFormed()}\n[The rest of the diff was not stored.]\n`
