import { createScope } from '../../crawl/scope/crawl-scope.ts'
import {
  type Diagnosis,
  type JobCase,
  type Outcome,
  type PageFacts,
  type Parameters,
  type Trial,
  type Validation,
  pageFacts,
} from './case.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kernel/ctx.ts'
import { AppError, toAppError } from '../../../kernel/error.ts'
import { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import { isZeroRetention } from '../../scrape/plan.ts'
import { scrapeRequest } from '../../scrape/scrape-request.ts'
import { scrape } from '../../scrape/scrape.ts'

/** Resources for the tests of one question. `scrapes`: their number so far. */
export type Bench = { scrapes: number; endsAt: number; signal: AbortSignal; ctx: Ctx }

const maxScrapes = 3
/** Time reserved for the answer itself. */
const reserveMs = 2_000
const minScrapeMs = 1_000
/** Maximum wait for a free slot. */
const maxWaitMs = 10_000

/**
 * Scrapes the page of a job again with some fields changed; null removes a field. Nothing is recorded, billed or
 * stored, and no model is used. Returns a text with the reason if the scrape is not made.
 */
async function scrapeAgain(job: JobCase, change: Parameters, bench: Bench): Promise<Outcome | string> {
  const { request, url } = job
  if (request === null || url === null) return 'The request of the job was not stored, so it is not run again.'
  const leftMs = bench.endsAt - Date.now() - reserveMs
  if (leftMs < minScrapeMs) return 'There was no time left for a test.'
  const input = inputOf({ ...request, url }, change, leftMs)
  const obstacle = whyNot(input, request)
  if (!input || obstacle !== undefined) return obstacle ?? 'The request was stored by another version of the program.'
  if (bench.scrapes >= maxScrapes) return `At most ${maxScrapes} scrapes are made for one question.`
  bench.scrapes += 1
  return scrapeOnce(input, bench)
}

function inputOf(request: Parameters, change: Parameters, leftMs: number): ScrapeInput | undefined {
  // minAge would return cached pages only.
  const changed = { ...request, formats: ['markdown'], ...change, maxAge: 0, minAge: null, storeInCache: false }
  const fields = Object.fromEntries(
    Object.entries(changed).filter(([, value]) => value !== null && value !== undefined),
  )
  const { timeout = 60_000, waitFor = 0 } = fields as { timeout?: number; waitFor?: number }
  // waitFor may be at most half of the timeout.
  const enough = Math.max(timeout, 2 * waitFor)
  return ScrapeInput.safeParse({ ...fields, timeout: Math.floor(Math.min(enough, leftMs)) }).data
}

/** Actions that do not change anything. */
const harmless = new Set(['wait', 'scroll', 'screenshot', 'scrape'])

function whyNot(input: ScrapeInput | undefined, request: Parameters): string | undefined {
  if (request['lockdown'] === true || request['zeroDataRetention'] === true || (input && isZeroRetention(input)))
    return 'Jobs under zero data retention or lockdown are not run again.'
  if (input?.profile) return 'Jobs with a browser profile are not run again.'
  const acts = (input?.actions ?? []).some(({ type }) => !harmless.has(type))
  return acts ? 'Jobs that act on the page are not run again.' : undefined
}

/** Scrapes in one of the team's slots. */
async function scrapeOnce(input: ScrapeInput, { signal, ctx }: Bench): Promise<Outcome | string> {
  const { ports, team } = ctx
  const leave = await enter(ctx, signal)
  if (!leave) return 'No slot of the team became free for a test.'
  try {
    const startedAt = ports.clock.now()
    const call = { team, jobId: crypto.randomUUID(), startedAt, signal, queuedMs: 0, progress: () => {} }
    const { document } = await scrape(ports, scrapeRequest(input, call))
    return { page: pageFacts(document) }
  } catch (thrown) {
    signal.throwIfAborted()
    if (!(thrown instanceof AppError)) ctx.log.error('support could not scrape', { cause: thrown })
    const { code, message } = toAppError(thrown)
    return { error: { code, message } }
  } finally {
    leave()
  }
}

/** Waits for one of the team's slots; undefined if none becomes free in time. */
async function enter({ ports, team }: Ctx, signal: AbortSignal): Promise<(() => void) | undefined> {
  const over = new AbortController()
  const timeout = new AbortController()
  const timer = sleep(maxWaitMs, undefined, { signal: over.signal, ref: false })
  timer.then(
    () => timeout.abort(),
    () => {},
  )
  try {
    return await ports.account.enter(team.id, AbortSignal.any([signal, timeout.signal]))
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    over.abort()
  }
}

type TrialResult = { validation: Validation; outcome?: Outcome }
type ScrapeTrial = Extract<Trial, { kind: 'scrape' }>

/** Tests if the advice helps. */
export async function tryOut({ trial, parameters = {} }: Diagnosis, job: JobCase, bench: Bench): Promise<TrialResult> {
  if (!trial) return skipped('There was nothing to run again.')
  if (trial.kind === 'check') return { validation: await trial.run() }
  return trial.kind === 'links' ? tryLinks(trial, job, bench) : tryScrape(trial, trial.change ?? parameters, job, bench)
}

async function tryScrape(trial: ScrapeTrial, change: Parameters, job: JobCase, bench: Bench): Promise<TrialResult> {
  if (trial.helps && job.page?.characters === undefined)
    return skipped('The job did not request markdown, so there is nothing to compare a test with.')
  const startedAt = performance.now()
  const outcome = await scrapeAgain(job, change, bench)
  if (typeof outcome === 'string') return skipped(outcome)
  const { page } = outcome
  const hasHelped = page !== undefined && isReadable(page) && (!trial.helps || !job.page || trial.helps(page, job.page))
  const evidence = `Scraped again ${changeText(change)} in ${Math.round(performance.now() - startedAt)} ms: ${resultOf(outcome)}. Before: ${before(job)}.`
  return { validation: { tested: true, result: hasHelped ? 'success' : 'failure', evidence }, outcome }
}

const skipped = (evidence: string): TrialResult => ({ validation: { tested: false, result: 'skipped', evidence } })

function changeText(change: Parameters): string {
  const parts = Object.entries(change).map(([name, value]) =>
    value === null ? `without ${name}` : `with ${name} ${JSON.stringify(value)}`,
  )
  return parts.join(' and ') || 'unchanged'
}

const resultOf = ({ page, error }: Outcome) => (error ? error.code : shown(page))
const before = ({ code, page }: JobCase) => code ?? (page ? shown(page) : 'no page')
const shown = ({ status, characters, isWall }: PageFacts) =>
  [
    `status ${status}`,
    ...(characters === undefined ? [] : [`${characters} characters`]),
    ...(isWall ? ['a bot check'] : []),
  ].join(', ')

const isReadable = ({ status, isWall, isEmpty, matchesNothing, characters = 0 }: PageFacts) =>
  status < 400 && !isWall && !isEmpty && !matchesNothing && characters > 0

/** Tests if the start page leads to more pages with the new options than the crawl had. */
async function tryLinks(
  { options }: Extract<Trial, { kind: 'links' }>,
  job: JobCase,
  bench: Bench,
): Promise<TrialResult> {
  const outcome = await scrapeAgain(job, { formats: ['links'] }, bench)
  if (typeof outcome === 'string') return skipped(outcome)
  const { page, error } = outcome
  if (error)
    return {
      validation: { tested: true, result: 'failure', evidence: `The start page could not be read: ${error.code}.` },
      outcome,
    }
  const scope = await createScope({ ...options, bases: [options.url, page.finalUrl] }, () => {})
  const keys = page.links.flatMap((link) => {
    const verdict = scope.judge(link, 1, 'link')
    return 'page' in verdict ? [verdict.page.key] : []
  })
  const count = new Set([...keys, scope.keyOf(options.url)]).size
  const had = job.crawl?.counts.done ?? 0
  const evidence = `Read the start page and judged its links by the new options: ${count} pages, while the crawl had ${had}.`
  return { validation: { tested: true, result: count > had ? 'success' : 'failure', evidence }, outcome }
}
