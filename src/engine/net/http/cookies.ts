type Cookie = { name: string; value: string; host: string; forSubdomains: boolean; httpsOnly: boolean }

/**
 * Cookies of one fetch, so that sites that set one and redirect to themselves let us in. Follows RFC 6265 for name,
 * Domain, Secure and expiry; paths are ignored, and nothing outlives the fetch.
 */
export function createCookies(): { keep(url: URL, setCookie: readonly string[]): void; headerFor(url: URL): string } {
  let jar: readonly Cookie[] = []
  return {
    keep(url, lines) {
      for (const line of lines) {
        const parsed = parseCookie(line, url.hostname)
        if (!parsed) continue
        const { cookie, isExpired } = parsed
        const others = jar.filter((other) => other.name !== cookie.name || other.host !== cookie.host)
        jar = isExpired ? others : [...others, cookie].slice(-50)
      }
    },
    headerFor: (url) =>
      jar
        .filter((cookie) => isFor(cookie, url))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

/** The caller's own Cookie header comes first; a cookie of the site does not repeat it. */
export function joinCookies(given: string | undefined, fromSite: string): string {
  const taken = new Set((given ?? '').split(';').map(nameOf))
  const rest = fromSite.split('; ').filter((pair) => pair !== '' && !taken.has(nameOf(pair)))
  return [...(given ? [given] : []), ...rest].join('; ')
}

function parseCookie(line: string, host: string): { cookie: Cookie; isExpired: boolean } | undefined {
  const [pair = '', ...attributes] = line.split(';')
  const name = nameOf(pair)
  if (name === '' || !pair.includes('=')) return undefined
  const facts = new Map(attributes.map((text) => [nameOf(text).toLowerCase(), valueOf(text)]))
  const domain = facts.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domain && !mayShare(host, domain)) return undefined
  const cookie = {
    name,
    value: valueOf(pair),
    host: domain || host,
    forSubdomains: Boolean(domain),
    httpsOnly: facts.has('secure'),
  }
  return { cookie, isExpired: isOver(facts.get('max-age'), facts.get('expires')) }
}

/** A host may set cookies for a parent domain, but not for a whole top-level one. */
function mayShare(host: string, domain: string): boolean {
  return host === domain || (domain.includes('.') && host.endsWith(`.${domain}`))
}

function isOver(maxAge: string | undefined, expires: string | undefined): boolean {
  // What is no number is as if it were not there (RFC 6265, 5.2.2).
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

function isFor(cookie: Cookie, url: URL): boolean {
  if (cookie.httpsOnly && url.protocol !== 'https:') return false
  return url.hostname === cookie.host || (cookie.forSubdomains && url.hostname.endsWith(`.${cookie.host}`))
}

function nameOf(pair: string): string {
  return (pair.split('=', 1)[0] ?? '').trim()
}

function valueOf(pair: string): string {
  const at = pair.indexOf('=')
  return at === -1 ? '' : pair.slice(at + 1).trim()
}
