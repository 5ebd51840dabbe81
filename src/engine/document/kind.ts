import { essenceOf, type Kind, kindOfName, kindOfType, nameIn } from './media-types.ts'
import { compressedBytes, type Entry, readDirectory } from './zip/zip-directory.ts'
import { inflateRawSync } from 'node:zlib'
import { isBinary, utf16Of } from '../net/charset.ts'

/** Generic types, for which the bytes decide. */
const generic =
  /^(?:|application\/(?:octet-stream|unknown|force-download|x-download|download|binary|save)|binary\/octet-stream|unknown\/unknown|\*\/\*)$/
/** Types of old Office files and of archives. Servers often send newer formats, or plain text, with these types. */
const vague = /^application\/(?:msword|vnd\.ms-(?:word|excel|powerpoint)|x-msexcel|excel|(?:x-)?zip(?:-compressed)?)$/

/**
 * Determines the kind of a response, in this order: by unambiguous first bytes (PDF, RTF, zip, images); by the header,
 * unless it is missing, generic or plainly wrong; by the text; by the extension in the URL.
 */
export function kindOf(contentType: string | undefined, bytes: Uint8Array, url: string): Kind {
  const type = essenceOf(contentType ?? '')
  const labelled = kindOfType(type)
  const magic = kindOfMagic(bytes)
  if (magic) return magic === 'binary' ? kindOfArchive(labelled, bytes, url) : magic
  if (generic.test(type) || !type.includes('/') || vague.test(type)) return kindOfBytes(bytes, url, type)
  if (labelled === undefined) return hasPdfInside(bytes) ? 'pdf' : 'binary'
  return refined(labelled, type, bytes, url)
}

const zipped: ReadonlySet<Kind | undefined> = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub'])

/**
 * Determines the kind of a zip whose entries do not reveal it: by its Content-Type, then by the extension in the URL.
 */
function kindOfArchive(labelled: Kind | undefined, bytes: Uint8Array, url: string): Kind {
  if (bytes[0] !== 0x50) return 'binary'
  const named = kindOfName(nameIn(url))
  const kind = zipped.has(labelled) ? labelled : zipped.has(named) ? named : undefined
  return kind ?? 'binary'
}

/** Refines the kind named by a header, using the content. */
function refined(labelled: Kind, type: string, bytes: Uint8Array, url: string): Kind {
  const head = headOf(bytes)
  if (labelled === 'html') return isFeed(head) ? 'feed' : 'html'
  if (labelled === 'text' || labelled === 'code' || labelled === 'markdown') {
    if (isBinary(bytes)) return hasPdfInside(bytes) ? 'pdf' : 'binary'
    return type === 'text/plain' ? kindOfPlainText(bytes, head, url) : labelled
  }
  if (isHtmlPage(head)) return 'html'
  if (labelled === 'xml') return kindOfXml(head)
  if (labelled === 'json') return kindOfDeclaredJson(head, kindOfName(nameIn(url)))
  return labelled
}

function kindOfDeclaredJson(head: string, named: Kind | undefined): Kind {
  if (isJsonFeed(head)) return 'feed'
  return named === 'ndjson' || named === 'notebook' ? named : 'json'
}

const isFeed = (head: string) => /^\s*<\??(?:xml|rss|feed|rdf|atom)/i.test(head) && kindOfXml(head) === 'feed'

/**
 * Determines the kind of a plain text by its extension, because file servers send every text as `text/plain`. A page
 * sent as plain text stays text, because its source is meant to be shown.
 */
function kindOfPlainText(bytes: Uint8Array, head: string, url: string): Kind {
  const named = kindOfName(nameIn(url))
  if (named === 'xml' || named === 'feed') return kindOfXml(head)
  if (named === 'json' || named === 'ndjson' || named === 'notebook') return kindOfJson(bytes, head, named) ?? 'text'
  if (named === 'image') return kindOfMarkup(head) === 'image' ? 'image' : 'text'
  if (named === 'csv' || named === 'markdown' || named === 'code' || named === 'mail') return named
  return isMarkdown(head) ? 'markdown' : 'text'
}

/** True for markdown, such as a README or llms.txt: a text with both a heading and a link. */
const isMarkdown = (head: string) =>
  /^#{1,6}[ \t]+\S/m.test(head) && /(?:^|[\s*_>!(])\[[^\][\n]+\]\([^\s()]+\)/m.test(head)

function kindOfBytes(bytes: Uint8Array, url: string, type: string): Kind {
  if (hasPdfInside(bytes)) return 'pdf'
  if (isBinary(bytes)) return 'binary'
  const head = headOf(bytes)
  const kind = kindOfMarkup(head) ?? kindOfJson(bytes, head, kindOfName(nameIn(url)))
  if (kind) return kind
  if (kindOfName(nameIn(url)) === 'html') return 'html'
  if (isMail(head)) return 'mail'
  // Web sites often send comma-separated text with a media type of Excel.
  return /excel/.test(type) ? 'csv' : kindOfPlainText(bytes, head, url)
}

