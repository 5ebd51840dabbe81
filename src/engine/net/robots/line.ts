import { decodeText } from '../charset/charset.ts'

/** A line of a robots.txt that says something. */
export type RobotsLine = {
  field: 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'
  /** ASCII: other bytes are percent-encoded. */
  value: string
}

const maxBytes = 512_000
/** Google cuts a line at eight times the longest URL that old browsers took. */
const maxLineLength = 16_664

/** Names as they are written, with the slips that Google's parser takes for them. */
const fields = new Map<string, RobotsLine['field']>([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'crawl-delay'],
  ['crawldelay', 'crawl-delay'],
  ['crawl delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
])

/** The lines of the first 500 KiB that hold a known field (RFC 9309, 2.2 and 2.5). */
export function robotsLines(body: Uint8Array): RobotsLine[] {
  const bytes = latin1Of(body.subarray(0, maxBytes))
  // As Google does, a byte order mark of which the end is missing is taken off too.
  const lines = bytes.replace(/^\xef(?:\xbb\xbf?)?/, '').split(/\r\n?|\n/)
  // A rule that is cut off at the limit would say more than was written.
  const whole = body.length > maxBytes ? lines.slice(0, -1) : lines
  return whole.flatMap((line) => lineOf(line) ?? [])
}

/** The bytes as characters; of a file in UTF-16, those that it has in UTF-8. */
function latin1Of(body: Uint8Array): string {
  const [first, second] = body
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const bytes = isUtf16 ? Buffer.from(decodeText(body, undefined).text) : Buffer.from(body)
  return bytes.toString('latin1')
}

function lineOf(line: string): RobotsLine | undefined {
  const [said = ''] = line.slice(0, maxLineLength).split('#', 1)
  const [name, value] = nameAndValue(asAscii(said).trim())
  const field = fields.get(name.trim().toLowerCase())
  return field && { field, value: value.trim() }
}

/** Where the colon is missing, two words are a name and its value. */
function nameAndValue(said: string): [name: string, value: string] {
  const colon = said.indexOf(':')
  if (colon !== -1) return [said.slice(0, colon), said.slice(colon + 1)]
  const [name = '', value = '', more] = said.split(/\s+/, 3)
  return more === undefined ? [name, value] : ['', '']
}

/** Bytes, not characters, are compared, so that it does not matter which charset the file is in. */
function asAscii(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, percentEncoded)
}

export function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
