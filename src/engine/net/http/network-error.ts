import { AppError, type ErrorCode, failure } from '../../../kernel/error.ts'

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
