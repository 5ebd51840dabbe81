import { matches } from './matches.ts'

/** Lines `oldFrom` up to `oldTo` (not included, counted from 0) became lines `newFrom` up to `newTo`. */
export type Block = { oldFrom: number; oldTo: number; newFrom: number; newTo: number }

/** The blocks of lines that differ, in order; not always the fewest. */
export async function changedBlocks(old: readonly string[], now: readonly string[]): Promise<Block[]> {
  const { diffArrays } = await import('diff')
  const [oldPlaces, newPlaces] = [sharedPlaces(old, now), sharedPlaces(now, old)]
  const numberOf = numbering()
  const numbers = (lines: readonly string[], places: readonly number[]) => places.map((at) => numberOf(lines[at]!))
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

/** A line that the other text lacks equals nothing there, so the search need not see it. */
function sharedPlaces(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others)
  return lines.flatMap((line, at) => (known.has(line) ? at : []))
}

/** Numbers compare faster than texts. */
function numbering(): (line: string) => number {
  const numbers = new Map<string, number>()
  return (line) => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
}
