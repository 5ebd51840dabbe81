import { fail } from '../../../kernel/error.ts'

type Headers = Readonly<Record<string, string>>

/** Headers that describe the connection or the body, which are ours to say. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What must not reach another origin than the one it was given for. */
const secretHeader = /auth|^cookie$|api-?key|token|secret|session|password|csrf|xsrf/i

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const printable = /^[\t\x20-\x7e\x80-\xff]*$/

/** Caller headers in lower case over the defaults. Fails with BAD_REQUEST (naming the header) where one cannot be sent. */
export function requestHeaders(given: Headers, userAgent: string): Headers {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
  }
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!token.test(lower)) fail('BAD_REQUEST', { message: 'A header name has characters that HTTP does not allow.' })
    if (!printable.test(value)) badValue(lower)
    if (!ownHeaders.has(lower)) headers[lower] = value
  }
  return { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' }
}

export const isSecretHeader = (name: string) => secretHeader.test(name)

export function withoutSecrets(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecretHeader(name)))
}

/** Moves `user:password@` of a URL into a Basic authorization header, unless one is there already. */
export function withUrlCredentials(address: URL, headers: Headers): { url: URL; headers: Headers } {
  if (address.username === '' && address.password === '') return { url: address, headers }
  const pair = `${percentDecoded(address.username)}:${percentDecoded(address.password)}`
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return { url, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers } }
}

function badValue(header: string): never {
  fail('BAD_REQUEST', {
    message: `The value of header "${header}" has characters that HTTP does not allow.`,
    details: { header },
  })
}

/** A part of a URL; where a percent sign stands for itself, the part as it is written. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
