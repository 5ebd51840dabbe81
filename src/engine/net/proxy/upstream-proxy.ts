import { z } from 'zod'
import { bareHost } from '../address/host.ts'
import { percentDecoded } from '../http/request-headers.ts'

/** A proxy the operator configured: how to reach it, its pool and country. */
export type UpstreamProxy = {
  protocol: 'http' | 'https' | 'socks5'
  host: string
  port: number
  username?: string
  password?: string
  pool: 'basic' | 'enhanced'
  /** ISO country code in capitals of its exit; undefined = any. */
  country?: string
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const
const kinds = new Set<string>(Object.keys(defaultPorts))
const Country = z.string().regex(/^[A-Z]{2}$/)

/**
 * Reads `[enhanced:][CC:]scheme://[user:password@]host[:port]`, such as `enhanced:DE:socks5://me:secret@proxy.example:1080`.
 * Throws an Error that does not repeat the entry, because it may hold a password.
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

export type ProxyCriteria = { pool: UpstreamProxy['pool']; country?: string | undefined }

/**
 * Picks proxies in rotation: of the country if there are any, else of no fixed country. Undefined if the pool has no match,
 * in which case the basic pool connects directly.
 */
export function createProxyRotation(
  proxies: readonly UpstreamProxy[],
): (wish: ProxyCriteria) => UpstreamProxy | undefined {
  let turn = 0
  return ({ pool, country }) => {
    const inPool = proxies.filter((proxy) => proxy.pool === pool)
    const near = country === undefined ? [] : inPool.filter((proxy) => proxy.country === country)
    const fitting = near.length > 0 ? near : inPool.filter((proxy) => proxy.country === undefined)
    return fitting[turn++ % (fitting.length || 1)]
  }
}
