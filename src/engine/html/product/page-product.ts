import type { ProductProfile, ProductVariant } from '../../../contracts/page-content.ts'
import { elementsIn } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import {
  jsonLdData,
  entitiesIn,
  type Graph,
  graphOf,
  known,
  listOf,
  type Entity,
  textOf,
  isEntity,
  typesOf,
} from '../facts/json-ld.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { currencyIn, markedUpProducts, type Metas, metasOf, productOfMetas } from './microdata.ts'
import { shopProducts } from './shopify.ts'
import { variantsOf } from './variants.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import { plainWordsIn } from '../../../util/words.ts'

/** URLs and names of the page itself; names are lower case without punctuation. */
type PageIdentity = { urls: readonly string[]; names: readonly string[] }

const productTypes = /^(?:Product|ProductGroup|IndividualProduct|ProductModel|SomeProducts|Vehicle|Car|Motorcycle)$/
const isProduct = (node: Entity) => typesOf(node).some((type) => productTypes.test(type))

/** Properties that lead to the subject of the page. Lists and related products use other properties. */
const leadingFields = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemOffered', 'about']
const maxDepth = 5
const maxProducts = 200

/** Returns the products reachable from the page's JSON-LD. */
export function productsIn(data: readonly unknown[], graph: Graph): Entity[] {
  const products = new Set<Entity>()
  const collect = (value: unknown, depth: number, offer?: Entity): void => {
    if (depth > maxDepth || products.size >= maxProducts) return
    if (Array.isArray(value)) return value.slice(0, 500).forEach((each) => collect(each, depth + 1, offer))
    if (!isEntity(value)) return
    const [node = value] = graph.entities({ value }, 'value')
    if (isProduct(node)) products.add(offer && node['offers'] === undefined ? { ...node, offers: offer } : node)
    else for (const key of leadingFields) collect(node[key], depth + 1, key === 'itemOffered' ? node : undefined)
  }
  collect(data, 0)
  return [...products]
}

/** Returns the product that the page is about; undefined for a list of products. */
function mainProduct(all: readonly Entity[], page: PageIdentity, graph: Graph): Entity | undefined {
  const [first] = all
  if (!first || all.length === 1) return first && withGroup(first, graph)
  const together = asGroup(all, graph)
  if (together) return together
  const match = all.find((each) => isAt(each, page)) ?? all.find((each) => isNamed(each, page))
  return match && withGroup(match, graph)
}

/** A product that belongs to a group is returned with all variants of the group. */
function withGroup(product: Entity, graph: Graph): Entity {
  const [group] = graph.entities(product, 'isVariantOf')
  const members = group ? graph.entities(group, 'hasVariant').filter((each) => each['offers'] !== undefined) : []
  return members.length > 0 ? { ...product, ...group } : product
}

/**
 * Merges several products that are variants of one: members of one group, or one name with different product numbers.
 */
function asGroup(all: readonly Entity[], graph: Graph): Entity | undefined {
  const groups = all.filter((each) => typesOf(each).includes('ProductGroup'))
  const others = all.filter((each) => !groups.includes(each))
  const [group = others[0]] = groups
  if (!group || groups.length > 1) return undefined
  const ids = new Set(others.map((each) => groupOf(each, graph)))
  const [id] = ids
  const own = [groupId(group), group['@id']]
  const isOne = ids.size === 1 && id !== undefined && (groups.length === 0 || own.includes(id))
  const isSameName = groups.length === 0 && new Set(others.map((each) => plainName(textOf(each['name'])))).size === 1
  if (!isOne && !isSameName) return undefined
  const numbers = new Set(others.map(({ sku, mpn, gtin13, productID }) => sku ?? mpn ?? gtin13 ?? productID))
  return group['hasVariant'] !== undefined || numbers.size < others.length ? group : { ...group, hasVariant: others }
}

const groupId = (node: Entity) => textOf(node['productGroupID'] ?? node['inProductGroupWithID'])

function groupOf(product: Entity, graph: Graph): unknown {
  const [group] = graph.entities(product, 'isVariantOf')
  return groupId(product) ?? (group && (groupId(group) ?? group['@id']))
}

function isAt(product: Entity, { urls }: PageIdentity): boolean {
  const own = [
    product['url'],
    product['@id'],
    ...listOf(product['offers']).map((offer) => (isEntity(offer) ? offer['url'] : '')),
  ]
  return own.some((url) => typeof url === 'string' && urls.includes(plainUrl(url)))
}

function isNamed(product: Entity, { names }: PageIdentity): boolean {
  const name = plainName(textOf(product['name']))
  return name !== '' && names.includes(name)
}

/** Returns a URL without scheme, www, query, fragment and trailing slash, for comparison. */
const plainUrl = (url: string) =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')

const plainName = (name: string | undefined) => plainWordsIn(name ?? '').join(' ')

/**
 * Returns the product that a page is about, from JSON-LD, microdata, RDFa, Shopify's page data and Open Graph tags, in
 * this order of trust. Null if the page describes none, or several of equal rank.
 */
