import { expect, test } from 'vitest'
import { type Drawn, lines, readPage, type Rule } from './pdf/make-pdf.ts'

const grid = (xs: readonly number[], ys: readonly number[]): Rule[] => [
  ...ys.map((y): Rule => ({ from: [xs[0]!, y], to: [xs.at(-1)!, y] })),
  ...xs.map((x): Rule => ({ from: [x, ys[0]!], to: [x, ys.at(-1)!] })),
]
/** Texts in the cells of a grid; `|` separates the cells of a row. */
const cells = (rows: readonly string[], xs: readonly number[], ys: readonly number[]): Drawn[] =>
  rows
    .flatMap((row, at) => row.split('|').map((text, column) => ({ text, x: xs[column]! + 4, y: ys[at]! + 13 })))
    .filter(({ text }) => text !== '')
/** A table as markdown; `|` separates the cells of a row. */
const table = ([head = '', ...rows]: readonly string[]) =>
  [head, head.replaceAll(/[^|]+/g, '---'), ...rows].map((row) => `| ${row.replaceAll('|', ' | ')} |`).join('\n')

const before =
  'The office keeps a list of what is sold in the harbour, and at which price, which is shown here for the year.'

test('reads a table with ruled lines and cells of several lines', async () => {
  const xs = [70, 170, 330, 420]
  const ys = [140, 160, 196, 216]
  const texts = [
    ...lines(before, { x: 70, y: 100 }),
    ...cells(['Goods|Measure|Price', 'Oak beams|metre, cut to the length|12.50', 'Wool|bale|7.00'], xs, ys),
    { text: 'that was ordered', x: 174, y: 186 },
  ]
  expect((await readPage(texts, grid(xs, ys))).markdown).toBe(
    `${before}\n\n${table(['Goods|Measure|Price', 'Oak beams|metre, cut to the length that was ordered|12.50', 'Wool|bale|7.00'])}`,
  )
})

test('reads cells that span columns and rows', async () => {
  const xs = [70, 170, 270, 370]
  const ys = [140, 160, 180, 200]
  const rules: Rule[] = [
    ...[140, 180, 200].map((y): Rule => ({ from: [70, y], to: [370, y] })),
    { from: [170, 160], to: [370, 160] },
    ...[70, 170, 370].map((x): Rule => ({ from: [x, 140], to: [x, 200] })),
    { from: [270, 160], to: [270, 200] },
  ]
  const texts = cells(['Goods|Prices', '|spring|autumn', 'Wool|7.00|8.00'], xs, ys)
  expect((await readPage(texts, rules)).html).toBe(
    '<table><tr><th rowspan="2">Goods</th><th colspan="2">Prices</th></tr><tr><td>spring</td><td>autumn</td></tr><tr><td>Wool</td><td>7.00</td><td>8.00</td></tr></table>',
  )
})

test('reads a table without rules by its columns', async () => {
  const xs = [70, 200, 300]
  const rows = ['Goods|Measure|Price', 'Oak beams|metre|12.50', 'Wool|bale|7.00', 'Tar|barrel|3.20']
  const texts = [...lines(before, { x: 70, y: 100 }), ...cells(rows, xs, [140, 156, 172, 188])]
  expect((await readPage(texts)).markdown).toBe(`${before}\n\n${table(rows)}`)
})

test('joins the lines of a cell if no ruled lines separate rows', async () => {
  const xs = [70, 200, 420]
  const texts = [
    ...cells(
      ['Goods|Measure|Price', 'Oak|metre, cut to the length|12.50', 'Wool|bale of the usual size|7.00'],
      xs,
      [100, 124, 160],
    ),
    { text: 'that was ordered', x: 204, y: 150 },
  ]
  expect((await readPage(texts)).markdown).toBe(
    table([
      'Goods|Measure|Price',
      'Oak|metre, cut to the length that was ordered|12.50',
      'Wool|bale of the usual size|7.00',
    ]),
  )
})

test('does not take a frame around text for a table', async () => {
  const { markdown } = await readPage(lines(before, { x: 80, y: 100 }), grid([70, 500], [80, 140]))
  expect(markdown).toBe(before)
})

test.each([
  ['between rules', grid([70, 170, 230, 290], [140, 240, 260, 280])],
  ['without rules', []],
])('reads headers rotated by 90 degrees as headers of their columns: %s', async (_, rules) => {
  const texts: Drawn[] = [
    ...lines(before, { x: 70, y: 100 }),
    ...['Goods', 'Spring price', 'Autumn price'].map((text, at) => ({
      text,
      x: [88, 198, 258][at]!,
      y: 236,
      turn: 90,
    })),
    ...cells(['Wool|7.00|8.00', 'Oak|12.50|13.00'], [70, 180, 240], [240, 260]),
  ]
  expect((await readPage(texts, rules)).markdown).toBe(
    `${before}\n\n${table(['Goods|Spring price|Autumn price', 'Wool|7.00|8.00', 'Oak|12.50|13.00'])}`,
  )
})

const turned = (x: number, y: number) => ({ x: y, y: 842 - x })

test('reads a table with ruled lines on a rotated page', async () => {
  const xs = [70, 170, 270]
  const ys = [100, 120, 140, 160]
  const rules = grid(xs, ys).map(({ from, to }): Rule => {
    const [start, end] = [turned(from[0], from[1]), turned(to[0], to[1])]
    return { from: [start.x, start.y], to: [end.x, end.y] }
  })
  const texts = cells(['Goods|Price', 'Wool, of the|7.00', 'Oak|12.50'], xs, ys).map(({ text, x, y }): Drawn => ({
    text,
    ...turned(x, y),
    turn: 90,
  }))
  expect((await readPage(texts, rules)).markdown).toBe(table(['Goods|Price', 'Wool, of the|7.00', 'Oak|12.50']))
})
