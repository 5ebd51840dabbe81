import { isIP } from 'node:net'
import { parseAllowEntry } from './allow-entry.ts'
import { bareHost, canonicalHost, portOf } from './host.ts'
import { isPublicIp } from './public-ip.ts'

/** Says which places on the network are closed to callers. Judge the URL first, then every address it resolves to. */
export type AddressRule = {
  /** Schemes other than http and https are refused as well. Judges by the text alone, without DNS. */
  refusesUrl(url: string | URL): boolean
  /** A host name or IP address as asked for, before DNS. */
  refusesHost(host: string, port: number): boolean
  /** An address that `host` resolved to, or the peer of an open socket. */
  refusesIp(ip: string, host: string, port: number): boolean
}

/** Names that belong to the local network, never to the public DNS (RFC 6761, 6762, 8375; ICANN's private TLDs; Kubernetes). */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|home\.arpa)$/

/**
 * @param allowHosts the operator's exceptions: host names, IP addresses, CIDR blocks, each with or without `:port`, or `*`.
 * A name allows whatever addresses it resolves to. Throws an Error that names the entry it cannot read.
 */
export function createAddressRule(allowHosts: readonly string[]): AddressRule {
  const entries = allowHosts.map(parseAllowEntry)
  const isAllowed = (place: { host: string; ip?: string; port: number }) => entries.some((holds) => holds(place))

  const refusesBare = (host: string, port: number): boolean => {
    const isLiteral = isIP(host) !== 0
    if (isAllowed({ host, port, ...(isLiteral && { ip: host }) })) return false
    if (isLiteral) return !isPublicIp(host)
    return !host.includes('.') || localName.test(host)
  }

  return {
    refusesUrl(url) {
      const parsed = URL.parse(String(url))
      if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return true
      return refusesBare(bareHost(parsed.hostname), portOf(parsed))
    },
    refusesHost(host, port) {
      const name = canonicalHost(host)
      return name === undefined || refusesBare(name, port)
    },
    refusesIp(ip, host, port) {
      const name = canonicalHost(host)
      return name === undefined || (!isPublicIp(ip) && !isAllowed({ host: name, ip, port }))
    },
  }
}
