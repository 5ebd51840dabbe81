import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '../address-rule.ts'
import { bareHost, portOf } from './canonical-url.ts'
import { openSocket, secured } from '../proxy/open-socket.ts'
import { proxyAuthorization, relayOf, type UpstreamProxy } from '../proxy/upstream-proxy.ts'

/** A response whose headers have been received. */
export type Arrived = {
  statusCode: number
  headers: Dispatcher.ResponseData['headers']
  /** A byte array if the whole body has already been received. */
  body: Uint8Array | Readable
}
/** Returns true if the body of the response should be read. */
type WantsBody = (answer: Omit<Arrived, 'body'>) => boolean

/** Longer bodies are returned as a stream. */
const maxCollected = 128 * 1024

/**
 * Sends a request. A short body is returned as bytes, because a stream costs more time than a few chunks. A body that
 * is long or unwanted is returned as a stream, which the caller must destroy. Rejects if no response starts; later
 * failures destroy the stream with an error. The signal aborts the request and the body; nothing is sent if it is
 * already aborted.
 */
export async function arrive(
  agent: Agent,
  { signal, ...request }: Dispatcher.DispatchOptions & { signal: AbortSignal },
  wantsBody: WantsBody,
): Promise<Arrived> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Arrived>()
  const exchange = createExchange({ resolve, reject, wantsBody })
  const abort = () => exchange.abort(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  const ended = () => signal.removeEventListener('abort', abort)
  agent.dispatch(request, {
    onRequestStart: exchange.onRequestStart,
    onResponseStart: exchange.onResponseStart,
    onResponseData: exchange.onResponseData,
    onResponseEnd() {
      ended()
      exchange.end()
    },
    onResponseError(_, error) {
      ended()
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
    /** Rejects immediately, even if the request still waits for a connection. */
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
      if (head && size > maxCollected) toStream(head)
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
  // The stream may fail before anyone reads it.
  return body.on('error', () => {})
}

/** Options for parsing malformed HTTP, with the same header size limit as Chromium. */
export const tolerantParser = { insecureHTTPParser: true, maxHeaderSize: 262_144 } as const

export type TolerantOptions = {
  rule: AddressRule
  lookup?: LookupFunction | undefined
  proxy?: UpstreamProxy | undefined
  certificates: 'verify' | 'trust'
  connectTimeoutMs?: number | undefined
  /** Maximum silence before the headers, in ms. */
  headersTimeoutMs?: number | undefined
  /** Maximum silence after the headers, in ms. */
  bodyTimeoutMs?: number | undefined
}
type TolerantRequest = {
  url: URL
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  signal: AbortSignal
}

/**
 * Sends a request and parses the response tolerantly. The connection is closed after the response: on a reused
 * connection, the rest of a malformed response could be read as the next one. The address rule, limits and errors are
 * the same as for the strict parser.
 */
export async function arriveTolerantly(request: TolerantRequest, options: TolerantOptions): Promise<Arrived> {
  const { url, method, headers, body, signal } = request
  const { headersTimeoutMs = 60_000, bodyTimeoutMs = 30_000 } = options
  signal.throwIfAborted()
  const { request: send } = await import('node:http')
  const socket = await openFor(request, options)
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
  let answered: IncomingMessage | undefined
  sent.on('response', (answer) => {
    answered = answer
    sent.setTimeout(bodyTimeoutMs, () => answer.destroy(silence('UND_ERR_BODY_TIMEOUT')))
    resolve({ statusCode: answer.statusCode ?? 0, headers: headersOf(answer), body: answer.on('error', () => {}) })
  })
  const failed = (error: Error) => {
    reject(error)
    // Passes the error on: a body that the parser rejects must not look like a connection that ended early. After a
    // complete response, errors are ignored.
    if (!answered?.complete) answered?.destroy(error)
  }
  sent.on('error', failed).setTimeout(headersTimeoutMs, () => sent.destroy(silence('UND_ERR_HEADERS_TIMEOUT')))
  sent
    .on('close', () => {
      socket.destroy()
      // The response may be a switch of protocols, which is reported in no other way.
      reject(Object.assign(new Error('The site sent no response'), { code: 'UND_ERR_SOCKET' }))
    })
    .end(body)
  return promise
}

/** Creates a timeout error with a code of undici. */
const silence = (code: string) => Object.assign(new Error('The site was silent for too long'), { code })

async function openFor(
  { url, signal }: TolerantRequest,
  { rule, lookup, proxy, certificates, connectTimeoutMs: timeoutMs = 10_000 }: TolerantOptions,
) {
  const host = bareHost(url.hostname)
  const wants = relayOf(proxy, url.protocol) ? 'relay' : 'tunnel'
  const socket = await openSocket({ host, port: portOf(url) }, { rule, lookup, proxy, timeoutMs, wants, signal })
  return url.protocol === 'https:'
    ? secured(socket, { servername: isIP(host) ? undefined : host, certificates, timeoutMs, signal })
    : socket
}

/** Returns headers in undici's form: names in lower case, repeated headers as arrays. */
function headersOf({ headersDistinct }: IncomingMessage): Arrived['headers'] {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  ) as Arrived['headers']
}
