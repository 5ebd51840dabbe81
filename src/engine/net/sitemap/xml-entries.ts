import { type SitemapItem, toSitemapItem } from './entry.ts'

/** What an entry says, as far as it was read; of each the first counts. */
type EntryFields = { url?: string; lastModified?: string; title?: string; fallbackUrl?: string }
type EntryField = keyof EntryFields
type Entry = { kind: string; prefix: string; said: EntryFields }
type Tag = { name: string; local: string; prefix: string; attributes: string }

export type XmlEntries = XmlSink & {
  /** A field that is still open is cut short and left out: half an address leads nowhere. True when its entry went with it. */
  end(): boolean
  /** Whether the root element is one that sitemaps and feeds have. */
  isSitemap(): boolean
}

const maxValueLength = 10_000

/** The elements that are entries, by the root element. */
const entriesOf = new Map<string, readonly string[]>([
  ['urlset', ['url', 'sitemap']],
  ['sitemapindex', ['sitemap', 'url']],
  ['rss', ['item']],
  ['rdf', ['item']],
  ['feed', ['entry']],
  ['html', []],
])
const anyEntry = [...entriesOf.values()].flat()

/** Makes entries of the elements of sitemaps, sitemap indexes, RSS and Atom, in whatever namespace prefix they are. */
export function createXmlEntries(base: string, found: (entry: SitemapItem) => void): XmlEntries {
  let root: string | undefined
  let entry: Entry | undefined
  let field: EntryField | undefined
  let value = ''
  let isInNews = false

  function endField(): void {
    if (entry && field && value.trim() !== '') entry.said[field] ??= resolveReferences(value)
    field = undefined
    value = ''
  }
  function endEntry(): void {
    endField()
    const url = entry?.said.url ?? entry?.said.fallbackUrl
    const kind = entry?.kind === 'sitemap' ? 'sitemap' : 'page'
    const made = entry && url !== undefined && toSitemapItem(kind, base, { ...entry.said, url })
    if (made) found(made)
    entry = undefined
    isInNews = false
  }
  function begin(part: Tag): void {
    endEntry()
    entry = { kind: part.local, prefix: part.prefix, said: {} }
  }
  function inside({ kind, prefix, said }: Entry, part: Tag): void {
    if (part.local === 'news') isInNews = true
    const link = kind === 'entry' && part.local === 'link' ? linkOf(part.attributes) : undefined
    if (link !== undefined) said.url ??= link
    field = isInNews && part.local === 'title' ? 'title' : fieldOf(kind, prefix, part)
  }

  return {
    open(name, attributes) {
      endField()
      const part = parseTag(name, attributes)
      root ??= part.local
      if ((entriesOf.get(root) ?? anyEntry).includes(part.local)) begin(part)
      else if (entry) inside(entry, part)
    },
    close(name) {
      endField()
      const { local } = parseTag(name, '')
      if (local === 'news') isInNews = false
      if (local === entry?.kind) endEntry()
    },
    text(piece, kind) {
      if (field && value.length < maxValueLength) value += kind === 'raw' ? piece : escapeText(piece)
    },
    end() {
      const isCut = entry !== undefined && entry.said.url === undefined && entry.said.fallbackUrl === undefined
      field = undefined
      endEntry()
      return isCut
    },
    isSitemap: () => (entriesOf.get(root ?? '') ?? []).length > 0,
  }
}

