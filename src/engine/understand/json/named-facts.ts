import type { FactSource } from '../../model/page/json-by-model.ts'
import { decodeHTMLStrict } from 'entities/decode'
import type { PageContent, ProductProfile } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { plainLine } from '../../../util/plain-markdown.ts'
import { maxCharacters, maxLine } from '../../../util/markdown-blocks.ts'
import { wordsOfName } from './fit-values.ts'

type Entity = Record<string, unknown>

/** Types of entities that a page is not about: the site, lists of other pages, questions and answers. */
const secondaryTypes =
  /^(?:WebSite|Organization|Corporation|LocalBusiness|NewsMediaOrganization|BreadcrumbList|ItemList|FAQPage|Question|Answer|Comment|UserComments|ImageObject|SearchAction|Person|SiteNavigationElement|WPHeader|WPFooter)$/
const maxEntityDepth = 4

/** Returns the entities that a page may be about, including those within lists and graphs. */
function subjectsIn(data: readonly unknown[]): Entity[] {
  return nodesIn(data, 0).filter((node) => !typesOf(node).some((type) => secondaryTypes.test(type)))
}

function nodesIn(data: unknown, depth: number): Entity[] {
  if (depth > maxEntityDepth) return []
  if (Array.isArray(data)) return data.slice(0, 200).flatMap((each) => nodesIn(each, depth + 1))
  if (!isRecord(data)) return []
  const { '@graph': graph, ...own } = data
  return graph === undefined ? [data] : [...nodesIn(own, depth + 1), ...nodesIn(graph, depth + 1)]
}

