import { setTimeout as delay } from 'node:timers/promises'
import type { Ports, Clock } from '../../../contracts/ports.ts'
import {
  ProviderError,
  type ProviderErrorKind,
  type SearchProvider,
  type SearchRequest,
  type SearchHit,
} from '../../../contracts/search-port.ts'
import { AppError, type ErrorCode } from '../../../kernel/error.ts'
import { DeadlineError, withDeadline } from '../../../util/async.ts'
import { bing, brave, duckduckgo, mojeek, type ResultsEngine, resultsUrl } from './engines.ts'
import { readingScript, type PageReading, type ResultsItem } from './read-page.ts'
import { z } from 'zod'
import type { PageResponse } from '../../../contracts/fetch.ts'
import { retryDelayMs, createPacer, type Pacer } from '../providers/shared/call-api.ts'
import { isoDate } from '../providers/shared/search-scope.ts'

export type ResultsPagesOptions = Pick<Ports, 'renderPage' | 'clock'> & {
  /** False disables results pages. */
  enabled: boolean
  pace?: PaceOptions
  /** Engines in the order they are queried. */
  engines?: readonly ResultsEngine[]
  /** Time limit in ms for one search, including the wait for its turn. */
  deadlineMs?: number
}
type VisitPorts = Required<Pick<ResultsPagesOptions, 'renderPage' | 'clock'>>

export const resultsEngines: readonly ResultsEngine[] = [duckduckgo, mojeek, brave, bing]

/** Share of the time limit reserved for the visit; with less it would fail. */
const visitShare = 1 / 3
/** Maximum time in ms that a loaded page may show neither results nor a known message. */
const patienceMs = 3000
const maxBytes = 5_000_000

/**
 * Searches without an API key: opens the first results page of public engines in our own browser and reads it. Bot
 * challenges are not solved.
 */
export function resultsPages(options: ResultsPagesOptions): SearchProvider[] {
  const { renderPage, clock, enabled, engines = resultsEngines, deadlineMs = 12_000 } = options
  if (!enabled) return []
  const paced = engines.map((engine) => ({ engine, pacer: pacerOf(clock, options.pace) }))
  return paced.map(({ engine, pacer }) => ({
    name: engine.name,
    sources: new Set(['web'] as const),
    operators: engine.operators,
    period: engine.period,
    weight: 0.9,
    search: (request) =>
      withDeadline({ step: 'read a results page', ms: deadlineMs }, request.signal, async (signal) => {
        await pacer.waitTurn({ teamId: request.teamId, signal, maxWaitMs: deadlineMs * (1 - visitShare) })
        return visit({ renderPage, clock }, engine, { ...request, signal })
      }).catch((error: unknown) => {
        request.signal.throwIfAborted()
        throw toProviderError(error)
      }),
  }))
}

async function visit({ renderPage, clock }: VisitPorts, engine: ResultsEngine, request: SearchRequest) {
  const { teamId, signal } = request
  const page = await renderPage({
    url: resultsUrl(engine, request, clock.now()),
    teamId,
    headers: {},
    skipTlsVerification: false,
    mobile: false,
    location: undefined,
    blockAds: false,
    proxy: 'basic',
    waitForMs: 0,
    actions: [{ type: 'executeJavascript', script: readingScript(engine.selectors, patienceMs) }],
    screenshot: undefined,
    wantsBranding: false,
    profile: undefined,
    maxBytes,
    signal,
  })
  return hitsOf(engine, parseReading(page.live.actions?.javascriptReturns[0]?.value), page, clock.now())
}

const errorsByCode: Partial<Record<ErrorCode, { kind: ProviderErrorKind; message: string }>> = {
  BROWSER_UNAVAILABLE: { kind: 'unreachable', message: 'No browser is available to open its page.' },
  SCRAPE_TIMEOUT: { kind: 'timed out', message: 'Its page did not load in time.' },
  SCRAPE_ACTION_ERROR: { kind: 'unreadable answer', message: 'Its page could not be read.' },
  SCRAPE_ADDRESS_REFUSED: { kind: 'refused', message: 'Its address is not allowed here.' },
}

