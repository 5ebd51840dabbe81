/** Splits text into URLs at white space. */
const urls = (text: string): string[] => text.trim().split(/\s+/)

/** Addresses that must never be fetched: every notation of private, local, reserved and metadata addresses. */
export const refused: readonly string[] = [
  // Loopback and its spellings.
  ...urls(`
    http://127.0.0.1/ http://127.1/ http://127.127.127.127/ http://127.0.0.0/ http://0.0.0.0:80/ http://0/
    http://2130706433/ http://017700000001/ http://0177.0.0.01/ http://0x7f000001/ http://0x7f.1/
    http://0x7f.0x0.0x0.0x1/ http://127.0.0.1./ http://%31%32%37.0.0.1/ http://①②⑦.⓪.⓪.①/ http://１２７.０.０.１/
    http://127。0。0。1/ http://evil.com@127.0.0.1/ http://127.0.0.1#@example.com/ http://127.0.0.1\\@example.com/
    http:127.0.0.1/ http:///127.0.0.1/ http:/\\127.0.0.1/`),
  ' http://127.0.0.1/',
  'ht\ntp://127.0.0.1/',
  // Private, shared, link-local and documentation blocks, first and last of each.
  ...urls(`
    http://10.0.0.0/ http://10.255.255.255/ http://100.64.0.1/ http://100.127.255.255/ http://169.254.0.1/
    http://172.16.0.1/ http://172.31.255.255/ http://192.0.0.1/ http://192.0.2.1/ http://192.88.99.1/
    http://192.168.1.1/ http://198.18.0.1/ http://198.19.255.255/ http://198.51.100.7/ http://203.0.113.1/
    http://224.0.0.1/ http://239.255.255.250/ http://240.0.0.1/ http://255.255.255.255/ http://3232235521/`),
  // Clouds.
  ...urls(`
    http://169.254.169.254/latest/meta-data/ http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/
    http://100.100.100.200/ http://192.0.0.192/ http://168.63.129.16/ http://metadata.google.internal/
    http://METADATA.google.internal./ http://instance-data/`),
  // IPv6, with IPv4 inside.
  ...urls(`
    http://[::]/ http://[::1]/ http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::ffff:8.8.8.8]/
    http://[::7f00:1]/ http://[::ffff:a9fe:a9fe]/ http://[::ffff:0:127.0.0.1]/ http://[64:ff9b::7f00:1]/
    http://[64:ff9b:1::1]/ http://[2002:c0a8:101::1]/ http://[2001::1]/ http://[2001:0:7f00:1::]/
    http://[2001:db8::1]/ http://[3fff::1]/ http://[100::1]/ http://[fe80::1]/ http://[fec0::1]/ http://[fc00::1]/
    http://[fd12:3456::1]/ http://[fd00:ec2::254]/ http://[ff02::1]/ http://[5f00::1]/`),
  // Names of the local network.
  ...urls(`
    http://localhost/ http://LOCALHOST/ http://localhost./ http://localhost../ http://app.localhost/
    http://ip6-localhost/ http://localhost.localdomain/ http://printer.local/ http://kubernetes.default.svc/
    http://api.default.svc.cluster.local/ http://router.home.arpa/ http://nas.lan/ http://wiki.corp/
    http://intranet/ http://ⓛocalhost/`),
  // Not http, or not a URL.
  ...urls(`
    gopher://127.0.0.1:6379/_x dict://127.0.0.1:11211/ ftp://example.com/ file:///etc/passwd data:text/html,hi
    blob:https://example.com/1 javascript:alert(1) view-source:http://example.com/ about:blank ws://127.0.0.1/
    example.com http://`),
  '',
]

/** Public addresses that are similar to a refused one in number or in name. */
export const allowed: readonly string[] = urls(`
  http://example.com/ https://example.com:8443/path http://example.com./ http://8.8.8.8/ http://11.0.0.1/
  http://100.63.255.255/ http://100.128.0.1/ http://128.0.0.1/ http://172.15.255.255/ http://192.0.1.1/
  http://192.169.0.1/ http://198.20.0.1/ http://223.255.255.254/ https://[2606:4700:4700::1111]/
  http://[2a00:1450::1]/ http://[2001:4860:4860::8888]/ http://sub.localhost.example.com/ http://local.example.com/
  http://internal.dev/ http://127.0.0.1.example.com/ http://bücher.example/ http://xn--bcher-kva.example/`)
