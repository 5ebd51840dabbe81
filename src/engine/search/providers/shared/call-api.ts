import { counted } from '../../../../util/amounts.ts'
import { ProviderError, type ProviderErrorKind, type SearchRequest } from '../../../../contracts/search-port.ts'
import { AppError } from '../../../../kernel/error.ts'
import type { ApiResponse, ApiClient, ApiRequest } from '../../../net/http/api-client.ts'
import { retryAfterMs } from '../../../net/http/answer-head.ts'
import { setTimeout } from 'node:timers/promises'
import { createFairSemaphore } from '../../../../util/semaphore.ts'

/** Rate limit of a service: `count` requests in any `perMs` milliseconds. */
export type RateLimit = {
  count: number
  perMs: number
  /** Maximum random extra time after each request, ms. */
  jitterMs?: number
}
type PacedRequest = Pick<SearchRequest, 'teamId' | 'signal' | 'endsAt'> & {
  /** Maximum wait in ms. */
  maxWaitMs?: number
}
export type Pacer = {
  /**
   * Resolves when the next request may be sent; teams take turns. Fails with ProviderError if the wait would be too
   * long, or with the signal's reason.
   */
  waitTurn(request: PacedRequest): Promise<void>
  /** Delays all requests. */
  pause(forMs: number): void
}
type TimeSource = { now(): number; wait(ms: number, signal: AbortSignal): Promise<unknown>; random(): number }

const usualMaxWaitMs = 5000
const shareOfTimeLeft = 1 / 3

const realTime: TimeSource = {
  now: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  random: Math.random,
}

/** Creates a pacer that enforces the rate limit of a service across all searches of this process. */
export function createPacer(limit: RateLimit, { now, wait, random }: TimeSource = realTime): Pacer {
  const { count, perMs, jitterMs = 0 } = limit
  const turns = createFairSemaphore({ usual: 1, reserved: 0 })
  const waiting = new Map<string, number>()
  const state = { starts: [] as readonly number[], heldUntil: -Infinity }

  /** Returns the earliest start of a request after the given number of others. */
  function startAfter(others: number): number {
    const starts = [...state.starts]
    for (let sent = 0; sent <= others; sent++)
      starts.push(Math.max(now(), (starts.at(-count) ?? -Infinity) + perMs, state.heldUntil))
    return starts.at(-1) ?? 0
  }

  /** Waits for the team's turn and for the rate limit. */
  async function waitForTurn(limitMs: number, { teamId, signal }: PacedRequest): Promise<void> {
    const endsAt = now() + limitMs
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)))
    const leave = await turns.acquire(teamId, AbortSignal.any([signal, late])).catch(() => {
      signal.throwIfAborted()
      throw rateLimited(limit, 0)
    })
    try {
      const start = startAfter(0)
      if (start > endsAt) throw rateLimited(limit, 0)
      if (start > now()) await wait(start - now(), signal).catch(() => signal.throwIfAborted())
      state.starts = [...state.starts, start + Math.round(random() * jitterMs)].slice(-count)
    } finally {
      leave()
    }
  }

  return {
    async waitTurn(request) {
      const { teamId, signal, endsAt = Infinity, maxWaitMs = usualMaxWaitMs } = request
      signal.throwIfAborted()
      const own = waiting.get(teamId) ?? 0
      const limitMs = Math.min(maxWaitMs, (endsAt - Date.now()) * shareOfTimeLeft)
      const waitMs = startAfter(own) - now()
      // The pause applies to all teams, so it is 0 if only this team's own requests cause the wait.
      if (waitMs > limitMs) throw rateLimited(limit, own > 0 ? 0 : waitMs)
      waiting.set(teamId, own + 1)
      try {
        await waitForTurn(limitMs, request)
      } finally {
        const left = (waiting.get(teamId) ?? 1) - 1
        if (left > 0) waiting.set(teamId, left)
        else waiting.delete(teamId)
      }
    },
    pause(forMs) {
      state.heldUntil = Math.max(state.heldUntil, now() + forMs)
    },
  }
}

function rateLimited({ count, perMs }: RateLimit, pauseMs: number): ProviderError {
  const rule = `${counted(count, 'request')} in ${perMs / 1000} s`
  return new ProviderError('rate limited', `Only ${rule} may be sent to it, which leaves none for now.`, {
    pauseMs: Math.ceil(pauseMs),
  })
}

export type Api = Pick<ApiClient, 'call'>
/** Returns the error kind of a response that deviates from the usual meaning of its status; otherwise undefined. */
export type ErrorKindOf = (response: ApiResponse) => ProviderErrorKind | undefined

