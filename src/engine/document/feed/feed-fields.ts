import { htmlOfText as paragraphsOf } from '../markup/inline-markup.ts'
import { readTags, type XmlTag } from '../../../util/xml.ts'

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

/** Converts a feed date (RFC 822, RFC 3339) to ISO 8601. Dates without a time zone, or in words, stay unchanged. */
export function isoDate(written: string | undefined): string | undefined {
  const text = written?.replace(/\s+/g, ' ').trim()
  if (!text || text.length > maxChars) return undefined
  if (dateOnly.test(text)) return text
  const time = withZone.test(text) ? Date.parse(text.replace(/^[a-z]{2,9}\.?,\s*/i, '')) : Number.NaN
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

export type FeedElement = { raw: string; attributes: ReadonlyMap<string, string> }
/** Elements of a feed or of one of its items, by names with the usual prefix of their namespace. */
export type FeedElements = ReadonlyMap<string, readonly FeedElement[]>
/** Pseudo-element that holds the attributes of an item itself. */
export const itemItself = '#item'
export type FeedFields = {
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
/** Values that may contain elements of the same names; any other unclosed value ends when such an element starts. */
const nested = new Set(
  'description content summary subtitle tagline info author contributor image source textinput encoded body text'.split(
    ' ',
  ),
)
/** Maximum number of items, more than any feed reader shows. */
export const maxItems = 10_000
const groups = new Set(['media:content', 'media:group'])
const roots = new Set(['rss', 'feed', 'rdf'])

/**
 * Reads RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom in one pass over the tags, even if malformed: an unclosed value ends at
 * the next tag, and an unclosed item at the next item.
 */
export function feedFields(xml: string): FeedFields {
  const known = new Map<string, string>()
  const collected = collector(xml)
  let root: XmlTag | undefined
  readTags(xml, (tag) => {
    learnPrefixes(known, tag.attributes)
    const name = usualName(tag.name, known)
    if (roots.has(localOf(name))) root ??= tag
    else collected.meet(name, tag)
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

/** Receives the tags of a feed in order. */
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
  function meetItem({ kind, attributes }: XmlTag): void {
    endUnclosed()
    target = kind === 'open' ? new Map([[itemItself, [{ raw: '', attributes }]]]) : feed
    if (kind !== 'open') return
    itemCount += 1
    if (itemCount <= maxItems) items.push(target)
  }
  function meetValue(name: string, tag: XmlTag): void {
    if (tag.kind === 'empty' || groups.has(name)) add(name, tag, tag.end)
    else open = { name, tag }
  }

  return {
    meet(name: string, tag: XmlTag): void {
      const isOpening = tag.kind !== 'close' && isValue(name)
      if (isOpening && open && !nested.has(localOf(open.name))) endUnclosed()
      if (name === 'item' || name === 'entry') meetItem(tag)
      else if (open) void (tag.kind === 'close' && tag.name === open.tag.name && endValue(tag.start))
      else if (isOpening) meetValue(name, tag)
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
