import type { Crawl, CrawlKind, ManyPages, NewCrawl } from '../../contracts/crawl-ports.ts'
import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { fail } from '../../kernel/error.ts'
import type { BatchInput, CrawlInput } from '../../schema/crawl-schema.ts'
import type { PageOptions } from '../../schema/scrape/scrape-options.ts'
import { withoutCredentials } from '../net/http/canonical-url.ts'
import { withUrlCredentials } from '../net/http/request-headers.ts'
import { isZeroRetention, refuseRedaction, refuseRetention } from '../scrape/plan.ts'
import { crawlOptionsOf, originsOf } from './crawl-options.ts'
import { derive, type Derived } from './prompt/derive.ts'
import { isEphemeral, jobEvent, type JobRequest } from './runner/crawl-job.ts'
import { checkPatterns } from './scope/path-patterns.ts'
import { hostKey } from './scope/key.ts'
import { webUrlIn } from '../../schema/common-fields.ts'
import { inTurns } from '../../util/async.ts'

/** URLs checked per turn of the event loop. Invalid URLs take longest: a few milliseconds per turn. */
const urlsATurn = 500
const maxListed = 20

/**
 * Splits URLs into valid and invalid ones. Fails with BAD_REQUEST if no URL is valid, or if some are invalid and must
 * not be ignored.
 */
export async function checkUrls(
  urls: readonly string[],
  { ignoreInvalidURLs }: { ignoreInvalidURLs: boolean },
): Promise<{ valid: string[]; invalidURLs: string[] }> {
  const valid: string[] = []
  const invalidAt: number[] = []
  let index = 0
  for await (const some of inTurns(urls, urlsATurn))
    for (const url of some) {
      const page = webUrlIn(url)
      if (page === undefined) invalidAt.push(index)
      else valid.push(page)
      index += 1
    }
  const invalidURLs = invalidAt.map((at) => urls[at] ?? '')
  if (valid.length === 0 || (invalidURLs.length > 0 && !ignoreInvalidURLs)) refuse(invalidAt)
  return { valid, invalidURLs }
}

const faultAt = (index: number) => ({ path: ['urls', index], message: 'Not an http or https URL.', code: 'custom' })

const refuse = (invalidAt: readonly number[]): never =>
  fail('BAD_REQUEST', { details: invalidAt.slice(0, maxListed).map(faultAt) })

/** Time for which an ephemeral crawl is kept. */
const hourMs = 3_600_000

type StartedJob = { id: string; url: string }

/** Context of the call that starts a crawl. */
export type Starter = Pick<Ctx, 'ports' | 'jobId' | 'team' | 'baseUrl' | 'warn' | 'signal' | 'startedAt' | 'progress'>

/**
 * Stores a crawl and wakes the crawler. Fetches nothing before it returns, unless rules alone do not understand its
 * prompt.
 * Fails with BAD_REQUEST for an invalid pattern.
 */
export async function startCrawl(options: CrawlInput, ctx: Starter) {
  const input = withHeaderCredentials(options)
  const { zeroDataRetention, scrapeOptions } = input
  refuseRetention({ zeroDataRetention, onlyCleanContent: scrapeOptions.onlyCleanContent })
  refuseRedaction(scrapeOptions.redactPII, ctx.ports.model.isSet())
  await checkPatterns(input)
  const derived = await derivedFrom(input, ctx)
  if (derived?.warning !== undefined) ctx.warn(derived.warning)
  const finalOptions = crawlOptionsOf(input, derived?.options)
  const request: JobRequest = {
    options: finalOptions,
    origins: originsOf(input, derived?.options, derived?.reasons),
    page: input.scrapeOptions,
    webhook: input.webhook,
    zeroDataRetention,
  }
  const limits = { pageLimit: finalOptions.limit, delayMs: (finalOptions.delay ?? 0) * 1000, isSeeded: false }
  const crawl = await newCrawl({ ...input, target: input.url, kind: 'crawl' }, limits, request, ctx)
  await start(crawl, [], ctx)
  return {
    id: crawl.id,
    url: `${ctx.baseUrl}/v2/crawl/${crawl.id}`,
    ...(derived && {
      promptGeneratedOptions: derived.options,
      promptReasons: derived.reasons,
      finalCrawlerOptions: finalOptions,
    }),
  }
}

/** Moves `user:password@` of the start URL into a header, so every page of the site is requested with it. */
function withHeaderCredentials(input: CrawlInput): CrawlInput {
  const parsed = new URL(input.url)
  if (parsed.username === '' && parsed.password === '') return input
  const { url, headers } = withUrlCredentials(parsed, input.scrapeOptions.headers ?? {})
  return { ...input, url: url.href, scrapeOptions: { ...input.scrapeOptions, headers } }
}

/**
 * Derives options from the prompt; undefined without a prompt. Its patterns are for paths, so they cannot be used for
 * full URLs.
 */
async function derivedFrom(input: CrawlInput, ctx: Starter): Promise<Derived | undefined> {
  const { url, prompt = '', scrapeOptions, zeroDataRetention } = input
  if (prompt.trim() === '') return undefined
  const { headers, location, lockdown } = scrapeOptions
  const prompted = { url, prompt, headers, location, isZeroRetention: isZeroRetention({ zeroDataRetention, lockdown }) }
  const derived = await derive(ctx.ports, prompted, ctx)
  const { includePaths, excludePaths, ...options } = derived.options
  if (!input.regexOnFullURL || (!includePaths && !excludePaths)) return derived
  ctx.warn('With regexOnFullURL the paths of the prompt are not used: give includePaths and excludePaths yourself.')
  const { includePaths: _, excludePaths: __, ...reasons } = derived.reasons
  return { ...derived, options, reasons }
}