const typesOf = (node: Entity): string[] =>
  [node['@type']].flat().flatMap((type) => (typeof type === 'string' ? type.replace(/^.*[/#:]/, '') : []))

/**
 * Returns entities that the page only lists, such as similar products of a shop: several of one type with different
 * names, none of which is the page's title.
 */
function listedAmong(subjects: readonly Entity[], page: PageContent): Set<Entity> {
  const titles = titlesOf(page)
  const byType = Map.groupBy(subjects, (node) => typesOf(node).join(' '))
  return new Set(
    [...byType.values()]
      .filter((alike) => new Set(alike.map(nameOf)).size > 1)
      .flatMap((alike) => alike.filter((node) => !titles.some((title) => isCalled(title, nameOf(node))))),
  )
}

function titlesOf({ metadata = {}, facts }: PageContent): string[] {
  const headlines = facts?.shown.flatMap(({ name, value }) => (name === 'headline' ? value : [])) ?? []
  return [metadata['title'], metadata['ogTitle'], ...headlines].flatMap((title) =>
    typeof title === 'string' ? wordsOfName(title) : [],
  )
}

const isCalled = (title: string, name: string) => name !== '' && ` ${title} `.includes(` ${name} `)
const nameOf = ({ name, headline }: Entity) => {
  const own = name ?? headline
  return typeof own === 'string' ? wordsOfName(own) : ''
}

/** Returns the subject of the page in its structured data: an article, a product, an event. */
export const mainEntity = ({ structuredData = [] }: PageContent): object | undefined =>
  subjectsIn(structuredData).find((node) => typesOf(node).some((type) => type !== 'WebPage'))

const ending = /^(.*\S)\s*(?:\s[-–—·•:»]{1,2}\s|\|)\s*([^|]+?)\s*$/su

/** Removes the site name at the end of a page title, as in `Rope | The Shop` and `Rope - shop.example`. */
function withoutSite(title: string, page: Pick<PageContent, 'metadata'>): string {
  const [, own, last = ''] = ending.exec(title.slice(0, maxTitle)) ?? []
  return own !== undefined && namesOfSite(page).includes(letters(last)) ? own : title
}

const maxTitle = 1000

/** Returns names of the site: those in the metadata, the host, and each of its labels but the last. */
function namesOfSite({ metadata = {} }: Pick<PageContent, 'metadata'>): string[] {
  const siteNames = [metadata['ogSiteName'], metadata['application-name']].flatMap((name) => textOf(name) ?? [])
  const hosts = [metadata['canonical'], metadata['ogUrl']].flatMap(
    (url) => URL.parse(textOf(url) ?? '')?.hostname.replace(/^www\./, '') ?? [],
  )
  const labels = hosts.flatMap((host) => host.split('.').slice(0, -1))
  return [...siteNames, ...hosts, ...labels].map(letters).filter((name) => name !== '')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Reduces a name to lower-case letters, because URLs contain site names without spaces and in any case. */
const letters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** A named value of a page, such as `offers.price`. The weight rates the reliability of its source. */
export type Fact = {
  name: string
  value: string | number | boolean
  weight: number
  source: FactSource
  where?: string
}

const maxFacts = 3000
const maxValue = 2000

/**
 * Collects the input of the built-in extraction: structured data, metadata, tables, lists and labelled lines of a page.
 */
export function factsOf(page: PageContent): Fact[] {
  const { metadata = {}, product, structuredData = [], facts, markdown = '' } = page
  const isMarkedUp = structuredData.length + (facts?.markup.length ?? 0) > 0
  return [
    ...entityFacts(structuredData, 'json-ld', page),
    ...entityFacts(facts?.markup ?? [], 'microdata', page),
    ...(facts?.shown ?? []).flatMap(({ name, value, ...place }) => fact(name, value, { ...place, source: 'html' })),
    ...productFacts(product && { ...product, title: withoutSite(product.title, page) }, isMarkedUp ? 1 : 0.8),
    ...Object.entries(metadata)
      .filter(([name, value]) => name !== 'publishedTime' || !isDayOfChange(value, facts))
      .flatMap(([name, value]) =>
        fact(name.replace(site, ''), titleNames.has(name) ? ownTitle(value, page) : value, {
          weight: weightOfMeta(name),
          source: 'meta',
          where: name,
        }),
      ),
    ...labelsIn(markdown).flatMap(({ label, value, ...place }) => fact(label, value, { ...place, source: 'text' })),
  ].slice(0, maxFacts)
}

const titleNames = new Set(['title', 'ogTitle', 'og:title', 'twitter:title'])
const ownTitle = (title: unknown, page: PageContent) => (typeof title === 'string' ? withoutSite(title, page) : title)

/** True if the page labels the date as its modification date; otherwise its only date counts as publication date. */
const isDayOfChange = (value: unknown, facts: PageContent['facts']) =>
  facts?.shown.some(({ name, value: shown }) => name === 'dateModified' && shown === value) ?? false

const site = /^(?:og|twitter|article|product|dc|dcterms|citation|book|profile)[:._]/i
const weightOfMeta = (name: string) => (/^(?:og|article|product|citation)[:._]|Time$|^author$/.test(name) ? 0.85 : 0.7)

function fact(name: string, value: unknown, place: Pick<Fact, 'weight' | 'source' | 'where'>): Fact[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [{ name, value, ...place }]
  if (Array.isArray(value)) return value.flatMap((each) => fact(name, each, place))
  // JSON-LD often contains HTML entities, although JSON has none.
  const text = typeof value === 'string' ? decodeHTMLStrict(value).replace(/\s+/g, ' ').trim() : ''
  return text === '' || text.length > maxValue ? [] : [{ name, value: text, ...place }]
}

const maxDepth = 6
/** Weight factor: facts about one of several listed entities are not facts about the page. */
const ofListed = 0.5

type DataPlace = { source: FactSource; worth: number; path?: string; depth?: number }

function entityFacts(entities: readonly unknown[], source: FactSource, page: PageContent): Fact[] {
  const subjects = subjectsIn(entities)
  const listed = listedAmong(subjects, page)
  return subjects.flatMap((node) => [...factsIn(node, { source, worth: listed.has(node) ? ofListed : 1 })])
}

function* factsIn(node: unknown, { source, worth, path = '', depth = 0 }: DataPlace): Generator<Fact> {
  if (depth > maxDepth) return
  const inner = { source, worth, depth: depth + 1 }
  if (Array.isArray(node)) for (const each of node.slice(0, 50)) yield* factsIn(each, { ...inner, path })
  else if (!isRecord(node))
    yield* fact(path, node, { weight: worth * (path.includes('.') ? 0.8 : 1), source, where: path })
  else
    for (const [name, value] of Object.entries(node))
      if (!name.startsWith('@')) yield* factsIn(value, { ...inner, path: [path, name].filter(Boolean).join('.') })
}

/**
 * Returns facts about the product. Without structured data it is read from meta tags, which may contain the site's name
 * and outdated prices.
 */
function productFacts(product: ProductProfile | null | undefined, weight: number): Fact[] {
  if (!product) return []
  const [variant] = product.variants
  const { price, sku, availability } = variant ?? {}
  const named: Record<string, unknown> = {
    name: product.title,
    brand: product.brand,
    category: product.category,
    price: price?.amount,
    currency: price?.currency,
    sku,
    availability: availability && (availability.text ?? (availability.inStock ? 'InStock' : 'OutOfStock')),
  }
  return Object.entries(named).flatMap(([name, value]) =>
    fact(name, value, { weight: name === 'name' ? 0.9 * weight : weight, source: 'product data', where: name }),
  )
}

/** A labelled value in a line of a page; `where` is the heading above. */
type Label = { label: string; value: string; weight: number; where?: string }
/** A table of a page: the heading above it, the names of its columns, and its rows. */
export type Table = { where?: string; columns: string[]; rows: string[][] }

/** Returns the labelled values of all lines, each with the heading above it. */
function labelsIn(markdown: string): Label[] {
  let heading: string | undefined
  return linesOf(joinDefinitions(markdown)).flatMap((line) => {
    const found = labelled(line)
    if (/^#{1,6}\s/.test(line)) heading = plainLine(line).slice(0, maxHeading)
    return heading === undefined ? found : found.map((label) => ({ ...label, where: heading as string }))
  })
}

const maxHeading = 120

/** Limits the text to bound the time. */
const linesOf = (markdown: string): string[] =>
  markdown
    .slice(0, maxCharacters)
    .split('\n')
    .map((line) => line.slice(0, maxLine))

/** A definition list has the value below its label, as `: value`. */
const joinDefinitions = (markdown: string) => markdown.replace(/^(\S.{0,80})\n: +(?=\S)/gm, '$1: ')

/** Parses `Label: value` in a line, a list item or a row of two cells; the first heading is a title. */
function labelled(line: string): Label[] {
  const text = plainLine(line)
  if (/^#\s/.test(line)) return [{ label: 'title', value: text, weight: 0.75 }]
  const [name = '', cell, ...more] = cellsOf(line)
  if (cell !== undefined && more.length === 0) return [{ label: name.replace(/:$/, ''), value: cell, weight: 0.65 }]
  const [, label, value] = /^([\p{L}][\p{L}\p{M}\p{N} /()-]{1,40})(?::\s+|：\s*)(.{1,300})$/u.exec(text) ?? []
  return label === undefined || value === undefined ? byline(text) : [{ label, value, weight: 0.6 }]
}

function byline(text: string): Label[] {
  if (text.length > 120) return []
  const [, author] =
    /^(?:[Ww]ritten |[Pp]osted )?[Bb]y:?\s+(\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]+){1,3})/u.exec(text) ?? []
  const [date] = /updated|modified|reviewed/i.test(text) ? [] : (datePattern.exec(text) ?? [])
  return [
    ...(author === undefined ? [] : [{ label: 'author', value: author, weight: 0.55 }]),
    ...(date === undefined ? [] : [{ label: 'datePublished', value: date, weight: 0.5 }]),
  ]
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const datePattern = new RegExp(
  String.raw`\b(?:${month}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+20\d\d|\d{1,2}\.?\s+${month}\.?,?\s+20\d\d|20\d\d-\d\d-\d\d)\b`,
  'i',
)

const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string) => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)

function cellsOf(line: string): string[] {
  if (!isRow(line) || isRule(line)) return []
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => plainLine(cell))
}

/** Returns the tables of a page that have a header row. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = []
  let open: Table | undefined
  let heading: string | undefined
  const lines = linesOf(markdown)
  for (const [at, line] of lines.entries()) {
    if (/^#{1,6}\s/.test(line)) heading = plainLine(line).slice(0, maxHeading)
    if (!isRow(line)) open = undefined
    else if (isRule(line)) {
      open = { ...(heading !== undefined && { where: heading }), columns: cellsOf(lines[at - 1] ?? ''), rows: [] }
      tables.push(open)
    } else open?.rows.push(cellsOf(line))
  }
  return tables
}