const messages: Record<ProviderErrorKind, string> = {
  'rate limited': 'It accepts no more requests for now',
  'bot challenge': 'It asks for proof of a human visitor',
  'engines unresponsive': 'None of the engines behind it answered',
  'json disabled': 'Its settings do not list json under search.formats',
  'bad key': 'It does not accept the key',
  'quota used up': 'The quota of the key is used up',
  'timed out': 'It did not answer in time',
  'unreadable answer': 'Its answer could not be read',
  unreachable: 'It cannot answer at the moment',
  refused: 'It does not take this request',
  'other sites': 'It does not cover the requested sites',
}

/** Sends a request; any status other than 200 fails with ProviderError, an abort with the signal's reason. */
export async function callApi(
  api: Api,
  request: ApiRequest,
  errorKindOf: ErrorKindOf = () => undefined,
): Promise<ApiResponse> {
  const response = await send(api, request)
  if (response.status === 200) return response
  const kind = errorKindOf(response) ?? defaultKind(response)
  throw new ProviderError(kind, `${messages[kind]} (status ${response.status}).`, { pauseMs: pauseFor(response, kind) })
}

/** Parses JSON. Fails with `unreadable answer`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message would quote the response.
    const what = /^\s*</.test(text) ? 'a page instead of data' : 'something other than JSON'
    throw new ProviderError('unreadable answer', `It answered with ${what}.`)
  }
}

async function send(api: Api, request: ApiRequest): Promise<ApiResponse> {
  try {
    return await api.call(request)
  } catch (thrown) {
    request.signal.throwIfAborted()
    throw toProviderError(thrown)
  }
}

function toProviderError(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown
  return new ProviderError(kindOfAppError(thrown), thrown.message, { cause: thrown })
}

function kindOfAppError({ code, cause }: AppError): ProviderErrorKind {
  if (cause instanceof Error && cause.name.includes('Timeout')) return 'timed out'
  if (code === 'SCRAPE_SITE_ERROR') return 'unreadable answer'
  if (code === 'SCRAPE_ADDRESS_REFUSED' || code === 'BAD_REQUEST') return 'refused'
  return 'unreachable'
}

const byStatus: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'bad key',
  402: 'quota used up',
  404: 'unreachable',
  408: 'timed out',
  410: 'unreachable',
  429: 'rate limited',
  504: 'timed out',
}

function defaultKind({ status, headers }: ApiResponse): ProviderErrorKind {
  const known = byStatus[status]
  if (known) return known
  const isRateLimit = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if ((status === 403 || status === 503) && isRateLimit) return 'rate limited'
  if (status >= 500) return 'unreachable'
  return status < 300 ? 'unreadable answer' : 'refused'
}

/** Returns the pause of a provider after an error: 0 if the request was refused for its content. */
function pauseFor({ status, headers }: ApiResponse, kind: ProviderErrorKind): number | undefined {
  if (kind === 'refused' && [400, 413, 414, 422].includes(status)) return 0
  return kind === 'rate limited' || kind === 'quota used up' ? retryDelayMs(headers, Date.now()) : undefined
}

type Headers = Readonly<Record<string, string>>

/** Reset values from this one on are seconds since the epoch; smaller ones are durations in seconds. */
const earliestTime = 1_000_000_000

/**
 * Returns the pause in ms that a response demands, by Retry-After (RFC 9110, 10.2.3) or the usual rate limit headers,
 * which may list several windows; undefined if it demands none.
 */
export function retryDelayMs(headers: Headers, now: number): number | undefined {
  return retryAfterMs(headers['retry-after'], now) ?? windowReset(headers, now)
}

function windowReset(headers: Headers, now: number): number | undefined {
  const spent = limitWindows(headers).filter(({ limit, remaining }) => remaining === 0 && limit !== 0)
  const pausesMs = spent.map(({ reset }) => (reset >= earliestTime ? reset * 1000 - now : reset * 1000))
  const known = pausesMs.filter((pauseMs) => !Number.isNaN(pauseMs))
  return known.length === 0 ? undefined : Math.max(0, ...known)
}

type LimitWindow = { limit: number | undefined; remaining: number | undefined; reset: number }

/** Returns the rate limit windows of a response. A window with limit 0 does not limit anything. */
export function limitWindows(headers: Headers): LimitWindow[] {
  const [resets = [], limits = [], remains = []] = ['reset', 'limit', 'remaining'].map((name) =>
    numbersIn(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`] ?? headers[`ratelimit-${name}`]),
  )
  return resets.map((reset, index) => ({ limit: limits[index], remaining: remains[index], reset }))
}

const numbersIn = (list: string | undefined) => (list === undefined ? [] : list.split(',').map(Number))

/** Builds a URL with query parameters; undefined ones are left out. */
export function buildUrl(base: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