function toProviderError(error: unknown): unknown {
  if (error instanceof DeadlineError)
    return new ProviderError('timed out', `No answer within ${Math.round(error.ms / 1000)} s.`, { cause: error })
  if (!(error instanceof AppError)) return error
  const { kind, message } = errorsByCode[error.code as ErrorCode] ?? {
    kind: 'unreachable',
    message: 'Its page could not be opened.',
  }
  return new ProviderError(kind, message, { cause: error })
}

type PaceOptions = Partial<{
  /** Minimum time between two queries to one engine, ms. */
  gapMs: number
  /** Maximum random extra time, ms. */
  jitterMs: number
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<unknown>
}>

const sleepFor = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal })

/** Paces queries like a person would, because engines block fast clients. */
function pacerOf({ now }: Clock, options: PaceOptions = {}): Pacer {
  const { gapMs = 2500, jitterMs = 1500, random = Math.random, sleep = sleepFor } = options
  return createPacer({ count: 1, perMs: gapMs, jitterMs }, { now, wait: sleep, random })
}

const ItemShape = z.object({ href: z.string(), title: z.string(), snippet: z.string(), dates: z.array(z.string()) })

const ReadingShape = z.object({
  state: z.enum(['results', 'empty', 'challenge', 'limited', 'loading']),
  items: z.array(ItemShape),
})

/** Validates the value the script returned, because the page's own scripts run alongside it. */
export function parseReading(value: unknown): PageReading | undefined {
  const { data } = ReadingShape.safeParse(value)
  return data
}

/** Statuses that engines send with a bot challenge or an empty page. */
const challengeStatuses = new Set([202, 401, 403, 503])

/**
 * Returns the results of a page in order. Fails with ProviderError unless the page shows results or says that there are
 * none.
 */
export function hitsOf(
  engine: Pick<ResultsEngine, 'targetOf'>,
  reading: PageReading | undefined,
  { status, headers }: Pick<PageResponse, 'status' | 'headers'>,
  now: number,
): SearchHit[] {
  const hits =
    reading?.state === 'results' ? withoutDuplicates(reading.items.flatMap((item) => toHit(engine, item, now))) : []
  if (hits.length > 0) return hits
  if (status === 429 || reading?.state === 'limited')
    throw new ProviderError('rate limited', 'It takes no more queries.', { pauseMs: retryDelayMs(headers, now) })
  if (challengeStatuses.has(status) || reading?.state === 'challenge')
    throw new ProviderError('bot challenge', 'It asks for proof of a human visitor.')
  if (reading?.state === 'empty' && status < 400) return []
  throw new ProviderError('unreadable answer', 'Its page shows neither results nor that there are none.')
}

function toHit({ targetOf }: Pick<ResultsEngine, 'targetOf'>, item: ResultsItem, now: number): SearchHit[] {
  const link = URL.parse(item.href)
  const target = link && URL.parse(targetOf(link) ?? '')
  if (!target || !/^https?:$/.test(target.protocol)) return []
  const date = item.dates.map((text) => isoDate(trimDate(text), now)).find(Boolean)
  return [
    {
      url: target.href,
      title: item.title,
      ...(item.snippet !== '' && { description: item.snippet }),
      ...(date !== undefined && { date }),
    },
  ]
}

/** Removes separators around a date, and a midnight time. */
const trimDate = (text: string): string =>
  text.replace(/^[\s·•|–—-]+|[\s·•|–—-]+$/g, '').replace(/T00:00:00(?:\.0+)?Z?$/, '')

function withoutDuplicates(hits: readonly SearchHit[]): SearchHit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.url, hit])).values()].toReversed()
}