/** "Identifying a resource with an unknown MIME type" of the WHATWG MIME Sniffing standard (7.1). */
const htmlStart =
  /^<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])/i
/** Signatures in hexadecimal: PNG, JPEG, GIF, WebP, AVIF, TIFF, BMP, ICO. */
const imageStart =
  /^(?:89504e470d0a1a0a|ffd8ff|474946383[79]61|52494646.{8}57454250|.{8}66747970617669[67]|49492a00|4d4d002a|424d.{8}0{8}|00000100(?!00)..00)/
/**
 * Archives, audio, video, fonts and programs: OLE, gzip, 7z, rar, xz, zstd, bzip2, MP4, Matroska, Ogg, ID3, WOFF, wasm,
 * ELF.
 */
const binaryStart =
  /^(?:d0cf11e0|1f8b|377abcaf|526172211a|fd377a585a|28b52ffd|425a683.314159|.{8}66747970|1a45dfa3|4f67675300|4944330[234]|774f46(?:46|32)|0061736d|7f454c46)/

const headBytes = 4096

/** Decodes the start of a file well enough to detect its kind: ASCII is decoded correctly. */
function headOf(bytes: Uint8Array): string {
  const head = bytes.subarray(0, headBytes)
  const charset = utf16Of(bytes)
  const text = charset ? new TextDecoder(charset).decode(head) : Buffer.from(head).toString('latin1')
  return text.replace(/^(?:\xef\xbb\xbf|\ufeff)/, '')
}

