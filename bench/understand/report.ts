import { mean } from '../lib/statistics.ts'
import { table } from '../lib/table.ts'
import type { Half } from './halves.ts'
import type { Figures, QuestionResult, Results } from './measure.ts'
import { precision, recall } from './score.ts'

const fields = { title: 'title', author: 'author', date: 'date', name: 'product name', price: 'price' }

/** Two tables for each half of the pages: questions and highlights, and the fields of articles and products. */
export const report = (results: Results): string =>
  [...results]
    .map(([half, readers]) => halfReport(half, new Map([...readers].map(([{ name }, each]) => [name, each]))))
    .join('\n\n')

function halfReport(half: Half, rows: ReadonlyMap<string, Figures>): string {
  const [first] = rows.values()
  const questions = table(
    [`questions (${half}, ${first?.asked.length ?? 0})`, 'hit %', 'less', 'highlights P', 'R', 'less P', 'R'],
    [...rows].map(([name, { asked, askedLess }]) => [
      name,
      share(asked),
      share(askedLess),
      ...[asked, askedLess].flatMap((all) => [average(all, 'precision'), average(all, 'recall')]),
    ]),
  )
  const filled = [...rows].filter(([, figures]) => figures.fields.size > 0)
  const json = table(
    [
      `fields (${half})`,
      ...Object.entries(fields).flatMap(([name, title]) => [`${title} P`, `R of ${wanted(first, name)}`]),
    ],
    filled.map(([name, figures]) => [name, ...Object.keys(fields).flatMap((field) => cells(figures, field))]),
  )
  return `${questions}\n\n${json}`
}

const wanted = (figures: Figures | undefined, name: string) => figures?.fields.get(name)?.wanted ?? 0

function cells({ fields: tallies }: Figures, field: string): string[] {
  const tally = tallies.get(field)
  return tally ? [precision(tally).toFixed(2), recall(tally).toFixed(2)] : ['-', '-']
}

const share = (results: readonly QuestionResult[]) => (100 * mean(results.map(({ hit }) => Number(hit)))).toFixed(1)
const average = (results: readonly QuestionResult[], part: 'precision' | 'recall') =>
  mean(results.map((result) => result[part])).toFixed(2)
