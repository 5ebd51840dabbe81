import type { MenuCourse, MenuDish, MenuFacts, MenuMerchant } from '../../../contracts/page-content.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { absoluteUrl } from '../dom/absolute-url.ts'
import type { ParsedPage } from '../parse/parse-html.ts'
import { markedUpEntities } from './microdata.ts'
import { variantsOf } from './variants.ts'
import {
  type Entity,
  type Graph,
  graphOf,
  isEntity,
  known,
  listOf,
  textOf,
  typesOf,
  entitiesIn,
  jsonLdData,
} from '../facts/json-ld.ts'

const maxDepth = 6
const maxDishes = 2000

/**
 * Returns the menu in a page's JSON-LD; otherwise in its microdata or RDFa (schema.org Menu, MenuSection, MenuItem).
 */
export function menuFactsOf(page: ParsedPage, elements: ElementIndex, base: string): MenuFacts {
  const sources = [jsonLdData(elements), markedUpEntities(page.body)].map((data) =>
    data.flatMap((each) => [...entitiesIn(each)]),
  )
  const language = page.root.getAttribute('lang') || undefined
  const menus = sources.map((nodes) => coursesIn(nodes, { base, language }))
  return {
    merchant: sources.map((nodes) => merchantIn(nodes)).find((merchant) => merchant !== undefined),
    courses: menus.find((courses) => courses.length > 0) ?? [],
  }
}

/** FoodEstablishment and its subtypes in schema.org. */
const establishment =
  /^(?:Restaurant|FastFoodRestaurant|FoodEstablishment|CafeOrCoffeeShop|BarOrPub|Bakery|Brewery|Winery|IceCreamShop|Distillery)$/

function merchantIn(nodes: readonly Entity[]): MenuMerchant | undefined {
  const node = nodes.find((each) => typesOf(each).some((type) => establishment.test(type)) && textOf(each['name']))
  const name = textOf(node?.['name'])
  if (!node || !name) return undefined
  return known<MenuMerchant>({
    name,
    type: typesOf(node).find((type) => establishment.test(type)),
    location: locationOf(listOf(node['address'])[0]),
  })
}

const addressFields = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']

function locationOf(address: unknown): MenuMerchant['location'] {
  const fields = isEntity(address)
    ? addressFields.map((name) => [name, address[name]] as const)
    : [['address', address] as const]
  const given = fields.flatMap(([name, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text] as const]
  })
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

type Context = { base: string; language: string | undefined }
type Walk = Context & { graph: Graph; usualCurrency: string | undefined; seen: Set<Entity>; dishes: number }

/** Menus come first, then sections and items outside any of them. */
function coursesIn(nodes: readonly Entity[], context: Context): MenuCourse[] {
  const graph = graphOf(nodes)
  const accepted = nodes.map((node) => textOf(node['currenciesAccepted'])).find((each) => /^[A-Z]{3}$/.test(each ?? ''))
  const walk: Walk = { ...context, graph, usualCurrency: accepted, seen: new Set(), dishes: 0 }
  const typed = (type: string) =>
    nodes.filter((node) => typesOf(node).includes(type)).flatMap((node) => graph.entities({ node }, 'node'))
  const courses = [...typed('Menu'), ...typed('MenuSection')].flatMap((node) => coursesOf(node, walk, 0))
  const dishes = dishesOf(typed('MenuItem'), walk)
  return [...courses, ...(dishes.length > 0 ? [{ dishes }] : [])]
}

function coursesOf(node: Entity, walk: Walk, depth: number): MenuCourse[] {
  if (depth > maxDepth || walk.seen.has(node)) return []
  walk.seen.add(node)
  const dishes = dishesOf(walk.graph.entities(node, 'hasMenuItem'), walk)
  const own = known<MenuCourse>({
    name: textOf(node['name']),
    description: textOf(node['description'], 1000),
    dishes,
  })
  const inner = walk.graph.entities(node, 'hasMenuSection').flatMap((each) => coursesOf(each, walk, depth + 1))
  return [...(dishes.length > 0 ? [own] : []), ...inner]
}

function dishesOf(nodes: readonly Entity[], walk: Walk): MenuDish[] {
  return nodes.flatMap((node) => {
    const name = textOf(node['name'])
    if (!name || walk.seen.has(node) || walk.dishes >= maxDishes) return []
    walk.seen.add(node)
    walk.dishes++
    return dishOf(node, name, walk)
  })
}

function dishOf(node: Entity, name: string, { graph, base, language, usualCurrency }: Walk): MenuDish {
  const sizes = variantsOf(node, { base, graph, hints: { language, usualCurrency } })
  const [first] = sizes
  const written = first?.availability.text
  const url = textOf(node['url'], 2000)
  const [nutrition] = graph.entities(node, 'nutrition')
  return known<MenuDish>({
    name,
    description: textOf(node['description'], 1000),
    images: first?.images ?? [],
    price: first?.price,
    // Menu items are available unless the page states otherwise.
    availability: first && written !== undefined ? first.availability : { inStock: true },
    dietary: listOf(node['suitableForDiet']).flatMap((diet) => dietName(diet) ?? []),
    calories: caloriesIn(textOf(nutrition?.['calories'])),
    optionGroups: sizes.length > 1 ? [{ options: sizes.map(({ title, price }) => known({ name: title, price })) }] : [],
    identifiers: known({ merchantItemId: textOf(node['sku'] ?? node['identifier'] ?? node['productID'], 100) }),
    url: url === undefined ? undefined : absoluteUrl(url, base),
  })
}

/** schema.org RestrictedDiet: `https://schema.org/GlutenFreeDiet` is `gluten-free`. */
const dietName = (diet: unknown): string | undefined =>
  textOf(isEntity(diet) ? diet['@id'] : diet, 100)
    ?.replace(/^.*[/#:]/, '')
    .replace(/Diet$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()

/** Returns the calories of an amount of energy with an optional unit; undefined for other units, such as kilojoules. */
function caloriesIn(energy: string | undefined): number | undefined {
  const [, amount] = /^(\d{1,5})(?:\.\d+)?\s*(?:k?cal(?:ories?)?)?$/i.exec(energy ?? '') ?? []
  return amount === undefined ? undefined : Number(amount)
}
