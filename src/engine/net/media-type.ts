export type Kind = 'html' | 'text' | 'markdown' | 'json' | 'xml' | 'pdf' | 'binary'

const byType: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [/^text\/(?:x-|vnd\.daringfireball\.)?markdown$/, 'markdown'],
  [/^(?:application|text)\/(?:json|x-json)$|\+json$|^application\/(?:x-ndjson|jsonl|json-seq)$/, 'json'],
  [/^(?:application|text)\/xml$|^(?!image\/).*\+xml$/, 'xml'],
  [/^image\/svg\+xml$/, 'binary'],
  [/^text\/|^application\/(?:javascript|ecmascript|x-javascript|yaml|x-yaml|toml|sql|x-sh)$/, 'text'],
]
/** Types that say nothing, so that the bytes decide. */
const generic =
  /^(?:|application\/(?:octet-stream|unknown|force-download|x-download|binary)|binary\/octet-stream|unknown\/unknown|\*\/\*)$/
/** "Identifying a resource with an unknown MIME type" of the WHATWG MIME Sniffing standard (7.1). */
const htmlStart =
  /^<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])/i

/**
 * What can be made of a response. The header decides unless it is missing, generic, or calls binary bytes text; then
 * the bytes do, and among plain text the ending of the URL. Feeds and sitemaps are xml, XHTML is html.
 */
export function kindOf(contentType: string | undefined, body: Uint8Array, url: string): Kind {
  const type = essenceOf(contentType ?? '')
  if (startsWith(body, '%PDF-')) return 'pdf'
  if (generic.test(type) || !type.includes('/')) return sniff(body, url)
  const kind = byType.find(([pattern]) => pattern.test(type))?.[1] ?? 'binary'
  if (kind !== 'text') return kind
  if (isBinary(body)) return 'binary'
  return type === 'text/plain' ? byEnding(url) : 'text'
}

/** A header that was sent twice arrives joined by a comma; the last type counts, as in browsers (Fetch, "extract a MIME type"). */
function essenceOf(contentType: string): string {
  const types = contentType.split(',').map((each) => (each.split(';', 1)[0] ?? '').trim().toLowerCase())
  return types.findLast((type) => type.includes('/')) ?? types[0] ?? ''
}

function sniff(body: Uint8Array, url: string): Kind {
  if (isBinary(body)) return 'binary'
  const start = Buffer.from(body.subarray(0, 1024))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
  if (htmlStart.test(start)) return 'html'
  if (start.startsWith('<?xml')) return /<html[\s>]/i.test(start) ? 'html' : 'xml'
  if (/^<(?:rss|feed|urlset|sitemapindex)[\s>]/i.test(start)) return 'xml'
  if (/^[[{]/.test(start) && isJson(body)) return 'json'
  return byEnding(url)
}

function byEnding(url: string): Kind {
  const path = URL.parse(url)?.pathname ?? ''
  return /\.(?:md|markdown|mdx)$/i.test(path) ? 'markdown' : 'text'
}

/** Bytes no text holds, in the first 1445 as the standard has it; UTF-16 is told by its mark. */
function isBinary(body: Uint8Array): boolean {
  const [first, second] = body
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return false
  return body
    .subarray(0, 1445)
    .some((byte) => byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f))
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString('utf8'))
    return true
  } catch {
    return false
  }
}

function startsWith(body: Uint8Array, magic: string): boolean {
  return Buffer.from(body.subarray(0, magic.length)).toString('latin1') === magic
}
