import { decodeHTMLStrict } from 'entities/decode'
import { absoluteUrl } from '../../html/dom/absolute-url.ts'
import { elementsIn, innerHtml } from '../../html/dom/dom-tree.ts'
import { parseFragment } from '../../html/parse/parse-html.ts'
import type { Converted, Converter } from '../converter.ts'
import { readJson } from '../text/notebook.ts'
import { isRecord, parseJsonObject, recordsIn } from '../../../util/json.ts'
import { readXml, textOf } from '../text/plain.ts'
import {
  type Enclosure,
  escaped,
  type Feed,
  type FeedItem,
  htmlOfText,
  isoDate,
  maxItems,
  xmlFeed,
} from './feed-xml.ts'

/**
 * Converts RSS, Atom and JSON Feed to a page: the feed's description, then each item with its date, author and content.
 * Any other file is shown unchanged.
 */
export const readFeed: Converter = (source): Converted | Promise<Converted> => {
  const text = textOf(source)
  const isJson = text.trimStart().startsWith('{')
  const feed = isJson ? jsonFeed(text) : xmlFeed(text)
  if (!feed || (feed.items.length === 0 && feed.title === '')) return isJson ? readJson(source) : readXml(source)
  const { items, itemCount } = feed
  const warning = `The feed has ${itemCount} items; the first ${items.length} are shown.`
  return { html: htmlOf(feed, source.url), metadata: metadataOf(feed), ...(itemCount > items.length && { warning }) }
}

const metadataOf = ({ title, description, language, generator, author, updated, favicon, itemCount }: Feed) => ({
  ...withoutAbsent({
    title: plainText(title),
    description: plainText(description),
    language,
    generator,
    author,
    modifiedTime: updated,
    favicon,
  }),
  itemCount,
})

const withoutAbsent = (facts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value))

