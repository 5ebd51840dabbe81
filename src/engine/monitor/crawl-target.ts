import { setTimeout as sleep } from 'node:timers/promises'
import type { Crawl } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Document } from '../../schema/scrape/document.ts'
import { startCrawl, type Starter } from '../crawl/start-crawl.ts'
import { cacheUrl, withoutCredentials } from '../net/http/canonical-url.ts'
import { callOf, type WorkflowRun } from '../workflow/run-workflow.ts'
import { type CheckRequest, type CheckTarget, crawlInputOf, tagOf, watchedOptions } from './monitor-settings.ts'
import type { CheckedPage } from '../../schema/monitor-schema.ts'
import { isRecord } from '../../util/json.ts'

type CrawlTarget = Extract<CheckTarget, { type: 'crawl' }>
/** Credits of a crawl are charged by itself. `isWhole`: nothing was left out for the sake of a limit. */
type Crawled = { pages: SeenPage[]; credits: number; isWhole: boolean }

const pollMs = 250
const pagesAtOnce = 50
const bytesAtOnce = 10 * 1024 * 1024

/** Starts a crawl, waits for it, and reads what its pages say. A process that takes over finds the same crawl. */
export async function checkCrawl(ports: Ports, target: CrawlTarget, workflow: WorkflowRun): Promise<Crawled> {
  await workflow.step(`crawl ${target.id}`, async () => {
    if (!(await ports.crawls.find(target.crawlId))) await begin(ports, target, workflow)
    return { value: null, credits: 0 }
  })
  const crawl = await ended(ports, target, workflow)
  const { monitorId } = workflow.request as CheckRequest
  const pages = await pagesOf(ports, crawl, target, monitorId)
  if (crawl.error) pages.push(unreadPage(`${crawl.error.code}: ${crawl.error.message}`, placeOf(crawl, target)))
  const isWhole = crawl.status === 'completed' && crawl.counts.done + crawl.counts.failed < crawl.pageLimit
  return { pages, credits: crawl.credits, isWhole }
}

async function begin(ports: Ports, target: CrawlTarget, workflow: WorkflowRun): Promise<void> {
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
  })
}

async function ended(ports: Ports, { crawlId }: CrawlTarget, workflow: WorkflowRun): Promise<Crawl> {
  for (;;) {
    const crawl = await ports.crawls.find(crawlId)
    if (!crawl) throw new Error('The crawl of the check is gone.')
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
    const found = await ports.crawls.progress(crawl.id, window)
    const documents = (found?.documents ?? []).map((stored) => stored.read() as Document)
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

/** A page of a check, before it is known what the check before said of it. */
export type SeenPage = Omit<CheckedPage, 'previousScrapeId' | 'isTold'>
type Where = Pick<CheckedPage, 'targetId' | 'url' | 'createdAt'>

const maxDiffChars = 100_000

/** What a scrape with changeTracking says of a page; `json` is the data it was compared with. */
export function seenPage(
  { changeTracking, metadata, warning }: Document,
  json: object | undefined,
  where: Where,
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

type Tracked = Partial<NonNullable<Document['changeTracking']>>

/** A page that could not be read. */
export const unreadPage = (error: string, where: Where, id: string = crypto.randomUUID()): SeenPage => ({
  ...where,
  id,
  status: 'error',
  currentScrapeId: null,
  statusCode: null,
  error,
  diff: null,
  snapshot: null,
})

/** Fields that changed say more than the structure of the text. What is too long to be kept with every check is cut. */
function diffOf({ diff, json: fields }: Tracked): CheckedPage['diff'] {
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
    : `${text.slice(0, maxDiffChars).toWellFormed()}\n[The rest of the diff was not kept.]\n`
