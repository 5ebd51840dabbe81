import type {
  MenuCourse,
  MenuDish,
  MenuProfile,
  MenuFacts,
  PageContent,
  MenuItem,
  MenuMerchant,
} from '../../contracts/page-content.ts'
import { isRecord } from '../../util/json.ts'
import { plainLine } from '../../util/plain-markdown.ts'
import { priceOf } from '../html/product/product-price.ts'
import { jsonByModel } from '../model/page/json-by-model.ts'
import type { ModelAnswer, PageModel } from '../model/page/page-model.ts'

type Verdict = Pick<MenuProfile, 'isMenu' | 'confidence'> & { merchant: MenuMerchant; url: string }

/** Converts a menu to the contract's form. Its ids derive from the names, so they stay stable when the menu grows. */
function menuProfile(courses: readonly MenuCourse[], { url, ...verdict }: Verdict): MenuProfile {
  const unique = uniqueIds()
  const sections = courses.map(({ name = 'Menu', description, dishes }) => {
    const id = unique(name)
    const items = dishes.map((dish): MenuItem => ({
      id: unique(`${id}/${slug(dish.name)}`),
      images: [],
      availability: { inStock: true },
      dietary: [],
      optionGroups: [],
      identifiers: {},
      ...dish,
      sourceUrl: url,
    }))
    return { id, name, ...(description !== undefined && { description }), items }
  })
  const currencies = new Set(courses.flatMap(({ dishes }) => dishes.flatMap(({ price }) => price?.currency ?? [])))
  const [currency = null] = currencies.size === 1 ? currencies : []
  return { ...verdict, currency, sections, sourceUrl: url }
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}/]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Numbers repeated names. */
function uniqueIds(): (name: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const own = slug(name) || 'unnamed'
    let id = own
    for (let count = counts.get(own) ?? 1; used.has(id); id = `${own}-${count}`) counts.set(own, ++count)
    used.add(id)
    return id
  }
}

type MenuPage = { content: PageContent; url: string }

/** Returns the menu in a page's structured data. A page without structured data may still show a menu. */
export function builtInMenu(page: MenuPage): MenuProfile {
  const { courses } = page.content.menu ?? noFacts
  const isMenu = courses.length > 0
  return menuProfile(courses, { merchant: merchantOf(page), url: page.url, isMenu, confidence: isMenu ? 0.95 : 0.5 })
}

const noFacts: MenuFacts = { courses: [] }
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

const priceHints = ({ metadata = {} }: PageContent) => ({ language: textOf(metadata['language']) })

/** Returns the merchant: without structured data, the page's site. */
function merchantOf({ content: { menu, metadata = {} }, url }: MenuPage): MenuProfile['merchant'] {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const name = textOf(metadata['ogSiteName']) ?? textOf(metadata['og:site_name']) ?? textOf(metadata['title']) ?? host
  return menu?.merchant ?? { name }
}

/**
 * Diet labels that menus put in parentheses after a dish. A single letter, such as (V), has different meanings on
 * different menus.
 */
const diets: Readonly<Record<string, string>> = {
  vegan: 'vegan',
  vegano: 'vegan',
  vegana: 'vegan',
  végan: 'vegan',
  vegetarian: 'vegetarian',
  vegetarisch: 'vegetarian',
  vegetariano: 'vegetarian',
  vegetariana: 'vegetarian',
  végétarien: 'vegetarian',
  végétarienne: 'vegetarian',
  gf: 'gluten-free',
  'gluten free': 'gluten-free',
  'gluten-free': 'gluten-free',
  glutenfrei: 'gluten-free',
  'sans gluten': 'gluten-free',
  'sin gluten': 'gluten-free',
  'senza glutine': 'gluten-free',
  'dairy free': 'dairy-free',
  'dairy-free': 'dairy-free',
  laktosefrei: 'lactose-free',
  halal: 'halal',
  kosher: 'kosher',
}

/**
 * Extracts diets and calories from the text of a dish. Diets must be in parentheses, because "not vegan" is not a diet.
 */
function factsOfDish(text: string): Pick<MenuDish, 'dietary' | 'calories'> {
  const marks = [...text.matchAll(/[([]([^()[\]]{2,60})[)\]]/g)].flatMap(([, inner = '']) => inner.split(/[,/|;·&+]/))
  const dietary = [...new Set(marks.flatMap((mark) => diets[mark.trim().toLowerCase()] ?? []))]
  const [, energy] = /(?<![\d.,])(\d{1,4})\s?k?cal(?:ories)?(?!\p{L})/iu.exec(text) ?? []
  return { dietary, ...(energy !== undefined && { calories: Number(energy) }) }
}

const textField = (description: string) => ({ type: 'string', description })
const menuSchema = {
  type: 'object',
  properties: {
    sections: {
      type: 'array',
      description: 'Empty if the page is not a menu of a place that serves food or drink.',
      items: {
        type: 'object',
        properties: {
          name: textField('Heading of the section.'),
          items: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: textField('Name of the dish or drink, as written.'),
                description: textField('Its description, as written.'),
                price: textField('Its price with the currency sign, as written.'),
              },
              required: ['name'],
            },
          },
        },
        required: ['name', 'items'],
      },
    },
  },
  required: ['sections'],
}

const prompt =
  'The menu of the restaurant, cafe or bar: its sections with all dishes and drinks. Copy every text word for word.'

/**
 * Returns the menu as read by a model. Names, descriptions and prices that are not on the page verbatim are dropped.
 * Structured data of a dish is kept.
 */
export async function menuByModel(model: PageModel, page: MenuPage): Promise<ModelAnswer<MenuProfile>> {
  const { markdown = '' } = page.content
  const { value, ...how } = await jsonByModel(model, markdown, { schema: menuSchema, prompt })
  const courses = provedCourses(value, page)
  const built = builtInMenu(page)
  const isDescribed = (page.content.menu?.courses.length ?? 0) > 0
  if (courses.length === 0)
    return {
      ...how,
      value: isDescribed ? built : menuProfile([], { ...frameOf(page), isMenu: false, confidence: 0.9 }),
    }
  return {
    ...how,
    value: menuProfile(courses, { ...frameOf(page), isMenu: true, confidence: isDescribed ? 0.95 : 0.9 }),
  }
}

const frameOf = (page: MenuPage) => ({ merchant: merchantOf(page), url: page.url })

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

function provedCourses(answer: unknown, page: MenuPage): MenuCourse[] {
  const shown = folded((page.content.markdown ?? '').split('\n').map(plainLine).join('\n'))
  const proved = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' && shown.includes(folded(value)) ? value.trim() : undefined
  const described = new Map(
    (page.content.menu?.courses ?? []).flatMap(({ dishes }) => dishes.map((dish) => [folded(dish.name), dish])),
  )
  const courses = listOf(isRecord(answer) ? answer['sections'] : []).map(({ name, items }) => ({
    name: proved(name),
    dishes: listOf(items).flatMap((item) => dishOf(item)),
  }))
  return courses.filter(({ dishes }) => dishes.length > 0)

  function dishOf(item: Record<string, unknown>): MenuDish[] {
    const name = proved(item['name'])
    if (name === undefined) return []
    const description = proved(item['description'])
    const price = priceOf(proved(item['price']), priceHints(page.content))
    return [
      {
        ...factsOfDish(`${name}\n${description ?? ''}`),
        ...(description !== undefined && { description }),
        ...(price && { price }),
        ...described.get(folded(name)),
        name,
      },
    ]
  }
}

const folded = (value: string) => value.replace(/\s+/g, ' ').trim().toLowerCase()
