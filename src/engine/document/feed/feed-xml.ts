import { htmlOfText as paragraphsOf } from '../markup/inline-markup.ts'
import { readTags, textIn, type XmlTag } from '../../../util/xml.ts'

export type Enclosure = {
  url: string
  type?: string | undefined
  bytes?: number | undefined
  duration?: string | undefined
  title?: string | undefined
}

export type FeedItem = {
  /** HTML on one line. */
  title: string
  link?: string | undefined
  date?: string | undefined
  updated?: string | undefined
  author?: string | undefined
  categories: readonly string[]
  /** HTML as written in the feed. */
  content: string
  /** Base URLs of the item and, inside it, of its content, as written. */
  base?: string | undefined
  contentBase?: string | undefined
  enclosures: readonly Enclosure[]
}

/** Titles and descriptions are HTML; dates are ISO 8601 if they could be parsed. */
export type Feed = {
  title: string
  description: string
  link?: string | undefined
  /** Base URL for relative links. */
  base?: string | undefined
  language?: string | undefined
  generator?: string | undefined
  author?: string | undefined
  updated?: string | undefined
  favicon?: string | undefined
  items: readonly FeedItem[]
  itemCount: number
}

/** Parses an XML feed; undefined if the text has no root element of a feed. */
export function xmlFeed(xml: string): Feed | undefined {
  const { root, attributes, feed, items, itemCount } = feedFields(xml)
  if (root === '') return undefined
  const link = linkOf(feed)
  return {
    title: titleOf(feed),
    description: contentIn(feed, ['subtitle', 'tagline', 'description', 'itunes:summary', 'itunes:subtitle']).html,
    link,
    base: attributes.get('xml:base') ?? link,
    language: textAt(feed, 'language', 'dc:language') ?? attributes.get('xml:lang'),
    generator: textAt(feed, 'generator'),
    author: authorOf(feed),
    updated: isoDate(textAt(feed, 'updated', 'modified', 'lastbuilddate', 'pubdate', 'dc:date')),
    favicon: imageOf(feed),
    items: items.map(itemOf),
    itemCount,
  }
}

function itemOf(item: FeedElements): FeedItem {
  const content = contentIn(item, [
    'content:encoded',
    'content',
    'body',
    'description',
    'summary',
    'itunes:summary',
    'media:description',
  ])
  const date = textAt(item, 'pubdate', 'published', 'issued', 'created', 'dc:date', 'date')
  return {
    title: titleOf(item),
    link: linkOf(item) ?? permalinkOf(item) ?? item.get('content')?.[0]?.attributes.get('src'),
    date: isoDate(date ?? textAt(item, 'updated', 'modified')),
    updated: date === undefined ? undefined : isoDate(textAt(item, 'updated', 'modified')),
    author: authorOf(item),
    categories: categoriesOf(item),
    content: content.html,
    base: item.get(itemItself)?.[0]?.attributes.get('xml:base'),
    contentBase: content.base,
    enclosures: enclosuresOf(item),
  }
}

type FeedElement = { raw: string; attributes: ReadonlyMap<string, string> }
/** Elements of a feed or of one of its items, by names with the usual prefix of their namespace. */
type FeedElements = ReadonlyMap<string, readonly FeedElement[]>
/** Pseudo-element that holds the attributes of an item itself. */
const itemItself = '#item'
type FeedFields = {
  root: string
  attributes: ReadonlyMap<string, string>
  feed: FeedElements
  items: readonly FeedElements[]
  /** Number of items, including those beyond the maximum that is read. */
  itemCount: number
}

