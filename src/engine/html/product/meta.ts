import type { Node } from './node.ts'
import type { Survey } from '../survey.ts'

/** First contents of the meta tags, by lower-case name. */
export type Metas = ReadonlyMap<string, string>

export function metasOf(survey: Survey): Metas {
  const found = new Map<string, string>()
  for (const meta of survey.named('meta')) {
    const name = (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()
    const content = meta.getAttribute('content')?.trim()
    if (name && content && !found.has(name)) found.set(name, content)
  }
  return found
}

/** The product that the tags of OpenGraph (og: and product:) describe; undefined where the page is said to be something else. */
export function productOfMetas(metas: Metas): Node | undefined {
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find(Boolean)
  const usual = first('product:price:amount', 'og:price:amount', 'product:price')
  const price = first('product:sale_price:amount') ?? usual
  const isProduct = /^(?:og:|product[.:])?product(?:[.:]item|[.:]group)?$/i.test(metas.get('og:type') ?? '')
  if (!isProduct && price === undefined) return undefined
  return {
    '@type': 'Product',
    name: first('og:title', 'twitter:title'),
    brand: first('product:brand', 'og:brand'),
    category: first('product:category'),
    description: first('og:description', 'description'),
    url: first('og:url'),
    sku: first('product:retailer_item_id', 'product:retailer_part_no'),
    productID: first('product:ean', 'product:upc', 'product:isbn', 'product:mfr_part_no'),
    color: first('product:color'),
    size: first('product:size'),
    material: first('product:material'),
    pattern: first('product:pattern'),
    image: first('og:image:secure_url', 'og:image', 'og:image:url'),
    offers: {
      price,
      priceCurrency: currencyIn(metas),
      listPrice: first('product:original_price:amount') ?? (price === usual ? undefined : usual),
      availability: first('product:availability', 'og:availability'),
    },
  }
}

export const currencyIn = (metas: Metas): string | undefined =>
  metas.get('product:sale_price:currency') ?? metas.get('product:price:currency') ?? metas.get('og:price:currency')
