import { type Entity, graphOf, isEntity, jsonLdData, textOf } from '../facts/json-ld.ts'
import { type Element, elementsIn } from '../dom/dom-tree.ts'
import { createAround } from '../dom/tree-node.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { plainWordsIn } from '../../../util/words.ts'
import { productsIn } from './page-product.ts'

const minDescription = 60
/** Minimum share of the description's phrases on the page for the description to count as shown. */
const shownShare = 0.5
/** Product pages with less text (characters) show their facts by script. */
const thin = 600
const anyPrice = /[$€£¥₹₩₽₺฿₫]\s?\d|\d\s?(?:[€£¥₹₽₺₫]|kr\b|zł|USD|EUR|GBP|CHF|AUD|CAD)/

/** Adds facts from structured data that the page itself shows only by script. */
export function addProductFacts(root: Element, facts: ProductFacts): void {
  const text = root.textContent
  if (facts.description && facts.description.length >= minDescription && !shows(text, facts.description))
    root.append(createAround('p', facts.description))
  const title = elementsIn(root).find((element) => element.localName === 'h1')
  const lines = missingFacts(text, facts).map((line) => createAround('li', line))
  if (lines.length > 0) {
    const list = createAround('ul', ...lines)
    if (title) title.after(list)
    else root.prepend(list)
  }
  if (!title && facts.name && !names(text, facts.name)) root.prepend(createAround('h1', facts.name))
}

function missingFacts(text: string, { price, availability, brand }: ProductFacts): string[] {
  const isThin = text.trim().length < thin
  const says = (words: string) => text.toLowerCase().includes(words.toLowerCase())
  return [
    ...(price && !anyPrice.test(text) ? [`Price: ${price}`] : []),
    ...(isThin && availability && !says(availability) ? [`Availability: ${availability}`] : []),
    ...(isThin && brand && !says(brand) ? [`Brand: ${brand}`] : []),
  ]
}

/** Pages and data spell names differently, so most of the words suffice. */
function names(page: string, name: string): boolean {
  const shown = new Set(plainWordsIn(page))
  const words = plainWordsIn(name)
  return words.filter((word) => shown.has(word)).length >= 0.6 * words.length
}

function shows(page: string, text: string): boolean {
  const shown = ` ${plainWordsIn(page.slice(0, 200_000)).join(' ')} `
  const words = plainWordsIn(text).slice(0, 200)
  const phrases = words.slice(3).map((_, i) => words.slice(i, i + 4).join(' '))
  return phrases.filter((phrase) => shown.includes(` ${phrase} `)).length >= shownShare * phrases.length
}

/** Facts about a product from JSON-LD (schema.org Product), as plain text. */
type ProductFacts = {
  name?: string | undefined
  /** An amount and its currency, or a range of amounts. */
  price?: string | undefined
  availability?: string | undefined
  brand?: string | undefined
  description?: string | undefined
}

const maxText = 20_000

/** Returns the facts of the first product that the page's JSON-LD is about; undefined if there is none. */
export function productFacts(elements: ElementIndex): ProductFacts | undefined {
  const [product] = productsIn(jsonLdData(elements), graphOf([]))
  return product && factsOf(product)
}

function factsOf(product: Entity): ProductFacts {
  const offer = firstOffer(product)
  return {
    name: textOf(product['name']),
    price: offer && priceOf(offer),
    availability:
      offer &&
      textOf(offer['availability'])
        ?.match(/(?:schema\.org\/)?(\w+)$/)?.[1]
        ?.replace(/([a-z])([A-Z])/g, '$1 $2'),
    brand: textOf(product['brand']),
    description: textOf(product['description'], maxText),
  }
}

/** Groups store their offers in their variants. */
function firstOffer(product: Entity): Entity | undefined {
  const variant = [product['hasVariant']].flat().find(isEntity)
  return [product['offers']].flat().find(isEntity) ?? [variant?.['offers']].flat().find(isEntity)
}

function priceOf(offer: Entity): string | undefined {
  const specification = [offer['priceSpecification']].flat().find(isEntity)
  const currency = textOf(offer['priceCurrency'] ?? specification?.['priceCurrency'])
  const low = textOf(offer['price'] ?? offer['lowPrice'] ?? specification?.['price'])
  const high = textOf(offer['highPrice'])
  if (!low || !/\d/.test(low)) return undefined
  const range = high && high !== low ? `${low}–${high}` : low
  return currency ? `${range} ${currency}` : range
}
