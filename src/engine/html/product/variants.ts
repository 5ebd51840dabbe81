import type { ProductImage, ProductVariant } from '../../../contracts/product.ts'
import { absoluteUrl } from '../dom/survey.ts'
import { type Graph, isNode, known, listOf, type Node, textOf } from './node.ts'
import { type OfferFacts, offerFacts, offersOf } from './offer.ts'
import type { PriceHints } from './price.ts'

type ProductContext = { base: string; graph: Graph; hints: PriceHints }

const maxVariants = 250
/** Pictures of all variants together: each has its share of them. */
const maxImages = 300
const maxImagesOfOne = 20
const maxValues = 20

/** The variants of a product: members of its group, offers that differ by name or number, or the product as its only one. */
export function variantsOf(product: Node, context: ProductContext): ProductVariant[] {
  const { graph } = context
  const offers = offersOf(product, graph)
  const members = [...graph.things(product, 'hasVariant'), ...graph.things(product, 'model')].filter(isSold)
  const named = namedApart(offers, graph)
  const chosen =
    members.length > 0
      ? members.map((member) => ({ thing: member, offers: or(offersOf(member, graph), offers) }))
      : named.map(({ thing, offer }) => ({ thing, offers: [offer] }))
  if (chosen.length === 0) return [variantOf(product, offers, context, { images: imagesOf(product, context, 1) })]
  const some = chosen.slice(0, maxVariants)
  const ofAll = imagesOf(product, context, some.length)
  return some.map(({ thing, offers: its }) => {
    const images = or(imagesOf(thing, context, some.length), ofAll)
    return variantOf(thing, its, context, { title: textOf(thing['name']), images })
  })
}

const or = <T>(list: readonly T[], other: readonly T[]): readonly T[] => (list.length > 0 ? list : other)

/** A `model` may also be the mere name of one. */
const isSold = (member: Node) =>
  ['offers', 'sku', 'productID', 'gtin13', 'gtin', 'mpn'].some((key) => member[key] !== undefined)

/** Several offers without names are those of several sellers, not of several variants. */
function namedApart(offers: readonly Node[], graph: Graph): { thing: Node; offer: Node }[] {
  if (offers.length < 2) return []
  const pairs = offers.map((offer) => ({
    thing: { ...graph.things(offer, 'itemOffered')[0], ...itself(offer) },
    offer,
  }))
  const names = new Set(
    pairs.map(({ thing }) => textOf(thing['sku'] ?? thing['mpn'] ?? thing['gtin13'] ?? thing['name'])),
  )
  return names.has(undefined) || names.size < pairs.length ? [] : pairs
}

const ofItself = ['name', 'sku', 'mpn', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'productID', 'image']
const itself = (offer: Node): Node =>
  Object.fromEntries(ofItself.flatMap((key) => (offer[key] === undefined ? [] : [[key, offer[key]]])))

function variantOf(
  thing: Node,
  offers: readonly Node[],
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

function idOf(thing: Node): string | undefined {
  const keys = ['productID', 'gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8', 'isbn', 'mpn']
  return keys
    .map((key) => textOf(thing[key], 100))
    .find(Boolean)
    ?.replace(/^(?:sku|mpn|gtin\d*|isbn|ean|upc):\s*/i, '')
}

/** What can be had now is what counts, then what has a price. */
const bestOf = (all: readonly OfferFacts[]): OfferFacts | undefined =>
  all.find(({ price, availability }) => price && availability.inStock) ?? all.find(({ price }) => price) ?? all[0]

const properties = ['color', 'size', 'material', 'pattern', 'flavor', 'scent']
/** Names that mean something else to JavaScript. */
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

function valuesOf(thing: Node, graph: Graph): Record<string, string> {
  const own = properties.map((name) => [name, thing[name]] as const)
  const added = graph
    .things(thing, 'additionalProperty')
    .map((each) => [textOf(each['name'], 60), each['value']] as const)
  const pairs = [...own, ...added].flatMap(([name, value]) => {
    const text = textOf(value, 200)
    return name && text && !reserved.has(name) ? [[name, text] as const] : []
  })
  return Object.fromEntries(pairs.slice(0, maxValues))
}

/** Pictures of a thing, as many as are its share among `count` things. */
function imagesOf(thing: Node, { base, graph }: Pick<ProductContext, 'base' | 'graph'>, count: number): ProductImage[] {
  const share = Math.min(maxImagesOfOne, Math.ceil(maxImages / count))
  const found = new Map<string, ProductImage>()
  for (const image of listOf(thing['image']).slice(0, 100)) {
    const node = isNode(image) ? graph.things({ image }, 'image')[0] : undefined
    const source = listOf(node ? (node['contentUrl'] ?? node['url'] ?? node['@id']) : image)[0]
    const url = typeof source === 'string' && !/^\s*data:/i.test(source) ? absoluteUrl(source, base) : undefined
    if (!url || !/^https?:/.test(url) || found.has(url)) continue
    found.set(
      url,
      known<ProductImage>({ url, alt: node && textOf(node['caption'] ?? node['name'] ?? node['alternateName']) }),
    )
  }
  return [...found.values()].slice(0, share)
}
