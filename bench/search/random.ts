export type Random = {
  /** From 0 to below 1. */
  unit(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  one<T>(list: readonly T[]): T
  /** A shuffled copy. */
  shuffled<T>(list: readonly T[]): T[]
}

/** Numbers that are the same in every run (xorshift32, Marsaglia 2003). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  const unit = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(unit() * limit)
  return {
    unit,
    below,
    one<T>(list: readonly T[]): T {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    },
    shuffled: (list) =>
      list
        .map((item) => ({ item, at: unit() }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ item }) => item),
  }
}
