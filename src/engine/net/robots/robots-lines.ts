import { decodeText } from '../charset.ts'

/** A line of a robots.txt with a known field. */
type RobotsLine = {
  field: 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'
  /** ASCII value: other bytes are percent-encoded. */
  value: string
}

const maxBytes = 512_000
/** The limit of Google's parser: eight times the longest URL of old browsers. */
const maxLineLength = 16_664

/** Field names, including the misspellings that Google's parser accepts. */
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

/** Returns the lines with a known field in the first 500 KiB (RFC 9309, 2.2 and 2.5). */
export function robotsLines(body: Uint8Array): RobotsLine[] {
  const bytes = latin1Of(body.subarray(0, maxBytes))
  // An incomplete byte order mark is removed too, as Google does.
  const lines = bytes.replace(/^\xef(?:\xbb\xbf?)?/, '').split(/\r\n?|\n/)
  // A rule cut off at the limit could match more than intended.
  const whole = body.length > maxBytes ? lines.slice(0, -1) : lines
  return whole.flatMap((line) => lineOf(line) ?? [])
}

/** Returns the bytes as characters; files in UTF-16 are converted to UTF-8 first. */
function latin1Of(body: Uint8Array): string {
  const [first, second] = body
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const bytes = isUtf16 ? Buffer.from(decodeText(body, undefined).text) : Buffer.from(body)
  return bytes.toString('latin1')
}

function lineOf(line: string): RobotsLine | undefined {
  const [statement = ''] = line.slice(0, maxLineLength).split('#', 1)
  const [name, value] = nameAndValue(asAscii(statement).trim())
  const field = fields.get(name.trim().toLowerCase())
  return field && { field, value: value.trim() }
}

/** Splits a line at its colon. Without a colon, two words are read as name and value. */
function nameAndValue(statement: string): [name: string, value: string] {
  const colon = statement.indexOf(':')
  if (colon !== -1) return [statement.slice(0, colon), statement.slice(colon + 1)]
  const [name = '', value = '', more] = statement.split(/\s+/, 3)
  return more === undefined ? [name, value] : ['', '']
}

/** Percent-encodes non-ASCII bytes, because bytes are compared: the file's charset does not matter then. */
function asAscii(bytes: string): string {
  return bytes.replace(/[\x80-\xff]/g, percentEncoded)
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** True if a path from `comparablePath` matches a pattern. */
export type PathTest = (path: string) => boolean

const escape = /%[0-9a-f]{2}/gi
const unreserved = /[\w.~-]/
/** All characters except those that URL parsers leave unchanged in a path or query. */
const neverBare = /[^!#$%&(-;=?-[\]_a-z~]/g

/** Normalizes a pattern: decodes escapes that do not affect its meaning (RFC 9309, 2.2.2). */
export function comparable(ascii: string): string {
  return ascii.replace(escape, decodedIfHarmless).replace(neverBare, percentEncoded)
}

function decodedIfHarmless(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return unreserved.test(character) ? character : escaped.toUpperCase()
}

/**
 * Creates a test for a pattern with `*` and a final `$`. Each part between stars is matched at its first occurrence,
 * which leaves most of the path for the following parts, so no backtracking is needed.
 */
export function pathTest(pattern: string): PathTest {
  const isWhole = pattern.endsWith('$')
  const body = isWhole ? pattern.slice(0, -1) : pattern
  const [start = '', ...rest] = body.replaceAll('$', '%24').split(/\*+/)
  const end = rest.pop()
  // The last part need not be searched if its position is fixed.
  const finds = (end === undefined || isWhole ? rest : [...rest, end]).map(finderOf)
  return (path) => {
    if (!path.startsWith(start)) return false
    if (end === undefined) return !isWhole || path.length === start.length
    const at = positionAfter(finds, path, start.length)
    if (at === -1) return false
    return !isWhole || (path.length - end.length >= at && path.endsWith(end))
  }
}

function positionAfter(finds: readonly Find[], path: string, from: number): number {
  let at = from
  for (const find of finds) {
    at = find(path, at)
    if (at === -1) return -1
  }
  return at
}

/** Returns the end of the first occurrence from a position on; -1 if there is none. */
type Find = (text: string, from: number) => number

/** Up to this length `indexOf` is faster; a file is too short for enough such parts to make the search slow. */
const maxPlainLength = 500

/** Creates a search for a part of a pattern in time linear in the text: Knuth, Morris and Pratt (1977). */
function finderOf(part: string): Find {
  if (part.length <= maxPlainLength) return (text, from) => plainEnd(part, text, from)
  const borders = bordersOf(part)
  return (text, from) => {
    let matched = 0
    for (let at = from; at < text.length; at += 1) {
      matched = grown(part, borders, matched, text.charCodeAt(at))
      if (matched === part.length) return at + 1
    }
    return -1
  }
}

function plainEnd(part: string, text: string, from: number): number {
  const found = text.indexOf(part, from)
  return found === -1 ? -1 : found + part.length
}

/** Returns, for each prefix length, the length of its longest proper border. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1)
  for (let at = 1; at < part.length; at += 1) {
    borders[at + 1] = grown(part, borders, borders[at] ?? 0, part.charCodeAt(at))
  }
  return borders
}

/** Returns the length of the match after one more character. */
function grown(part: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : 0
}
