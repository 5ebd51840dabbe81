/** Places in two lists whose items are equal. */
export type Pair = { oldAt: number; newAt: number }
type Card = Pair & { under: Card | undefined }

/** The longest row of numbers that occur once in each list and in the same order in both (Cohen's patience diff). */
export function anchors(old: readonly number[], now: readonly number[]): Pair[] {
  const inNew = places(now)
  // Piles as in the card game: the top card of each ends the row of its length that leaves the most room.
  const piles: Card[] = []
  for (const [item, oldAt] of places(old)) {
    const newAt = inNew.get(item)
    if (newAt === undefined || newAt === repeated || oldAt === repeated) continue
    const pile = firstAbove(piles, newAt)
    piles[pile] = { oldAt, newAt, under: piles[pile - 1] }
  }
  const row: Pair[] = []
  for (let card = piles.at(-1); card; card = card.under) row.push({ oldAt: card.oldAt, newAt: card.newAt })
  return row.toReversed()
}

const repeated = -1

function places(items: readonly number[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const [at, item] of items.entries()) found.set(item, found.has(item) ? repeated : at)
  return found
}

function firstAbove(piles: readonly Card[], newAt: number): number {
  let [low, high] = [0, piles.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (piles[middle]!.newAt < newAt) low = middle + 1
    else high = middle
  }
  return low
}