/** Returns the kind if the first bytes are unambiguous, regardless of the header. */
function kindOfMagic(bytes: Uint8Array): Kind | undefined {
  const start = Buffer.from(bytes.subarray(0, 64))
  const [, mark] = /^(?:\xef\xbb\xbf)?\s*(%PDF-|\{\\rtf)/.exec(start.toString('latin1')) ?? []
  if (mark) return mark === '%PDF-' ? 'pdf' : 'rtf'
  const hex = start.toString('hex')
  if (/^504b0[357]0[468]/.test(hex)) return zipKind(bytes) ?? 'binary'
  if (imageStart.test(hex)) return 'image'
  return binaryStart.test(hex) ? 'binary' : undefined
}

/**
 * True for a PDF that starts later than at the first byte: readers search for its marker in the first 1024 bytes (PDF
 * 1.7, annex H). An object must follow the marker, because a text about PDF may contain the marker too.
 */
function hasPdfInside(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1')
  const at = head.indexOf('%PDF-')
  return at !== -1 && at < 1024 && /\d+[ \r\n]+\d+[ \r\n]+obj/.test(head.slice(at))
}

/** True for a text that starts like HTML and like no other format, regardless of its header. */
function isHtmlPage(head: string): boolean {
  const start = head.trimStart()
  return /^<!doctype html[\s>]|^<html[\s>]/i.test(start) || (start.startsWith('<') && rootName(start) === 'html')
}

/** Returns the kind of a text by its markup; undefined for plain text. */
function kindOfMarkup(head: string): Kind | undefined {
  const start = head.trimStart()
  if (start.startsWith('<?xml')) return kindOfXml(start)
  const kind = kindOfXml(start)
  if (kind !== 'xml') return kind
  if (htmlStart.test(start)) return 'html'
  return /^<(?:urlset|sitemapindex|opml|kml|gpx)[\s>]/i.test(start) ? 'xml' : undefined
}

/** Returns the kind of XML by its root element. RDF, which has many uses, is a feed only with a namespace of RSS. */
function kindOfXml(head: string): 'html' | 'feed' | 'image' | 'xml' {
  const root = rootName(head)
  if (root === 'html') return 'html'
  if (root === 'svg') return 'image'
  if (root === 'rss' || root === 'feed') return 'feed'
  return root === 'rdf' && /purl\.org\/rss\/|netscape\.com\/rdf\/simple/.test(head) ? 'feed' : 'xml'
}

/**
 * Returns the local name of the root element in lower case, after prolog, comments and document type; undefined if
 * there is none.
 */
function rootName(head: string): string | undefined {
  let at = head.search(/\S/)
  while (at !== -1 && head[at] === '<') {
    const name = /^<(?:[\w.-]+:)?([a-z][\w.-]*)(?=[\s/>])/i.exec(head.slice(at, at + 128))?.[1]
    if (name) return name.toLowerCase()
    const end = endOfMarkup(head, at)
    if (end === undefined) return undefined
    const next = head.slice(end).search(/\S/)
    at = next === -1 ? -1 : end + next
  }
  return undefined
}

function endOfMarkup(head: string, at: number): number | undefined {
  const close = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?', at) ? '?>' : '>'
  const isSubset = /^<!doctype[^>[]*\[/i.test(head.slice(at, at + 512))
  const from = isSubset ? head.indexOf(']', at) : at
  const end = from === -1 ? -1 : head.indexOf(close, from)
  return end === -1 || !/^<[!?]/.test(head.slice(at, at + 2)) ? undefined : end + close.length
}

/** Detects a JSON feed by its start, NDJSON by its first two lines, and other JSON by parsing all of it. */
function kindOfJson(
  bytes: Uint8Array,
  head: string,
  named: Kind | undefined,
): 'json' | 'ndjson' | 'notebook' | 'feed' | undefined {
  const start = head.trimStart()
  if (!/^[[{]/.test(start)) return undefined
  if (isJsonFeed(start)) return 'feed'
  const lines = start.split('\n', 3)
  const isCut = bytes.byteLength > headBytes && lines.length < 3
  if (!isCut && lines.length > 1 && lines.slice(0, 2).every((line) => parses(line.trim()))) return 'ndjson'
  if (!parses(Buffer.from(bytes).toString('utf8'))) return undefined
  return named === 'notebook' ? named : 'json'
}

/** True for a text that starts with mail headers, including the version of MIME (RFC 5322, RFC 2045). */
const isMail = (head: string) =>
  /^[a-z-]{2,40}:[ \t]/i.test(head) && /^mime-version:[ \t]*1/im.test(head.split(/\r?\n\r?\n/, 1)[0] ?? '')

function isJsonFeed(head: string): boolean {
  return /^\s*\{/.test(head) && /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org\\?\/version/.test(head)
}

function parses(text: string): boolean {
  try {
    return typeof JSON.parse(text.replace(/^\ufeff/, '')) === 'object'
  } catch {
    return false
  }
}

type ZipKind = 'docx' | 'xlsx' | 'pptx' | 'odt' | 'ods' | 'odp' | 'epub'

/** Media types in the `mimetype` part. */
const mediaTypes: readonly (readonly [ZipKind, RegExp])[] = [
  ['odt', /opendocument\.text/],
  ['ods', /opendocument\.spreadsheet/],
  ['odp', /opendocument\.(?:presentation|graphics)/],
  ['epub', /epub\+zip/],
]
/** Content types of the main part, including templates, slide shows and files with macros. */
const mainParts: readonly (readonly [ZipKind, RegExp])[] = [
  ['docx', /(?:wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)\.macroenabled\w{0,20})\.main/i],
  ['xlsx', /(?:spreadsheetml\.(?:sheet|template)|ms-excel\.[\w.]{0,40}macroenabled\w{0,20})\.main/i],
  [
    'pptx',
    /(?:presentationml\.(?:presentation|template|slideshow)|ms-powerpoint\.[\w.]{0,40}macroenabled\w{0,20})\.main/i,
  ],
]
const mainPaths: readonly (readonly [ZipKind, RegExp])[] = [
  ['docx', /^word\/document\d*\.xml$/i],
  ['xlsx', /^xl\/workbook\.(?:xml|bin)$/i],
  ['pptx', /^ppt\/presentation\.xml$/i],
  ['epub', /^META-INF\/container\.xml$/i],
]

const maxPartBytes = 2_000_000

/**
 * Returns the document kind of a zip file, by its directory and a few small parts; undefined for any other archive and
 * for an incomplete zip file. Inflates with node:zlib, so that the zip library of the converters is not loaded.
 */
export function zipKind(bytes: Uint8Array): ZipKind | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined
  try {
    return kindOfEntries(bytes, readDirectory(bytes))
  } catch {
    return undefined
  }
}

function kindOfEntries(bytes: Uint8Array, entries: readonly Entry[]): ZipKind | undefined {
  const textOf = (name: string) => {
    const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
    return entry ? textIn(bytes, entry) : ''
  }
  return (
    matching(mediaTypes, textOf('mimetype')) ??
    matching(mainParts, textOf('[Content_Types].xml')) ??
    mainPaths.find(([, path]) => entries.some(({ name }) => path.test(name)))?.[0] ??
    matching(mediaTypes, textOf('META-INF/manifest.xml'))
  )
}

function matching(table: typeof mediaTypes, text: string): ZipKind | undefined {
  return table.find(([, pattern]) => pattern.test(text))?.[0]
}

/** A locked or damaged part is ignored; the names of the others may suffice. */
function textIn(bytes: Uint8Array, entry: Entry): string {
  try {
    return decode(inflated(bytes, entry))
  } catch {
    return ''
  }
}

function inflated(bytes: Uint8Array, entry: Entry): Uint8Array {
  const compressed = compressedBytes(bytes, entry)
  return entry.method === 0 ? compressed : inflateRawSync(compressed, { maxOutputLength: maxPartBytes })
}

function decode(bytes: Uint8Array): string {
  const label = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
  return new TextDecoder(label).decode(bytes.subarray(0, maxPartBytes))
}
