import { expect, test } from 'vitest'
import { type Drawn, lines, makePdf, read, readPage, sea, wood } from './pdf/make-pdf.ts'

const wool =
  'Wool was brought by cart from the hills in autumn and weighed twice, once by the seller and once by the office, before a price was named.'

test('joins the lines of a paragraph and splits paragraphs at a gap', async () => {
  const { markdown, numPages } = await readPage([...lines(sea, { x: 70, y: 100 }), ...lines(wood, { x: 70, y: 150 })])
  expect(markdown).toBe(`${sea}\n\n${wood}`)
  expect(numPages).toBe(1)
})

test('reads two columns one after the other, whatever order they are drawn in', async () => {
  const left = lines(`${sea} ${wood}`, { x: 60, y: 120, chars: 40 })
  const right = lines(wool, { x: 310, y: 120, chars: 40 })
  const mixed = [...left, ...right].toSorted((one, other) => one.y - other.y)
  expect((await readPage(mixed)).markdown).toBe(`${sea} ${wood}\n\n${wool}`)
})

test('reads a heading above three columns, then the columns', async () => {
  const texts: Drawn[] = [
    { text: 'News of the harbour and of the ships that used it this year', x: 60, y: 90, size: 18, face: 'bold' },
    ...lines(sea, { x: 60, y: 130, chars: 26 }),
    ...lines(wood, { x: 230, y: 130, chars: 26 }),
    ...lines(wool, { x: 400, y: 130, chars: 26 }),
  ]
  expect((await readPage(texts)).markdown).toBe(
    `# News of the harbour and of the ships that used it this year\n\n${sea}\n\n${wood}\n\n${wool}`,
  )
})

const section = (text: string, y: number): Drawn => ({ text, x: 70, y, size: 15, face: 'bold' })

test('gives headings levels by their size, the same in the whole document', async () => {
  const title: Drawn = { text: 'Harbour', x: 70, y: 90, size: 22, face: 'bold' }
  const minor: Drawn = { text: 'Sheds', x: 70, y: 220, face: 'bold' }
  const ships = [section('Ships', 120), ...lines(sea, { x: 70, y: 140 })]
  const { markdown } = await read(
    await makePdf([
      { texts: [title, ...ships, minor, ...lines(wood, { x: 70, y: 234 })] },
      { texts: [section('Wool', 90), ...lines(wool, { x: 70, y: 110 })] },
    ]),
  )
  expect(markdown).toBe(
    `_Page 1_\n\n# Harbour\n\n## Ships\n\n${sea}\n\n### Sheds\n\n${wood}\n\n_Page 2_\n\n## Wool\n\n${wool}`,
  )
})

/** Texts at an indent, one line below the other. */
const column = (x: number, ...rows: readonly [text: string, y: number][]) => rows.map(([text, y]) => ({ text, x, y }))

test('reads nested lists by the position of their markers, with continued lines', async () => {
  const timber = 'Timber, which comes in spring and is stored in the long sheds behind the northern wall of the harbour'
  const texts = [
    ...column(70, ['•', 100], ['•', 156], ['1.', 180], ['2.', 194]),
    ...lines(timber, { x: 84, y: 100, chars: 70 }),
    ...column(96, ['–', 128], ['–', 142]),
    ...column(110, ['Oak', 128], ['Beech', 142]),
    ...column(84, ['Wool', 156], ['Report to the office', 180], ['Pay the fee', 194]),
  ]
  expect((await readPage(texts)).markdown).toBe(
    `- ${timber}\n  - Oak\n  - Beech\n- Wool\n\n1. Report to the office\n2. Pay the fee`,
  )
})

test('keeps monospaced text as code, with its columns', async () => {
  const code = ['function add(a, b) {', '  return a + b', '}', '', 'add(1,   2)']
  const texts = code.flatMap((text, index): Drawn[] =>
    text ? [{ text, x: 70, y: 160 + index * 12, size: 10, face: 'mono' }] : [],
  )
  expect((await readPage([...lines(sea, { x: 70, y: 100 }), ...texts])).markdown).toBe(
    `${sea}\n\n\`\`\`\n${code.join('\n')}\n\`\`\``,
  )
})

