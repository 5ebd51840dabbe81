import { oneLine } from '../dom.ts'
import { emptyDocument } from '../parse/parse.ts'
import type { Survey } from '../survey.ts'

/** What a shop says about a product in its structured data (schema.org Product as JSON-LD), as plain text. */
export type ProductFacts = {
  name?: string | undefined
  /** An amount and its currency, or a range of amounts. */
  price?: string | undefined
  availability?: string | undefined
  brand?: string | undefined
  description?: string | undefined
}

type Data = Readonly<Record<string, unknown>>

const maxText = 20_000

/** The facts of the first product that the page describes; undefined where it describes none. */
export function productFacts(survey: Survey): ProductFacts | undefined {
  for (const script of survey.named('script')) {
    if (script.getAttribute('type') !== 'application/ld+json') continue
    const product = productIn(parsed(script.textContent))
    if (product) return factsOf(product)
  }
  return undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Looks in lists and graphs, but no deeper than pages write them. */
function productIn(data: unknown, depth = 0): Data | undefined {
  if (typeof data !== 'object' || data === null || depth > 3) return undefined
  if (Array.isArray(data)) return firstOf(data, depth)
  const node = data as Data
  const isProduct = [node['@type']].flat().some((name) => name === 'Product' || name === 'ProductGroup')
  return isProduct ? node : firstOf([node['@graph'], node['mainEntity']], depth)
}

function firstOf(list: readonly unknown[], depth: number): Data | undefined {
  for (const item of list.slice(0, 100)) {
    const found = productIn(item, depth + 1)
    if (found) return found
  }
  return undefined
}

function factsOf(product: Data): ProductFacts {
  const offer = firstOffer(product)
  const brand = product['brand']
  return {
    name: textOf(product['name']),
    price: offer && priceOf(offer),
    availability:
      offer &&
      textOf(offer['availability'])
        ?.match(/(?:schema\.org\/)?(\w+)$/)?.[1]
        ?.replace(/([a-z])([A-Z])/g, '$1 $2'),
    brand: textOf(isData(brand) ? brand['name'] : brand),
    description: textOf(product['description']),
  }
}

/** Groups keep their offers in their variants. */
function firstOffer(product: Data): Data | undefined {
  const variant = [product['hasVariant']].flat().find(isData)
  return [product['offers']].flat().find(isData) ?? [variant?.['offers']].flat().find(isData)
}

function priceOf(offer: Data): string | undefined {
  const specification = [offer['priceSpecification']].flat().find(isData)
  const currency = textOf(offer['priceCurrency'] ?? specification?.['priceCurrency'])
  const low = textOf(offer['price'] ?? offer['lowPrice'] ?? specification?.['price'])
  const high = textOf(offer['highPrice'])
  if (!low || !/\d/.test(low)) return undefined
  const range = high && high !== low ? `${low}–${high}` : low
  return currency ? `${range} ${currency}` : range
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Shops put markup into their texts, sometimes escaped. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).slice(0, maxText)
  if (!/[<&]/.test(text)) return oneLine(text) || undefined
  const box = emptyDocument().body
  box.innerHTML = text.replace(/<[^>]*>/g, ' ')
  return oneLine(box.textContent.replace(/<[^<>]*>/g, ' ')) || undefined
}
