/** Sums weights by key, heaviest first; ties keep their order. */
export function tally<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K | undefined,
  weightOf: (item: T) => number = () => 1,
): [key: K, weight: number][] {
  const weights = new Map<K, number>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== undefined) weights.set(key, (weights.get(key) ?? 0) + weightOf(item))
  }
  return Array.from(weights).sort(([, one], [, other]) => other - one)
}

export const heaviest = <T, K>(
  items: readonly T[],
  keyOf: (item: T) => K | undefined,
  weightOf?: (item: T) => number,
) => tally(items, keyOf, weightOf)[0]?.[0]

/** The weighted median; undefined for an empty list. */
export function medianOf<T>(
  items: readonly T[],
  valueOf: (item: T) => number,
  weightOf: (item: T) => number = () => 1,
): number | undefined {
  const sorted = items.toSorted((one, other) => valueOf(one) - valueOf(other))
  const half = sorted.reduce((sum, item) => sum + weightOf(item), 0) / 2
  let sum = 0
  const middle = sorted.find((item) => (sum += weightOf(item)) >= half)
  return middle === undefined ? undefined : valueOf(middle)
}
