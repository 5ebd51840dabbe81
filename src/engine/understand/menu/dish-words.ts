import type { MenuDish } from '../../../contracts/page-content.ts'

/** What menus write behind a name in brackets. A letter alone, such as (V), means different things to different places. */
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

/** Diets and calories that the words of a dish name. Diets stand in brackets, for "not vegan" is none. */
export function saidOfDish(text: string): Pick<MenuDish, 'dietary' | 'calories'> {
  const marks = [...text.matchAll(/[([]([^()[\]]{2,60})[)\]]/g)].flatMap(([, inner = '']) => inner.split(/[,/|;·&+]/))
  const dietary = [...new Set(marks.flatMap((mark) => diets[mark.trim().toLowerCase()] ?? []))]
  const [, energy] = /(?<![\d.,])(\d{1,4})\s?k?cal(?:ories)?(?!\p{L})/iu.exec(text) ?? []
  return { dietary, ...(energy !== undefined && { calories: Number(energy) }) }
}
