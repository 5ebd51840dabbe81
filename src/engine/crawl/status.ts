import type { Crawl, CrawlKind, SkipReason } from '../../contracts/crawl-ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail, failure } from '../../kernel/error.ts'
import type { JobErrors, JobStatus, StatusInput } from '../../schema/crawl-schema.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { StoredJson } from '../../util/json.ts'
import { withoutSecrets } from '../net/http/request-headers.ts'
import { maxUrlLength } from './scope/crawl-scope.ts'
import { authorizeCrawl, requireOwn } from './start-crawl.ts'
import { isEphemeral, jobEvent, requestOf, startTrouble } from './runner/crawl-job.ts'

/** Maximum size of a response (spec: GET /v2/crawl/{id}). */
const maxAnswerBytes = 10 * 1024 * 1024

const iso = (ms: number) => new Date(ms).toISOString()

/** Returns the progress of a job and a page of its results. Resumes the job if no worker holds it. */
export async function statusOf({ id, skip, limit }: StatusInput, ctx: Ctx, kind?: CrawlKind): Promise<JobStatus> {
  const { crawls, crawler, storage } = ctx.ports
  const found = await crawls.progress(id, { skip, limit, maxBytes: maxAnswerBytes })
  const crawl = requireOwn(found?.crawl, { id, kind }, ctx)
  markUnkept(crawl, ctx)
  const data = dataOf(found?.documents ?? [], ctx)
  const counts = found?.skipped ?? {}
  const isOver = crawl.status !== 'scraping'
  if (!isOver) crawler.wake(id)
  const isStuck = !isOver && (await storage.isFull())
  const end = skip + data.length
  const hasNext = !isOver || end < crawl.counts.done
  return {
    status: crawl.status,
    completed: crawl.counts.done,
    failed: crawl.counts.failed,
    total: totalOf(crawl),
    creditsUsed: crawl.credits,
    createdAt: iso(crawl.createdAt),
    expiresAt: iso(crawl.expiresAt),
    ...endOf(crawl),
    ...(hasNext && { next: nextOf(crawl, { skip: end, limit }, ctx) }),
    data,
    ...(Object.keys(counts).length > 0 && { skipped: counts }),
    ...(crawl.error && { error: `${crawl.error.code}: ${crawl.error.message}` }),
    ...warningOf([...(isStuck ? [noRoom] : []), ...notesOf(crawl, counts)]),
  }
}

/** Returns documents as stored JSON if the caller accepts that, otherwise parsed. */
const dataOf = (documents: readonly StoredJson[], { takesStored }: Ctx) =>
  (takesStored ? documents : documents.map((stored) => stored.read())) as Document[]

const endOf = ({ completedAt, createdAt }: Crawl) =>
  completedAt !== null && {
    completedAt: iso(completedAt),
    // The clock may have been set back.
    duration: Math.max(0, completedAt - createdAt) / 1000,
  }

/** Keeps the response of an ephemeral job out of records. */
function markUnkept(crawl: Crawl, { keepNothing }: Ctx): void {
  if (isEphemeral(requestOf(crawl))) keepNothing?.()
}

/** Returns the number of pages that count; waiting pages count only up to the page limit. */
function totalOf({ counts, pageLimit }: Pick<Crawl, 'counts' | 'pageLimit'>): number {
  const started = counts.done + counts.failed + counts.active
  return started + Math.max(0, Math.min(counts.waiting, pageLimit - started))
}

const paths: Record<CrawlKind, string> = { crawl: 'crawl', batch_scrape: 'batch/scrape' }

function nextOf({ kind, id }: Crawl, { skip, limit }: { skip: number; limit: number }, { baseUrl }: Ctx): string {
  return `${baseUrl}/v2/${paths[kind]}/${id}?skip=${skip}&limit=${limit}`
}

const noRoom = 'STORAGE_FULL: The disk of the data folder is full. The job continues once there is room.'

const warningOf = (notes: readonly string[]) => (notes.length > 0 ? { warning: notes.join(' ') } : {})

const notesOf = (crawl: Crawl, skipped: Partial<Record<SkipReason, number>>): string[] => [
  ...crawl.warnings,
  ...robotsNote(skipped),
  ...fewPagesNote(crawl, skipped),
]

const robotsNote = ({ robots = 0 }: Partial<Record<SkipReason, number>>) =>
  robots === 0
    ? []
    : [`robots.txt forbids ${robots === 1 ? 'one address' : `${robots} addresses`}; the errors of the crawl list them.`]

const isStartTrouble = (warning: string) => Object.values(startTrouble).some((start) => warning.startsWith(start))

