import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { fail, failure } from '../../../kernel/error.ts'
import type { AddressRule } from '../address/address.ts'
import { bareHost } from '../address/host.ts'
import type { Hop } from './client.ts'
import { addressRefused, guardedConnector } from './connector.ts'
import { isConnectionReset, toNetworkError } from './network-error.ts'
import { withUrlCredentials } from './request-headers.ts'

export type ServiceAgentOptions = {
  rule: AddressRule
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction
  /** Name lookup, TCP and TLS together; 10 s by default. */
  connectTimeoutMs?: number
}
export type ServiceCall = Hop & { method: 'GET' | 'POST'; body?: string; signal: AbortSignal }
type Headers = Readonly<Record<string, string>>

const maxHeaderBytes = 65_536

/** HTTP/1.1 on shared keep-alive connections, to allowed hosts only. */
export function createServiceAgent({ rule, lookup, connectTimeoutMs = 10_000 }: ServiceAgentOptions): Agent {
  return new Agent({
    connect: guardedConnector({ rule, lookup, connectTimeoutMs, certificates: 'verify' }),
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  })
}

/** Credentials in the URL become a header. Fails with BAD_REQUEST or SCRAPE_ADDRESS_REFUSED. */
export function toServiceRequest(given: string, rule: AddressRule, standard: Headers, headers: Headers = {}) {
  const url = URL.parse(given) ?? fail('BAD_REQUEST', { message: 'The URL is not valid.' })
  if (rule.refusesUrl(url)) throw addressRefused(bareHost(url.hostname))
  // A header name in another case would be sent in addition to ours.
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return withUrlCredentials(url, { ...standard, ...Object.fromEntries(own) })
}

/** Errors are SCRAPE_* as those of the fetcher; an abort rejects with the signal's reason. */
export async function withinTime<T>(
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    signal.throwIfAborted()
    return await work(AbortSignal.any([signal, late]))
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (!late.aborted) throw toNetworkError(cause)
    throw failure('SCRAPE_ALL_ENGINES_FAILED', { message: `There was no answer within ${timeoutMs / 1000} s.`, cause })
  }
}

/** Retries once: the service may have closed the keep-alive connection just as it was used. */
export async function sendTwice(agent: Agent, call: ServiceCall): Promise<Dispatcher.ResponseData> {
  const { url, method, headers, body, signal } = call
  const path = `${url.pathname}${url.search}`
  const options = { origin: url.origin, path, method, headers, signal, ...(body !== undefined && { body }) }
  try {
    return await agent.request(options)
  } catch (error) {
    if (!isConnectionReset(error)) throw error
    return agent.request(options)
  }
}
