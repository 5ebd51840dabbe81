import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { failure, AppError, type ErrorCode } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { bareHost, portOf } from './canonical-url.ts'

/** Maps error codes of Node, OpenSSL and undici to errors for the caller. The first match applies. */
type ErrorMapping = readonly [codes: RegExp, failure: ErrorCode, message?: string]

/** Connection failures that would occur with every client. */
const unreachable: readonly ErrorMapping[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [
    /^(?:EAI_\w+|ESERVFAIL|EREFUSED|ETIMEOUT)$/,
    'SCRAPE_DNS_RESOLUTION_ERROR',
    'The host name of the URL could not be resolved: DNS did not answer.',
  ],
  [
    /^(?:CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CRL_\w+|ERROR_IN_C\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_\w+)$/,
    'SCRAPE_SSL_ERROR',
  ],
  [/^ECONNREFUSED$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site refused the connection.'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The connection to the site timed out.'],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/,
    'SCRAPE_ALL_ENGINES_FAILED',
    'The site cannot be reached from here.',
  ],
]

/** Creates the error of a TLS handshake that failed for a reason other than the certificate, such as its protocol. */
export const tlsFailure = (code: string, cause?: unknown): AppError =>
  failure('SCRAPE_SSL_ERROR', {
    message: `No TLS connection could be agreed on with the site: ${code.replaceAll('_', ' ').toLowerCase()}.`,
    hint: 'The site may offer only TLS versions or ciphers that browsers refuse too; skipTlsVerification does not help.',
    cause,
  })
const isTlsFault = /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/

/** Failures after the connection was accepted: another client may get, or parse, a better response. */
const faults: readonly ErrorMapping[] = [
  [isTlsFault, 'SCRAPE_SSL_ERROR'],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'SCRAPE_ALL_ENGINES_FAILED',
    'The site closed the connection before the answer was complete.',
  ],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site took the request but did not begin to answer.'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site stopped sending before the page was complete.'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'SCRAPE_SITE_ERROR', 'The site answered with too many or too long headers.'],
  // undici asserts that a status is not 0. In bundled code, Node cannot print the failed assertion and throws a
  // SyntaxError instead.
  [
    /^(?:HPE_\w+|HTTPParserError|UND_ERR_RES\w+|ERR_ASSERTION|SyntaxError)$/,
    'SCRAPE_SITE_ERROR',
    'The answer of the site is not valid HTTP.',
  ],
  [
    /^(?:Z_\w+|ZSTD_\w+|ERR__ERROR\w+|ERR_ZLIB\w+|ERR_BROTLI\w+)$/,
    'SCRAPE_SITE_ERROR',
    'The page does not match its declared content encoding.',
  ],
]

/** Converts a network error to an AppError; unknown errors are returned unchanged. */
export function toNetworkError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown
  const code = codeOf(thrown)
  const mapping = [...unreachable, ...faults].find(([codes]) => codes.test(code))
  if (!mapping) return thrown
  const [, kind, message] = mapping
  if (mapping[0] === isTlsFault) return tlsFailure(code.replace(/^ERR_(?:SSL|TLS)_/, ''), thrown)
  return failure(kind, { cause: thrown, ...(message !== undefined && { message }) })
}

/** True if another client may succeed with the same request. */
export function mayPassElsewhere(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return !unreachable.some(([codes]) => codes.test(code)) && faults.some(([codes]) => codes.test(code))
}

/** True if the response is malformed, which probably applies to the site's other responses too. */
export function isMalformed(thrown: unknown): boolean {
  return /^(?:HPE_|HTTPParserError|UND_ERR_(?:RES|HEADERS_OVERFLOW)|ERR_SSL_)/.test(codeOf(thrown))
}

/** Returns the error code; undici's parser errors may lack one, so their name is used instead. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return ''
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
}

export type RememberOptions = {
  /** Time in ms for which a result is cached; 10 s by default, because the system does not report a TTL. */
  keptMs?: number
  /** Maximum number of cached names; the oldest are removed first. */
  most?: number
}

/** A cached lookup; `callers` wait for it while it is pending. */
type Known = { at: number; callers: Parameters<LookupFunction>[2][] | undefined; addresses: LookupAddress[] }

/**
 * Adds a cache to `lookup`, which has the signature of `dns.lookup`: Node runs lookups in four threads, which it also
 * uses for file access. Concurrent callers share a lookup; failures are not cached. The caller must check each address.
 */
