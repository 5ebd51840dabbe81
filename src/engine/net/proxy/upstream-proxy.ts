import { z } from 'zod'
import { bareHost } from '../http/canonical-url.ts'
import { percentDecoded } from '../../../util/words.ts'

/** A proxy that the operator configured, with its pool and country. */
export type UpstreamProxy = {
  protocol: 'http' | 'https' | 'socks5'
  host: string
  port: number
  username?: string
  password?: string
  pool: 'basic' | 'enhanced'
  /** ISO country code of its exit, in upper case; undefined = any. */
  country?: string
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const
const kinds = new Set<string>(Object.keys(defaultPorts))
const Country = z.string().regex(/^[A-Z]{2}$/)

/**
 * Parses `[enhanced:][CC:]scheme://[user:password@]host[:port]`, such as
 * `enhanced:DE:socks5://me:secret@proxy.example:1080`. The Error for an invalid entry does not contain the entry, which
 * may include a password.
 */
export function parseProxy(entry: string): UpstreamProxy {
  const [, pool, country, address = ''] =
    /^(?:(basic|enhanced):)?(?:([A-Za-z]{2}):)?(\w+:\/\/.+)$/.exec(entry.trim()) ?? []
  const url = URL.parse(address.replace(/^socks5h:/i, 'socks5:'))
  const protocol = url?.protocol.slice(0, -1).toLowerCase() ?? ''
  if (!url || !kinds.has(protocol) || url.hostname === '')
    throw new Error('A proxy is written [enhanced:][CC:]http|https|socks5://[user:password@]host[:port]')
  const kind = protocol as UpstreamProxy['protocol']
  return {
    protocol: kind,
    host: bareHost(url.hostname),
    port: url.port === '' ? defaultPorts[kind] : Number(url.port),
    ...(url.username !== '' && { username: percentDecoded(url.username) }),
    ...(url.password !== '' && { password: percentDecoded(url.password) }),
    pool: pool === 'enhanced' ? 'enhanced' : 'basic',
    ...(country !== undefined && { country: Country.parse(country.toUpperCase()) }),
  }
}

/** Returns the login header for a proxy, if it has credentials. */
export function proxyAuthorization({ username, password = '' }: UpstreamProxy): Record<string, string> {
  if (username === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/**
 * Returns the proxy if it should forward single requests with absolute URLs (RFC 9112, 3.2.2): an HTTP proxy must
 * forward `http://`, because Squid and tinyproxy open tunnels to port 443 only. Undefined if a tunnel is needed.
 */
export const relayOf = (proxy: UpstreamProxy | undefined, protocol: string): UpstreamProxy | undefined =>
  protocol === 'http:' && proxy?.protocol !== 'socks5' ? proxy : undefined

export type ProxyCriteria = { pool: UpstreamProxy['pool']; country?: string | undefined }

/**
 * Creates a function that picks proxies in rotation: those of the country if there are any, otherwise those without a
 * country. Undefined if the pool has no match; the basic pool then connects directly.
 */
export function createProxyRotation(
  proxies: readonly UpstreamProxy[],
): (request: ProxyCriteria) => UpstreamProxy | undefined {
  let count = 0
  return ({ pool, country }) => {
    const inPool = proxies.filter((proxy) => proxy.pool === pool)
    const inCountry = country === undefined ? [] : inPool.filter((proxy) => proxy.country === country)
    const candidates = inCountry.length > 0 ? inCountry : inPool.filter((proxy) => proxy.country === undefined)
    return candidates[count++ % (candidates.length || 1)]
  }
}
