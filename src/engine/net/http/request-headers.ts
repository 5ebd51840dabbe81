import { fail } from '../../../kernel/error.ts'
import { percentDecoded } from '../../../util/words.ts'

const maxCookies = 50

type Cookie = { name: string; value: string; host: string; forSubdomains: boolean; httpsOnly: boolean }

/**
 * Creates a store for the cookies of one fetch, for sites that set a cookie and redirect to the same page. Follows
 * RFC 6265 for name, Domain, Secure and expiry; paths are ignored.
 */
export function createCookies(): { keep(url: URL, setCookie: readonly string[]): void; headerFor(url: URL): string } {
  let jar: readonly Cookie[] = []
  return {
    keep(url, lines) {
      for (const line of lines) {
        const parsed = parseCookie(line, url.hostname)
        if (!parsed) continue
        const { cookie, isExpired } = parsed
        const others = jar.filter((other) => other.name !== cookie.name || other.host !== cookie.host)
        jar = isExpired ? others : [...others, cookie].slice(-maxCookies)
      }
    },
    headerFor: (url) =>
      jar
        .filter((cookie) => isFor(cookie, url))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

/** Joins the caller's cookies and those of the site. The caller's override cookies of the site with the same name. */
export function joinCookies(fromCaller: string | undefined, fromSite: string): string {
  const names = new Set((fromCaller ?? '').split(';').map(nameOf))
  const others = fromSite.split('; ').filter((pair) => pair !== '' && !names.has(nameOf(pair)))
  return [...(fromCaller ? [fromCaller] : []), ...others].join('; ')
}

function parseCookie(line: string, host: string): { cookie: Cookie; isExpired: boolean } | undefined {
  const [pair = '', ...attributes] = line.split(';')
  const name = nameOf(pair)
  if (name === '' || !pair.includes('=')) return undefined
  const byName = new Map(attributes.map((text) => [nameOf(text).toLowerCase(), valueOf(text)]))
  const domain = byName.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domain && !mayShare(host, domain)) return undefined
  const cookie = {
    name,
    value: valueOf(pair),
    host: domain || host,
    forSubdomains: Boolean(domain),
    httpsOnly: byName.has('secure'),
  }
  return { cookie, isExpired: hasExpired(byName.get('max-age'), byName.get('expires')) }
}

/** True if a host may set cookies for a domain: a parent domain, but not a top-level one. */
function mayShare(host: string, domain: string): boolean {
  return host === domain || (domain.includes('.') && host.endsWith(`.${domain}`))
}

function hasExpired(maxAge: string | undefined, expires: string | undefined): boolean {
  // An invalid number is ignored (RFC 6265, 5.2.2).
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

function isFor(cookie: Cookie, url: URL): boolean {
  if (cookie.httpsOnly && url.protocol !== 'https:') return false
  return url.hostname === cookie.host || (cookie.forSubdomains && url.hostname.endsWith(`.${cookie.host}`))
}

function nameOf(pair: string): string {
  return (pair.split('=', 1)[0] ?? '').trim()
}

function valueOf(pair: string): string {
  const at = pair.indexOf('=')
  return at === -1 ? '' : pair.slice(at + 1).trim()
}

type Headers = Readonly<Record<string, string>>

/** Headers that describe the connection or the body; callers cannot set them. */
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
/** Headers that must not be sent to another origin. */
const secretHeader = /auth|^cookie$|api-?key|token|secret|session|password|csrf|xsrf/i

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const printable = /^[\t\x20-\x7e\x80-\xff]*$/

/** Merges the caller's headers, in lower case, with the defaults. Fails with BAD_REQUEST for invalid ones. */
export function requestHeaders(fromCaller: Headers, userAgent: string): Headers {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
  }
  for (const [name, value] of Object.entries(fromCaller)) {
    const lower = name.toLowerCase()
    if (!token.test(lower)) fail('BAD_REQUEST', { message: 'A header name has characters that HTTP does not allow.' })
    if (!printable.test(value))
      fail('BAD_REQUEST', {
        message: `The value of header "${lower}" has characters that HTTP does not allow.`,
        details: { header: lower },
      })
    if (!ownHeaders.has(lower)) headers[lower] = value
  }
  return { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' }
}

export const isSecretHeader = (name: string) => secretHeader.test(name)

export function withoutSecrets(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecretHeader(name)))
}

/** Moves `user:password@` of a URL into a Basic authorization header, unless that is already set. */
export function withUrlCredentials(address: URL, headers: Headers): { url: URL; headers: Headers } {
  if (address.username === '' && address.password === '') return { url: address, headers }
  const pair = `${percentDecoded(address.username)}:${percentDecoded(address.password)}`
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return { url, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers } }
}
