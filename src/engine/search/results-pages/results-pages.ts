import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, Ports } from '../../../contracts/ports.ts'
import { SearchError, type SearchFault, type SearchProvider, type SearchRequest } from '../../../contracts/search.ts'
import { AppError, type ErrorCode } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/deadline.ts'
import { addressOf, type ResultsEngine } from './engine.ts'
import { bing, brave, duckduckgo, mojeek } from './engines.ts'
import { hitsOf, readingOf } from './hits.ts'
import { readingScript } from './read-page.ts'

export type ResultsPagesOptions = Pick<Ports, 'renderPage' | 'clock'> & {
  /** Without leave of the operator no results page is opened. */
  enabled: boolean
  pace?: PaceOptions
  /** In the order they are asked. */
  engines?: readonly ResultsEngine[]
  /** For one search, the wait for its turn included, ms. */
  deadlineMs?: number
}
type Visit = Required<Pick<ResultsPagesOptions, 'renderPage' | 'clock'>>

export const resultsEngines: readonly ResultsEngine[] = [duckduckgo, mojeek, brave, bing]

/** Of the time for one search, so much is for the page: a visit with less would come to nothing. */
const visitShare = 1 / 3
/** How long a page at rest may still be neither one thing nor another, ms. */
const patienceMs = 3000
const maxBytes = 5_000_000

/**
 * Search without any key: the first results page of public engines, opened in our own browser and read as a person would.
 * A page that asks for a proof of humanity is left alone.
 */
export function resultsPages(options: ResultsPagesOptions): SearchProvider[] {
  const { renderPage, clock, enabled, engines = resultsEngines, deadlineMs = 12_000 } = options
  if (!enabled) return []
  const pace = createPace(clock, options.pace)
  return engines.map((engine) => ({
    name: engine.name,
    sources: new Set(['web'] as const),
    operators: engine.operators,
    period: engine.period,
    weight: 0.9,
    search: (request) =>
      withDeadline({ step: 'read a results page', ms: deadlineMs }, request.signal, async (signal) => {
        await pace.turn(engine.name, deadlineMs * (1 - visitShare), signal)
        return visit({ renderPage, clock }, engine, { ...request, signal })
      }).catch((error: unknown) => {
        request.signal.throwIfAborted()
        throw told(error)
      }),
  }))
}

async function visit({ renderPage, clock }: Visit, engine: ResultsEngine, request: SearchRequest) {
  const { teamId, signal } = request
  const page = await renderPage({
    url: addressOf(engine, request, clock.now()),
    teamId,
    headers: {},
    skipTlsVerification: false,
    mobile: false,
    location: undefined,
    blockAds: false,
    proxy: 'basic',
    waitForMs: 0,
    actions: [{ type: 'executeJavascript', script: readingScript(engine.marks, patienceMs) }],
    screenshot: undefined,
    wantsBranding: false,
    profile: undefined,
    maxBytes,
    signal,
  })
  return hitsOf(engine, readingOf(page.live.actions?.javascriptReturns[0]?.value), page, clock.now())
}

const faults: Partial<Record<ErrorCode, { fault: SearchFault; message: string }>> = {
  BROWSER_UNAVAILABLE: { fault: 'unreachable', message: 'There is no browser to open its page with.' },
  SCRAPE_TIMEOUT: { fault: 'timed out', message: 'Its page did not come in time.' },
  SCRAPE_ACTION_ERROR: { fault: 'unreadable answer', message: 'Its page could not be read.' },
  SCRAPE_ADDRESS_REFUSED: { fault: 'refused', message: 'Its address is not allowed here.' },
}

function told(error: unknown): unknown {
  if (error instanceof DeadlineError)
    return new SearchError('timed out', `No answer within ${Math.round(error.ms / 1000)} s.`, { cause: error })
  if (!(error instanceof AppError)) return error
  const { fault, message } = faults[error.code as ErrorCode] ?? {
    fault: 'unreachable',
    message: 'Its page could not be opened.',
  }
  return new SearchError(fault, message, { cause: error })
}

type PaceOptions = {
  /** Least time between two queries to one engine, ms. */
  gapMs?: number
  /** Up to so much more, at random, ms. */
  jitterMs?: number
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}
export type Pace = {
  /** Waits for a turn with an engine. Fails with SearchError at once when that would take longer than `maxWaitMs`. */
  turn(name: string, maxWaitMs: number, signal: AbortSignal): Promise<void>
}

const sleepFor = async (ms: number, signal: AbortSignal) => void (await wait(ms, undefined, { signal }))

/** Asks each engine as slowly as a person does: they block whoever hurries. */
export function createPace(
  clock: Clock,
  { gapMs = 2500, jitterMs = 1500, random = Math.random, sleep = sleepFor }: PaceOptions = {},
): Pace {
  const nextTurns = new Map<string, number>()
  return {
    async turn(name, maxWaitMs, signal) {
      const now = clock.now()
      const at = Math.max(now, nextTurns.get(name) ?? 0)
      if (at - now > maxWaitMs)
        throw new SearchError('rate limited', 'Others are waiting to ask it, one at a time.', { pauseMs: at - now })
      // Taken before the wait, so that two who wait do not go at once.
      nextTurns.set(name, at + gapMs + Math.round(random() * jitterMs))
      if (at > now) await sleep(at - now, signal)
    },
  }
}
