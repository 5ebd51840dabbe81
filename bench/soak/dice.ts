/** Seeded random choices (mulberry32): the next call, and the process to kill. */
export type Dice = { below(limit: number): number; one<T>(of: readonly [T, ...T[]]): T }

export function createDice(seed: number): Dice {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, one: (of) => of[below(of.length)] ?? of[0] }
}
