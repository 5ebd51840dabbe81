import { isIPv6 } from 'node:net'

/** Bytes of each character of a charset that can be shown with one or two of them; made on first use, in some milliseconds. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(charset)
  if (known) return known
  const decoder = new TextDecoder(charset)
  const table = new Map<string, readonly number[]>()
  const take = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes))
    const [character = '', more] = text
    if (more === undefined && character !== '\uFFFD' && !table.has(character)) table.set(character, bytes)
  }
  for (let byte = 0x80; byte < 0x100; byte += 1) take(byte)
  // In charsets of one byte, two of them are two characters.
  for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x30; trail < 0xff; trail += 1) take(lead, trail)
  tables.set(charset, table)
  return table
}

const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
/** The second byte of a character may be that of a letter. */
const plain = /^[\w.~-]$/

function bytesOf(character: string, table: ReadonlyMap<string, readonly number[]>): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return character
  const bytes = table.get(character)
  // As forms do, what the charset lacks is sent as a reference.
  if (!bytes) return `%26%23${code}%3B`
  return bytes
    .map((byte) => (plain.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join('')
}

/** Whether links of a page in this charset have their query in it: in UTF-8 and UTF-16, and where a state is kept, it is UTF-8. */
export const hasOwnQueries = (charset: string): boolean => !/^(?:utf-|iso-2022|replacement|x-user)/.test(charset)

/** An address of a page as it is written, with its query encoded in the charset of the page (URL standard, "URL parsing"). */
export function withEncodedQuery(href: string, charset: string): string {
  const at = href.indexOf('?')
  // oxlint-disable-next-line no-control-regex -- ASCII is all that every charset has in common
  if (at < 0 || !/[^\x00-\x7f]/.test(href.slice(at))) return href
  const end = href.indexOf('#', at)
  const [query, rest] = end < 0 ? [href.slice(at), ''] : [href.slice(at, end), href.slice(end)]
  const table = tableOf(charset)
  return href.slice(0, at) + Array.from(query, (character) => bytesOf(character, table)).join('') + rest
}

/**
 * The host as the URL parser sees it (decimal, octal, hex, full-width and percent forms folded), lower-case, without
 * brackets and trailing dots; undefined if the text is no host.
 */
export function canonicalHost(host: string): string | undefined {
  const url = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}/`)
  if (!url || url.href !== `http://${url.hostname}/`) return undefined
  return bareHost(url.hostname) || undefined
}

/** `hostname` of a parsed URL without the brackets of IPv6 and without trailing dots. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/** The port of a parsed http or https URL. */
export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/**
 * The form of a URL that cache keys are made of: parser-normal (lower-case host, no default port), without user info,
 * without an empty query and without a fragment, except one that is a route of a script application (`#/…`, `#!/…`).
 * The order of query parameters stays, because some sites depend on it. Text that is no URL comes back trimmed.
 */
export function cacheUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url.trim()
  parsed.username = ''
  parsed.password = ''
  // Assigning the empty string also drops a lone "?" or "#", which `search` and `hash` do not show.
  if (parsed.search === '') parsed.search = ''
  if (!/^#!?\//.test(parsed.hash)) parsed.hash = ''
  return parsed.href
}

/** The URL without `user:password@`, which belongs in no record and no answer. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.username === '' && parsed.password === '')) return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
