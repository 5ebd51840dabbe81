import type { Ports } from '../../contracts/ports.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { toAppError } from '../../kernel/error.ts'
import type { Document } from '../../schema/scrape/document.ts'
import type { PageOptions, ScrapeInput } from '../../schema/scrape/options.ts'
import type { NewsResult, SearchData, SearchInput, WebResult } from '../../schema/search.ts'
import { WebUrl } from '../../schema/url.ts'
import { DeadlineError, withDeadline } from '../../util/deadline.ts'
import { keepsNothing, replayable } from '../scrape/plan.ts'
import { scrapeRequest } from '../scrape/request.ts'
import { scrape, type ScrapePorts } from '../scrape/scrape.ts'

export type ScrapeResultsPorts = ScrapePorts & Pick<Ports, 'jobs' | 'account'>
type Call = Pick<Ctx, 'team' | 'startedAt' | 'signal' | 'progress' | 'warn'>
type Result = WebResult | NewsResult

/** The last of the time is left for the answer. */
const reservedMs = 500

/** Scrapes the web and news results side by side. A page that cannot be had keeps its result and says why in `metadata.error`. */
export async function scrapeResults(
  ports: ScrapeResultsPorts,
  { scrapeOptions: options, timeout, ignoreInvalidURLs, enterprise }: SearchInput,
  data: SearchData,
  call: Call,
): Promise<{ data: SearchData; credits: number }> {
  if (!options) return { data, credits: 0 }
  const total = (data.web ?? []).length + (data.news ?? []).length
  const state = { credits: 0, done: 0 }
  const endsAt = call.startedAt + timeout - reservedMs
  const scrapeOne = async <R extends Result>(result: R): Promise<R[]> => {
    const scraped = await documentOf(ports, result.url, { options, endsAt, keeps: !enterprise?.includes('zdr') }, call)
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

type Failed = { error: string; isInvalid: boolean }
/** A scrape of such an address fails whenever it is tried. */
const invalid: ReadonlySet<string> = new Set(['BAD_REQUEST', 'SCRAPE_ADDRESS_REFUSED', 'SCRAPE_UNSUPPORTED_FILE_ERROR'])

type Way = { options: PageOptions; endsAt: number; keeps: boolean }

/** One result as a scrape of its own, which can be read again by its scrapeId. It takes a turn among the team's scrapes. */
async function documentOf(
  ports: ScrapeResultsPorts,
  url: string,
  { options, endsAt, keeps }: Way,
  call: Call,
): Promise<{ document: Document } | Failed> {
  const startedAt = ports.clock.now()
  const timeout = Math.max(1, Math.min(options.timeout, endsAt - startedAt))
  const profile = options.profile && { ...options.profile, saveChanges: false }
  const input: ScrapeInput = {
    ...options,
    url,
    timeout,
    profile,
    zeroDataRetention: !keeps,
    origin: undefined,
    integration: undefined,
  }
  if (!WebUrl.safeParse(url).success)
    return { error: 'This is no http or https URL that can be scraped.', isInvalid: true }
  const within = AbortSignal.any([call.signal, AbortSignal.timeout(timeout)])
  const jobId = crypto.randomUUID()
  const leave = await ports.account.enter(call.team.id, within).catch(() => undefined)
  if (!leave) return { error: 'There was no time left to scrape this page.', isInvalid: false }
  try {
    const ms = Math.max(0, startedAt + timeout - ports.clock.now())
    const scrapeCall = { team: call.team, jobId, startedAt, queuedMs: 0, progress: () => {} }
    const { document } = await withDeadline({ step: 'scrape a result', ms }, call.signal, (signal) =>
      scrape(ports, scrapeRequest(input, { ...scrapeCall, signal })),
    )
    if (!keepsNothing(input)) await record(ports, { jobId, input, startedAt, document }, call)
    return { document }
  } catch (thrown) {
    const { code, message } = toAppError(thrown)
    if (thrown instanceof DeadlineError || within.aborted)
      return { error: 'The page did not come in time.', isInvalid: false }
    return { error: `${code}: ${message}`, isInvalid: invalid.has(code) }
  } finally {
    leave()
  }
}

type Scraped = { jobId: string; input: ScrapeInput; startedAt: number; document: Document }

/** Its credits are part of the search's, so that it costs nothing by itself. */
async function record({ jobs }: Pick<Ports, 'jobs'>, { jobId, input, startedAt, document }: Scraped, call: Call) {
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
    .catch(() => call.warn('A scraped result could not be recorded, so it cannot be read again by its id.'))
}
