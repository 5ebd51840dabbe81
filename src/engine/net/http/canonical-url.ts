/** Maps characters to their bytes, for each charset with up to two bytes per character. Computed on first use. */
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
  // In single-byte charsets, two bytes decode to two characters and are ignored.
  for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x30; trail < 0xff; trail += 1) take(lead, trail)
  tables.set(charset, table)
  return table
}

const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
/** The second byte of a character may be an ASCII letter. */
const plain = /^[\w.~-]$/

function bytesOf(character: string, table: ReadonlyMap<string, readonly number[]>): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return character
  const bytes = table.get(character)
  // Characters missing in the charset are sent as numeric references, as browsers do for forms.
  if (!bytes) return `%26%23${code}%3B`
  return bytes
    .map((byte) => (plain.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join('')
}

/** True if links of a page encode their query in the page's charset. In UTF-16 and stateful charsets, UTF-8 is used. */
export const hasOwnQueries = (charset: string): boolean => !/^(?:utf-|iso-2022|replacement|x-user)/.test(charset)

/** Encodes the query of a link, as it is written on the page, in the page's charset (URL standard, "URL parsing"). */
export function withEncodedQuery(href: string, charset: string): string {
  const at = href.indexOf('?')
  // oxlint-disable-next-line no-control-regex -- only ASCII has the same bytes in every charset
  if (at < 0 || !/[^\x00-\x7f]/.test(href.slice(at))) return href
  const end = href.indexOf('#', at)
  const [query, rest] = end < 0 ? [href.slice(at), ''] : [href.slice(at, end), href.slice(end)]
  const table = tableOf(charset)
  return href.slice(0, at) + Array.from(query, (character) => bytesOf(character, table)).join('') + rest
}

/** Returns `hostname` of a parsed URL without IPv6 brackets and trailing dots. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

/** Returns the port of a parsed http or https URL. */
export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/**
 * Returns the form of a URL used in cache keys: normalized by the parser (lower-case host, no default port), without
 * user info, an empty query or a fragment, except a fragment that is a route of a script application (`#/…`, `#!/…`).
 * The order of query parameters is kept, because some sites depend on it. Text that is not a URL is returned trimmed.
 */
export function cacheUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url.trim()
  parsed.username = ''
  parsed.password = ''
  // Assigning an empty string also removes a lone "?" or "#", which `search` and `hash` do not show.
  if (parsed.search === '') parsed.search = ''
  if (!/^#!?\//.test(parsed.hash)) parsed.hash = ''
  return parsed.href
}

/** Removes `user:password@` from a URL, so it never appears in records or responses. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.username === '' && parsed.password === '')) return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
