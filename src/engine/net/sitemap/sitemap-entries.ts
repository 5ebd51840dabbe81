import { resolveReferences, type XmlSink, type XmlTag } from '../../../util/xml.ts'

/** A page listed in a sitemap or feed. */
export type SitemapEntry = {
  /** Absolute, http or https. */
  url: string
  /** Date as written in the file; ISO 8601 if a feed has an RFC 822 date. */
  lastModified?: string
  /** Title of a news or feed entry. */
  title?: string
}
/** An item of a file: a page or another sitemap. */
export type SitemapItem = { kind: 'page' | 'sitemap'; entry: SitemapEntry }

const maxUrlLength = 8192
const maxTitleLength = 500
const maxDateLength = 40

/**
 * Creates an item from the fields of an entry; undefined unless its URL is http or https. `base` is the URL of the
 * file.
 */
export function toSitemapItem(
  kind: SitemapItem['kind'],
  base: string,
  fields: { url: string; lastModified?: string | undefined; title?: string | undefined },
): SitemapItem | undefined {
  const url = webUrl(fields.url.trim(), base)
  if (url === undefined) return undefined
  const lastModified = dateOf(fields.lastModified?.trim() ?? '')
  const title = fields.title?.replace(/\s+/g, ' ').trim().slice(0, maxTitleLength) ?? ''
  return {
    kind,
    entry: { url, ...(lastModified !== undefined && { lastModified }), ...(title !== '' && { title }) },
  }
}

