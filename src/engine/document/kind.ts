import { essenceOf, type Kind, kindOfName, kindOfType, nameIn } from './media-types.ts'
import {
  hasPdfInside,
  headOf,
  isBinary,
  isHtmlPage,
  isJsonFeed,
  kindOfJson,
  kindOfMagic,
  kindOfMarkup,
  kindOfXml,
} from './sniff.ts'

/** Types that say nothing, so that the bytes decide. */
const generic =
  /^(?:|application\/(?:octet-stream|unknown|force-download|x-download|download|binary|save)|binary\/octet-stream|unknown\/unknown|\*\/\*)$/
/** Types of old Office and of archives: the files behind them are often something newer, or text. */
const vague = /^application\/(?:msword|vnd\.ms-(?:word|excel|powerpoint)|x-msexcel|excel|(?:x-)?zip(?:-compressed)?)$/

/**
 * What can be made of a response. Bytes that cannot be mistaken (PDF, zip, images) win over the header; else the header
 * decides, unless it is missing, generic, or plainly wrong; then the text does, and last the ending of the URL.
 */
export function kindOf(contentType: string | undefined, bytes: Uint8Array, url: string): Kind {
  const type = essenceOf(contentType ?? '')
  const said = kindOfType(type)
  const magic = kindOfMagic(bytes)
  if (magic) return magic === 'binary' ? kindOfArchive(said, bytes, url) : magic
  if (generic.test(type) || !type.includes('/') || vague.test(type)) return kindOfBytes(bytes, url, type)
  if (said === undefined) return hasPdfInside(bytes) ? 'pdf' : 'binary'
  return refined(said, type, bytes, url)
}

const zipped: ReadonlySet<Kind | undefined> = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub'])

/** A zip whose names tell nothing is taken for what it is said to be. */
function kindOfArchive(said: Kind | undefined, bytes: Uint8Array, url: string): Kind {
  if (bytes[0] !== 0x50) return 'binary'
  const named = kindOfName(nameIn(url))
  const kind = zipped.has(said) ? said : zipped.has(named) ? named : undefined
  return kind ?? 'binary'
}

/** The kind a header names, made exact by what follows it. */
function refined(said: Kind, type: string, bytes: Uint8Array, url: string): Kind {
  const head = headOf(bytes)
  if (said === 'html') return isFeed(head) ? 'feed' : 'html'
  if (said === 'text' || said === 'code' || said === 'markdown') {
    if (isBinary(bytes)) return hasPdfInside(bytes) ? 'pdf' : 'binary'
    return type === 'text/plain' ? kindOfPlainText(bytes, head, url) : said
  }
  if (isHtmlPage(head)) return 'html'
  if (said === 'xml') return kindOfXml(head)
  if (said === 'json') return isJsonFeed(head) ? 'feed' : kindOfName(nameIn(url)) === 'ndjson' ? 'ndjson' : 'json'
  return said
}

const isFeed = (head: string) => /^\s*<\??(?:xml|rss|feed|rdf|atom)/i.test(head) && kindOfXml(head) === 'feed'

/** A file server calls all texts plain, so the ending tells more; but a page that is sent as plain text is meant to be seen as its source. */
function kindOfPlainText(bytes: Uint8Array, head: string, url: string): Kind {
  const named = kindOfName(nameIn(url))
  if (named === 'xml' || named === 'feed') return kindOfXml(head)
  if (named === 'json' || named === 'ndjson') return kindOfJson(bytes, head) ?? 'text'
  if (named === 'image') return kindOfMarkup(head) === 'image' ? 'image' : 'text'
  return named === 'csv' || named === 'markdown' || named === 'code' ? named : 'text'
}

function kindOfBytes(bytes: Uint8Array, url: string, type: string): Kind {
  if (hasPdfInside(bytes)) return 'pdf'
  if (isBinary(bytes)) return 'binary'
  const head = headOf(bytes)
  const kind = kindOfMarkup(head) ?? kindOfJson(bytes, head)
  if (kind) return kind
  if (kindOfName(nameIn(url)) === 'html') return 'html'
  // Exports to Excel are often comma-separated text under its name.
  return /excel/.test(type) ? 'csv' : kindOfPlainText(bytes, head, url)
}
