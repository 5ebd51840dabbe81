import type {
  ProductAvailability,
  ProductImage,
  ProductPrice,
  ProductVariant,
} from '../../../contracts/page-content.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import { type Graph, isEntity, known, listOf, type Entity, textOf, typesOf } from '../facts/json-ld.ts'
import { type PriceHints, priceOf } from './product-price.ts'

type ProductContext = { base: string; graph: Graph; hints: PriceHints }

const maxVariants = 250
/** Maximum number of images of all variants together, split between them. */
const maxImages = 300
const maxImagesOfOne = 20
const maxValues = 20

/**
 * Returns the variants of a product: members of its group, offers that differ by name or number, or the product as its
 * only variant.
 */
export function variantsOf(product: Entity, context: ProductContext): ProductVariant[] {
  const { graph } = context
  const offers = offersOf(product, graph)
  const members = [...graph.entities(product, 'hasVariant'), ...graph.entities(product, 'model')].filter(isSellable)
  const named = distinctOffers(offers, graph)
  const chosen =
    members.length > 0
      ? members.map((member) => ({ thing: member, offers: firstNonEmpty(offersOf(member, graph), offers) }))
      : named.map(({ thing, offer }) => ({ thing, offers: [offer] }))
  if (chosen.length === 0) return [variantOf(product, offers, context, { images: imagesOf(product, context, 1) })]
  const some = chosen.slice(0, maxVariants)
  const ofAll = imagesOf(product, context, some.length)
  return some.map(({ thing, offers: its }) => {
    const images = firstNonEmpty(imagesOf(thing, context, some.length), ofAll)
    return variantOf(thing, its, context, { title: textOf(thing['name']), images })
  })
}

const firstNonEmpty = <T>(list: readonly T[], other: readonly T[]): readonly T[] => (list.length > 0 ? list : other)

/** True for an entity with an offer or a product number; a `model` may be just a name. */
const isSellable = (member: Entity) =>
  ['offers', 'sku', 'productID', 'gtin13', 'gtin', 'mpn'].some((key) => member[key] !== undefined)

/** Several offers without names come from several sellers and are not variants. */
function distinctOffers(offers: readonly Entity[], graph: Graph): { thing: Entity; offer: Entity }[] {
  if (offers.length < 2) return []
  const pairs = offers.map((offer) => ({
    thing: { ...graph.entities(offer, 'itemOffered')[0], ...identityOf(offer) },
    offer,
  }))
  const names = new Set(
    pairs.map(({ thing }) => textOf(thing['sku'] ?? thing['mpn'] ?? thing['gtin13'] ?? thing['name'])),
  )
  return names.has(undefined) || names.size < pairs.length ? [] : pairs
}

const identityFields = ['name', 'sku', 'mpn', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'productID', 'image']
const identityOf = (offer: Entity): Entity =>
  Object.fromEntries(identityFields.flatMap((key) => (offer[key] === undefined ? [] : [[key, offer[key]]])))

function variantOf(
  thing: Entity,
  offers: readonly Entity[],
  { graph, hints }: ProductContext,
  { title, images }: { title?: string | undefined; images: readonly ProductImage[] },
): ProductVariant {
  const facts = bestOf(offers.slice(0, 100).map((offer) => offerFacts(offer, graph, hints)))
  const values = valuesOf(thing, graph)
  return known<ProductVariant>({
    id: idOf(thing),
    sku: textOf(thing['sku'] ?? offers[0]?.['sku']),
    title,
    values: Object.keys(values).length > 0 ? values : undefined,
    price: facts?.price,
    sale: facts?.original && { originalPrice: facts.original },
    availability: facts?.availability ?? { inStock: false },
    images: images.length > 0 ? [...images] : undefined,
  })
}

function idOf(thing: Entity): string | undefined {
  const keys = ['productID', 'gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8', 'isbn', 'mpn']
  return keys
    .map((key) => textOf(thing[key], 100))
    .find(Boolean)
    ?.replace(/^(?:sku|mpn|gtin\d*|isbn|ean|upc):\s*/i, '')
}

/** Prefers an offer with a price that is in stock, then one with a price. */
const bestOf = (all: readonly OfferFacts[]): OfferFacts | undefined =>
  all.find(({ price, availability }) => price && availability.inStock) ?? all.find(({ price }) => price) ?? all[0]

const properties = ['color', 'size', 'material', 'pattern', 'flavor', 'scent']
/** Property names with a special meaning in JavaScript. */
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

function valuesOf(thing: Entity, graph: Graph): Record<string, string> {
  const own = properties.map((name) => [name, thing[name]] as const)
  const added = graph
    .entities(thing, 'additionalProperty')
    .map((each) => [textOf(each['name'], 60), each['value']] as const)
  const pairs = [...own, ...added].flatMap(([name, value]) => {
    const text = textOf(value, 200)
    return name && text && !reserved.has(name) ? [[name, text] as const] : []
  })
  return Object.fromEntries(pairs.slice(0, maxValues))
}