const prefixes: readonly (readonly [namespace: RegExp, prefix: string])[] = [
  [/^https?:\/\/www\.w3\.org\/2005\/atom|^http:\/\/purl\.org\/(?:atom|rss)|netscape\.com\/rdf\/simple/i, ''],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content/i, 'content'],
  [/^http:\/\/purl\.org\/dc\//i, 'dc'],
  [/^https?:\/\/(?:search\.yahoo\.com|www\.rssboard\.org|tools\.search\.yahoo\.com)\/m(?:edia|rss)/i, 'media'],
  [/itunes\.com\/dtds\/podcast/i, 'itunes'],
]
const prefixOf = (namespace: string) => prefixes.toReversed().find(([pattern]) => pattern.test(namespace))?.[1]

/** Elements whose content is a value, even if it is markup: it is not parsed as part of the feed. */
const values = new Set(
  `title link description content summary subtitle tagline info language generator pubdate lastbuilddate published
  updated modified issued created date author managingeditor webmaster creator category subject guid id rights copyright
  image icon logo source textinput contributor encoded keywords duration enclosure comments subtitle body text
  thumbnail credit name email uri url`.split(/\s+/),
)
/** Values that may contain elements named like values. Any other unclosed value ends when such an element starts. */
const nested = new Set(
  'description content summary subtitle tagline info author contributor image source textinput encoded body text'.split(
    ' ',
  ),
)
/** Maximum number of items, more than any feed reader shows. */
export const maxItems = 10_000
/** Elements that contain values. */
const groups = new Set(['media:content', 'media:group'])
const roots = new Set(['rss', 'feed', 'rdf'])

/**
 * Reads RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom in one pass over the tags, even if malformed: an unclosed value ends at
 * the next tag, and an unclosed item at the next item.
 */
function feedFields(xml: string): FeedFields {
  const known = new Map<string, string>()
  const collected = collector(xml)
  let root: XmlTag | undefined
  readTags(xml, (tag) => {
    learnPrefixes(known, tag.attributes)
    const name = usualName(tag.name, known)
    if (roots.has(localOf(name))) root ??= tag
    else collected.addTag(name, tag)
  })
  const { feed, items, itemCount } = collected.end()
  return {
    root: root ? localOf(root.name) : '',
    attributes: root?.attributes ?? new Map(),
    feed,
    items,
    itemCount,
  }
}

/** Collects the elements of a feed and of its items from its tags, which are passed in order. */
function collector(xml: string) {
  const feed = new Map<string, FeedElement[]>()
  const items: Map<string, FeedElement[]>[] = []
  let target = feed
  let itemCount = 0
  let open: { name: string; tag: XmlTag } | undefined

  function add(name: string, tag: XmlTag, end: number): void {
    const field = { raw: xml.slice(tag.end, end), attributes: tag.attributes }
    const list = target.get(name)
    if (list) list.push(field)
    else target.set(name, [field])
  }
  function endValue(end: number): void {
    if (open) add(open.name, open.tag, end)
    open = undefined
  }
  function endUnclosed(): void {
    const next = open ? xml.indexOf('<', open.tag.end) : -1
    endValue(next === -1 ? xml.length : next)
  }
  function startOrEndItem({ kind, attributes }: XmlTag): void {
    endUnclosed()
    target = kind === 'open' ? new Map([[itemItself, [{ raw: '', attributes }]]]) : feed
    if (kind !== 'open') return
    itemCount += 1
    if (itemCount <= maxItems) items.push(target)
  }
  function startValue(name: string, tag: XmlTag): void {
    if (tag.kind === 'empty' || groups.has(name)) add(name, tag, tag.end)
    else open = { name, tag }
  }

  return {
    addTag(name: string, tag: XmlTag): void {
      const isOpening = tag.kind !== 'close' && isValue(name)
      if (isOpening && open && !nested.has(localOf(open.name))) endUnclosed()
      if (name === 'item' || name === 'entry') startOrEndItem(tag)
      else if (open) void (tag.kind === 'close' && tag.name === open.tag.name && endValue(tag.start))
      else if (isOpening) startValue(name, tag)
    },
    end(): Pick<FeedFields, 'feed' | 'items' | 'itemCount'> {
      endUnclosed()
      return { feed, items, itemCount }
    },
  }
}

