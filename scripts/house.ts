/** `npm run house [-- FOLDER]`: compares source sizes and wording with our targets. Hard limits are in test/house.test.ts. */
import { dirname } from 'node:path'
import { measure, type SourceFile } from './house/measure.ts'
import { findWording } from './house/wording.ts'

const root = dirname(import.meta.dirname)
const folder = process.argv[2] ?? 'src'

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
const quantile = (numbers: readonly number[], share: number) =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0
const spread = (numbers: readonly number[]) =>
  `${quantile(numbers, 0.5)} / ${quantile(numbers, 0.9)} / ${Math.max(0, ...numbers)}`
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const part = (some: number, all: number) => `${some} of ${all} (${Math.round((100 * some) / Math.max(1, all))} %)`

function counted(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function report(files: readonly SourceFile[], everything: readonly SourceFile[]): [string, string, string][] {
  const modules = files.filter(({ path }) => path.endsWith('.ts'))
  const importers = counted(everything.flatMap(({ imports }) => imports))
  const users = counted(everything.flatMap(({ uses }) => [...new Set(uses)]))
  const values = modules.flatMap(({ path, valueExports }) => valueExports.map((name) => `${path}#${name}`))
  const lengths = modules.map(({ lines }) => lines)
  const functions = modules.flatMap((file) => file.functions)
  const casts = sum(modules.map((file) => file.casts))
  const lines = sum(lengths)
  const alone = modules.filter(({ path }) => importers.get(path) === 1)
  return [
    ['files, lines in any language', `${files.length}, ${sum(files.map((file) => file.lines))}`, '≤800, ≤102,000'],
    ['TypeScript files, lines', `${modules.length}, ${lines}`, ''],
    ['lines of a file: median / p90 / most', spread(lengths), '100–140 / ≤260 / ≤400'],
    ['lines of a named function: median / p90 / most', spread(functions.map((each) => each.lines)), '≤8 / ≤30 / ≤60'],
    ['files with exactly one importer', part(alone.length, modules.length), '≤30 %'],
    [
      'value exports used by one other file',
      part(values.filter((value) => users.get(value) === 1).length, values.length),
      '≤45 %',
    ],
    ['casts, per 1,000 lines', `${casts}, ${((1000 * casts) / Math.max(1, lines)).toFixed(1)}`, ''],
    ['any', `${sum(modules.map((file) => file.anys))}`, '≤6'],
  ]
}

const everything = measure(root)
const wording = counted(findWording(root).map(({ room }) => room))
const rows = [
  ...report(
    everything.filter(({ path }) => path.startsWith(`${folder}/`)),
    everything,
  ),
  ['banned wording', `${sum([...wording.values()])}`, '0'] as const,
  ...[...wording].map(([room, count]) => [`banned wording in ${room}`, `${count}`, ''] as const),
]
const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
for (const [what, is, aim] of rows) console.log(`${what.padEnd(width(0))}  ${is.padEnd(width(1))}  ${aim}`.trimEnd())