/** Returns the images of an entity, limited to its share if `count` entities split the total. */
function imagesOf(
  thing: Entity,
  { base, graph }: Pick<ProductContext, 'base' | 'graph'>,
  count: number,
): ProductImage[] {
  const share = Math.min(maxImagesOfOne, Math.ceil(maxImages / count))
  const images = new Map<string, ProductImage>()
  for (const image of listOf(thing['image']).slice(0, 100)) {
    const node = isEntity(image) ? graph.entities({ image }, 'image')[0] : undefined
    const source = listOf(node ? (node['contentUrl'] ?? node['url'] ?? node['@id']) : image)[0]
    const url = typeof source === 'string' && !/^\s*data:/i.test(source) ? absoluteUrl(source, base) : undefined
    if (!url || !/^https?:/.test(url) || images.has(url)) continue
    images.set(
      url,
      known<ProductImage>({ url, alt: node && textOf(node['caption'] ?? node['name'] ?? node['alternateName']) }),
    )
  }
  return [...images.values()].slice(0, share)
}

type OfferFacts = {
  price?: ProductPrice | undefined
  original?: ProductPrice | undefined
  availability: ProductAvailability
}

/** Returns the price, original price and availability of an offer (schema.org Offer or AggregateOffer). */
function offerFacts(offer: Entity, graph: Graph, hints: PriceHints): OfferFacts {
  const specifications = graph.entities(offer, 'priceSpecification')
  const before = specifications.filter((each) => isOriginalPrice(each))
  const now = specifications.filter((each) => !isOriginalPrice(each) && each['validForMemberTier'] === undefined)
  const currency = textOf(
    offer['priceCurrency'] ?? specifications.find((each) => each['priceCurrency'])?.['priceCurrency'],
  )
  const local = { ...hints, ...(currency !== undefined && { currency }) }
  const price = firstPrice([offer['price'], offer['lowPrice'], ...now.map(amountIn), offer['highPrice']], local)
  const original = firstPrice(
    [offer['listPrice'], offer['originalPrice'], offer['regularPrice'], ...before.map(amountIn)],
    local,
  )
  const isSale = price && original && original.amount > price.amount && original.currency === price.currency
  return { price, original: isSale ? original : undefined, availability: availabilityOf(offer, graph, price) }
}

const amountIn = (specification: Entity) => specification['price'] ?? specification['minPrice']

/** Original prices, shown struck through (schema.org PriceTypeEnumeration). */
const isOriginalPrice = ({ priceType }: Entity) =>
  /(?:List|Strikethrough|Regular|Original)(?:Price)?$|MSRP$|SRP$/i.test(textOf(priceType) ?? '')

function firstPrice(values: readonly unknown[], hints: PriceHints): ProductPrice | undefined {
  for (const value of values.flatMap(listOf)) {
    const price = priceOf(typeof value === 'object' ? textOf(value) : value, hints)
    if (price) return price
  }
  return undefined
}

/** Names of schema.org ItemAvailability: in stock or not. */
const inStockTypes = ['InStock', 'InStoreOnly', 'OnlineOnly', 'LimitedAvailability', 'MadeToOrder']
const outOfStockTypes = ['OutOfStock', 'SoldOut', 'BackOrder', 'PreOrder', 'PreSale', 'Discontinued', 'Reserved']
const byName = new Map([...inStockTypes, ...outOfStockTypes].map((name) => [name.toLowerCase(), name]))
/** Shops' wording in place of a name of schema.org; any other wording leaves a product with a price in stock. */
const outOfStockWords =
  /out.?of.?stock|sold.?out|unavailable|not available|ausverkauft|nicht (?:auf lager|verf|liefer)|vergriffen|épuisé|rupture|indisponib|agotado|sin stock|esaurito|non disponibile|uitverkocht|niet op voorraad|esgotado|slutsåld|udsolgt|utsolgt|wyprzedan|niedostępn|нет в наличии|在庫切れ|売り切れ|缺货|售罄|품절/i

function availabilityOf(offer: Entity, graph: Graph, price: ProductPrice | undefined): ProductAvailability {
  const value = listOf(offer['availability'])[0]
  const id = isEntity(value) ? value['@id'] : undefined
  const text = textOf(id ?? value, 100)
  if (text !== undefined) return availabilityIn(text, price)
  const level = graph.entities(offer, 'inventoryLevel').map((each) => Number(textOf(each['value'])))[0]
  return { inStock: level === undefined || Number.isNaN(level) ? price !== undefined : level > 0 }
}

/** Parses availability from text; if not recognised, an offer with a price counts as in stock. */
function availabilityIn(written: string, price: ProductPrice | undefined): ProductAvailability {
  const name = byName.get(
    written
      .replace(/^.*[/#:]/, '')
      .replace(/[\s_-]/g, '')
      .toLowerCase(),
  )
  if (name) return { inStock: inStockTypes.includes(name), text: name }
  const bare = written.replace(/^https?:\/\/\S*\//, '')
  if (/^(?:oos|false|no|0)$/i.test(bare) || outOfStockWords.test(bare)) return { inStock: false, text: bare }
  return { inStock: price !== undefined || /^(?:true|yes|1)$/i.test(bare), text: bare }
}

/** Returns the offers of an entity; an AggregateOffer that lists offers is replaced by them. */
function offersOf(thing: Entity, graph: Graph): Entity[] {
  return graph.entities(thing, 'offers').flatMap((offer) => {
    const inner = typesOf(offer).includes('AggregateOffer') || offer['offers'] ? graph.entities(offer, 'offers') : []
    const withPrice = inner.filter((each) => each['price'] !== undefined || each['priceSpecification'] !== undefined)
    if (withPrice.length === 0) return [offer]
    const shared = { priceCurrency: offer['priceCurrency'], availability: offer['availability'] }
    return withPrice.map((each) => ({ ...shared, ...each }))
  })
}