function webUrl(written: string, base: string): string | undefined {
  if (written === '' || written.length > maxUrlLength) return undefined
  const url = URL.parse(withScheme(written, base), base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** Completes a URL that begins with the site's own host name. */
function withScheme(written: string, base: string): string {
  if (/^(?:https?:|\/)/i.test(written)) return written
  const { protocol, host } = new URL(base)
  return `${written}/`.startsWith(`${host}/`) ? `${protocol}//${written}` : written
}

function dateOf(written: string): string | undefined {
  if (written === '' || written.length > maxDateLength) return undefined
  const at = Date.parse(written)
  if (Number.isNaN(at)) return undefined
  return /^\d{4}(?:-|$)/.test(written) ? written : new Date(at).toISOString()
}

/**
 * Returns possible sitemap URLs of a site without duplicates: those in robots.txt, then in the folder of the start URL,
 * then at the root.
 */
export function sitemapUrls(startUrl: string, robotsSitemaps: readonly string[]): string[] {
  const start = URL.parse(startUrl)
  const guesses = start ? [`${folderOf(start.pathname)}sitemap.xml`, '/sitemap.xml', '/sitemap_index.xml'] : []
  const candidates = [...robotsSitemaps, ...guesses.map((path) => `${start?.origin}${path}`)]
  return [...new Set(candidates.flatMap((url) => URL.parse(url)?.href ?? []))]
}

/** Returns the folder of a path, with a trailing slash; a last segment without a file extension counts as a folder. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf('/') + 1
  const last = path.slice(slash)
  return last === '' || /\.[a-z\d]{1,10}$/i.test(last) ? path.slice(0, slash) : `${path}/`
}

/** Fields of an entry read so far; the first value of each is kept. */
type EntryFields = { url?: string; lastModified?: string; title?: string; fallbackUrl?: string }
type EntryField = keyof EntryFields
type Entry = {
  kind: string
  prefix: string
  values: EntryFields
  /** A nested element that sets its own namespace: an image has a `loc` too. */
  foreign?: string | undefined
}
type Tag = { local: string; prefix: string; attributes: XmlTag['attributes'] }

type XmlEntries = XmlSink & {
  /** Discards a field that is still open: a truncated URL is useless. Returns true if its entry is discarded too. */
  end(): boolean
  /** True if the root element is that of a sitemap or feed. */
  isSitemap(): boolean
}

const maxValueLength = 10_000

/** Entry elements by root element. */
const entriesOf = new Map<string, readonly string[]>([
  ['urlset', ['url', 'sitemap']],
  ['sitemapindex', ['sitemap', 'url']],
  ['rss', ['item']],
  ['rdf', ['item']],
  ['feed', ['entry']],
  ['html', []],
])
const anyEntry = [...entriesOf.values()].flat()

/** Reads entries from sitemaps, sitemap indexes, RSS and Atom, with any namespace prefix. */
export function createXmlEntries(base: string, emit: (item: SitemapItem) => void): XmlEntries {
  let root: string | undefined
  let entry: Entry | undefined
  let field: EntryField | undefined
  let value = ''
  let isInNews = false

  function endField(): void {
    if (entry && field && value.trim() !== '') entry.values[field] ??= resolveReferences(value)
    field = undefined
    value = ''
  }
  function endEntry(): void {
    endField()
    const url = entry?.values.url ?? entry?.values.fallbackUrl
    const kind = entry?.kind === 'sitemap' ? 'sitemap' : 'page'
    const item = entry && url !== undefined && toSitemapItem(kind, base, { ...entry.values, url })
    if (item) emit(item)
    entry = undefined
    isInNews = false
  }
  function openWithin(parent: Entry, part: Tag): void {
    if (part.local === 'news') isInNews = true
    else if (part.attributes.has('xmlns')) parent.foreign ??= part.local
    if (parent.foreign === undefined) field = fieldIn(parent, part, isInNews ? 'news' : 'entry')
  }
  function open(part: Tag): void {
    root ??= part.local
    if ((entriesOf.get(root) ?? anyEntry).includes(part.local)) {
      endEntry()
      entry = { kind: part.local, prefix: part.prefix, values: {} }
    } else if (entry) openWithin(entry, part)
  }
  function close({ local }: Tag): void {
    endField()
    if (local === 'news') isInNews = false
    if (entry && local === entry.foreign) entry.foreign = undefined
    if (local === entry?.kind) endEntry()
  }

  return {
    tag({ name, kind, attributes }) {
      endField()
      const part = partOf(name, attributes)
      if (kind !== 'close') open(part)
      if (kind !== 'open') close(part)
    },
    text(piece, kind) {
      if (field && value.length < maxValueLength) value += kind === 'raw' ? piece : escapeText(piece)
    },
    end() {
      const isCut = entry !== undefined && entry.values.url === undefined && entry.values.fallbackUrl === undefined
      field = undefined
      endEntry()
      return isCut
    },
    isSitemap: () => (entriesOf.get(root ?? '') ?? []).length > 0,
  }
}

/** Returns the field of an element within an entry; a URL in its attributes is stored immediately. */
function fieldIn({ kind, prefix, values }: Entry, part: Tag, within: 'news' | 'entry'): EntryField | undefined {
  const link = kind === 'entry' && part.local === 'link' ? linkOf(part.attributes) : undefined
  if (link !== undefined) values.url ??= link
  return within === 'news' && part.local === 'title' ? 'title' : fieldOf(kind, prefix, part)
}

/**
 * Returns the field that an element contains. Names count only in the namespace of the entry: images have a `loc` too.
 */
function fieldOf(kind: string, prefix: string, part: Tag): EntryField | undefined {
  if (part.local === 'date') return 'lastModified'
  if (part.prefix !== prefix) return undefined
  const ofKind = kind === 'item' ? itemFields : kind === 'entry' ? atomFields : sitemapFields
  const field = ofKind.get(part.local)
  return field === 'fallbackUrl' && /^false/i.test(part.attributes.get('ispermalink') ?? '') ? undefined : field
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

/** Returns the page URL of an Atom link; other links lead to comments, enclosures or the feed itself. */
function linkOf(attributes: XmlTag['attributes']): string | undefined {
  return (attributes.get('rel') ?? 'alternate') === 'alternate' ? attributes.get('href') : undefined
}

function partOf(name: string, attributes: Tag['attributes']): Tag {
  const colon = name.indexOf(':')
  return colon === -1
    ? { local: name, prefix: '', attributes }
    : { local: name.slice(colon + 1), prefix: name.slice(0, colon), attributes }
}

/** Escapes text so `resolveReferences` restores it. */
const escapeText = (literal: string) => literal.replaceAll('&', '&amp;')
