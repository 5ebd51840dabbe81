import type { NameWorth } from './page-blocks.ts'
import data from './block-model.json' with { type: 'json' }

/** A leaf, or a feature, a threshold and the branches below and from the threshold on. */
type Tree = number | [number, number, Tree, Tree]

/**
 * Model trained on labelled pages: weights for words of classes and ids, and a forest over the features of a block. See
 * README.md.
 */
type Model = {
  worth: NameWorth
  chancesOf(rows: readonly Float32Array[]): Float32Array
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
    const found = nameParts(names).flatMap((part) => weights.get(part) ?? [])
    value = found.reduce((sum, weight) => sum + weight, 0) / (found.length || 1)
    if (known.size >= maxKnown) known.clear()
    known.set(names, value)
    return value
  }
}

/**
 * Returns the distinct words of classes and ids, without digits.
 * @public The training script reads names in the same way.
 */
export function nameParts(names: string): string[] {
  const found = new Set<string>()
  for (const word of names.split(/\s+/)) {
    if (word.length === 0 || word.length > 60) continue
    const parts = word
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z]+/)
    for (const part of parts) if (part.length > 1 && part.length < 24) found.add(part)
  }
  return [...found]
}

/**
 * Compiles trees to tables: feature, threshold and index of the branch from the threshold on; the other branch comes
 * next. Leaves have feature -1.
 */
function forest(trees: readonly Tree[]): Model['chancesOf'] {
  const nodes: { feature: number; value: number; other: number }[] = []
  const roots = Uint16Array.from(trees, add)
  const features = Int16Array.from(nodes, ({ feature }) => feature)
  const values = Float64Array.from(nodes, ({ value }) => value)
  const others = Uint16Array.from(nodes, ({ other }) => other)
  return (rows) => {
    const sums = new Float64Array(rows.length)
    // All rows by one tree after another, because a tree fits into the fastest cache and the whole forest does not.
    for (const root of roots)
      for (let i = 0; i < sums.length; i++) {
        const row = rows[i]!
        let at = root
        for (let feature = features[at]!; feature >= 0; feature = features[at]!)
          at = row[feature]! < values[at]! ? at + 1 : others[at]!
        sums[i]! += values[at]!
      }
    return Float32Array.from(sums, (sum) => 1 / (1 + Math.exp(-sum)))
  }

  function add(tree: Tree): number {
    const at = nodes.length
    if (typeof tree === 'number') {
      nodes.push({ feature: -1, value: tree, other: 0 })
      return at
    }
    const node = { feature: tree[0], value: tree[1], other: 0 }
    nodes.push(node)
    add(tree[2])
    node.other = add(tree[3])
    return at
  }
}
