import { mean, median } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { Result, Row } from './measure.ts'

/** Quality and cost, one line a contestant. */
export function report(rows: readonly Row[]): string {
  const types = [...new Set(rows.flatMap(({ results }) => results.map(({ type }) => type)))].sort()
  return types.length > 1 ? `${summary(rows)}\n\n${byType(rows, types)}` : summary(rows)
}

function summary(rows: readonly Row[]): string {
  const head = [
    'main content by',
    'F1',
    'F1 of pages',
    'found %',
    'leaked %',
    'lost pages',
    'empty',
    'failed',
    'CPU ms p50',
    'mean',
  ]
  const cells = rows.map(({ contestant, results }) => [
    contestant.name,
    ifKnown(results, macroF1(results).toFixed(3)),
    ifKnown(results, meanF1(results).toFixed(3)),
    share(results, 'found', 'wanted'),
    share(results, 'leaked', 'unwanted'),
    ifKnown(results, String(results.filter(isLost).length)),
    String(results.filter(({ isEmpty }) => isEmpty).length),
    String(results.filter(({ failed }) => failed).length),
    median(results.map(({ cpuMs }) => cpuMs)).toFixed(1),
    mean(results.map(({ cpuMs }) => cpuMs)).toFixed(1),
  ])
  return table(head, cells)
}

/** Pages with snippets only have no word F1 and cannot count as lost. */
const ifKnown = (results: readonly Result[], figure: string) => (hasTruth(results) ? figure : '-')
const hasTruth = (results: readonly Result[]) => results.some(({ isTruthKnown }) => isTruthKnown)

type Figure = readonly [title: string, of: (results: readonly Result[]) => string]

const figures: readonly Figure[] = [
  ['F1 by kind of page', (results) => meanF1(results).toFixed(3)],
  ['F1 of snippets', (results) => snippetF1(results).toFixed(3)],
  ['leaked %', (results) => share(results, 'leaked', 'unwanted')],
  ['lost pages', (results) => String(results.filter(isLost).length)],
  ['CPU ms, mean', (results) => mean(results.map(({ cpuMs }) => cpuMs)).toFixed(1)],
]

/** One table per figure. */
function byType(rows: readonly Row[], types: readonly string[]): string {
  const isKnown = rows.some(({ results }) => hasTruth(results))
  return figures
    .filter(([title]) => isKnown || !/^(?:F1 by|lost)/.test(title))
    .map(([title, of]) =>
      table(
        [title, ...types],
        rows.map(({ contestant, results }) => [
          contestant.name,
          ...types.map((type) => of(results.filter((result) => result.type === type))),
        ]),
      ),
    )
    .join('\n\n')
}

/** Snippets found and not leaked, of all pages together: the measure of trafilatura. */
function snippetF1(results: readonly Result[]): number {
  const sum = (key: 'found' | 'wanted' | 'leaked') => results.reduce((total, result) => total + result[key], 0)
  return (2 * sum('found')) / (sum('found') + sum('leaked') + sum('wanted') || 1)
}

/** The contestant's worst pages, and all whose content it mostly lost. */
export function worstPages({ contestant, results }: Row, count: number): string {
  const worst = results.toSorted((a, b) => a.f1 - b.f1).filter((result, index) => index < count || isLost(result))
  const lines = worst.map(({ id, type, f1, precision, recall, url }) =>
    [...[f1, precision, recall].map((value) => value.toFixed(2)), type, id, url].join('  '),
  )
  return [`Worst by ${contestant.name}: F1, precision, recall, kind, id, address`, ...lines].join('\n')
}

/** The mean of the means per kind of page, so every kind counts alike. */
function macroF1(results: readonly Result[]): number {
  const kinds = Map.groupBy(results, ({ type }) => type)
  return mean([...kinds.values()].map(meanF1))
}

const meanF1 = (results: readonly Result[]) => mean(results.map(({ f1 }) => f1))
const isLost = ({ recall }: Result) => recall < 0.5

function share(results: readonly Result[], part: 'found' | 'leaked', whole: 'wanted' | 'unwanted'): string {
  const sum = (key: typeof part | typeof whole) => results.reduce((total, result) => total + result[key], 0)
  return sum(whole) === 0 ? '-' : ((100 * sum(part)) / sum(whole)).toFixed(1)
}
