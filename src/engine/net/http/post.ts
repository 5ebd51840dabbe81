import type { LookupFunction } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { fail, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { bareHost } from '../address/host.ts'
import { addressRefused, guardedConnector } from './connector.ts'
import { toNetworkError, isConnectionReset } from './network-error.ts'
import { withUrlCredentials } from './request-headers.ts'

export type PosterOptions = {
  rule: AddressRule
  userAgent: string
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction
  /** Name lookup, TCP and TLS together. */
  connectTimeoutMs?: number
}
export type PostRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Until the status is known. */
  timeoutMs: number
  signal: AbortSignal
}
/** Whatever the status, it is an answer: redirects are not followed. */
export type Post = (request: PostRequest) => Promise<{ status: number }>
export type Poster = { post: Post; close(): Promise<void> }

const maxHeaderBytes = 65_536
const maxAnswerBytes = 65_536
const answerTimeoutMs = 1000

/**
 * Sends to receivers over HTTP/1.1 on shared kept-alive connections, to allowed places only. Failures are SCRAPE_*
 * errors as those of the fetcher, or BAD_REQUEST for a URL; an abort raises the reason of the signal.
 */
export function createPoster({ rule, userAgent, lookup, connectTimeoutMs = 10_000 }: PosterOptions): Poster {
  const agent = new Agent({
    connect: guardedConnector({ rule, lookup, connectTimeoutMs, certificates: 'verify' }),
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
  return {
    async post(request) {
      const late = AbortSignal.timeout(request.timeoutMs)
      try {
        request.signal.throwIfAborted()
        return await exchange(agent, requestOf(request, rule, userAgent, late))
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason
        if (late.aborted) throw tooLate(request.timeoutMs, error)
        throw toNetworkError(error)
      }
    },
    close: () => agent.destroy(),
  }
}

function requestOf(
  request: PostRequest,
  rule: AddressRule,
  userAgent: string,
  late: AbortSignal,
): Dispatcher.RequestOptions {
  const address = URL.parse(request.url) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  if (rule.refusesUrl(address)) throw addressRefused(bareHost(address.hostname))
  const { url, headers } = withUrlCredentials(address, {
    'user-agent': userAgent,
    accept: '*/*',
    ...lowerCased(request.headers),
  })
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers,
    body: request.body,
    signal: AbortSignal.any([request.signal, late]),
  }
}

/** A name in another case would go out beside ours. */
const lowerCased = (headers: PostRequest['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

async function exchange(agent: Agent, options: Dispatcher.RequestOptions): Promise<{ status: number }> {
  const { statusCode, body } = await sendTwice(agent, options)
  // The status is all that counts, but a connection whose answer was read to its end can be used again.
  body.on('error', () => {})
  await body.dump({ limit: maxAnswerBytes, signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => {})
  // undici frees the connection one turn of the event loop after the body.
  await setImmediate()
  return { status: statusCode }
}

/** A kept-alive connection may be closed by the receiver just when it is used: once more on another. */
async function sendTwice(agent: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  try {
    return await agent.request(options)
  } catch (error) {
    if (!isConnectionReset(error)) throw error
    return agent.request(options)
  }
}

const tooLate = (timeoutMs: number, cause: unknown) =>
  failure('SCRAPE_ALL_ENGINES_FAILED', { message: `There was no answer within ${timeoutMs / 1000} s.`, cause })
