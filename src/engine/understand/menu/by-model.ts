import type { MenuCourse, MenuDish, MenuProfile } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { plainLine } from '../../../util/plain-markdown.ts'
import { priceOf } from '../../html/product/price.ts'
import { jsonByModel } from '../json/by-model.ts'
import type { ModelAnswer, PageModel } from '../page-model.ts'
import { builtInMenu, merchantOf, type MenuPage, priceHints } from './built-in.ts'
import { saidOfDish } from './dish-words.ts'
import { menuProfile } from './profile.ts'

const textField = (description: string) => ({ type: 'string', description })
const menuSchema = {
  type: 'object',
  properties: {
    sections: {
      type: 'array',
      description: 'Empty where the page is no menu of a place that serves food or drink.',
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
 * The menu as a model reads it. Names, descriptions and prices that do not stand on the page word for word are dropped. What
 * the page says as structured data of a dish is kept.
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
        ...saidOfDish(`${name}\n${description ?? ''}`),
        ...(description !== undefined && { description }),
        ...(price && { price }),
        ...described.get(folded(name)),
        name,
      },
    ]
  }
}

const folded = (value: string) => value.replace(/\s+/g, ' ').trim().toLowerCase()
