import { type Block, blocksOf, unitsOf } from './blocks.ts'
import { type Fit, rank } from '../../util/rank.ts'
import { countWords } from '../../util/words.ts'

const mostHighlights = 5
/** Of the best score, what a sentence must reach. */
const leastShare = 0.64
/** How many sentences after a heading inherit what it is about, and how much each step costs. */
const reach = 4
const decay = 0.15

/** The sentences of a page that are about a query, verbatim and in reading order. */
export function highlightsFrom(markdown: string, query: string): string[] {
  const units = unitsOf(blocksOf(markdown))
  const fits = rank(
    units.map(({ text }) => text),
    query,
  )
  const values = units.map((unit, at) => worthOfUnit(unit, at, units, fits))
  const best = Math.max(0, ...values)
  if (best === 0) return []
  return values
    .map((value, at) => ({ value, at }))
    .filter(({ value }) => value >= best * leastShare)
    .toSorted((one, other) => other.value - one.value)
    .reduce<number[]>((chosen, { at }) => (isNew(at, chosen, units) ? [...chosen, at] : chosen), [])
    .toSorted((one, other) => one - other)
    .flatMap((at) => units[at]?.source ?? [])
}

/** Pages repeat lines, such as teasers of what follows below. */
const isNew = (at: number, chosen: readonly number[], units: readonly Block[]) =>
  chosen.length < mostHighlights && !chosen.some((better) => saysSame(units[better], units[at]))

const saysSame = (one: Block | undefined, other: Block | undefined) =>
  one !== undefined && other !== undefined && (one.text.includes(other.text) || other.text.includes(one.text))

/** What a sentence says itself, or what the heading or question above it says it is about; bare words and questions say little. */
function worthOfUnit({ text, level }: Block, at: number, units: readonly Block[], fits: readonly Fit[]): number {
  const own = fits[at] ? fits[at].score * (0.4 + 0.6 * fits[at].coverage) : 0
  const value = Math.max(own, inherited(at, units, fits))
  const isShort = countWords(text) < 4
  return value * (isShort ? 0.3 : 1) * (text.endsWith('?') || level > 0 ? 0.3 : 1)
}

function inherited(at: number, units: readonly Block[], fits: readonly Fit[]): number {
  let value = 0
  for (let step = 1; step <= reach && step <= at; step++) {
    const above = units[at - step]
    const fit = fits[at - step]
    if (!above || !fit) break
    if (above.text.length < 140 && fit.coverage >= 0.5)
      value = Math.max(value, fit.score * fit.coverage * (1 - decay * step))
    // Another question stands between.
    if (above.text.endsWith('?') && fit.coverage < 0.5) break
  }
  return value
}
