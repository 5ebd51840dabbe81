import { BlockList, isIP } from 'node:net'
import { canonicalHost } from './host.ts'

/** One line of the allowHosts setting. `ip` is absent where the place was named, not resolved. */
export type AllowEntry = (place: { host: string; ip?: string; port: number }) => boolean

/** `name`, `1.2.3.4`, `10.0.0.0/8`, `::1`, `[fd00::/8]:8080`, `name:3000`, `*`. Without a port every port is meant. Throws on anything else. */
export function parseAllowEntry(entry: string): AllowEntry {
  const text = entry.trim().toLowerCase()
  const { target, port } = splitPort(text)
  const holds = matcher(target)
  if (!holds || (port !== undefined && !(port > 0 && port < 65_536)))
    throw new Error(
      `allowHosts: "${entry}" is not a host name, an IP address, a CIDR block or "*", with or without ":port".`,
    )
  return (place) => (port === undefined || port === place.port) && holds(place)
}

function splitPort(text: string): { target: string; port?: number } {
  const bracketed = /^\[([^\]]*)\](\/\d+)?(?::(\d+))?$/.exec(text)
  if (bracketed) return withPort(`${bracketed[1]}${bracketed[2] ?? ''}`, bracketed[3])
  const isV6 = text.split(':').length > 2
  const named = isV6 ? null : /^(.*):(\d+)$/.exec(text)
  return named ? withPort(named[1] ?? '', named[2]) : { target: text }
}

function withPort(target: string, port: string | undefined): { target: string; port?: number } {
  return port === undefined ? { target } : { target, port: Number(port) }
}

function matcher(target: string): AllowEntry | undefined {
  if (target === '*') return () => true
  const [base = '', bits, ...rest] = target.split('/')
  const version = isIP(base)
  if (rest.length > 0 || (bits !== undefined && version === 0)) return undefined
  if (version !== 0) return subnetMatcher(base, bits, version)
  const name = canonicalHost(base)
  return name === undefined ? undefined : ({ host }) => host === name
}

function subnetMatcher(base: string, bits: string | undefined, version: number): AllowEntry | undefined {
  const width = version === 4 ? 32 : 128
  const length = bits === undefined ? width : Number(bits)
  if (bits === '' || length > width) return undefined
  const list = new BlockList()
  list.addSubnet(base, length, version === 4 ? 'ipv4' : 'ipv6')
  return ({ ip }) => ip !== undefined && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
