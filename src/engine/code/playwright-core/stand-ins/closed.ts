const refused = (what: string) => (): never => {
  throw new Error(`${what} is not available to this code.`)
}
const network = refused('The network')
const program = refused('Another program')
/** Stands for classes that Playwright only extends or compares with. */
function Absent() {}
const isIPv4 = (text: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)
const isIPv6 = (text: string) => text.includes(':')

/**
 * Replaces Node's modules that access the network, other programs or the machine, none of which a sandbox offers.
 * Playwright loads them without using their members, or the members fail.
 */
export const closed = {
  // http, https, net, tls, dns
  Agent: Absent,
  Server: Absent,
  Socket: Absent,
  TLSSocket: Absent,
  STATUS_CODES: {},
  request: network,
  get: network,
  connect: network,
  createServer: network,
  createConnection: network,
  lookup: network,
  getDefaultAutoSelectFamilyAttemptTimeout: () => 0,
  isIPv4,
  isIPv6,
  isIP: (text: string) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0),
  // child_process, readline
  spawn: program,
  spawnSync: program,
  exec: program,
  execSync: program,
  fork: program,
  createInterface: program,
  // os, limited to the members that Playwright uses
  EOL: '\n',
  platform: () => process.platform,
  arch: () => process.arch,
  release: () => '',
  tmpdir: () => '/tmp',
  homedir: () => '/tmp',
  hostname: () => 'sandbox',
  cpus: () => [],
}