export function rememberedLookup(lookup: LookupFunction, options: RememberOptions = {}): LookupFunction {
  const { keptMs = 10_000, most = 1000 } = options
  const known = new Map<string, Known>()

  function start(key: string, host: string, settings: Parameters<LookupFunction>[1], first: Known['callers']): void {
    const entry: Known = { at: performance.now(), callers: first, addresses: [] }
    known.delete(key)
    known.set(key, entry)
    forgetOldest(known, most)
    lookup(host, { ...settings, all: true }, (...[error, answer]: Parameters<Parameters<LookupFunction>[2]>) => {
      const { callers = [] } = entry
      entry.callers = undefined
      entry.addresses = Array.isArray(answer) ? answer : []
      if ((error || entry.addresses.length === 0) && known.get(key) === entry) known.delete(key)
      for (const caller of callers) caller(error, copyOf(entry.addresses))
    })
  }

  return (host, settings, callback) => {
    const { family, hints, order } = settings
    const key = JSON.stringify([host.toLowerCase(), family, hints, order])
    const entry = known.get(key)
    if (entry?.callers) return void entry.callers.push(callback)
    if (!entry || performance.now() - entry.at >= keptMs) return start(key, host, settings, [callback])
    // Call back asynchronously, as `dns.lookup` does.
    process.nextTick(() => callback(null, copyOf(entry.addresses)))
  }
}

const copyOf = (addresses: readonly LookupAddress[]) => addresses.map((address) => ({ ...address }))

/**
 * Removes the oldest entries (a map keeps insertion order). The callers of a removed pending lookup still get a result.
 */
function forgetOldest(known: Map<string, Known>, most: number): void {
  for (const key of known.keys()) {
    if (known.size <= most) return
    known.delete(key)
  }
}

export type ConnectorOptions = {
  rule: AddressRule
  /** Replaces the system's DNS lookup (same signature as dns.lookup). */
  lookup?: LookupFunction | undefined
  connectTimeoutMs: number
  certificates: 'verify' | 'trust'
}

/**
 * Opens sockets to allowed hosts only; fails with SCRAPE_ADDRESS_REFUSED otherwise. undici calls `lookup` for names
 * only, so IP literals are checked before connecting and the peer's address afterwards. This protects against DNS
 * rebinding and mixed DNS results.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { rule } = options
  // Each port has its own connector, because allow entries may name a port, which `lookup` does not receive. The
  // connectors are kept, because each one stores its TLS sessions.
  const openers = new Map<number, buildConnector.connector>()
  const openerFor = (port: number) => {
    const opener = openers.get(port) ?? openerOf(options, port)
    openers.set(port, opener)
    return opener
  }

  return (target, callback) => {
    const host = bareHost(target.hostname)
    const port = portOf(target)
    if (rule.refusesHost(host, port)) return callback(addressRefused(host), null)
    openerFor(port)({ ...target, hostname: host }, (...result) => {
      const [error, socket] = result
      if (error) return callback(error, null)
      if (!rule.refusesIp(socket.remoteAddress ?? '', host, port)) return callback(null, socket)
      socket.destroy()
      callback(addressRefused(host), null)
    })
  }
}

/** DNS lookups are shared by all connections of the process. */
const systemLookup = rememberedLookup((...args) => dns.lookup(...args))

/** Creates a lookup that returns only allowed addresses, and fails if there are none. */
export function guardedLookup(rule: AddressRule, port: number, lookup: LookupFunction = systemLookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, [])
      const open = asList(answer).filter(({ address }) => !rule.refusesIp(address, host, port))
      const [first] = open
      if (!first) return callback(addressRefused(host), [])
      if (options.all) return callback(null, open)
      callback(null, first.address, first.family)
    })
  }
}

export function addressRefused(host: string): AppError {
  return failure('SCRAPE_ADDRESS_REFUSED', { details: { host } })
}

function openerOf({ rule, lookup, connectTimeoutMs, certificates }: ConnectorOptions, port: number) {
  return buildConnector({
    lookup: guardedLookup(rule, port, lookup),
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: certificates === 'verify',
  })
}

function asList(answer: string | LookupAddress[]): LookupAddress[] {
  return typeof answer === 'string' ? [{ address: answer, family: answer.includes(':') ? 6 : 4 }] : answer
}