/** Explains why a crawl found at most one page. */
function fewPagesNote(crawl: Crawl, skipped: Partial<Record<SkipReason, number>>): string[] {
  const { options } = requestOf(crawl)
  if (crawl.status !== 'completed' || !options || crawl.counts.done > 1 || crawl.pageLimit === 1) return []
  if (crawl.warnings.some(isStartTrouble)) return []
  const note = skippedNote(skipped)
  const why = note && ` ${note}`
  const isBelow = (URL.parse(options.url)?.pathname ?? '/') !== '/' && !options.crawlEntireDomain
  const hint = isBelow
    ? ' Only pages below the path of the start URL are taken; set crawlEntireDomain for the others.'
    : ''
  const count = crawl.counts.done === 0 ? 'No page was' : 'Only one page was'
  return [`${count} found.${why}${hint}`]
}

const skippedWords: Record<SkipReason, string> = {
  outOfScope: 'out of scope',
  excluded: 'excluded by excludePaths',
  notIncluded: 'not in includePaths',
  robots: 'forbidden by robots.txt',
  duplicate: 'of pages already read',
  depth: 'too deep',
  limit: 'over the limit',
  type: 'of a type that is not read',
  trap: `in a crawler trap or longer than ${maxUrlLength} characters`,
  invalid: 'not http or https',
}

/** Lists the numbers of skipped URLs by reason, in words; empty if none were skipped. Unknown reasons are kept as is. */
export const skippedCounts = (skipped: readonly (readonly [reason: string, count: number])[]): string =>
  skipped.map(([reason, count]) => `${count} ${skippedWords[reason as SkipReason] ?? reason}`).join(', ')

/** Returns the numbers of skipped URLs as a sentence; empty if none were skipped. */
export function skippedNote(skipped: Readonly<Record<string, number>>): string {
  const counts = skippedCounts(Object.entries(skipped))
  return counts === '' ? '' : `URLs skipped: ${counts}.`
}

/** Returns the failed and skipped pages of a job, and webhook events that could not be delivered. */
export async function errorsOf({ id }: { id: string }, ctx: Ctx, kind?: CrawlKind): Promise<JobErrors> {
  const { crawls, deliveries } = ctx.ports
  const crawl = await authorizeCrawl(ctx.ports, id, ctx, kind)
  const [failures, skipped, givenUp] = await Promise.all([
    crawls.failures(id),
    crawls.skipped(id),
    deliveries.abandoned(id),
  ])
  const { webhook } = requestOf(crawl)
  return {
    errors: [
      ...failures.map(({ id: page, url, at, code, message, attempts }) => ({
        id: page,
        timestamp: iso(at),
        url,
        code,
        error: message,
        ...(attempts && { attempts }),
      })),
      ...givenUp.map(({ id: webhookId, type, at, why }) => ({
        id: webhookId,
        timestamp: iso(at),
        url: webhook?.url ?? '',
        code: 'WEBHOOK_GIVEN_UP',
        error: `The event ${type} could not be delivered: ${why}`,
      })),
    ],
    robotsBlocked: skipped.robots,
    ...denialOf(crawl, skipped.robots),
    skipped: { ...skipped.counts },
  }
}

/** Warns with CRAWL_DENIAL if robots.txt forbids the start URL itself. */
function denialOf(crawl: Crawl, blocked: readonly string[]): Pick<JobErrors, 'warning'> {
  const url = requestOf(crawl).options?.url
  if (url === undefined || !blocked.includes(url)) return {}
  const { code, message } = failure('CRAWL_DENIAL')
  return { warning: `${code}: ${message}` }
}

/** Cancels a job; its results are kept. Fails with JOB_IS_OVER. */
export async function cancelJob({ id }: { id: string }, ctx: Ctx, kind?: CrawlKind): Promise<{ status: 'cancelled' }> {
  const crawl = await authorizeCrawl(ctx.ports, id, ctx, kind)
  const event = jobEvent(crawl, 'cancelled', ctx.ports.clock.now())
  if (!(await ctx.ports.crawls.cancel(id, event))) fail('JOB_IS_OVER', { details: { id } })
  ctx.ports.crawler.wake()
  return { status: 'cancelled' }
}

/** Returns the team's running crawls. */
export async function activeCrawls(ctx: Ctx) {
  const crawls = await ctx.ports.crawls.running(ctx.team.id)
  return crawls
    .filter(({ kind }) => kind === 'crawl')
    .map((crawl) => {
      const { options, page } = requestOf(crawl)
      return {
        id: crawl.id,
        teamId: crawl.teamId,
        url: crawl.target,
        created_at: iso(crawl.createdAt),
        options: {
          ...options,
          url: crawl.target,
          scrapeOptions: { ...page, ...(page.headers && { headers: withoutSecrets(page.headers) }) },
        },
      }
    })
}
