import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type * as jsdiff from 'diff'

/** Equal items in both lists: `count` of them from these indexes on. */
type Match = { oldAt: number; newAt: number; count: number }
type Items = readonly number[]
/** Parts of two lists, with their start indexes. */
type Stretch = { old: Items; new: Items; oldAt: number; newAt: number }
type Myers = typeof jsdiff.diffArrays

/** Limits of the search for d differences in n items: d² expensive steps and dn cheap ones, about 80 and 4 ns each. */
const dearSteps = 1_000_000
const cheapSteps = 8_000_000
const usualEdits = 300
/** Number of expensive steps after which other tasks may run. */
const stepsATurn = 100_000

/**
 * Finds the common items of two lists, in order. A few differences are found exactly (Myers 1986). If there are many,
 * items that occur once in both lists are used as anchors, and the parts between them are compared separately; a part
 * that still differs too much counts as entirely different. So the time is limited, and the result depends on the lists
 * only.
 */
async function matches(myers: Myers, old: Items, now: Items): Promise<Match[]> {
  const maxEdits = cheapSteps / (old.length + now.length)
  const { head, inner, tail } = trimEqualEnds({ old, new: now, oldAt: 0, newAt: 0 })
  const inside = exactly(myers, inner, Math.min(usualEdits, maxEdits)) ?? (await inParts(myers, inner, maxEdits))
  return [head, ...inside, tail].filter(({ count }) => count > 0)
}

async function inParts(myers: Myers, whole: Stretch, maxEdits: number): Promise<Match[]> {
  const found: Match[] = []
  let steps = stepsATurn
  for (const { anchor, ...part } of partsOf(whole)) {
    if (steps >= stepsATurn) {
      steps = 0
      await turnOfOthers()
    }
    const { head, inner, tail } = trimEqualEnds(part)
    const edits = Math.min(maxEdits, Math.sqrt((dearSteps * sizeOf(inner)) / sizeOf(whole)))
    found.push(head, ...(exactly(myers, inner, edits) ?? []), tail, ...anchor)
    steps += edits ** 2
  }
  return found
}

const sizeOf = (stretch: Stretch) => stretch.old.length + stretch.new.length

/** Splits off the equal items at both ends. */
function trimEqualEnds({ old, new: now, oldAt, newAt }: Stretch): { head: Match; inner: Stretch; tail: Match } {
  const shorter = Math.min(old.length, now.length)
  let first = 0
  while (first < shorter && old[first] === now[first]) first += 1
  let last = 0
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last += 1
  const [oldEnd, newEnd] = [old.length - last, now.length - last]
  return {
    head: { oldAt, newAt, count: first },
    inner: { old: old.slice(first, oldEnd), new: now.slice(first, newEnd), oldAt: oldAt + first, newAt: newAt + first },
    tail: { oldAt: oldAt + oldEnd, newAt: newAt + newEnd, count: last },
  }
}

/** Returns the exact matches; undefined if more than `edits` items differ. */
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

/** Splits a part at its anchors; each result contains the anchor that ends it. */
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

/** Indexes of equal items in two lists. */
type Pair = { oldAt: number; newAt: number }
type Card = Pair & { under: Card | undefined }

/** Returns the longest sequence of numbers that occur once in each list, in the same order (Cohen's patience diff). */
function anchors(old: readonly number[], now: readonly number[]): Pair[] {
  const inNew = placesOf(now)
  // Piles as in the card game: the top card of each pile ends the sequence of that length with the smallest index.
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

/** A line of a diff in the format of parse-diff: `content` starts with its sign, line numbers start at 1. */
type Line =
  | { type: 'normal'; normal: true; ln1: number; ln2: number; content: string }
  | { type: 'del'; del: true; ln: number; content: string }
  | { type: 'add'; add: true; ln: number; content: string }
type Chunk = {
  content: string
  changes: Line[]
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
}
type Patch = {
  /** Unified diff without file headers. */
  text: string
  json: { files: { from: null; to: null; additions: number; deletions: number; chunks: Chunk[] }[] }
}

const contextLines = 3

/** Returns the line diff of two texts, which are both treated as ending with a newline. */
export async function patchOf(before: string, after: string): Promise<Patch> {
  const [old, now] = [linesOf(before), linesOf(after)]
  const blocks = await changedBlocks(old, now)
  const chunks = hunksOf(blocks).map((hunk) => chunkOf(old, now, hunk))
  const lines = chunks.flatMap(({ content, changes }) => [content, ...changes.map((change) => change.content)])
  const count = (from: 'oldFrom' | 'newFrom', to: 'oldTo' | 'newTo') =>
    blocks.reduce((sum, block) => sum + block[to] - block[from], 0)
  const file = { additions: count('newFrom', 'newTo'), deletions: count('oldFrom', 'oldTo'), chunks }
  return {
    text: lines.map((line) => `${line}\n`).join(''),
    json: { files: chunks.length === 0 ? [] : [{ from: null, to: null, ...file }] },
  }
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))