/** Converts HTML on one line to text: without tags, and with its references decoded. */
function plainText(html: string): string {
  return decodeHTMLStrict(html.replace(/<\/?[a-z][^<>]*>/gi, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Renders a feed as one page: its title, description and URL, then every item. */
function htmlOf(feed: Feed, url: string): string {
  const base = httpUrl(feed.base, url)
  const link = httpUrl(feed.link, base ?? url)
  const head = [
    base ? `<base href="${escaped(base)}">` : '',
    feed.title ? `<h1>${feed.title}</h1>` : '',
    feed.description ? `<div>${embedded(feed.description, 1)}</div>` : '',
    link ? `<p>${anchor(link, escaped(link))}</p>` : '',
  ]
  return [...head, ...feed.items.map((item) => htmlOfItem(item, base ?? url))].join('\n')
}

function htmlOfItem(item: FeedItem, feedBase: string): string {
  const base = httpUrl(item.base, feedBase) ?? feedBase
  const contentBase = httpUrl(item.contentBase, base) ?? base
  const link = httpUrl(item.link, base)
  const title = item.title || (link && escaped(link)) || ''
  const heading = title && `<h2>${link ? anchor(link, title) : title}</h2>`
  const facts = [
    item.date,
    item.updated && item.updated !== item.date ? `updated ${item.updated}` : '',
    item.author,
    item.categories.join(', '),
  ].filter((fact) => fact !== undefined && fact !== '')
  const line = facts.length > 0 ? `<p>${facts.map((fact) => escaped(String(fact))).join(' · ')}</p>` : ''
  const files = item.enclosures.map((enclosure) => fileOf(enclosure, base)).join('')
  const html = contentBase === feedBase ? item.content : resolveLinks(item.content, contentBase)
  const content = embedded(html, 2)
  return `<article>${heading}${line}<div>${content}</div>${files && `<ul>${files}</ul>`}</article>`
}

/**
 * Makes an HTML fragment safe to embed: unclosed constructs at its end (a comment, a script, a cut tag) cannot absorb
 * what follows, and its headings rank below the heading above it.
 */
function embedded(html: string, headingsDown: number): string {
  const whole = html
    .replace(/<!--[^]*?(?:-->|$)/g, '')
    .replace(
      /<(script|style|textarea|title|xmp|noembed|noframes|plaintext|template|base|svg|select)\b[^]*?(?:<\/\1\s*>|$)/gi,
      '',
    )
    .replace(/<(\/?)h([1-6])(?=[\s>])/gi, (_, slash, level) => `<${slash}h${Math.min(6, Number(level) + headingsDown)}`)
  const cut = whole.lastIndexOf('<')
  return cut > whole.lastIndexOf('>') ? whole.slice(0, cut) : whole
}

/** Resolves the links and pictures of content whose base URL differs from the feed's (xml:base). */
function resolveLinks(html: string, base: string): string {
  const content = parseFragment(html)
  for (const node of elementsIn(content))
    for (const name of ['href', 'src']) {
      const url = absoluteUrl(node.getAttribute(name) ?? '', base)
      if (url !== undefined && node.hasAttribute(name)) node.setAttribute(name, url)
    }
  return innerHtml(content)
}

function fileOf({ url, type, bytes, duration, title }: Enclosure, base: string): string {
  const address = httpUrl(url, base)
  if (!address) return ''
  const name = title ?? (address.split(/[?#]/, 1)[0] ?? '').split('/').at(-1)
  const facts = [type, bytes && `${bytes} bytes`, duration].filter(Boolean).join(', ')
  return `<li>${anchor(address, escaped(name || address))}${facts && ` (${escaped(facts)})`}</li>`
}

const anchor = (href: string, html: string) => `<a href="${escaped(href)}">${html}</a>`

/** Returns undefined if the result is not an http or https URL. */
function httpUrl(href: string | undefined, base: string): string | undefined {
  const address = href === undefined || href.trim() === '' ? undefined : URL.parse(href.trim(), base)
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined
}

type Json = Readonly<Record<string, unknown>>

/** Parses JSON Feed 1.0 and 1.1; undefined if the text is not a JSON object. */
function jsonFeed(json: string): Feed | undefined {
  const feed = parseJsonObject(json)
  if (!feed) return undefined
  const link = stringAt(feed, 'home_page_url')
  return {
    title: escaped(stringAt(feed, 'title') ?? ''),
    description: htmlOfText(stringAt(feed, 'description') ?? ''),
    link,
    base: link,
    language: stringAt(feed, 'language'),
    author: authorsOf(feed),
    favicon: stringAt(feed, 'favicon') ?? stringAt(feed, 'icon'),
    ...itemsIn(recordsIn(feed['items'])),
  }
}

const itemsIn = (items: readonly Json[]) => ({ items: items.slice(0, maxItems).map(itemOf), itemCount: items.length })

function itemOf(item: Json): FeedItem {
  return {
    title: escaped(stringAt(item, 'title') ?? ''),
    link: stringAt(item, 'url') ?? stringAt(item, 'external_url'),
    date: isoDate(stringAt(item, 'date_published') ?? stringAt(item, 'date_modified')),
    updated: isoDate(stringAt(item, 'date_published') && stringAt(item, 'date_modified')),
    author: authorsOf(item),
    categories: Array.isArray(item['tags']) ? item['tags'].filter((tag) => typeof tag === 'string') : [],
    content:
      stringAt(item, 'content_html') ?? htmlOfText(stringAt(item, 'content_text') ?? stringAt(item, 'summary') ?? ''),
    enclosures: recordsIn(item['attachments']).flatMap(enclosureOf),
  }
}

function enclosureOf(attachment: Json): Enclosure[] {
  const url = stringAt(attachment, 'url')
  if (url === undefined) return []
  const seconds = Number(attachment['duration_in_seconds'])
  return [
    {
      url,
      type: stringAt(attachment, 'mime_type'),
      title: stringAt(attachment, 'title'),
      bytes: Number(attachment['size_in_bytes']) || undefined,
      duration: seconds > 0 ? `${seconds} s` : undefined,
    },
  ]
}

function authorsOf(from: Json): string | undefined {
  const names = [...recordsIn(from['authors']), from['author']]
    .filter(isRecord)
    .map((author) => stringAt(author, 'name'))
  return [...new Set(names.filter(Boolean))].join(', ') || undefined
}

function stringAt(from: Json, key: string): string | undefined {
  const value = from[key]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
