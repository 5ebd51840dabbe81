import { z } from 'zod'

/** A proxy of the operator: how it is reached, and what it is good for. */
export type ProxyAddress = {
  protocol: 'http' | 'https' | 'socks5'
  host: string
  port: number
  username?: string
  password?: string
  pool: 'basic' | 'enhanced'
  /** ISO country code in capitals of where it comes out; undefined = anywhere. */
  country?: string
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const
const kinds = new Set<string>(Object.keys(defaultPorts))
const Country = z.string().regex(/^[A-Z]{2}$/)

/**
 * Reads `[enhanced:][CC:]scheme://[user:password@]host[:port]`, such as `enhanced:DE:socks5://me:secret@proxy.example:1080`.
 * Throws an Error that does not repeat the entry, because it may hold a password.
 */
export function parseProxy(entry: string): ProxyAddress {
  const [, pool, country, address = ''] =
    /^(?:(basic|enhanced):)?(?:([A-Za-z]{2}):)?(\w+:\/\/.+)$/.exec(entry.trim()) ?? []
  const url = URL.parse(address.replace(/^socks5h:/i, 'socks5:'))
  const protocol = url?.protocol.slice(0, -1).toLowerCase() ?? ''
  if (!url || !kinds.has(protocol) || url.hostname === '')
    throw new Error('A proxy is written [enhanced:][CC:]http|https|socks5://[user:password@]host[:port]')
  const kind = protocol as ProxyAddress['protocol']
  return {
    protocol: kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPorts[kind] : Number(url.port),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    pool: pool === 'enhanced' ? 'enhanced' : 'basic',
    ...(country !== undefined && { country: Country.parse(country.toUpperCase()) }),
  }
}

export type ProxyWish = { pool: ProxyAddress['pool']; country?: string | undefined }

/**
 * The next proxy for a wish, in turn: one of the country if there is any, else one that is bound to no country. Undefined
 * where the pool holds none that fits, which for the basic pool means going without.
 */
export function createProxyChoice(proxies: readonly ProxyAddress[]): (wish: ProxyWish) => ProxyAddress | undefined {
  let turn = 0
  return ({ pool, country }) => {
    const inPool = proxies.filter((proxy) => proxy.pool === pool)
    const near = country === undefined ? [] : inPool.filter((proxy) => proxy.country === country)
    const fitting = near.length > 0 ? near : inPool.filter((proxy) => proxy.country === undefined)
    return fitting[turn++ % (fitting.length || 1)]
  }
}