/** Groups blocks whose context lines would overlap. */
function hunksOf(blocks: readonly Block[]): Block[][] {
  const hunks: Block[][] = []
  for (const block of blocks) {
    const last = hunks.at(-1)
    if (last && block.oldFrom - last.at(-1)!.oldTo <= 2 * contextLines) last.push(block)
    else hunks.push([block])
  }
  return hunks
}

function chunkOf(old: readonly string[], now: readonly string[], hunk: readonly Block[]): Chunk {
  const [first, last] = [hunk[0]!, hunk.at(-1)!]
  const before = Math.min(contextLines, first.oldFrom)
  const after = Math.min(contextLines, old.length - last.oldTo)
  const [oldFrom, newFrom] = [first.oldFrom - before, first.newFrom - before]
  const [oldLines, newLines] = [last.oldTo + after - oldFrom, last.newTo + after - newFrom]
  // An empty side is numbered by the line before it (POSIX diff, unified format).
  const [oldStart, newStart] = [oldFrom + (oldLines > 0 ? 1 : 0), newFrom + (newLines > 0 ? 1 : 0)]
  const content = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
  const changes = changesOf(old, now, hunk, { oldFrom, oldTo: oldFrom + oldLines, newFrom, newTo: newFrom + newLines })
  return { content, changes, oldStart, oldLines, newStart, newLines }
}

function changesOf(old: readonly string[], now: readonly string[], hunk: readonly Block[], whole: Block): Line[] {
  const changes: Line[] = []
  let [oldAt, newAt] = [whole.oldFrom, whole.newFrom]
  const sameUpTo = (oldTo: number) => {
    for (; oldAt < oldTo; oldAt += 1, newAt += 1)
      changes.push({ type: 'normal', normal: true, ln1: oldAt + 1, ln2: newAt + 1, content: ` ${old[oldAt]}` })
  }
  for (const { oldFrom, oldTo, newTo } of hunk) {
    sameUpTo(oldFrom)
    for (; oldAt < oldTo; oldAt += 1) changes.push({ type: 'del', del: true, ln: oldAt + 1, content: `-${old[oldAt]}` })
    for (; newAt < newTo; newAt += 1) changes.push({ type: 'add', add: true, ln: newAt + 1, content: `+${now[newAt]}` })
  }
  sameUpTo(whole.oldTo)
  return changes
}

/** Lines `oldFrom` to `oldTo` (exclusive, from 0) became lines `newFrom` to `newTo`. */
type Block = { oldFrom: number; oldTo: number; newFrom: number; newTo: number }

/** Returns the blocks of lines that differ, in order; not necessarily the fewest possible. */
export async function changedBlocks(old: readonly string[], now: readonly string[]): Promise<Block[]> {
  const { diffArrays } = await import('diff')
  const [oldPlaces, newPlaces] = [sharedPlaces(old, now), sharedPlaces(now, old)]
  const numberOf = numbering()
  const numbers = (lines: readonly string[], lineNumbers: readonly number[]) =>
    lineNumbers.map((at) => numberOf(lines[at]!))
  const found = await matches(diffArrays, numbers(old, oldPlaces), numbers(now, newPlaces))
  const blocks: Block[] = []
  let [oldFrom, newFrom] = [0, 0]
  const equalAt = (oldTo: number, newTo: number) => {
    if (oldTo > oldFrom || newTo > newFrom) blocks.push({ oldFrom, oldTo, newFrom, newTo })
    oldFrom = oldTo + 1
    newFrom = newTo + 1
  }
  for (const { oldAt, newAt, count } of found)
    for (let nth = 0; nth < count; nth += 1) equalAt(oldPlaces[oldAt + nth]!, newPlaces[newAt + nth]!)
  equalAt(old.length, now.length)
  return blocks
}

/** Returns the indexes of lines that occur in both texts; others cannot match, so they are excluded from the search. */
function sharedPlaces(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others)
  return lines.flatMap((line, at) => (known.has(line) ? at : []))
}

/** Maps lines to numbers, which compare faster. */
function numbering(): (line: string) => number {
  const numbers = new Map<string, number>()
  return (line) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
}
