import type { MenuCourse, MenuItem, MenuMerchant, MenuProfile } from '../../../contracts/page-content.ts'

type Verdict = Pick<MenuProfile, 'isMenu' | 'confidence'> & { merchant: MenuMerchant; url: string }

/** A menu in the form of the contract. Its ids are made of the names, so that they stay when the menu grows. */
export function menuProfile(courses: readonly MenuCourse[], { url, ...verdict }: Verdict): MenuProfile {
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

/** Two of one name are told apart by their number. */
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
