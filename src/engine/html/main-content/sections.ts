import { type Block, isHeading } from './block.ts'

/** Index of the heading each block stands under; -1 before the first. */
export function sectionsOf(blocks: readonly Block[]): Int32Array {
  const sections = new Int32Array(blocks.length)
  let last = -1
  blocks.forEach(({ tag }, i) => {
    if (isHeading(tag)) last = i
    sections[i] = last
  })
  return sections
}

export type Sum = { count: number; length: number; link: number; chosen: number }

/** Sums of blocks by a key; `chosen` is the length of those that pass. */
export function sumBy<Key>(
  blocks: readonly Block[],
  keyOf: (block: Block, i: number) => Key,
  passes: (block: Block) => boolean = () => false,
): Map<Key, Sum> {
  const sums = new Map<Key, Sum>()
  blocks.forEach((block, i) => {
    const key = keyOf(block, i)
    let sum = sums.get(key)
    if (!sum) sums.set(key, (sum = { count: 0, length: 0, link: 0, chosen: 0 }))
    sum.count++
    sum.length += block.length
    sum.link += block.link
    if (passes(block)) sum.chosen += block.length
  })
  return sums
}
