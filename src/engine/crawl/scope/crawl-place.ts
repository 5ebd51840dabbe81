import { kindOfName } from '../../document/media-types.ts'

/** Normalizes percent-encoding (RFC 3986, section 6.2.2): upper-case escapes, and none for unreserved characters. */
export function normalEncoding(text: string): string {
  return text.includes('%') ? text.replace(/%[\da-f]{2}/gi, normalEscape) : text
}

function normalEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}

/** Decodes percent-escapes; undefined if there are none, or invalid ones. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export type PlaceRules = {
  /** The start URL, followed by its redirect target if there is one. */
  bases: readonly string[]
  crawlEntireDomain: boolean
  allowExternalLinks: boolean
  allowSubdomains: boolean
}
type Site = Pick<URL, 'hostname' | 'port'>

/** File extensions of dynamic pages; the extensions of files are in the table of document kinds. */
const dynamicPages = new Set(
  'asp aspx ashx asmx axd jsp jspx jsf jspa do action cgi cfm shtml shtm phtml php3 php5 fcgi nsf'.split(' '),
)

/**
 * Returns the host name without `www.`, and the port unless it is the default: the same for http and https, with and
 * without `www.`.
 */
export function siteOf({ hostname, port }: Site): string {
  const name = plainName(hostname)
  const bare = name.startsWith('www.') ? name.slice(4) : name
  return port === '' ? bare : `${bare}:${port}`
}

/** Outside the crawl's sites, or on its site but outside its folders. */
export type Outside = 'site' | 'folder'

/**
 * Returns a function that tests if a URL is outside of a crawl. The folder of a base restricts only its own host: a
 * crawl that allows other hosts covers all of their pages.
 */
export async function createPlace(rules: PlaceRules): Promise<(url: URL) => Outside | undefined> {
  const bases = rules.bases.flatMap((base) => URL.parse(base) ?? [])
  const folders = Map.groupBy(bases, siteOf)
  const foldersOf = new Map([...folders].map(([site, urls]) => [site, urls.map(({ pathname }) => folderOf(pathname))]))
  const isOfMainDomain = rules.allowSubdomains && !rules.allowExternalLinks ? await mainDomains(bases) : () => false
  return (url) => {
    const own = foldersOf.get(siteOf(url))
    if (own === undefined) return rules.allowExternalLinks || isOfMainDomain(url) ? undefined : 'site'
    if (rules.crawlEntireDomain) return undefined
    const path = `${normalEncoding(url.pathname)}/`
    return own.some((folder) => path.startsWith(folder)) ? undefined : 'folder'
  }
}

/** Returns the folder of a path: `/docs`, `/docs/` and `/docs/index.html` all yield `/docs/`. */
function folderOf(pathname: string): string {
  const path = normalEncoding(pathname)
  const last = path.slice(path.lastIndexOf('/') + 1)
  if (last === '') return path
  return isFileName(last) ? path.slice(0, -last.length) : `${path}/`
}

/** True if a segment is a file name. `v1.2` and `jane.smith` have a dot but are not files. */
function isFileName(segment: string): boolean {
  const name = segment.split(';', 1)[0] ?? ''
  return kindOfName(name) !== undefined || dynamicPages.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}

/**
 * Returns a function that finds the main domain of a host: the part below the public suffix. Suffixes of hosting
 * services count as public, because `one.github.io` and `two.github.io` belong to different people. IP addresses, names
 * without a dot and suffixes themselves have no main domain.
 */
export async function mainDomainFinder(): Promise<(hostname: string) => string | null> {
  const { getDomain } = await import('tldts')
  return (hostname) => getDomain(plainName(hostname), { allowPrivateDomains: true, validateHostname: false })
}

/** Returns a function that tests if a host name is public: it ends in a suffix of the Public Suffix List, or is one. */
export async function publicNameJudge(): Promise<(hostname: string) => boolean> {
  const { parse } = await import('tldts')
  return (hostname) => {
    const { isIcann, isPrivate } = parse(plainName(hostname), { allowPrivateDomains: true, validateHostname: false })
    return isIcann === true || isPrivate === true
  }
}

/** Returns a function that tests if a URL belongs to the main domain of a base. */
export async function mainDomains(bases: readonly URL[]): Promise<(url: URL) => boolean> {
  const domainOf = await mainDomainFinder()
  const domains = bases.flatMap(({ hostname, port }) => {
    const domain = domainOf(hostname)
    return domain === null ? [] : [{ domain, port }]
  })
  return ({ hostname, port }) => {
    const name = plainName(hostname)
    return domains.some((main) => main.port === port && name.endsWith(main.domain) && domainOf(name) === main.domain)
  }
}

const plainName = (hostname: string) => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname)
