import type { MiddlewareHandler } from 'hono'
import { fail } from '../../kernel/error.ts'
import type { IncomingMessage } from 'node:http'

export type BaseUrlRules = {
  /** Public address of the service; takes precedence over everything in a request. */
  publicUrl?: string | undefined
  /** Trusts X-Forwarded-* and Forwarded. Only safe if every request passes a proxy that sets them. */
  trustProxy?: boolean | undefined
}

const validHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Scheme and host under which the caller reached the service, without a trailing slash. */
export function baseUrlOf(request: Request, { publicUrl, trustProxy }: BaseUrlRules): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const own = new URL(request.url)
  const seen = trustProxy ? forwarded(request.headers) : undefined
  return `${seen?.scheme ?? own.protocol.slice(0, -1)}://${seen?.host ?? own.host}`
}

/** True if a page of this service sends the request. A proxy may have changed its scheme. */
export function isOwnOrigin(request: Request, rules: BaseUrlRules): boolean {
  const host = URL.parse(request.headers.get('origin') ?? '')?.host
  return host !== undefined && [request.url, baseUrlOf(request, rules)].some((url) => new URL(url).host === host)
}

/** The first value of each header, set by the outermost proxy. RFC 7239 for Forwarded. */
function forwarded(headers: Headers): { scheme: string | undefined; host: string | undefined } {
  const standard = headers.get('forwarded')?.split(',')[0] ?? ''
  const parameter = (name: string) => new RegExp(`(?:^|;)\\s*${name}="?([^";]+)`, 'i').exec(standard)?.[1]
  const scheme = first(headers.get('x-forwarded-proto')) ?? parameter('proto')
  const host = first(headers.get('x-forwarded-host')) ?? parameter('host')
  return {
    scheme: /^https?$/i.test(scheme ?? '') ? scheme?.toLowerCase() : undefined,
    host: validHost.test(host ?? '') ? host : undefined,
  }
}

function first(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

const maxHeaders = 200

/**
 * Reason to refuse a request that Node's parser accepts although a proxy may read it differently, as two requests
 * instead of one (RFC 9112, sections 3.2 and 6.1).
 */
export function framingFault({ headersDistinct, rawHeaders, httpVersionMajor }: IncomingMessage): string | undefined {
  if (httpVersionMajor !== 1) return 'Only HTTP/1.1 and HTTP/1.0 are supported.'
  if ((headersDistinct['host'] ?? []).length > 1) return 'There is more than one Host header.'
  if (rawHeaders.length / 2 > maxHeaders) return `There are more than ${maxHeaders} headers.`
  const coding = headersDistinct['transfer-encoding']
  if (coding === undefined) return undefined
  return coding.length === 1 && coding[0]?.toLowerCase() === 'chunked'
    ? undefined
    : 'The only supported transfer encoding is chunked.'
}

export type GuardRules = {
  /** Host names (any port) or "name:port"; "*" is any. */
  allowedHosts: readonly string[]
  /**
   * `by key`: every call needs an API key, which pages of other sites do not have, so host names that no public site
   * can have are admitted too.
   */
  access?: 'by key' | 'open'
  /** Web origins, such as "https://app.example"; "*" is any. */
  allowedOrigins: readonly string[]
}

/**
 * True if a request may be answered. The Host check prevents DNS rebinding, the Origin check stops pages of other
 * sites, so neither can control a server on the user's machine. Programs send no Origin and pass.
 */
function admission(rules: GuardRules): (request: Request) => boolean {
  const [admitsHost, admitsOrigin] = [hostAdmission(rules), originAdmission(rules)]
  return (request) => admitsHost(request) && admitsOrigin(request)
}

export function hostAdmission({
  allowedHosts,
  access,
}: Pick<GuardRules, 'allowedHosts' | 'access'>): (request: Request) => boolean {
  const hosts = new Set(allowedHosts.map(comparable))
  const admits = (host: string) => allows(hosts, host) || (access === 'by key' && isLocal(host))
  return (request) => hostsOf(request).every(admits)
}

/**
 * True for a host that no public site can have: an IP address, a name without a dot, or a suffix outside public DNS.
 */
function isLocal(host: string): boolean {
  const { hostname } = URL.parse(`http://${comparable(host)}`) ?? { hostname: '.' }
  const name = hostname.replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name)
  return isAddress || (name !== '' && !name.includes('.')) || /\.(?:internal|local|localhost|home\.arpa)$/.test(name)
}

export function originAdmission({ allowedOrigins }: Pick<GuardRules, 'allowedOrigins'>): (request: Request) => boolean {
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()))
  return ({ headers }) => {
    const origin = headers.get('origin')?.toLowerCase()
    return origin === undefined || origins.has('*') || origins.has(origin)
  }
}

/**
 * Admits permitted requests and sets the CORS headers. Fails with ORIGIN_REFUSED. Pages of the service itself (`isOwn`)
 * are admitted only under the hosts that the operator has listed: with `*` alone, any site could pose as such a page.
 */
export function guard(rules: GuardRules, isOwn: (request: Request) => boolean = () => false): MiddlewareHandler {
  const admits = admission(rules)
  const isNamed = hostAdmission({ allowedHosts: rules.allowedHosts.filter((host) => host !== '*') })
  return async (c, next) => {
    if (isOwn(c.req.raw) && isNamed(c.req.raw)) return next()
    if (!admits(c.req.raw)) fail('ORIGIN_REFUSED')
    const origin = c.req.header('origin')
    if (origin === undefined) return next()
    if (isPreflight(c.req.raw)) return preflight(c.req.raw, origin)
    await next()
    for (const [name, value] of sharing(origin)) c.res.headers.set(name, value)
  }
}

/** The hosts that a request names: in its Host header, and in its request line if that contains a whole URL. */
function hostsOf(request: Request): string[] {
  const header = request.headers.get('host')
  return [new URL(request.url).host, ...(header === null ? [] : [header])]
}

function allows(hosts: ReadonlySet<string>, host: string): boolean {
  const full = comparable(host)
  return hosts.has('*') || hosts.has(full) || hosts.has(full.replace(/:\d+$/, ''))
}

/** Puts a bare IPv6 address in brackets, so its colons are not taken for a port. */
function comparable(host: string): string {
  const lower = host.toLowerCase()
  return /^[0-9a-f]*:[0-9a-f.]*:[0-9a-f:.]*$/.test(lower) ? `[${lower}]` : lower
}

function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
}

function preflight(request: Request, origin: string): Response {
  const wanted = request.headers.get('access-control-request-headers')
  const headers = new Headers(sharing(origin))
  headers.set('access-control-allow-methods', 'GET, HEAD, POST, PATCH, DELETE, OPTIONS')
  headers.set('access-control-max-age', '600')
  if (wanted !== null) headers.set('access-control-allow-headers', wanted)
  return new Response(null, { status: 204, headers })
}

function sharing(origin: string): [string, string][] {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', 'X-Request-Id, Mcp-Session-Id, WWW-Authenticate, Retry-After'],
    ['vary', 'Origin'],
  ]
}
