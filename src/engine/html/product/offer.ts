import type { ProductAvailability, ProductPrice } from '../../../contracts/product.ts'
import { type Graph, listOf, type Node, textOf, typesOf } from './node.ts'
import { type PriceHints, priceOf } from './price.ts'

export type OfferFacts = {
  price?: ProductPrice | undefined
  original?: ProductPrice | undefined
  availability: ProductAvailability
}

/** What an offer (schema.org Offer or AggregateOffer) asks for a thing now, what it asked before, and whether it is there. */
export function offerFacts(offer: Node, graph: Graph, hints: PriceHints): OfferFacts {
  const specifications = graph.things(offer, 'priceSpecification')
  const before = specifications.filter((each) => isBefore(each))
  const now = specifications.filter((each) => !isBefore(each) && each['validForMemberTier'] === undefined)
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

const amountIn = (specification: Node) => specification['price'] ?? specification['minPrice']

/** Prices that stand crossed out beside the one that is asked (schema.org PriceTypeEnumeration). */
const isBefore = ({ priceType }: Node) =>
  /(?:List|Strikethrough|Regular|Original)(?:Price)?$|MSRP$|SRP$/i.test(textOf(priceType) ?? '')

function firstPrice(values: readonly unknown[], hints: PriceHints): ProductPrice | undefined {
  for (const value of values.flatMap(listOf)) {
    const price = priceOf(typeof value === 'object' ? textOf(value) : value, hints)
    if (price) return price
  }
  return undefined
}

/** schema.org ItemAvailability: what can be had now, and what cannot. */
const here = ['InStock', 'InStoreOnly', 'OnlineOnly', 'LimitedAvailability', 'MadeToOrder']
const away = ['OutOfStock', 'SoldOut', 'BackOrder', 'PreOrder', 'PreSale', 'Discontinued', 'Reserved']
const byName = new Map([...here, ...away].map((name) => [name.toLowerCase(), name]))
/** Words of shops for the same; those for "not there" hold those for "there", so they come first. */
const saysAway =
  /out.?of.?stock|sold.?out|unavailable|not available|ausverkauft|nicht (?:auf lager|verf|liefer)|vergriffen|épuisé|rupture|indisponib|agotado|sin stock|esaurito|non disponibile|uitverkocht|niet op voorraad|esgotado|slutsåld|udsolgt|utsolgt|wyprzedan|niedostępn|нет в наличии|在庫切れ|売り切れ|缺货|售罄|품절/i
const saysHere =
  /in.?stock|available|auf lager|lieferbar|vorrätig|verfügbar|en stock|disponib|disponível|op voorraad|i lager|på lager|dostępn|в наличии|在庫あり|有货|现货/i

function availabilityOf(offer: Node, graph: Graph, price: ProductPrice | undefined): ProductAvailability {
  const value = listOf(offer['availability'])[0]
  const id = typeof value === 'object' ? (value as Node)['@id'] : undefined
  const said = textOf(id ?? value, 100)
  if (said !== undefined) return availabilityIn(said, price)
  const level = graph.things(offer, 'inventoryLevel').map((each) => Number(textOf(each['value'])))[0]
  return { inStock: level === undefined || Number.isNaN(level) ? price !== undefined : level > 0 }
}

/** What a text says of it; a text that is not understood leaves what has a price as there. */
function availabilityIn(said: string, price: ProductPrice | undefined): ProductAvailability {
  const name = byName.get(
    said
      .replace(/^.*[/#:]/, '')
      .replace(/[\s_-]/g, '')
      .toLowerCase(),
  )
  if (name) return { inStock: here.includes(name), text: name }
  const bare = said.replace(/^https?:\/\/\S*\//, '')
  if (/^(?:oos|false|no|0)$/i.test(bare) || saysAway.test(bare)) return { inStock: false, text: bare }
  if (/^(?:instock|true|yes|1)$/i.test(bare) || saysHere.test(bare)) return { inStock: true, text: bare }
  return { inStock: price !== undefined, text: bare }
}

/** The offers of a thing, those within an AggregateOffer instead of it where it lists them. */
export function offersOf(thing: Node, graph: Graph): Node[] {
  return graph.things(thing, 'offers').flatMap((offer) => {
    const inner = typesOf(offer).includes('AggregateOffer') || offer['offers'] ? graph.things(offer, 'offers') : []
    const withPrice = inner.filter((each) => each['price'] !== undefined || each['priceSpecification'] !== undefined)
    if (withPrice.length === 0) return [offer]
    const shared = { priceCurrency: offer['priceCurrency'], availability: offer['availability'] }
    return withPrice.map((each) => ({ ...shared, ...each }))
  })
}