const isValue = (name: string) => values.has(localOf(name)) || groups.has(name)

const localOf = (name: string) => name.slice(name.indexOf(':') + 1)

function learnPrefixes(known: Map<string, string>, attributes: XmlTag['attributes']): void {
  for (const [name, namespace] of attributes) {
    const usual = name.startsWith('xmlns:') ? prefixOf(namespace) : undefined
    if (usual !== undefined) known.set(name.slice('xmlns:'.length), usual)
  }
}

function usualName(name: string, known: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(':')
  if (colon === -1) return name
  const prefix = known.get(name.slice(0, colon)) ?? name.slice(0, colon)
  return prefix === '' ? name.slice(colon + 1) : `${prefix}${name.slice(colon)}`
}

const all = (fields: FeedElements, ...names: string[]) => names.flatMap((name) => fields.get(name) ?? [])

/** Returns the first text that is not blank. */
function textAt(fields: FeedElements, ...names: string[]): string | undefined {
  return all(fields, ...names)
    .map(({ raw }) => textIn(raw).replace(/\s+/g, ' ').trim())
    .find(Boolean)
}

function titleOf(fields: FeedElements): string {
  const [field] = all(fields, 'title', 'dc:title', 'media:title', 'itunes:title').filter(({ raw }) => raw.trim() !== '')
  if (!field) return ''
  const type = field.attributes.get('type')
  return inline(type === 'xhtml' ? field.raw : textIn(field.raw), type === 'text' ? 'text' : 'html')
}

/**
 * Formats a title as one line. Formatting tags are dropped; other tags are part of the text, as in "What <div> is for".
 */
function inline(text: string, kind: 'text' | 'html'): string {
  const formatting = /<\/?(?:b|i|em|strong|code|span|sub|sup|u|small|br)(?:\s[^<>]*)?\/?>/gi
  const plain = kind === 'html' ? text.replace(formatting, '') : text.replaceAll('&', '&amp;')
  return escaped(plain).replace(/\s+/g, ' ').trim()
}

/**
 * Returns the content of the first non-empty element. Its type is declared (Atom) or detected from its content (RSS).
 */
function contentIn(fields: FeedElements, names: readonly string[]): { html: string; base?: string | undefined } {
  for (const field of all(fields, ...names)) {
    const html = contentOf(field)
    if (html.trim() !== '') return { html, base: field.attributes.get('xml:base') }
  }
  return { html: '' }
}

