import { featureCount } from './features.ts'
import type { NameWorth } from './page-blocks.ts'
import { type Block, sectionsOf } from './text-block.ts'
import data from './block-model.json' with { type: 'json' }

/** A leaf, or a feature, a threshold and the branches below and from the threshold on. */
type Tree = number | [number, number, Tree, Tree]

/**
 * Model trained on labelled pages: weights for words of classes and ids, and a forest over the features of a block. See
 * `bench/content/train/README.md`.
 */
type Model = {
  worth: NameWorth
  /** Takes the rows of `featuresOf`. */
  chancesOf(rows: Float32Array): Float32Array
  threshold: number
}

let loaded: Model | undefined

export function blockModel(): Model {
  return (loaded ??= modelFrom(data as unknown as { names: Record<string, number>; trees: Tree[]; threshold: number }))
}

function modelFrom({
  names,
  trees,
  threshold,
}: {
  names: Record<string, number>
  trees: Tree[]
  threshold: number
}): Model {
  return { worth: worthBy(new Map(Object.entries(names))), chancesOf: forest(trees), threshold }
}

/** Cache size for recent names, because the pages of a site repeat them. */
const maxKnown = 5000

function worthBy(weights: ReadonlyMap<string, number>): NameWorth {
  const known = new Map<string, number>()
  return (names) => {
    if (names.length < 2) return 0
    let value = known.get(names)
    if (value !== undefined) return value
    const matches = nameParts(names).flatMap((part) => weights.get(part) ?? [])
    value = matches.reduce((sum, weight) => sum + weight, 0) / (matches.length || 1)
    if (known.size >= maxKnown) known.clear()
    known.set(names, value)
    return value
  }
}

/**
 * Returns the distinct words of 2 to 23 letters in classes and ids.
 * @public The training script reads names in the same way.
 */
export function nameParts(names: string): string[] {
  const words = new Set<string>()
  for (const word of names.split(/\s+/)) {
    if (word.length === 0 || word.length > 60) continue
    const parts = word
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z]+/)
    for (const part of parts) if (part.length > 1 && part.length < 24) words.add(part)
  }
  return [...words]
}

/**
 * Compiles trees to tables: feature and index of the branch from the threshold on in one number, and the threshold; the
 * other branch comes next. Leaves have the branch -1.
 */
function forest(trees: readonly Tree[]): Model['chancesOf'] {
  const nodes: { branch: number; value: number }[] = []
  const roots = Uint16Array.from(trees, add)
  const branches = Int32Array.from(nodes, ({ branch }) => branch)
  const values = Float64Array.from(nodes, ({ value }) => value)
  return (rows) => {
    const sums = new Float64Array(rows.length / featureCount)
    // All rows by one tree after another, because a tree fits into the fastest cache and the whole forest does not.
    for (const root of roots)
      for (let i = 0, row = 0; i < sums.length; i++, row += featureCount) {
        let at = root
        for (let branch = branches[at]!; branch >= 0; branch = branches[at]!)
          at = rows[row + (branch >> 16)]! < values[at]! ? at + 1 : branch & 0xffff
        sums[i]! += values[at]!
      }
    return Float32Array.from(sums, (sum) => 1 / (1 + Math.exp(-sum)))
  }

  function add(tree: Tree): number {
    const isLeaf = typeof tree === 'number'
    const node = { branch: -1, value: isLeaf ? tree : tree[1] }
    const at = nodes.push(node) - 1
    if (isLeaf) return at
    add(tree[2])
    node.branch = (tree[0] << 16) | add(tree[3])
    return at
  }
}

export type Weight = { text: number; kept: number }

/** Sums the weights of blocks by key, in total and multiplied by their shares; omits blocks without a key. */
export function weigh<Key>(
  blocks: readonly Block[],
  keyOf: (block: Block, i: number) => Key | undefined,
  weightIn: (block: Block) => number,
  shareOf: (i: number) => number,
): Map<Key, Weight> {
  const sums = new Map<Key, Weight>()
  blocks.forEach((block, i) => {
    const key = keyOf(block, i)
    if (key === undefined) return
    let sum = sums.get(key)
    if (!sum) sums.set(key, (sum = { text: 0, kept: 0 }))
    const weight = weightIn(block)
    sum.text += weight
    sum.kept += weight * shareOf(i)
  })
  return sums
}

/** Estimates the best expected F1; half of it is the optimal threshold (Lipton, Elkan and Naryanaswamy, 2014). */
export function likelyShare(blocks: readonly Block[], chances: Float32Array): number {
  // Numbers sort without a compare function: the likeliest block first, its index in the lower 16 bits.
  const order = Float64Array.from(
    new Uint32Array(chances.buffer),
    (bits, i) => (0xffffffff - bits) * 0x10000 + i,
  ).sort()
  const whole = blocks.reduce((sum, { length }, i) => sum + length * chances[i]!, 0) || 1
  let kept = 0
  let right = 0
  let best = 0
  for (const key of order) {
    const i = key & 0xffff
    kept += blocks[i]!.length
    right += blocks[i]!.length * chances[i]!
    best = Math.max(best, (2 * right) / (kept + whole))
  }
  return best
}

/** Weight of the section's mean in the chance of a block. */
const sectionShare = 0.1

/** Mixes the chance of each block with the mean of its section, so sections tend to stay or go as a whole. */
export function withSections(blocks: readonly Block[], chances: Float32Array): Float32Array {
  const sections = sectionsOf(blocks)
  const sums = weigh(
    blocks,
    (_, i) => sections[i],
    ({ length }) => Math.min(length, 1000) + 15,
    (i) => chances[i]!,
  )
  return chances.map((own, i) => {
    const { text, kept } = sums.get(sections[i]!)!
    return (1 - sectionShare) * own + sectionShare * (kept / text)
  })
}
