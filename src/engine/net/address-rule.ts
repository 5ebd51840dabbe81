import { BlockList, isIP, isIPv6 } from 'node:net'
import { bareHost, portOf } from './http/canonical-url.ts'

/** SSRF protection: decides which hosts may be reached. Check the URL first, then every IP address it resolves to. */
export type AddressRule = {
  /** Checks the text of a document's URL only, without DNS. Schemes other than http and https are refused too. */
  refusesUrl(url: string | URL): boolean
  /** Checks a host name or IP address before DNS resolution. */
  refusesHost(host: string, port: number): boolean
  /** Checks an IP address that `host` resolved to, or the peer of an open socket. */
  refusesIp(ip: string, host: string, port: number): boolean
  /** True if some hosts may serve parts of pages, but no documents. */
  hasResources?: boolean
}

/**
 * Names of local networks, which are not in the public DNS (RFC 6761, 6762, 8375; ICANN's private TLDs; Kubernetes).
 */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|home\.arpa)$/

/**
 * Domains that a team is limited to, in the syntax of `parseAllowEntry`; a name includes its subdomains. `resources`
 * are allowed too, but not for documents.
 */
type Domains = {
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  resources?: readonly string[] | undefined
}
type Target = { host: string; ip?: string; port: number }
type Use = 'document' | 'anything'

/**
 * Creates a rule that allows public addresses and the operator's exceptions (`allowHosts`, see `parseAllowEntry`). An
 * allowed name includes all addresses that it resolves to. Throws an Error that names an invalid entry.
 */
export function createAddressRule(allowHosts: readonly string[], domains: Domains = {}): AddressRule {
  const entries = allowHosts.map(parseAllowEntry)
  const isAllowed = (target: Target) => entries.some((matches) => matches(target))
  const isOutside = outsideOf(domains)

  const refusesTarget = (host: string, port: number, use: Use): boolean => {
    const isLiteral = isIP(host) !== 0
    const target = { host, port, ...(isLiteral && { ip: host }) }
    if (isOutside(target, use)) return true
    if (isAllowed(target)) return false
    if (isLiteral) return !isPublicIp(host)
    return !host.includes('.') || localName.test(host)
  }

  return {
    hasResources: (domains.resources?.length ?? 0) > 0,
    refusesUrl(url) {
      const parsed = URL.parse(String(url))
      if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return true
      return refusesTarget(bareHost(parsed.hostname), portOf(parsed), 'document')
    },
    refusesHost(host, port) {
      const name = canonicalHost(host)
      return name === undefined || refusesTarget(name, port, 'anything')
    },
    refusesIp(ip, host, port) {
      const name = canonicalHost(host)
      if (name === undefined) return true
      const target = { host: name, ip, port }
      return isOutside(target, 'anything') || (!isPublicIp(ip) && !isAllowed(target))
    },
  }
}

function outsideOf({ allow, deny = [], resources = [] }: Domains): (target: Target, use: Use) => boolean {
  const [isAllowed, isDenied, isResource] = [within(allow ?? ['*']), within(deny), within(resources)]
  return (target, use) => isDenied(target) || (!isAllowed(target) && !(use === 'anything' && isResource(target)))
}

function within(entries: readonly string[]): AllowEntry {
  const tests = entries.map(parseAllowEntry)
  return (target) => namesOf(target.host).some((host) => tests.some((matches) => matches({ ...target, host })))
}

/** Returns a host name and all its parent domains; only the address itself for an IP address. */
const namesOf = (host: string): string[] => {
  const labels = isIP(host) === 0 ? host.split('.') : [host]
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/** IANA special-purpose registry (RFC 6890 and successors), plus the cloud address 168.63.129.16. */
const closedV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

// Only global unicast is open, so mapped, translated, local and multicast addresses need no entry of their own.
const openV6 = blockList('ipv6', ['2000::/3'])
/**
 * Protocol assignments including Teredo, documentation, 6to4: each can embed a private IPv4 address or is not routable.
 */
const closedV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** True if an IP address (without brackets) is a public unicast address. False for any other text. */
function isPublicIp(ip: string): boolean {
  const version = isIP(ip)
  if (version === 4) return !closedV4.check(ip, 'ipv4')
  if (version === 6) return !ip.includes('%') && openV6.check(ip, 'ipv6') && !closedV6.check(ip, 'ipv6')
  return false
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [base = '', bits] = subnet.split('/')
    list.addSubnet(base, Number(bits), family)
  }
  return list
}

/** True if `parseAllowEntry` accepts the entry. */
export function isAllowEntry(entry: string): boolean {
  try {
    parseAllowEntry(entry)
    return true
  } catch {
    return false
  }
}

/** Tests a target against one allowHosts entry. `ip` is absent before the name is resolved. */
type AllowEntry = (target: Target) => boolean

/**
 * Parses an entry such as `name`, `1.2.3.4`, `10.0.0.0/8`, `::1`, `[fd00::/8]:8080`, `name:3000` or `*`. Without a
 * port, all ports match. Throws an Error that names an invalid entry.
 */
export function parseAllowEntry(entry: string): AllowEntry {
  const text = entry.trim().toLowerCase()
  const { target, port } = splitPort(text)
  const matches = matcher(target)
  if (!matches || (port !== undefined && !(port > 0 && port < 65_536)))
    throw new Error(
      `allowHosts: "${entry}" is not a host name, an IP address, a CIDR block or "*", with or without ":port".`,
    )
  return (endpoint) => (port === undefined || port === endpoint.port) && matches(endpoint)
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

/**
 * Normalizes a host with the URL parser: decimal, octal and hex addresses become dotted, full-width and escaped
 * characters ASCII, upper case lower case; brackets and trailing dots are removed. Undefined for an invalid host.
 */
function canonicalHost(host: string): string | undefined {
  const url = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}/`)
  if (!url || url.href !== `http://${url.hostname}/`) return undefined
  return bareHost(url.hostname) || undefined
}

function subnetMatcher(base: string, bits: string | undefined, version: number): AllowEntry | undefined {
  const width = version === 4 ? 32 : 128
  const length = bits === undefined ? width : Number(bits)
  if (bits !== undefined && (!/^\d+$/.test(bits) || length > width)) return undefined
  const list = new BlockList()
  list.addSubnet(base, length, version === 4 ? 'ipv4' : 'ipv6')
  return ({ ip }) => ip !== undefined && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
