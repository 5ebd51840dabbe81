import { decodeHTMLStrict } from 'entities/decode'
import type { PageContent, ProductProfile } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { labelsIn } from './labels.ts'
import { wordsOfName } from './fit-values.ts'

type Entity = Record<string, unknown>

/** They describe the site, list other pages, or are what somebody asks and answers on the page. */
const besides =
  /^(?:WebSite|Organization|Corporation|LocalBusiness|NewsMediaOrganization|BreadcrumbList|ItemList|FAQPage|Question|Answer|Comment|UserComments|ImageObject|SearchAction|Person|SiteNavigationElement|WPHeader|WPFooter)$/
const maxEntityDepth = 4

/** The entities that a page may be about, those within lists and graphs too. */
function subjectsIn(data: readonly unknown[]): Entity[] {
  return nodesIn(data, 0).filter((node) => !typesOf(node).some((type) => besides.test(type)))
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
 * Those of several entities of one type and different names that the page is not called like: it lists them, as a shop
 * does with similar products.
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

/** What the page is about, as its structured data says it: an article, a product, an event. */
export const mainEntity = ({ structuredData = [] }: PageContent): object | undefined =>
  subjectsIn(structuredData).find((node) => typesOf(node).some((type) => type !== 'WebPage'))

const ending = /^(.*\S)\s*(?:\s[-–—·•:»]{1,2}\s|\|)\s*([^|]+?)\s*$/su

/** A title of a page without the name of its site at its end, as in `Rope | The Shop` and `Rope - shop.example`. */
function withoutSite(title: string, page: Pick<PageContent, 'metadata'>): string {
  const [, own, last = ''] = ending.exec(title.slice(0, maxTitle)) ?? []
  return own !== undefined && namesOfSite(page).includes(letters(last)) ? own : title
}

const maxTitle = 1000

/** What the page calls its site, and what its address does: the host, and each part of it but the last. */
function namesOfSite({ metadata = {} }: Pick<PageContent, 'metadata'>): string[] {
  const said = [metadata['ogSiteName'], metadata['application-name']].flatMap((name) => textOf(name) ?? [])
  const hosts = [metadata['canonical'], metadata['ogUrl']].flatMap(
    (url) => URL.parse(textOf(url) ?? '')?.hostname.replace(/^www\./, '') ?? [],
  )
  const labels = hosts.flatMap((host) => host.split('.').slice(0, -1))
  return [...said, ...hosts, ...labels].map(letters).filter((name) => name !== '')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Names of sites are written together in addresses, and in any case. */
const letters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Where a page says something: in its data, or where people read it. */
export type FactSource = 'json-ld' | 'microdata' | 'meta' | 'product data' | 'html' | 'text' | 'table'
/** What a page says, word for word, and where: a selector, the name of a tag or property, or the heading above. */
export type Evidence = { quote: string; source: FactSource; where?: string }
/** Something a page says under a name, such as `offers.price`. The weight tells how much such a place is worth. */
export type Fact = {
  name: string
  value: string | number | boolean
  weight: number
  source: FactSource
  where?: string
}

const maxFacts = 3000
const maxValue = 2000

/** What the built-in extraction chooses from: structured data, metadata, tables, lists and labelled lines of a page. */
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

/** The only date of a page is taken for that of its publication, unless the page calls it otherwise. */
const isDayOfChange = (value: unknown, facts: PageContent['facts']) =>
  facts?.shown.some(({ name, value: shown }) => name === 'dateModified' && shown === value) ?? false

const site = /^(?:og|twitter|article|product|dc|dcterms|citation|book|profile)[:._]/i
const weightOfMeta = (name: string) => (/^(?:og|article|product|citation)[:._]|Time$|^author$/.test(name) ? 0.85 : 0.7)

function fact(name: string, value: unknown, place: Pick<Fact, 'weight' | 'source' | 'where'>): Fact[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [{ name, value, ...place }]
  if (Array.isArray(value)) return value.flatMap((each) => fact(name, each, place))
  // JSON-LD is often written with the entities of HTML, which it does not have.
  const text = typeof value === 'string' ? decodeHTMLStrict(value).replace(/\s+/g, ' ').trim() : ''
  return text === '' || text.length > maxValue ? [] : [{ name, value: text, ...place }]
}

const maxDepth = 6
/** What a list of entities says of one of them is not said of the page. */
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

/** Without structured data a product is read from meta tags, which name the site, and prices of yesterday. */
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
