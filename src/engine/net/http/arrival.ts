import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '../address-rule.ts'
import { bareHost, portOf } from './canonical-url.ts'
import { openSocket, secured } from '../proxy/open-socket.ts'
import { proxyAuthorization, relayOf, type UpstreamProxy } from '../proxy/upstream-proxy.ts'

export type Arrived = {
  statusCode: number
  headers: Dispatcher.ResponseData['headers']
  /** Bytes if all of them have come already. */
  body: Uint8Array | Readable
}
/** Returns true if the body of the response is to be read. */
export type WantsBody = (answer: Omit<Arrived, 'body'>) => boolean

/** Up to so many bytes of a body are collected; what is longer comes as a stream. */
const mostCollected = 128 * 1024

/**
 * Sends a request. A short body comes whole, without the streams and promises around each of its chunks, which cost more than the
 * chunks; one that is long, or not wanted, as a stream that is to be destroyed. Rejects where no answer begins; what fails
 * later fails the stream. The signal ends both; where it is aborted already nothing is sent.
 */
export async function arrive(
  agent: Agent,
  { signal, ...request }: Dispatcher.DispatchOptions & { signal: AbortSignal },
  wantsBody: WantsBody,
): Promise<Arrived> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Arrived>()
  const exchange = createExchange({ resolve, reject, wantsBody })
  const leave = () => exchange.abort(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  const over = () => signal.removeEventListener('abort', leave)
  agent.dispatch(request, {
    onRequestStart: exchange.onRequestStart,
    onResponseStart: exchange.onResponseStart,
    onResponseData: exchange.onResponseData,
    onResponseEnd() {
      over()
      exchange.end()
    },
    onResponseError(_, error) {
      over()
      exchange.fail(error)
    },
  })
  return promise
}

type Outcome = { resolve(arrived: Arrived): void; reject(reason: Error): void; wantsBody: WantsBody }

function createExchange({ resolve, reject, wantsBody }: Outcome) {
  let control: Dispatcher.DispatchController | undefined
  let head: Omit<Arrived, 'body'> | undefined
  let stream: Readable | undefined
  let aborted: Error | undefined
  let chunks: Uint8Array[] = []
  let size = 0

  function toStream(answer: Omit<Arrived, 'body'>): Readable {
    const body = streamOf(() => control)
    for (const chunk of chunks) body.push(chunk)
    chunks = []
    stream = body
    resolve({ ...answer, body })
    return body
  }
  return {
    /** Whoever waits hears of it at once, though a request that waits for a connection stays in its line. */
    abort(reason: Error): void {
      aborted = reason
      control?.abort(reason)
      if (!head) reject(reason)
    },
    onRequestStart(controller: Dispatcher.DispatchController): void {
      control = controller
      if (aborted) controller.abort(aborted)
    },
    onResponseStart(_: unknown, statusCode: number, headers: Arrived['headers']): void {
      if (statusCode < 200) return
      head = { statusCode, headers }
      if (!wantsBody(head)) toStream(head)
    },
    onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
      if (stream) {
        if (!stream.push(chunk)) controller.pause()
        return
      }
      chunks.push(chunk)
      size += chunk.length
      if (head && size > mostCollected) toStream(head)
    },
    end(): void {
      const [first, ...more] = chunks
      if (stream) stream.push(null)
      else if (head) resolve({ ...head, body: first && more.length === 0 ? first : Buffer.concat(chunks, size) })
    },
    fail(error: Error): void {
      if (stream) stream.destroy(error)
      else if (head) toStream(head).destroy(error)
      else reject(error)
    },
  }
}

function streamOf(controller: () => Dispatcher.DispatchController | undefined): Readable {
  const body = new Readable({
    read() {
      if (controller()?.paused) controller()?.resume()
    },
    destroy(error, done) {
      if (error || !body.readableEnded) controller()?.abort(error ?? new Error('The answer is not read further.'))
      done(error)
    },
  })
  // It may fail before anybody has begun to read it.
  return body.on('error', () => {})
}

/** Answers that are no proper HTTP are read all the same, with as many headers as Chromium takes. */
export const tolerantParser = { insecureHTTPParser: true, maxHeaderSize: 262_144 } as const

export type TolerantOptions = {
  rule: AddressRule
  lookup?: LookupFunction | undefined
  proxy?: UpstreamProxy | undefined
  certificates: 'verify' | 'trust'
  connectTimeoutMs?: number | undefined
  /** Longest silence before the headers, ms. */
  headersTimeoutMs?: number | undefined
  /** Longest silence after them, ms. */
  bodyTimeoutMs?: number | undefined
}
type TolerantRequest = {
  url: URL
  method: 'GET' | 'HEAD' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  signal: AbortSignal
}

/**
 * Sends a request on a connection of its own, which ends with the answer: where parsers disagree about the end of an answer,
 * the next one might begin in the midst of it. The address rule, limits and errors are those of the strict way.
 */
export async function arriveTolerantly(request: TolerantRequest, options: TolerantOptions): Promise<Arrived> {
  const { url, method, headers, body, signal } = request
  const { headersTimeoutMs = 60_000, bodyTimeoutMs = 30_000 } = options
  signal.throwIfAborted()
  const { request: send } = await import('node:http')
  const socket = await openFor(url, options)
  const relay = relayOf(options.proxy, url.protocol)
  const sending: RequestOptions = {
    host: bareHost(url.hostname),
    port: portOf(url),
    path: relay ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
    method,
    headers: {
      host: url.host,
      ...headers,
      ...(relay && proxyAuthorization(relay)),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      connection: 'close',
    },
    createConnection: () => socket,
    ...tolerantParser,
    signal,
  }
  const { promise, resolve, reject } = Promise.withResolvers<Arrived>()
  const sent = send(sending)
  sent.on('response', (answer) => {
    sent.setTimeout(bodyTimeoutMs, () => answer.destroy(silence('UND_ERR_BODY_TIMEOUT')))
    resolve({ statusCode: answer.statusCode ?? 0, headers: headersOf(answer), body: answer.on('error', () => {}) })
  })
  sent.on('error', reject).setTimeout(headersTimeoutMs, () => sent.destroy(silence('UND_ERR_HEADERS_TIMEOUT')))
  sent.on('close', () => socket.destroy()).end(body)
  return promise
}

/** Under the code that the strict way has for it. */
const silence = (code: string) => Object.assign(new Error('The site was silent for too long'), { code })

async function openFor(
  url: URL,
  { rule, lookup, proxy, certificates, connectTimeoutMs: timeoutMs = 10_000 }: TolerantOptions,
) {
  const host = bareHost(url.hostname)
  const wants = relayOf(proxy, url.protocol) ? 'relay' : 'tunnel'
  const socket = await openSocket({ host, port: portOf(url) }, { rule, lookup, proxy, timeoutMs, wants })
  return url.protocol === 'https:'
    ? secured(socket, { servername: isIP(host) ? undefined : host, certificates, timeoutMs })
    : socket
}

/** Names in lower case; of those that are repeated all values, as undici gives them. */
function headersOf({ headersDistinct }: IncomingMessage): Arrived['headers'] {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  ) as Arrived['headers']
}
