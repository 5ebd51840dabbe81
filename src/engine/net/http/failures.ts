import { AppError, type ErrorCode, failure } from '../../../kernel/error.ts'

type Row = readonly [codes: RegExp, failure: ErrorCode, message?: string]

/** What Node, OpenSSL and undici call a failure → what the caller is told. The first row that fits holds. */
const rows: readonly Row[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [
    /^(?:EAI_\w+|ESERVFAIL|EREFUSED|ETIMEOUT)$/,
    'SCRAPE_DNS_RESOLUTION_ERROR',
    'The host name of the URL could not be looked up: the name service did not answer.',
  ],
  [
    /^(?:CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CRL_\w+|ERROR_IN_C\w+|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_\w+)$/,
    'SCRAPE_SSL_ERROR',
  ],
  [/^(?:ERR_SSL_\w+|ERR_TLS_\w+|EPROTO)$/, 'SCRAPE_SSL_ERROR', 'No TLS connection could be agreed on with the site.'],
  [/^ECONNREFUSED$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The site refused the connection.'],
  [/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'SCRAPE_ALL_ENGINES_FAILED', 'The connection to the site timed out.'],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/,
    'SCRAPE_ALL_ENGINES_FAILED',
    'The site cannot be reached from here.',
  ],
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
    'The page does not match the content coding it claims.',
  ],
]

/** A failure of the network as the caller should see it; anything unknown comes back as it is. */
export function networkFailure(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown
  const code = codeOf(thrown)
  const row = rows.find(([codes]) => codes.test(code))
  if (!row) return thrown
  const [, kind, message] = row
  return failure(kind, { cause: thrown, ...(message !== undefined && { message }) })
}

/** Whether a request may simply have met a kept-alive connection that the site was closing. */
export function wasCutOff(thrown: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(thrown))
}

/** The parser of undici leaves out the code of some failures, so the name of the error stands in. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return ''
  const { code } = thrown as NodeJS.ErrnoException
  return typeof code === 'string' ? code : thrown.name
}
