import { absoluteUrl } from '../dom/absolute-url.ts'
import { closest, type Element, oneLine } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { sanitiseText } from '../../../util/sanitise-text.ts'
import { jsonLdOf } from '../facts/json-ld.ts'

/** Keys of the public API with the meta names they are read from, in order of preference. */
const known: Readonly<Record<string, readonly string[]>> = {
  description: ['description', 'og:description', 'twitter:description'],
  keywords: ['keywords'],
  robots: ['robots'],
  ogTitle: ['og:title'],
  ogDescription: ['og:description'],
  ogUrl: ['og:url'],
  ogImage: ['og:image', 'og:image:url', 'og:image:secure_url'],
  ogAudio: ['og:audio'],
  ogDeterminer: ['og:determiner'],
  ogLocale: ['og:locale'],
  ogSiteName: ['og:site_name'],
  ogVideo: ['og:video'],
  articleSection: ['article:section'],
  articleTag: ['article:tag'],
  publishedTime: ['article:published_time', 'og:published_time'],
  modifiedTime: ['article:modified_time', 'og:updated_time', 'og:modified_time'],
  dcTermsCreated: ['dcterms.created'],
  dcDateCreated: ['dc.date.created'],
  dcDate: ['dc.date'],
  dcTermsType: ['dcterms.type'],
  dcType: ['dc.type'],
  dcTermsAudience: ['dcterms.audience'],
  dcTermsSubject: ['dcterms.subject'],
  dcSubject: ['dc.subject'],
  dcDescription: ['dc.description'],
  dcTermsKeywords: ['dcterms.keywords'],
}
const addresses = ['ogUrl', 'ogImage', 'ogAudio', 'ogVideo']

/** Returns the metadata of a page: the keys of the public API, and every meta tag under its own name. */
export function metadataOf(root: Element, elements: ElementIndex, base: string): Record<string, unknown> {
  const tags = namedTags(elements)
  const links = linksOf(elements)
  const metas = metaValues(tags)
  const first = (names: readonly string[]) => names.map((name) => metas.get(name.toLowerCase())?.[0]).find(Boolean)
  const named: Record<string, unknown> = { title: titleOf(elements) ?? first(['og:title', 'twitter:title']) }
  named['language'] = languageOf(root, elements, metas)
  for (const [key, names] of Object.entries(known)) named[key] = first(names)
  for (const [key, value] of Object.entries(bylineOf(elements, metas))) named[key] ??= value
  for (const key of addresses)
    if (typeof named[key] === 'string') named[key] = absoluteUrl(named[key], base) ?? named[key]
  named['ogLocaleAlternate'] = metas.get('og:locale:alternate')
  named['favicon'] = iconOf(links, base)
  named['canonical'] = linkTo(links, base, ({ relation }) => relation.includes('canonical'))
  named['markdownAlternate'] =
    linkTo(links, base, ({ relation, type }) => relation.includes('alternate') && type === 'text/markdown') ??
    linkTo(links, base, ({ href }) => /(?:^|\/)llms\.txt$/.test(href))
  return withoutAbsent({ ...everyTag(tags), ...withoutAbsent(named) })
}

/** Returns contents by lower-case name; repeated tags keep all their contents. */
function metaValues(named: readonly NamedTag[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { name, content } of named) {
    const key = name.toLowerCase()
    const list = values.get(key)
    if (list) list.push(content)
    else values.set(key, [content])
  }
  return values
}

function everyTag(named: readonly NamedTag[]): Record<string, string | string[]> {
  const tags = new Map<string, string | string[]>()
  for (const { name, content } of named) {
    const before = tags.get(name)
    if (before === undefined) tags.set(name, content)
    else if (Array.isArray(before)) before.push(content)
    else if (before !== content) tags.set(name, [before, content])
  }
  return Object.fromEntries(tags)
}

type NamedTag = { name: string; content: string }

function namedTags(elements: ElementIndex): NamedTag[] {
  return elements.named('meta').flatMap((meta) => {
    const name = nameOf(meta)
    const content = meta.getAttribute('content')
    return name && name !== '__proto__' && content !== null ? { name, content: sanitiseText(content).trim() } : []
  })
}

function nameOf(meta: Element): string | undefined {
  const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop')
  return name ? sanitiseText(name).trim() : undefined
}

function titleOf(elements: ElementIndex): string | undefined {
  const title = elements.named('title').find((element) => !isInSvg(element) && element.textContent.trim() !== '')
  return title && oneLine(sanitiseText(title.textContent))
}

