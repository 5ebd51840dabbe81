import {
  escaped,
  type FeedElement,
  type FeedElements,
  feedFields,
  htmlOfText,
  isoDate,
  itemItself,
} from './feed-fields.ts'
import { textIn } from '../../../util/xml.ts'

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
  const dressed = /<\/?(?:b|i|em|strong|code|span|sub|sup|u|small|br)(?:\s[^<>]*)?\/?>/gi
  const plain = kind === 'html' ? text.replace(dressed, '') : text.replaceAll('&', '&amp;')
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
