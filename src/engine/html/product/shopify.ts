import type { ElementIndex } from '../dom/element-index.ts'
import { looseJson, isEntity, listOf, type Entity } from '../facts/json-ld.ts'

const maxChars = 500_000
const maxScripts = 60

/**
 * Returns the products in Shopify's page scripts (Liquid `product | json`, ShopifyAnalytics.meta) as schema.org
 * entities.
 */
export function shopProducts(elements: ElementIndex): Entity[] {
  const texts = elements
    .named('script')
    .map((script) => ({ type: script.getAttribute('type') ?? '', text: script.textContent }))
    .filter(({ text }) => text.length <= maxChars && text.includes('variants'))
    .slice(0, maxScripts)
  const currency = currencyOf(elements)
  const plain = texts.filter(({ type }) => /^application\/json\b/i.test(type)).map(({ text }) => looseJson(text))
  const meta = texts.filter(({ text }) => text.includes('ShopifyAnalytics')).map(({ text }) => metaIn(text))
  return [...plain, ...meta].flatMap(productsIn).map((product) => toEntity(product, currency))
}

/** Returns the currency of the amounts, from `Shopify.currency`. */
function currencyOf(elements: ElementIndex): string | undefined {
  for (const script of elements.named('script')) {
    const text = script.textContent
    const at = text.indexOf('Shopify.currency')
    const [, code] = (at < 0 ? null : /"active"\s*:\s*"([A-Z]{3})"/.exec(text.slice(at, at + 200))) ?? []
    if (code) return code
  }
  return undefined
}

function metaIn(text: string): unknown {
  const at = /\bvar\s+meta\s*=\s*\{/.exec(text)
  const start = at ? text.indexOf('{', at.index) : -1
  return start < 0 ? undefined : looseJson(objectAt(text, start))
}

/** Returns the text of the object that opens at `start`, up to its closing bracket. */
function objectAt(text: string, start: number): string {
  const mark = /["{}]|\\[\s\S]/g
  mark.lastIndex = start
  let depth = 0
  let isQuoted = false
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const [sign] = match
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && sign === '{') depth += 1
    else if (!isQuoted && sign === '}') depth -= 1
    if (depth === 0) return text.slice(start, mark.lastIndex)
  }
  return ''
}

/** The data is the product itself, or contains it as `product`. */
function productsIn(data: unknown): Entity[] {
  const candidates = isEntity(data) ? [data, data['product']] : []
  return candidates
    .filter(isEntity)
    .filter((each) => listOf(each['variants']).some(isShopVariant))
    .slice(0, 1)
}

const isShopVariant = (variant: unknown): variant is Entity =>
  isEntity(variant) &&
  variant['id'] !== undefined &&
  (typeof variant['price'] === 'number' || typeof variant['price'] === 'string') &&
  ['available', 'public_title', 'option1', 'sku'].some((key) => variant[key] !== undefined)

function toEntity(product: Entity, currency: string | undefined): Entity {
  const options = listOf(product['options']).map((option) => (isEntity(option) ? option['name'] : option))
  return {
    '@type': 'ProductGroup',
    name: product['title'],
    brand: product['vendor'],
    category: product['type'] ?? product['product_type'],
    description: product['description'] ?? product['body_html'],
    url: product['url'],
    image: listOf(product['images']).map(imageOf),
    hasVariant: listOf(product['variants'])
      .filter(isShopVariant)
      .map((variant) => toVariantEntity(variant, options, currency)),
  }
}

const imageOf = (image: unknown): unknown =>
  isEntity(image) ? { url: image['src'] ?? image['url'], caption: image['alt'] } : image

function toVariantEntity(variant: Entity, options: readonly unknown[], currency: string | undefined): Entity {
  const values = options.map((name, at) => ({ name, value: variant[`option${at + 1}`] }))
  const title = variant['public_title'] ?? variant['title'] ?? variant['name']
  const amount = amountIn(variant['price'])
  const before = amountIn(variant['compare_at_price'])
  const featured = variant['featured_image']
  return {
    '@type': 'Product',
    productID: variant['id'],
    sku: variant['sku'],
    ...(title !== 'Default Title' && { name: title, additionalProperty: values.filter(({ value }) => value) }),
    ...(featured !== undefined && featured !== null && { image: imageOf(featured) }),
    offers: {
      price: amount,
      priceCurrency: currency,
      ...(before !== undefined && { listPrice: before }),
      ...(typeof variant['available'] === 'boolean' && {
        availability: variant['available'] ? 'InStock' : 'OutOfStock',
      }),
    },
  }
}

/** Liquid writes integer hundredths, even for currencies without cents; the public API writes decimal strings. */
const amountIn = (price: unknown): unknown => (typeof price === 'number' ? price / 100 : (price ?? undefined))
