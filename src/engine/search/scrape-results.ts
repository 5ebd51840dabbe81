import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { PageOptions, ScrapeInput } from '../../schema/scrape/scrape-options.ts'
import type { NewsResult, SearchData, SearchInput, WebResult } from '../../schema/search-schema.ts'
import { WebUrl } from '../../schema/common-fields.ts'
import { DeadlineError, withDeadline } from '../../util/async.ts'
import { keepsNothing, replayable } from '../scrape/plan.ts'
import { scrapeRequest } from '../scrape/scrape-request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'

export type ScrapeResultsPorts = ScrapePorts & Pick<Ports, 'jobs' | 'account'>
type CallContext = Pick<Ctx, 'team' | 'startedAt' | 'signal' | 'progress' | 'warn'>
type Result = WebResult | NewsResult

/** Reserved for building the response. */
const reservedMs = 500

/**
 * Scrapes the web and news results concurrently. A result that cannot be scraped is kept, with the reason in
 * `metadata.error`.
 */
export async function scrapeResults(
  ports: ScrapeResultsPorts,
  { scrapeOptions: options, timeout, ignoreInvalidURLs, enterprise }: SearchInput,
  data: SearchData,
  call: CallContext,
): Promise<{ data: SearchData; credits: number }> {
  if (!options) return { data, credits: 0 }
  const total = (data.web ?? []).length + (data.news ?? []).length
  const state = { credits: 0, done: 0 }
  const endsAt = call.startedAt + timeout - reservedMs
  const scrapeOne = async <R extends Result>(result: R): Promise<R[]> => {
    const scraped = await scrapeResult(
      ports,
      result.url,
      { options, endsAt, retention: enterprise?.includes('zdr') ? 'none' : 'usual' },
      call,
    )
    state.done += 1
    call.progress(state.done, total, result.url)
    if ('error' in scraped)
      return ignoreInvalidURLs && scraped.isInvalid
        ? []
        : [{ ...result, metadata: { sourceURL: result.url, error: scraped.error } }]
    state.credits += scraped.document.metadata.creditsUsed
    const { warning: _, ...fields } = scraped.document
    return [{ ...result, ...fields }]
  }
  const [web, news] = await Promise.all([
    data.web && Promise.all(data.web.map(scrapeOne)),
    data.news && Promise.all(data.news.map(scrapeOne)),
  ])
  return {
    data: { ...data, ...(web && { web: renumbered(web.flat()) }), ...(news && { news: renumbered(news.flat()) }) },
    credits: state.credits,
  }
}

const renumbered = <R extends Result>(results: readonly R[]): R[] =>
  results.map((result, index) => ({ ...result, position: index + 1 }))

type ScrapeFailure = { error: string; isInvalid: boolean }
/** Permanent errors: another scrape would fail too. */
const invalidUrlErrors: ReadonlySet<string> = new Set([
  'BAD_REQUEST',
  'SCRAPE_ADDRESS_REFUSED',
  'SCRAPE_UNSUPPORTED_FILE_ERROR',
])

type ResultScrapeOptions = { options: PageOptions; endsAt: number; retention: 'none' | 'usual' }

/**
 * Scrapes one result as a separate job, which can be read again by its scrapeId, within the team's concurrency limit.
 */
async function scrapeResult(
  ports: ScrapeResultsPorts,
  url: string,
  { options, endsAt, retention }: ResultScrapeOptions,
  call: CallContext,
): Promise<{ document: Document } | ScrapeFailure> {
  const startedAt = ports.clock.now()
  const timeout = Math.max(1, Math.min(options.timeout, endsAt - startedAt))
  const profile = options.profile && { ...options.profile, saveChanges: false }
  const input: ScrapeInput = {
    ...options,
    url,
    timeout,
    profile,
    zeroDataRetention: retention === 'none',
    origin: undefined,
    integration: undefined,
  }
  if (!WebUrl.safeParse(url).success) return { error: 'Not an http or https URL that can be scraped.', isInvalid: true }
  const within = AbortSignal.any([call.signal, AbortSignal.timeout(timeout)])
  const jobId = crypto.randomUUID()
  const release = await ports.account.enter(call.team.id, within).catch(() => undefined)
  if (!release) return { error: 'No time was left to scrape this page.', isInvalid: false }
  try {
    const ms = Math.max(0, startedAt + timeout - ports.clock.now())
    const scrapeCall = { team: call.team, jobId, startedAt, queuedMs: 0, progress: () => {} }
    const { document } = await withDeadline({ step: 'scrape a result', ms }, call.signal, (signal) =>
      scrape(ports, scrapeRequest(input, { ...scrapeCall, signal })),
    )
    if (!keepsNothing(input)) await recordScrape(ports, { jobId, input, startedAt, document }, call)
    return { document }
  } catch (thrown) {
    const { code, message } = toAppError(thrown)
    if (thrown instanceof DeadlineError || within.aborted)
      return { error: 'The page did not load in time.', isInvalid: false }
    return { error: `${code}: ${message}`, isInvalid: invalidUrlErrors.has(code) }
  } finally {
    release()
  }
}

type ScrapedResult = { jobId: string; input: ScrapeInput; startedAt: number; document: Document }

/** Records the job with 0 credits, because the search is charged for it. */
async function recordScrape(
  { jobs }: Pick<Ports, 'jobs'>,
  { jobId, input, startedAt, document }: ScrapedResult,
  call: CallContext,
) {
  await jobs
    .record({
      id: jobId,
      teamId: call.team.id,
      keyName: call.team.key,
      endpoint: 'scrape',
      target: input.url,
      createdAt: startedAt,
      status: 'completed',
      errorCode: null,
      result: { data: document },
      replay: replayable(input) ?? null,
      credits: 0,
    })
    .catch(() => call.warn('A scraped result could not be stored, so it cannot be read again by its id.'))
}