/** Stores a batch and wakes the crawler, or appends to a running batch. Fails with BAD_REQUEST if no URL is valid. */
export async function startBatch(input: BatchInput, ctx: Ctx): Promise<StartedJob & { invalidURLs?: string[] }> {
  const { zeroDataRetention, onlyCleanContent, redactPII } = input
  refuseRetention({ zeroDataRetention, onlyCleanContent })
  refuseRedaction(redactPII, ctx.ports.model.isSet())
  const { valid, invalidURLs } = await checkUrls(input.urls, input)
  const skipped = input.ignoreInvalidURLs ? { invalidURLs } : {}
  if (input.appendToId !== undefined) return { ...(await append(input.appendToId, valid, ctx)), ...skipped }
  const request: JobRequest = {
    options: null,
    page: batchPageOptions(input),
    webhook: input.webhook,
    zeroDataRetention: input.zeroDataRetention,
  }
  const job = { ...input, target: valid[0] ?? '', kind: 'batch_scrape' } as const
  const limits = { pageLimit: valid.length, delayMs: 0, isSeeded: true }
  const crawl = await newCrawl(job, limits, request, ctx)
  await start(crawl, givenPages(valid, crawl.id), ctx)
  return { ...batchHandle(crawl.id, ctx), ...skipped }
}

/** Extracts the page options from the options of a batch. */
function batchPageOptions(input: BatchInput): PageOptions {
  const { urls: _u, appendToId: _a, ignoreInvalidURLs: _i, maxConcurrency: _m, webhook: _w, ...rest } = input
  const { zeroDataRetention: _z, origin: _o, integration: _n, wait: _t, ...options } = rest
  return options
}

async function append(id: string, urls: readonly string[], ctx: Ctx): Promise<StartedJob> {
  const { kind } = await authorizeCrawl(ctx.ports, id, ctx, 'batch_scrape')
  if (kind !== 'batch_scrape') fail('JOB_NOT_FOUND', { details: { id } })
  if (!(await ctx.ports.crawls.append(id, givenPages(urls, ctx.jobId)))) fail('JOB_IS_OVER', { details: { id } })
  ctx.ports.crawler.wake()
  return batchHandle(id, ctx)
}

const batchHandle = (id: string, { baseUrl }: Ctx): StartedJob => ({ id, url: `${baseUrl}/v2/batch/scrape/${id}` })

async function start(crawl: NewCrawl, pages: ManyPages, { ports }: Pick<Ctx, 'ports'>): Promise<void> {
  await ports.crawls.start(crawl, pages, jobEvent(crawl, 'started', crawl.createdAt))
  ports.crawler.wake()
}

type JobInput = Pick<CrawlInput, 'maxConcurrency'> & Pick<NewCrawl, 'target' | 'kind'>

async function newCrawl(
  { target, kind, maxConcurrency }: JobInput,
  limits: Pick<NewCrawl, 'pageLimit' | 'delayMs' | 'isSeeded'>,
  request: JobRequest,
  { ports, jobId, team }: Starter,
): Promise<NewCrawl> {
  const { maxConcurrency: most } = await ports.account.limitsOf(team.id)
  const createdAt = ports.clock.now()
  const isInMemory = isEphemeral(request)
  const keptMs = isInMemory ? hourMs : ports.account.jobRetentionMs
  return {
    id: jobId,
    teamId: team.id,
    keyName: team.key,
    kind,
    target: withoutCredentials(target),
    createdAt,
    expiresAt: createdAt + keptMs,
    request,
    ...limits,
    maxConcurrency: limits.delayMs > 0 ? 1 : Math.min(maxConcurrency ?? most, most),
    isEphemeral: isInMemory,
    warnings: [],
  }
}

/** Creates the pages of a batch. A URL that is given twice is scraped twice. */
const givenPages = (urls: readonly string[], prefix: string): ManyPages => ({
  length: urls.length,
  *[Symbol.iterator]() {
    for (const [at, url] of urls.entries())
      yield { url, key: `${prefix} ${at}`, host: hostKey(url), depth: 0, source: 'given' }
  },
})

type Caller = Pick<Ctx, 'team'>

/**
 * Returns the job if it belongs to the caller's team. Fails with JOB_NOT_FOUND (including expired jobs) or
 * JOB_OF_OTHER_TEAM.
 */
export const authorizeCrawl = async (
  { crawls }: Pick<Ports, 'crawls'>,
  id: string,
  caller: Caller,
  kind?: CrawlKind,
): Promise<Crawl> => requireOwn(await crawls.find(id), { id, kind }, caller)

/** Same as `authorizeCrawl`, for a job that was already read from the store. */
export function requireOwn(
  crawl: Crawl | undefined,
  { id, kind }: { id: string; kind?: CrawlKind | undefined },
  { team }: Caller,
): Crawl {
  if (!crawl || (kind !== undefined && crawl.kind !== kind)) return fail('JOB_NOT_FOUND', { details: { id } })
  if (crawl.teamId !== team.id) return fail('JOB_OF_OTHER_TEAM', { details: { id } })
  return crawl
}
