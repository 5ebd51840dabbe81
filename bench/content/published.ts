import { basename } from 'node:path'
import { table } from '../lib/table.ts'

/** Word F1 that the authors of other extractors or of a set report. Nothing here was run by us. */
type Published = { name: string; all: number; forum?: number; product?: number }
type PublishedSet = { file: RegExp; set: string; figures: readonly Published[] }

const sets: readonly PublishedSet[] = [
  {
    file: /wcxb.*dev/i,
    set: 'WCXB, all 1,497 pages of its development split',
    figures: [
      { name: 'rs-trafilatura', all: 0.859, forum: 0.808, product: 0.641 },
      { name: 'MinerU 0.6B (neural)', all: 0.827 },
      { name: 'trafilatura', all: 0.791 },
      { name: 'dom-smoothie', all: 0.762 },
    ],
  },
  {
    file: /wcxb.*test/i,
    set: 'WCXB, all 511 pages of its test split',
    figures: [
      { name: 'rs-trafilatura', all: 0.893 },
      { name: 'trafilatura', all: 0.833 },
      { name: 'dom-smoothie', all: 0.808 },
    ],
  },
]

const shown = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3))

/** Published results for the set of a file, by the file's name; undefined if none are known. */
export function publishedFor(path: string): string | undefined {
  const found = sets.find(({ file }) => file.test(basename(path)))
  if (!found) return undefined
  const rows = found.figures.map(({ name, all, forum, product }) => [
    `${name} (published)`,
    ...[all, forum, product].map(shown),
  ])
  return `Published by their authors, not run here: ${found.set}, mean over pages\n\n${table(['F1', 'all pages', 'forum', 'product'], rows)}`
}
