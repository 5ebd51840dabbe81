import { type Graph, isEntity, listOf, type Entity, textOf, typesOf } from '../structured-data/entity.ts'

/** URLs and names of the page itself; names are lower case without punctuation. */
export type PageIdentity = { urls: readonly string[]; names: readonly string[] }

const productTypes = /^(?:Product|ProductGroup|IndividualProduct|ProductModel|SomeProducts|Vehicle|Car|Motorcycle)$/
const isProduct = (node: Entity) => typesOf(node).some((type) => productTypes.test(type))

/** Properties that lead to the subject of the page. Lists and related products hang on other properties. */
const leadingFields = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemOffered', 'about']
const maxDepth = 5
const maxProducts = 200

/** The products that the JSON-LD of a page leads to. */
export function productsIn(data: readonly unknown[], graph: Graph): Entity[] {
  const found = new Set<Entity>()
  const collect = (value: unknown, depth: number, offer?: Entity): void => {
    if (depth > maxDepth || found.size >= maxProducts) return
    if (Array.isArray(value)) return value.slice(0, 500).forEach((each) => collect(each, depth + 1, offer))
    if (!isEntity(value)) return
    const [node = value] = graph.entities({ value }, 'value')
    if (isProduct(node)) found.add(offer && node['offers'] === undefined ? { ...node, offers: offer } : node)
    else for (const key of leadingFields) collect(node[key], depth + 1, key === 'itemOffered' ? node : undefined)
  }
  collect(data, 0)
  return [...found]
}

/** The product that the page is about; undefined for a list of products. */
export function mainProduct(all: readonly Entity[], page: PageIdentity, graph: Graph): Entity | undefined {
  const [first] = all
  if (!first || all.length === 1) return first && withGroup(first, graph)
  const together = asGroup(all, graph)
  if (together) return together
  const match = all.find((each) => isAt(each, page)) ?? all.find((each) => isNamed(each, page))
  return match && withGroup(match, graph)
}

/** A product that belongs to a group is shown with all variants of the group. */
function withGroup(product: Entity, graph: Graph): Entity {
  const [group] = graph.entities(product, 'isVariantOf')
  const members = group ? graph.entities(group, 'hasVariant').filter((each) => each['offers'] !== undefined) : []
  return members.length > 0 ? { ...product, ...group } : product
}

/** Several products that are variants of one: members of one group, or one name with different product numbers. */
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

/** A URL without scheme, www, query, fragment and trailing slash, for comparison. */
export const plainUrl = (url: string) =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')

export const plainName = (name: string | undefined) =>
  (name ?? '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? ''
