import { mean, median } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { Result, Row } from './measure.ts'

/** Quality and cost, one line a contestant. */
export function report(rows: readonly Row[]): string {
  const types = [...new Set(rows.flatMap(({ results }) => results.map(({ type }) => type)))].sort()
  return types.length > 1 ? `${summary(rows)}\n\n${byType(rows, types)}` : summary(rows)
}

function summary(rows: readonly Row[]): string {
  const head = ['main content by', 'F1', 'found %', 'leaked %', 'lost pages', 'empty', 'failed', 'CPU ms p50', 'mean']
  const cells = rows.map(({ contestant, results }) => [
    contestant.name,
    macroF1(results).toFixed(3),
    share(results, 'found', 'wanted'),
    share(results, 'leaked', 'unwanted'),
    String(results.filter(isLost).length),
    String(results.filter(({ isEmpty }) => isEmpty).length),
    String(results.filter(({ failed }) => failed).length),
    median(results.map(({ cpuMs }) => cpuMs)).toFixed(1),
    mean(results.map(({ cpuMs }) => cpuMs)).toFixed(1),
  ])
  return table(head, cells)
}

function byType(rows: readonly Row[], types: readonly string[]): string {
  const cells = rows.map(({ contestant, results }) => [
    contestant.name,
    ...types.map((type) => meanF1(results.filter((result) => result.type === type)).toFixed(3)),
  ])
  return table(['F1 by kind of page', ...types], cells)
}

/** The pages that the contestant did worst, and all whose content it mostly lost. */
export function worstPages({ contestant, results }: Row, count: number): string {
  const worst = results.toSorted((a, b) => a.f1 - b.f1).filter((result, index) => index < count || isLost(result))
  const lines = worst.map(({ id, type, f1, precision, recall, url }) =>
    [...[f1, precision, recall].map((value) => value.toFixed(2)), type, id, url].join('  '),
  )
  return [`Worst by ${contestant.name}: F1, precision, recall, kind, id, address`, ...lines].join('\n')
}

/** The mean over the kinds of pages of their means, so that every kind counts alike. */
export function macroF1(results: readonly Result[]): number {
  const kinds = Map.groupBy(results, ({ type }) => type)
  return mean([...kinds.values()].map(meanF1))
}

const meanF1 = (results: readonly Result[]) => mean(results.map(({ f1 }) => f1))
const isLost = ({ recall }: Result) => recall < 0.5

function share(results: readonly Result[], part: 'found' | 'leaked', whole: 'wanted' | 'unwanted'): string {
  const sum = (key: typeof part | typeof whole) => results.reduce((total, result) => total + result[key], 0)
  return sum(whole) === 0 ? '-' : ((100 * sum(part)) / sum(whole)).toFixed(1)
}