function isInSvg(element: Element): boolean {
  return closest(element, ({ localName }) => localName === 'svg') !== undefined
}

function languageOf(root: Element, elements: ElementIndex, metas: MetaValues): string | undefined {
  const written = sanitiseText(root.getAttribute('lang') || root.getAttribute('xml:lang') || '').trim()
  if (written) return written
  const header = elements
    .named('meta')
    .find((meta) => /^content-language$/i.test(meta.getAttribute('http-equiv')?.trim() ?? ''))
  const named = ['content-language', 'language', 'dc.language', 'dcterms.language', 'inlanguage', 'og:locale'].map(
    (name) => metas.get(name)?.[0],
  )
  return [sanitiseText(header?.getAttribute('content') ?? '').trim(), ...named]
    .find(Boolean)
    ?.replace(/^([a-z]{2,3})_(?=[a-z]{2}$)/i, '$1-')
}

function iconOf(links: readonly Link[], base: string): string | undefined {
  return (
    linkTo(links, base, ({ relation }) => relation.includes('icon')) ??
    linkTo(links, base, ({ relation }) => relation.some((word) => word.endsWith('icon') || word.includes('touch-icon')))
  )
}

type Link = { relation: readonly string[]; type: string; href: string }

const linksOf = (elements: ElementIndex): Link[] =>
  elements.named('link').flatMap((link) => {
    const href = link.getAttribute('href')
    const relation = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/)
    const type = (link.getAttribute('type') ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
    return href ? { relation, type, href } : []
  })

function linkTo(links: readonly Link[], base: string, fits: (link: Link) => boolean): string | undefined {
  const link = links.find(fits)
  return link && absoluteUrl(link.href, base)
}

function withoutAbsent(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''))
}

/** Contents of meta tags by lower-case name. */
type MetaValues = ReadonlyMap<string, readonly string[]>

/** Common meta names for dates, used after structured data, and for authors, mostly used before structured data. */
const published =
  'datepublished pubdate publishdate publish-date date dc.date.issued dcterms.issued parsely-pub-date citation_publication_date'.split(
    ' ',
  )
const modified = 'datemodified last-modified lastmod revised dcterms.modified dc.date.modified'.split(' ')
const authors = 'author dc.creator dcterms.creator citation_author parsely-author article:author twitter:creator'.split(
  ' ',
)

/** Returns author, dates and structured data types of a page; its text is not searched. */
function bylineOf(elements: ElementIndex, metas: MetaValues) {
  const data = jsonLdOf(elements)
  const first = (list: readonly string[]) => list.map((name) => metas.get(name)?.[0]).find(Boolean)
  return {
    author: authorOf(metas) ?? clean(data.author) ?? first(['article:author', 'twitter:creator']),
    publishedTime: clean(data.published) ?? first(published) ?? timeOf(elements, 'published'),
    modifiedTime: clean(data.modified) ?? first(modified) ?? timeOf(elements, 'modified'),
    jsonLdTypes: data.types.length > 0 ? data.types.map(sanitiseText) : undefined,
  }
}

const clean = (text: string | undefined) => (text === undefined ? undefined : sanitiseText(text).trim() || undefined)

/**
 * Returns at most 20 authors, from the first meta name that has any; profile URLs and handles are not names.
 */
function authorOf(metas: MetaValues): string | undefined {
  const names = authors.map((name) =>
    metas.get(name)?.filter((author) => author !== '' && !/^(?:https?:\/\/|@)/i.test(author)),
  )
  const first = names.find((list) => list !== undefined && list.length > 0)
  return first && [...new Set(first)].slice(0, 20).join(', ')
}

const timeMarks = {
  published: /\b(?:datepublished|pubdate|published|entry-date|dt-published)\b/i,
  modified: /\b(?:datemodified|updated|modified|dt-updated)\b/i,
}

/** Returns the time element marked as the page's own date; otherwise its only one, taken as the publication date. */
function timeOf(elements: ElementIndex, kind: 'published' | 'modified'): string | undefined {
  const times = elements.named('time').filter((time) => time.getAttribute('datetime'))
  const marked = times.find((time) => timeMarks[kind].test(marksOf(time)))
  const only =
    kind === 'published' && times.length === 1 && !timeMarks.modified.test(marksOf(times[0]!)) ? times[0] : undefined
  return clean((marked ?? only)?.getAttribute('datetime') ?? undefined)
}

const marksOf = (time: Element) =>
  `${time.getAttribute('itemprop') ?? ''} ${time.getAttribute('class') ?? ''} ${time.hasAttribute('pubdate') ? 'pubdate' : ''}`
