import { SearchError, type SearchFault } from '../../../contracts/search.ts'
import { AppError } from '../../../kernel/error.ts'
import type { ApiAnswer, ApiClient, ApiRequest } from '../../net/http/api-client.ts'

export type Api = Pick<ApiClient, 'call'>
/** What a status means to this provider where that differs from the usual; undefined leaves it to the usual. */
export type FaultOf = (answer: ApiAnswer) => SearchFault | undefined

const words: Record<SearchFault, string> = {
  'rate limited': 'It takes no more requests for now',
  'bot challenge': 'It wants to see a person instead of a program',
  'engines unresponsive': 'None of the engines behind it answered',
  'json disabled': 'Its settings do not list json under search.formats',
  'bad key': 'It does not accept the key',
  'quota used up': 'What the key may use is used up',
  'timed out': 'It did not answer in time',
  'unreadable answer': 'Its answer could not be read',
  unreachable: 'It cannot answer at the moment',
  refused: 'It does not take this request',
  'other sites': 'It knows other sites only',
}

/** Asks once and answers a 200 only; anything else fails with SearchError, or the signal's reason. */
export async function ask(api: Api, request: ApiRequest, faultOf: FaultOf = () => undefined): Promise<ApiAnswer> {
  const answer = await call(api, request)
  const fault = answer.status === 200 ? undefined : (faultOf(answer) ?? usualFault(answer))
  if (!fault) return answer
  throw new SearchError(fault, `${words[fault]} (status ${answer.status}).`, { pauseMs: pauseAfter(answer, fault) })
}

/** As `ask`, for JSON. */
export async function askJson(api: Api, request: ApiRequest, faultOf?: FaultOf): Promise<unknown> {
  const { text } = await ask(api, request, faultOf)
  return jsonOf(text)
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says quotes the answer.
    const what = /^\s*</.test(text) ? 'a page instead of data' : 'something that is no JSON'
    throw new SearchError('unreadable answer', `It answered with ${what}.`)
  }
}

async function call(api: Api, request: ApiRequest): Promise<ApiAnswer> {
  try {
    return await api.call(request)
  } catch (thrown) {
    request.signal.throwIfAborted()
    throw failureOf(thrown)
  }
}

function failureOf(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown
  return new SearchError(faultOfFailure(thrown), thrown.message, { cause: thrown })
}

function faultOfFailure({ code, cause }: AppError): SearchFault {
  if (cause instanceof Error && cause.name.includes('Timeout')) return 'timed out'
  if (code === 'SCRAPE_SITE_ERROR') return 'unreadable answer'
  if (code === 'SCRAPE_ADDRESS_REFUSED' || code === 'BAD_REQUEST') return 'refused'
  return 'unreachable'
}

const byStatus: Readonly<Record<number, SearchFault>> = {
  401: 'bad key',
  402: 'quota used up',
  404: 'unreachable',
  408: 'timed out',
  410: 'unreachable',
  429: 'rate limited',
  504: 'timed out',
}

function usualFault({ status, headers }: ApiAnswer): SearchFault {
  const known = byStatus[status]
  if (known) return known
  const isTold = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  if ((status === 403 || status === 503) && isTold) return 'rate limited'
  if (status >= 500) return 'unreachable'
  return status < 300 ? 'unreadable answer' : 'refused'
}

/** A request that is refused for what it asks is no reason to leave the provider alone. */
function pauseAfter({ status, headers }: ApiAnswer, fault: SearchFault): number | undefined {
  if (fault === 'refused' && [400, 413, 414, 422].includes(status)) return 0
  return fault === 'rate limited' || fault === 'quota used up' ? pauseOf(headers, Date.now()) : undefined
}

type Headers = Readonly<Record<string, string>>

/** Numbers above this are times since the epoch, in seconds; below it they are lengths. */
const earliestTime = 1_000_000_000

/**
 * How long a service asks to be left alone, ms: by Retry-After (RFC 9110, 10.2.3), or by the headers many use for their
 * limits, which may list several windows; undefined where it does not say.
 */
export function pauseOf(headers: Headers, now: number): number | undefined {
  return retryAfter(headers['retry-after'], now) ?? windowReset(headers, now)
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const seconds = Number(value)
  const pauseMs = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs)
}

function windowReset(headers: Headers, now: number): number | undefined {
  const spent = limitWindows(headers).filter(({ limit, remaining }) => remaining === 0 && limit !== 0)
  const pausesMs = spent.map(({ reset }) => (reset >= earliestTime ? reset * 1000 - now : reset * 1000))
  const known = pausesMs.filter((pauseMs) => !Number.isNaN(pauseMs))
  return known.length === 0 ? undefined : Math.max(0, ...known)
}

export type LimitWindow = { limit: number | undefined; remaining: number | undefined; reset: number }

/** A limit of 0 stands for none. */
export function limitWindows(headers: Headers): LimitWindow[] {
  const [resets = [], limits = [], remains = []] = ['reset', 'limit', 'remaining'].map((name) =>
    numbersIn(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`] ?? headers[`ratelimit-${name}`]),
  )
  return resets.map((reset, index) => ({ limit: limits[index], remaining: remains[index], reset }))
}

const numbersIn = (list: string | undefined) => (list === undefined ? [] : list.split(',').map(Number))