/** Names count only in the namespace of their entry: an image in a sitemap has a `loc` too. */
function fieldOf(kind: string, prefix: string, part: Tag): EntryField | undefined {
  if (part.local === 'date') return 'lastModified'
  if (part.prefix !== prefix) return undefined
  const ofKind = kind === 'item' ? itemFields : kind === 'entry' ? atomFields : sitemapFields
  const field = ofKind.get(part.local)
  return field === 'fallbackUrl' && /isPermaLink\s*=\s*["']false/i.test(part.attributes) ? undefined : field
}

const sitemapFields = new Map<string, EntryField>([
  ['loc', 'url'],
  ['lastmod', 'lastModified'],
])
const itemFields = new Map<string, EntryField>([
  ['link', 'url'],
  ['guid', 'fallbackUrl'],
  ['pubdate', 'lastModified'],
  ['title', 'title'],
])
const atomFields = new Map<string, EntryField>([
  ['updated', 'lastModified'],
  ['title', 'title'],
])

/** Address of the page behind an Atom link; others lead to comments, enclosures or the feed itself. */
function linkOf(attributes: string): string | undefined {
  const relation = attribute(attributes, 'rel') ?? 'alternate'
  return relation === 'alternate' ? attribute(attributes, 'href') : undefined
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  const text = found?.[1] ?? found?.[2]
  return text === undefined ? undefined : resolveReferences(text)
}

function parseTag(name: string, attributes: string): Tag {
  const colon = name.indexOf(':')
  return { name, attributes, local: name.slice(colon + 1), prefix: colon === -1 ? '' : name.slice(0, colon) }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves the references every XML reader knows, once; what a file declares itself stays as written. */
function resolveReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** Text that `resolveReferences` leads back to. */
function escapeText(literal: string): string {
  return literal.replaceAll('&', '&amp;')
}

/** Takes the parts of an XML text in their order. */
export type XmlSink = {
  /** Name in lower case, with its prefix; `attributes` as written. An empty element is opened and closed. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** Perhaps in several pieces; `raw` has references in it, `literal` (CDATA) has none. */
  text(piece: string, kind: 'raw' | 'literal'): void
}

type Scanner = { push(chunk: string): void; end(): void }

/** A longer tag is none. */
const maxTagLength = 65_536

const cdataStart = '<![CDATA['

/** What is passed over until its end, however long it is, without being kept. */
type Skipped = { until: string; kind: 'literal' | 'ignored' }

/**
 * Scans XML in chunks, whole or broken, in one pass and flat memory. Nothing declared in it is ever expanded. What
 * cannot be a tag is text; a tag that is cut by another one is left out.
 */
export function createXmlScanner(sink: XmlSink): Scanner {
  let rest = ''
  let passing: Skipped | undefined

  /** The place to go on at, or undefined where more text is needed; `kept` is where that begins. */
  type Step = { at: number } | { kept: number }

  function passOver(buffer: string, at: number, { until, kind }: Skipped): Step {
    const found = buffer.indexOf(until, at)
    // The last characters may be the beginning of the end.
    const stop = found === -1 ? Math.max(at, buffer.length - until.length + 1) : found
    if (kind === 'literal' && stop > at) sink.text(buffer.slice(at, stop), 'literal')
    if (found === -1) return { kept: stop }
    passing = undefined
    return { at: found + until.length }
  }

  function step(buffer: string, at: number): Step {
    if (passing) return passOver(buffer, at, passing)
    const start = buffer.indexOf('<', at)
    const stop = start === -1 ? buffer.length : start
    if (stop > at) sink.text(buffer.slice(at, stop), 'raw')
    if (start === -1 || buffer.length - start < cdataStart.length) return { kept: stop }
    passing = passingAt(buffer, start)
    if (passing) return { at: start + (passing.kind === 'literal' ? cdataStart.length : 2) }
    return isNameStart(buffer.charCodeAt(start + (buffer[start + 1] === '/' ? 2 : 1)))
      ? tag(buffer, start)
      : { at: start + 1 }
  }

  function tag(buffer: string, start: number): Step {
    const end = buffer.indexOf('>', start)
    const last = buffer.lastIndexOf('<', end === -1 ? buffer.length : end)
    if (last > start) return { at: last }
    if (end === -1) return buffer.length - start > maxTagLength ? { at: start + 1 } : { kept: start }
    emitTag(sink, buffer.slice(start + 1, end))
    return { at: end + 1 }
  }

  function run(buffer: string): void {
    let at = 0
    for (;;) {
      const next = step(buffer, at)
      if ('kept' in next) return void (rest = buffer.slice(next.kept))
      at = next.at
    }
  }

  return {
    push: (chunk) => run(rest + chunk),
    // Padding, so that a short last tag is looked at.
    end: () => run(`${rest}${' '.repeat(cdataStart.length)}`),
  }
}

function passingAt(buffer: string, start: number): Skipped | undefined {
  const second = buffer[start + 1]
  if (second === '?') return { until: '>', kind: 'ignored' }
  if (second !== '!') return undefined
  if (buffer.startsWith(cdataStart, start)) return { until: ']]>', kind: 'literal' }
  return { until: buffer.startsWith('<!--', start) ? '-->' : '>', kind: 'ignored' }
}

/** Letters, `_`, `:` and all that is not ASCII. */
function isNameStart(code: number): boolean {
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || code === 95 || code === 58 || code > 127
}

function emitTag(sink: XmlSink, inside: string): void {
  if (inside.startsWith('/')) return sink.close(inside.slice(1).trim().toLowerCase())
  const isEmpty = inside.endsWith('/')
  const content = isEmpty ? inside.slice(0, -1) : inside
  const space = content.search(/\s/)
  const name = (space === -1 ? content : content.slice(0, space)).toLowerCase()
  sink.open(name, space === -1 ? '' : content.slice(space))
  if (isEmpty) sink.close(name)
}
