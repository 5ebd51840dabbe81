import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type * as jsdiff from 'diff'

/** Items that are equal in both lists, `count` of them from these places on. */
type Match = { oldAt: number; newAt: number; count: number }
type Items = readonly number[]
/** Parts of two lists, and where each begins. */
type Stretch = { old: Items; new: Items; oldAt: number; newAt: number }
type Myers = typeof jsdiff.diffArrays

/** Steps of the search for d differences in n items: d² dear ones and dn cheap ones, about 80 and 4 ns each. */
const dearSteps = 1_000_000
const cheapSteps = 8_000_000
const usualEdits = 300
/** Dear steps after which other work of the program gets its turn. */
const stepsATurn = 100_000

/**
 * What two lists have in common, in order. Few differences are found exactly (Myers 1986). Where there are many, items
 * that occur once in both lists hold them together, and what lies between two of these is compared alone; a stretch that
 * still differs too much has nothing in common. So the time is bounded, and the answer depends on the lists alone.
 */
export async function matches(myers: Myers, old: Items, now: Items): Promise<Match[]> {
  const most = cheapSteps / (old.length + now.length)
  const { head, inner, tail } = apart({ old, new: now, oldAt: 0, newAt: 0 })
  const found = exactly(myers, inner, Math.min(usualEdits, most)) ?? (await inParts(myers, inner, most))
  return [head, ...found, tail].filter(({ count }) => count > 0)
}

async function inParts(myers: Myers, whole: Stretch, mostEdits: number): Promise<Match[]> {
  const found: Match[] = []
  let steps = stepsATurn
  for (const { anchor, ...part } of partsOf(whole)) {
    if (steps >= stepsATurn) {
      steps = 0
      await turnOfOthers()
    }
    const { head, inner, tail } = apart(part)
    const edits = Math.min(mostEdits, Math.sqrt((dearSteps * sizeOf(inner)) / sizeOf(whole)))
    found.push(head, ...(exactly(myers, inner, edits) ?? []), tail, ...anchor)
    steps += edits ** 2
  }
  return found
}

const sizeOf = (stretch: Stretch) => stretch.old.length + stretch.new.length

/** A stretch without the equal items at both ends, and those. */
function apart({ old, new: now, oldAt, newAt }: Stretch): { head: Match; inner: Stretch; tail: Match } {
  const most = Math.min(old.length, now.length)
  let first = 0
  while (first < most && old[first] === now[first]) first += 1
  let last = 0
  while (last < most - first && old.at(-1 - last) === now.at(-1 - last)) last += 1
  const [oldEnd, newEnd] = [old.length - last, now.length - last]
  return {
    head: { oldAt, newAt, count: first },
    inner: { old: old.slice(first, oldEnd), new: now.slice(first, newEnd), oldAt: oldAt + first, newAt: newAt + first },
    tail: { oldAt: oldAt + oldEnd, newAt: newAt + newEnd, count: last },
  }
}

/** Undefined when more than `edits` items came or went. */
function exactly(myers: Myers, { old, new: now, oldAt, newAt }: Stretch, edits: number): Match[] | undefined {
  if (old.length === 0 || now.length === 0) return []
  const runs = myers([...old], [...now], { maxEditLength: edits })
  let [atOld, atNew] = [oldAt, newAt]
  return runs?.flatMap(({ added, removed, count }) => {
    const match = { oldAt: atOld, newAt: atNew, count }
    if (!added) atOld += count
    if (!removed) atNew += count
    return added || removed ? [] : match
  })
}

/** What lies before, between and after the anchors of a stretch, each part with the anchor that ends it. */
function partsOf({ old, new: now, oldAt, newAt }: Stretch): (Stretch & { anchor: Match[] })[] {
  const row = anchors(old, now)
  const end = { oldAt: old.length, newAt: now.length }
  return [...row, end].map((anchor, nth) => {
    const before = row[nth - 1]
    const [oldFrom, newFrom] = before ? [before.oldAt + 1, before.newAt + 1] : [0, 0]
    return {
      old: old.slice(oldFrom, anchor.oldAt),
      new: now.slice(newFrom, anchor.newAt),
      oldAt: oldAt + oldFrom,
      newAt: newAt + newFrom,
      anchor: anchor === end ? [] : [{ oldAt: oldAt + anchor.oldAt, newAt: newAt + anchor.newAt, count: 1 }],
    }
  })
}

/** Places in two lists whose items are equal. */
export type Pair = { oldAt: number; newAt: number }
type Card = Pair & { under: Card | undefined }

/** The longest row of numbers that occur once in each list and in the same order in both (Cohen's patience diff). */
function anchors(old: readonly number[], now: readonly number[]): Pair[] {
  const inNew = placesOf(now)
  // Piles as in the card game: the top card of each ends the row of its length that leaves the most room.
  const piles: Card[] = []
  for (const [item, oldAt] of placesOf(old)) {
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

function placesOf(items: readonly number[]): Map<number, number> {
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