export function productOf(page: ParsedPage, elements: ElementIndex, base: string, url: string): ProductProfile | null {
  const metas = metasOf(elements)
  const data = jsonLdData(elements)
  const graph = graphOf(data.flatMap((each) => [...entitiesIn(each)]))
  const facts = factsOf(page, elements, metas, [url, base])
  const sources = [
    productsIn(data, graph),
    markedUpProducts(page.body),
    shopProducts(elements),
    [productOfMetas(metas)].filter((product) => product !== undefined),
  ]
  const context = { base, url, graph, language: languageOf(page, metas), currency: currencyIn(metas) }
  const profiles: ProductProfile[] = []
  for (const source of sources) {
    const node = mainProduct(source, facts, graph)
    const currency = currencyOf(profiles) ?? context.currency
    const profile = node && profileOf(node, { ...context, currency }, facts)
    if (profile) profiles.push(profile)
  }
  return profiles.length > 0 ? mergedProfile(profiles) : null
}

function factsOf(
  { body }: ParsedPage,
  elements: ElementIndex,
  metas: Metas,
  urls: readonly string[],
): PageIdentity & { title?: string | undefined } {
  const canonical = elements.named('link').find((link) => /\bcanonical\b/i.test(link.getAttribute('rel') ?? ''))
  const heading = textOf(elementsIn(body).find(({ localName }) => localName === 'h1')?.textContent)
  const ogTitle = metas.get('og:title')
  const all = [...urls, canonical?.getAttribute('href') ?? '', metas.get('og:url') ?? ''].map(plainUrl)
  return {
    urls: all.filter((each) => each !== ''),
    names: [heading, ogTitle].map(plainName).filter((each) => each !== ''),
    title: heading ?? ogTitle,
  }
}

/** A locale in the meta tags is more specific than a language without a country. */
function languageOf({ root }: ParsedPage, metas: Metas): string | undefined {
  const language = root.getAttribute('lang')?.trim().replace('_', '-') || undefined
  const locale = metas.get('og:locale')?.replace('_', '-')
  const isNarrower =
    language !== undefined && !language.includes('-') && locale?.toLowerCase().startsWith(`${language.toLowerCase()}-`)
  return isNarrower ? locale : (language ?? locale)
}

type Context = {
  base: string
  url: string
  graph: Graph
  language: string | undefined
  currency: string | undefined
}

function profileOf(
  node: Entity,
  { base, url, graph, language, currency }: Context,
  { title }: { title?: string | undefined },
): ProductProfile | undefined {
  const name = textOf(node['name'], 500) ?? title
  if (!name) return undefined
  const own = listOf(node['url'])[0]
  const address = typeof own === 'string' ? absoluteUrl(own, base) : undefined
  return known<ProductProfile>({
    title: name,
    brand: textOf(node['brand'] ?? node['manufacturer']),
    category: categoryOf(node),
    url: address && /^https?:/.test(address) ? address : url,
    description: textOf(node['description'], 5000),
    variants: variantsOf(node, { base, graph, hints: { language, usualCurrency: currency } }),
  })
}

function categoryOf(node: Entity): string | undefined {
  const names = listOf(node['category']).flatMap((each) => textOf(each) ?? [])
  return names.length > 0 ? names.slice(0, 10).join(' > ') : undefined
}

const currencyOf = (profiles: readonly ProductProfile[]): string | undefined =>
  profiles.flatMap(({ variants }) => variants).find(({ price }) => price?.currency)?.price?.currency

/** The first source takes precedence; later ones fill gaps, and replace the variants if they have more prices. */
function mergedProfile([first, ...others]:
  | (ProductProfile[] & { 0: ProductProfile })
  | ProductProfile[]): ProductProfile {
  return others.reduce((all, other) => (isSame(all, other) ? withGapsFilled(all, other) : all), first as ProductProfile)
}

function isSame(one: ProductProfile, other: ProductProfile): boolean {
  const [a, b] = [` ${plainName(one.title)} `, ` ${plainName(other.title)} `]
  return a.includes(b) || b.includes(a)
}

function withGapsFilled(one: ProductProfile, other: ProductProfile): ProductProfile {
  const [a, b] = [one.variants, other.variants]
  const isMore = pricesIn(b) > pricesIn(a)
  const [mine, theirs] = [a[0], b[0]]
  const isSingle = a.length === 1 && b.length === 1 && mine !== undefined && theirs !== undefined
  const variants = isSingle ? [filledVariant(mine, theirs)] : isMore ? b : a
  return { ...other, ...one, variants }
}

const pricesIn = (variants: readonly ProductVariant[]) => variants.filter(({ price }) => price !== undefined).length

function filledVariant(one: ProductVariant, other: ProductVariant): ProductVariant {
  const isSamePrice = one.price === undefined || one.price.amount === other.price?.amount
  const { sale, ...rest } = other
  const saysMore =
    one.availability.text === undefined && (one.price === undefined || other.availability.text !== undefined)
  return {
    ...rest,
    ...(isSamePrice && sale && { sale }),
    ...one,
    availability: saysMore ? other.availability : one.availability,
  }
}
