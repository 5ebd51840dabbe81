import { closest, type Element, elementsIn, metaName, oneLine } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import type { Entity } from '../facts/json-ld.ts'

/** The attributes of a syntax: microdata (HTML standard, section 5) or RDFa Lite. */
type Dialect = { type: string; property: string; opens(element: Element): boolean; types: RegExp }

const microdata: Dialect = {
  type: 'itemtype',
  property: 'itemprop',
  opens: (element) => element.hasAttribute('itemscope'),
  types: /schema\.org\/(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)\b/i,
}
const rdfa: Dialect = {
  type: 'typeof',
  property: 'property',
  opens: (element) => element.hasAttribute('typeof'),
  types: /(?:^|[\s/:])(?:Product|ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)(?:$|\s)/,
}

const maxDepth = 8
const maxProperties = 2000
const maxText = 20_000

/** Returns outermost products in microdata and RDFa, in the form of JSON-LD. */
export const markedUpProducts = (body: Element): Entity[] => markedUp(body, (type, { types }) => types.test(type))

/** Returns outermost entities of any type. */
export const markedUpEntities = (body: Element): Entity[] => markedUp(body, (type) => type !== '')

function markedUp(body: Element, isWanted: (type: string, dialect: Dialect) => boolean): Entity[] {
  const all = elementsIn(body)
  return [microdata, rdfa].flatMap((dialect) => {
    const scopes = all.filter((element) => isWanted(element.getAttribute(dialect.type) ?? '', dialect))
    const budget = { left: maxProperties }
    return scopes
      .filter((scope) => !isPartOfAnother(scope, dialect))
      .slice(0, 50)
      .map((scope) => nodeOf(scope, dialect, budget, 0))
  })
}

/** True for an entity that is a property of another one, unless that property leads to the subject of the page. */
function isPartOfAnother(scope: Element, { property, opens }: Dialect): boolean {
  const parent = scope.parentNode && closest(scope.parentNode, opens)
  const name = scope.getAttribute(property)
  return (
    parent !== null &&
    parent !== undefined &&
    name !== null &&
    !/(?:^|:|\s)(?:mainEntity|itemOffered|about)\b/.test(name)
  )
}

type Budget = { left: number }

function nodeOf(scope: Element, dialect: Dialect, budget: Budget, depth: number): Entity {
  const fields = new Map<string, unknown[]>([['@type', (scope.getAttribute(dialect.type) ?? '').split(/\s+/)]])
  for (const element of propertiesOf(scope, dialect)) {
    if (budget.left-- <= 0) break
    const isThing = dialect.opens(element)
    if (isThing && depth >= maxDepth) continue
    const value = isThing ? nodeOf(element, dialect, budget, depth + 1) : valueOf(element)
    for (const name of namesIn(element.getAttribute(dialect.property)))
      fields.set(name, [...(fields.get(name) ?? []), value])
  }
  return Object.fromEntries(fields)
}

const namesIn = (names: string | null): string[] =>
  (names ?? '')
    .split(/\s+/)
    .map((name) => name.replace(/^.*[/:#]/, ''))
    .filter(Boolean)

/** Returns the elements with properties of this entity, not of nested ones. */
function propertiesOf(scope: Element, { property, opens }: Dialect): Element[] {
  const elements: Element[] = []
  const open = [...scope.children].toReversed()
  for (let element = open.pop(); element; element = open.pop()) {
    if (element.hasAttribute(property)) elements.push(element)
    if (!opens(element)) open.push(...[...element.children].toReversed())
  }
  return elements
}

const valueAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  source: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
  time: 'datetime',
}

function valueOf(element: Element): string {
  const attribute = valueAttributes[element.localName]
  const written = element.getAttribute('content') ?? element.getAttribute('resource')
  const value = written ?? (attribute === undefined ? null : element.getAttribute(attribute))
  return value ?? oneLine(element.textContent.slice(0, maxText))
}

/** First content of each meta tag, by lower-case name. */
export type Metas = ReadonlyMap<string, string>

export function metasOf(elements: ElementIndex): Metas {
  const metas = new Map<string, string>()
  for (const meta of elements.named('meta')) {
    const name = metaName(meta)
    const content = meta.getAttribute('content')?.trim()
    if (name && content && !metas.has(name)) metas.set(name, content)
  }
  return metas
}

/** Returns the product in the Open Graph tags (og: and product:); undefined if the page describes something else. */
export function productOfMetas(metas: Metas): Entity | undefined {
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
