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