test('keeps bold, italic and monospaced words inside a paragraph', async () => {
  const texts: Drawn[] = [
    { text: 'A plain line with ', x: 70, y: 100 },
    { text: 'strong', x: 150, y: 100, face: 'bold' },
    { text: 'and', x: 184, y: 100 },
    { text: 'slanted', x: 206, y: 100, face: 'italic' },
    { text: 'and', x: 243, y: 100 },
    { text: 'typed', x: 264, y: 100, face: 'mono' },
    { text: 'words in it.', x: 302, y: 100 },
  ]
  expect((await readPage(texts)).markdown).toBe('A plain line with **strong** and _slanted_ and `typed` words in it.')
})

test('joins words hyphenated at the end of a line, and keeps hyphens that belong to the word', async () => {
  const texts = [
    'The mer-',
    'chants of the north-',
    'western coast sell state-of-the-',
    'art ropes to Anglo-',
    'Saxon sailors.',
  ].map((text, index): Drawn => ({ text, x: 70, y: 100 + index * 13 }))
  expect((await readPage(texts)).markdown).toBe(
    'The merchants of the northwestern coast sell state-of-the-art ropes to Anglo-Saxon sailors.',
  )
})

test('raises footnote marks and keeps the notes', async () => {
  const texts: Drawn[] = [
    { text: 'The basin is deep', x: 70, y: 100 },
    { text: '1', x: 147.5, y: 96, size: 7 },
    { text: 'and wide.', x: 155, y: 100 },
    { text: '1', x: 73, y: 696, size: 5 },
    { text: 'Measured at low tide.', x: 76, y: 700, size: 8 },
  ]
  expect((await readPage(texts)).html).toBe(
    '<p>The basin is deep<sup>[1]</sup> and wide.</p>\n<p><sup>[1]</sup> Measured at low tide.</p>',
  )
})

test('keeps the numbers of clauses, and does not take an initial for a number', async () => {
  const keeper = 'the keeper of the harbour, who enters each ship in the book on the day that it arrives, and'
  const texts = [
    ...column(70, ['A. Moor and B. Strand', 100], ['(a)', 140], ['(b)', 196]),
    ...lines(keeper, { x: 90, y: 140, chars: 60 }),
    ...column(90, ['(i)', 168], ['(ii)', 182], ['the clerk.', 196]),
    ...column(110, ['names the master;', 168], ['names the goods;', 182]),
  ]
  expect((await readPage(texts)).markdown).toBe(
    `A. Moor and B. Strand\n\n- (a) ${keeper}\n  - (i) names the master;\n  - (ii) names the goods;\n- (b) the clerk.`,
  )
})

const row = (texts: readonly string[], y: number) => texts.map((text, at) => ({ text, x: 60 + at * 130, y }))

const columns = (y: number) => [...lines(sea, { x: 60, y, chars: 40 }), ...lines(wood, { x: 310, y, chars: 40 })]

test('reads a caption across two columns with its table', async () => {
  const texts: Drawn[] = [
    ...columns(100),
    { text: 'Table 1. Ships by year', x: 60, y: 190 },
    ...row(['Ship', '2024', '2025', '2026'], 208),
    ...row(['Tern', '1', '2', '3'], 222),
    ...row(['Gull', '4', '5', '6'], 236),
    ...columns(280),
  ]
  const { markdown } = await readPage(texts)
  const table = '| Ship | 2024 | 2025 | 2026 |\n| --- | --- | --- | --- |\n| Tern | 1 | 2 | 3 |\n| Gull | 4 | 5 | 6 |'
  expect(markdown).toBe([sea, wood, 'Table 1. Ships by year', table, sea, wood].join('\n\n'))
})
