import type { MenuCourse, MenuDish } from '../../../contracts/profiles/menu.ts'
import { priceOf, type PriceHints } from '../../html/product/price.ts'
import { blocksOf } from '../blocks.ts'
import { saidOfDish } from './dish-words.ts'
import { type MenuLine, menuLine, type WrittenDish } from './priced-line.ts'
import { stackedDishes, withLinesBelow } from './stacked-lines.ts'

/** A heading and what stands below it, up to the next one. */
type Group = { heading: string; level: number; own: MenuLine; lines: MenuLine[] }

/** The priced lists of a page: under each heading the dishes that have a price. */
export function readCourses(markdown: string, hints: PriceHints): MenuCourse[] {
  const groups = groupsOf(markdown)
  const stacked = groups.filter(hasOnePrice)
  /** One heading with one price may head a short list; where its neighbours have one too, each heading is a dish. */
  const isDish = (group: Group) =>
    group.own.kind === 'dish' || (hasOnePrice(group) && stacked.filter(({ level }) => level === group.level).length > 1)
  const courses: { level: number; course: MenuCourse }[] = []
  for (const group of groups) {
    if (!isDish(group)) courses.push({ level: group.level, course: courseOf(group, hints) })
    else courses.findLast(({ level }) => level < group.level)?.course.dishes.push(...headingDish(group, hints))
  }
  return courses.map(({ course }) => course).filter(({ dishes }) => dishes.length > 0)
}

function groupsOf(markdown: string): Group[] {
  const groups: Group[] = [{ heading: '', level: 0, own: { kind: 'row' }, lines: [] }]
  for (const { source, text, level } of blocksOf(markdown)) {
    const own = menuLine(source)
    if (level > 0 && own.kind !== 'price') groups.push({ heading: text, level, own, lines: [] })
    else groups.at(-1)?.lines.push(own)
  }
  return groups
}

const hasOnePrice = ({ level, lines }: Group) =>
  level > 0 && lines.filter(({ kind }) => kind === 'price').length === 1 && lines.every(({ kind }) => kind !== 'dish')

const longest = 300
const textsIn = (lines: readonly MenuLine[]) => lines.flatMap((line) => (line.kind === 'text' ? [line.text] : []))

function courseOf({ heading, lines }: Group, hints: PriceHints): MenuCourse {
  const first = lines.findIndex(({ kind }) => kind === 'dish' || kind === 'price')
  const intro = textsIn(lines.slice(0, Math.max(0, first)))
  const isIntroduced = lines[first]?.kind === 'dish' && intro.length === 1 && (intro[0]?.length ?? 0) <= longest
  return {
    ...(heading !== '' && { name: heading }),
    ...(isIntroduced && { description: intro[0] }),
    dishes: [...withLinesBelow(lines), ...stackedDishes(lines)].flatMap((dish) => pricedDish(dish, hints)),
  }
}

function headingDish({ heading, own, lines }: Group, hints: PriceHints): MenuDish[] {
  const [below] = textsIn(lines).filter((text) => text.length <= longest)
  const price = lines.flatMap((line) => (line.kind === 'price' ? [line.price] : []))[0]
  if (own.kind === 'dish')
    return [{ ...own, description: own.description ?? below }, ...withLinesBelow(lines)].flatMap((dish) =>
      pricedDish(dish, hints),
    )
  return price === undefined ? [] : pricedDish({ name: heading, description: below, price }, hints)
}

/** A dish whose price is no amount is none. */
function pricedDish({ name, description, price: written }: WrittenDish, hints: PriceHints): MenuDish[] {
  const price = priceOf(written, hints)
  if (!price) return []
  return [
    { name, ...(description !== undefined && { description }), price, ...saidOfDish(`${name}\n${description ?? ''}`) },
  ]
}
