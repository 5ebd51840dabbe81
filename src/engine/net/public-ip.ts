import { BlockList, isIP } from 'node:net'

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

// Only global unicast is open, so mapped, translated, local and multicast forms need no row of their own.
const openV6 = blockList('ipv6', ['2000::/3'])
/** Protocol assignments with Teredo, documentation, 6to4: each can carry a private IPv4 address or leads nowhere. */
const closedV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether an IP address (without brackets) is a public unicast address. Anything that is no IP address is not. */
export function isPublicIp(ip: string): boolean {
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
