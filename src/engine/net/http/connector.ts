import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { failure, AppError, type ErrorCode } from '../../../kernel/error.ts'
import type { AddressRule } from '../address-rule.ts'
import { bareHost, portOf } from './canonical-url.ts'

/** Error codes of Node, OpenSSL and undici → the error for the caller. The first match counts. */
type ErrorMapping = readonly [codes: RegExp, failure: ErrorCode, message?: string]

/** No connection, for a reason that is the same on every way to the site. */
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

const tlsText = 'No TLS connection could be agreed on with the site'
/** As OpenSSL names it, such as "unsupported protocol". */
const tlsReason = (code: string) =>
  code
    .replace(/^ERR_(?:SSL|TLS)_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()

/** What goes wrong once the site has taken the connection: another client may be told, or understand, what this one was not. */
const faults: readonly ErrorMapping[] = [
  [/^(?:ERR_SSL_\w+|ERR_TLS_\w+|EPROTO)$/, 'SCRAPE_SSL_ERROR', tlsText],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'SCRAPE_ALL_ENGINES_FAILED',
    'The site closed the connection before the answer was complete.',
  ],
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site took the request but did not begin to answer.'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site stopped sending before the page was complete.'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'SCRAPE_SITE_ERROR', 'The site answered with too many or too long headers.'],
  [/^(?:HPE_\w+|HTTPParserError|UND_ERR_RES\w+)$/, 'SCRAPE_SITE_ERROR', 'The answer of the site is not valid HTTP.'],
  [
    /^(?:Z_\w+|ZSTD_\w+|ERR__ERROR\w+|ERR_ZLIB\w+|ERR_BROTLI\w+)$/,
    'SCRAPE_SITE_ERROR',
    'The page does not match its declared content encoding.',
  ],
]

/** A network error as an AppError; unknown errors are returned unchanged. */
export function toNetworkError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown
  const code = codeOf(thrown)
  const mapping = [...unreachable, ...faults].find(([codes]) => codes.test(code))
  if (!mapping) return thrown
  const [, kind, message] = mapping
  if (message === tlsText) return failure(kind, { cause: thrown, message: `${message}: ${tlsReason(code)}.` })
  return failure(kind, { cause: thrown, ...(message !== undefined && { message }) })
}

/** Whether the site may just have closed the kept-alive connection, so that a retry makes sense. */
export function isConnectionReset(thrown: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(thrown))
}

/** Whether another way may read what one could not. */
export function mayPassElsewhere(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return !unreachable.some(([codes]) => codes.test(code)) && faults.some(([codes]) => codes.test(code))
}

/** Whether it lies in the form of an answer, which the site's other answers are likely to share. */
export function isMalformed(thrown: unknown): boolean {
  return /^(?:HPE_|HTTPParserError|UND_ERR_(?:RES|HEADERS_OVERFLOW)|ERR_SSL_)/.test(codeOf(thrown))
}

/** undici's parser errors may lack a code; their name stands in. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return ''
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
}

export type RememberOptions = {
  /** Milliseconds for which an answer counts; 10 s by default, since the system does not tell how long it may. */
  keptMs?: number
  /** Names that are remembered at the same time; the oldest make room. */
  most?: number
}

type Answer = Parameters<Parameters<LookupFunction>[2]>
type Known = { at: number; callers: Parameters<LookupFunction>[2][] | undefined; addresses: LookupAddress[] }

/**
 * Asks for a name once in a while, however many connections to it are opened: the system answers in one of four threads that all
 * lookups and files share. Callers who ask at the same time share an answer; failures are not remembered. Nothing is
 * judged here, so whoever connects still looks at each address.
 *
 * @param lookup has the shape of `dns.lookup`
 */
export function rememberedLookup(lookup: LookupFunction, options: RememberOptions = {}): LookupFunction {
  const { keptMs = 10_000, most = 1000 } = options
  const known = new Map<string, Known>()

  function ask(key: string, host: string, settings: Parameters<LookupFunction>[1], first: Known['callers']): void {
    const entry: Known = { at: performance.now(), callers: first, addresses: [] }
    known.delete(key)
    known.set(key, entry)
    forgetOldest(known, most)
    lookup(host, { ...settings, all: true }, (...[error, answer]: Answer) => {
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
    const found = known.get(key)
    if (found?.callers) return void found.callers.push(callback)
    if (!found || performance.now() - found.at >= keptMs) return ask(key, host, settings, [callback])
    // As `dns.lookup` does, it answers only after it has returned.
    process.nextTick(() => callback(null, copyOf(found.addresses)))
  }
}

const copyOf = (addresses: readonly LookupAddress[]) => addresses.map((address) => ({ ...address }))

/** A map keeps its entries in the order they came. One that is being asked for still answers its callers. */
function forgetOldest(known: Map<string, Known>, most: number): void {
  for (const key of known.keys()) {
    if (known.size <= most) return
    known.delete(key)
  }
}

export type ConnectorOptions = {
  rule: AddressRule
  /** Stands in for the system's name service (same shape as dns.lookup). */
  lookup?: LookupFunction | undefined
  connectTimeoutMs: number
  certificates: 'verify' | 'trust'
}

/**
 * Opens sockets to allowed places only, failing with SCRAPE_ADDRESS_REFUSED. undici calls `lookup` for names only, so
 * literals are judged before and the peer after; together this holds against rebinding and mixed DNS answers.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { rule } = options
  // Allow entries may name a port, which lookup never learns: hence one connector a port, not one a call, to keep TLS sessions.
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

/** All connections of the program ask for a name together. */
const systemLookup = rememberedLookup((...asked) => dns.lookup(...asked))

/** A lookup that answers only the addresses the rule lets through, and fails if there are none. */
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