function contentOf({ raw, attributes }: FeedElement): string {
  const type = attributes.get('type') ?? ''
  if (type === 'xhtml') return raw.replace(/(<\/?)[a-z][\w.-]*:(?=[a-z])/gi, '$1')
  if (/^(?!text\/|html)\w+\//.test(type) && !type.endsWith('xml')) return ''
  // Unescaped markup is part of the feed, as elements.
  const isBare = !raw.includes('<![CDATA[') && hasMarkup(raw)
  const text = isBare ? raw : textIn(raw)
  return hasMarkup(text) && type !== 'text/plain' ? text : htmlOfText(text)
}

/** True for text that contains HTML tags. */
function hasMarkup(text: string): boolean {
  return /<(?:\/?(?:p|br|a|img|div|span|b|i|em|strong|ul|ol|li|h[1-6]|table|blockquote|pre|code|figure|iframe|hr|small|u|video|audio|font|center|article|section)(?:\s[^<>]*)?\/?)>/i.test(
    text,
  )
}

function linkOf(fields: FeedElements): string | undefined {
  const links = all(fields, 'link')
  const written = links.map(({ raw }) => textIn(raw).trim()).find(Boolean)
  const alternates = links.filter(({ attributes }) => (attributes.get('rel') ?? 'alternate') === 'alternate')
  const page = alternates.find(({ attributes }) => /html/.test(attributes.get('type') ?? 'html')) ?? alternates[0]
  return written ?? page?.attributes.get('href')
}

/** A guid is a URL of the item unless declared otherwise. */
function permalinkOf(item: FeedElements): string | undefined {
  const guid = all(item, 'guid', 'id').find(({ attributes }) => attributes.get('ispermalink') !== 'false')
  const text = guid && textIn(guid.raw).trim()
  return text && /^https?:/i.test(text) ? text : undefined
}

function authorOf(fields: FeedElements): string | undefined {
  const names = all(fields, 'dc:creator', 'author', 'itunes:author').map(({ raw }) => {
    const name = /<(?:[\w-]+:)?name[^<>]*>([^<]*)</i.exec(raw)?.[1]
    return textIn(name ?? (raw.includes('<') && !raw.includes('<![CDATA[') ? '' : raw)).trim()
  })
  // RSS writes a mail address followed by the name in parentheses.
  const shown = names.filter(Boolean).map((name) => /^[^\s@]+@\S+\s+\((.+)\)$/.exec(name)?.[1] ?? name)
  return [...new Set(shown)].slice(0, 20).join(', ') || textAt(fields, 'managingeditor')
}

function categoriesOf(item: FeedElements): string[] {
  const named = all(item, 'category', 'dc:subject', 'itunes:keywords').map(
    ({ raw, attributes }) => textIn(raw).trim() || attributes.get('label') || attributes.get('term') || '',
  )
  return [...new Set(named.filter(Boolean))].slice(0, 50)
}

function enclosuresOf(item: FeedElements): Enclosure[] {
  const duration = textAt(item, 'itunes:duration')
  const linked = all(item, 'link').filter(({ attributes }) => attributes.get('rel') === 'enclosure')
  const found = [...all(item, 'enclosure', 'media:content', 'media:thumbnail'), ...linked].flatMap(({ attributes }) => {
    const url = attributes.get('url') ?? attributes.get('href')
    const type = attributes.get('type') ?? attributes.get('medium')
    const bytes = Number(attributes.get('length') ?? attributes.get('filesize')) || undefined
    const seconds = attributes.get('duration')
    return url
      ? [{ url, type, bytes, title: attributes.get('title'), duration: duration ?? (seconds && `${seconds} s`) }]
      : []
  })
  return [...new Map(found.toReversed().map((each) => [each.url, each])).values()].toReversed().slice(0, 20)
}

function imageOf(feed: FeedElements): string | undefined {
  const inside = all(feed, 'image').map(({ raw }) => /<url[^<>]*>([^<]*)</i.exec(raw)?.[1]?.trim())
  const itunes = all(feed, 'itunes:image').map(({ attributes }) => attributes.get('href'))
  return textAt(feed, 'icon', 'logo') ?? [...inside, ...itunes].find(Boolean)
}

/** Escapes text as HTML; HTML character references in it are kept, because feeds often escape twice. */
export function escaped(text: string): string {
  return text
    .replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export const htmlOfText = (text: string): string => paragraphsOf(text, escaped)

const withZone = /(?:\dZ|[+-]\d\d:?\d\d|\b(?:GMT|UTC?|[ECMP][SD]T|Z))\s*(?:\([^)]*\))?$/i
const dateOnly = /^\d{4}-\d\d-\d\d$/
const maxChars = 60

/**
 * Converts a feed date (RFC 822, RFC 3339) to ISO 8601. Dates without a time zone, or in words, stay unchanged;
 * undefined for a blank or too long text.
 */
export function isoDate(written: string | undefined): string | undefined {
  const text = written?.replace(/\s+/g, ' ').trim()
  if (!text || text.length > maxChars) return undefined
  if (dateOnly.test(text)) return text
  const time = withZone.test(text) ? Date.parse(text.replace(/^[a-z]{2,9}\.?,\s*/i, '')) : Number.NaN
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
