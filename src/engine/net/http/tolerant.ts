import type { IncomingMessage, RequestOptions } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressRule } from '../address/address.ts'
import { bareHost, portOf } from '../address/host.ts'
import { openSocket, secured } from '../proxy/open-socket.ts'
import { proxyAuthorization, relayOf, type UpstreamProxy } from '../proxy/upstream-proxy.ts'
import type { Arrived } from './answer/arrive.ts'

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
export type TolerantRequest = {
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
