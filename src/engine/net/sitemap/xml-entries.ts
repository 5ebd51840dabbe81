import { type Found, foundEntry } from './entry.ts'
import type { XmlSink } from './xml-scan.ts'

/** What an entry says, as far as it was read; of each the first counts. */
type Said = { url?: string; lastModified?: string; title?: string; fallbackUrl?: string }
type Field = keyof Said
type Entry = { kind: string; prefix: string; said: Said }
type Part = { name: string; local: string; prefix: string; attributes: string }

export type XmlEntries = XmlSink & {
  end(): void
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
export function createXmlEntries(base: string, found: (entry: Found) => void): XmlEntries {
  let root: string | undefined
  let entry: Entry | undefined
  let field: Field | undefined
  let value = ''
  let isInNews = false

  function endField(): void {
    if (entry && field && value.trim() !== '') entry.said[field] ??= resolved(value)
    field = undefined
    value = ''
  }
  function endEntry(): void {
    endField()
    const url = entry?.said.url ?? entry?.said.fallbackUrl
    const kind = entry?.kind === 'sitemap' ? 'sitemap' : 'page'
    const made = entry && url !== undefined && foundEntry(kind, base, { ...entry.said, url })
    if (made) found(made)
    entry = undefined
    isInNews = false
  }
  function begin(part: Part): void {
    endEntry()
    entry = { kind: part.local, prefix: part.prefix, said: {} }
  }
  function inside({ kind, prefix, said }: Entry, part: Part): void {
    if (part.local === 'news') isInNews = true
    const link = kind === 'entry' && part.local === 'link' ? linkOf(part.attributes) : undefined
    if (link !== undefined) said.url ??= link
    field = isInNews && part.local === 'title' ? 'title' : fieldOf(kind, prefix, part)
  }

  return {
    open(name, attributes) {
      endField()
      const part = partOf(name, attributes)
      root ??= part.local
      if ((entriesOf.get(root) ?? anyEntry).includes(part.local)) begin(part)
      else if (entry) inside(entry, part)
    },
    close(name) {
      endField()
      const { local } = partOf(name, '')
      if (local === 'news') isInNews = false
      if (local === entry?.kind) endEntry()
    },
    text(piece, kind) {
      if (field && value.length < maxValueLength) value += kind === 'raw' ? piece : written(piece)
    },
    end: endEntry,
    isSitemap: () => (entriesOf.get(root ?? '') ?? []).length > 0,
  }
}

/** Names count only in the namespace of their entry: an image in a sitemap has a `loc` too. */
function fieldOf(kind: string, prefix: string, part: Part): Field | undefined {
  if (part.local === 'date') return 'lastModified'
  if (part.prefix !== prefix) return undefined
  const ofKind = kind === 'item' ? itemFields : kind === 'entry' ? atomFields : sitemapFields
  const field = ofKind.get(part.local)
  return field === 'fallbackUrl' && /isPermaLink\s*=\s*["']false/i.test(part.attributes) ? undefined : field
}

const sitemapFields = new Map<string, Field>([
  ['loc', 'url'],
  ['lastmod', 'lastModified'],
])
const itemFields = new Map<string, Field>([
  ['link', 'url'],
  ['guid', 'fallbackUrl'],
  ['pubdate', 'lastModified'],
  ['title', 'title'],
])
const atomFields = new Map<string, Field>([
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
  return text === undefined ? undefined : resolved(text)
}

function partOf(name: string, attributes: string): Part {
  const colon = name.indexOf(':')
  return { name, attributes, local: name.slice(colon + 1), prefix: colon === -1 ? '' : name.slice(0, colon) }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves the references every XML reader knows, once; what a file declares itself stays as written. */
function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return named[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** Text that `resolved` leads back to. */
function written(literal: string): string {
  return literal.replaceAll('&', '&amp;')
}
