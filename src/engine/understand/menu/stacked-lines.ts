import type { MenuLine, WrittenDish } from './priced-line.ts'

const maxName = 100
const maxDescription = 300

type Priced = Exclude<MenuLine, { kind: 'text' | 'row' }>
/** A line with a price, and the words above it, up to the priced line before. */
type Step = { line: Priced; above: string[] }

function stepsOf(lines: readonly MenuLine[]): { steps: Step[]; rest: string[] } {
  const steps: Step[] = []
  let above: string[] = []
  for (const line of lines) {
    if (line.kind === 'text') above.push(line.text)
    if (line.kind === 'dish' || line.kind === 'price') {
      steps.push({ line, above })
      above = []
    }
  }
  return { steps, rest: above }
}

const fitting = (text: string | undefined) => (text !== undefined && text.length <= maxDescription ? text : undefined)

/** Dishes with the price in their own line. Where most have words below, those describe them; else they are notes. */
export function withLinesBelow(lines: readonly MenuLine[]): WrittenDish[] {
  const { steps, rest } = stepsOf(lines)
  const below = (at: number) => (at + 1 < steps.length ? (steps[at + 1]?.above ?? []) : rest)
  const dishes = steps.flatMap(({ line }, at) => (line.kind === 'dish' ? [{ ...line, at }] : []))
  const inner = dishes.slice(0, -1)
  const described = inner.filter(({ at }) => below(at).length > 0).length
  const isUsual = inner.length > 0 && 2 * described > inner.length
  return dishes.map(({ name, description, price, at }) => ({
    name,
    price,
    description: description ?? (isUsual ? fitting(below(at)[0]) : undefined),
  }))
}

/** Dishes whose name, description and price stand in lines of their own, in this order or with the description last. */
export function stackedDishes(lines: readonly MenuLine[]): WrittenDish[] {
  const { steps, rest } = stepsOf(lines)
  const stacked = steps.filter(({ line, above }) => line.kind === 'price' && above.length > 0)
  const [first, ...others] = stacked
  const isDescribedBelow =
    first?.above.length === 1 && others.length > 0 && others.every(({ above }) => above.length === 2)
  const height = Math.min(2, ...stacked.map(({ above }) => above.length))
  return stacked.flatMap(({ line, above }, at) => {
    const below = at + 1 < stacked.length ? stacked[at + 1]?.above : rest
    const own = above.slice(-height)
    const name = isDescribedBelow ? above.at(-1) : own[0]
    const description = fitting(isDescribedBelow ? below?.[0] : own[1])
    return name === undefined || name.length > maxName ? [] : [{ name, description, price: line.price }]
  })
}
