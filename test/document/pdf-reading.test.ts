import { describe, expect, it } from 'vitest'
import { type Drawn, lines, makePdf, read } from './pdf/make-pdf.ts'
import { rawPdf, stream } from './pdf/raw-pdf.ts'

const sentence =
  'The harbour office keeps a log of every boat, and the master reads it each evening before the light is lit.'

const text = async (texts: readonly Drawn[]) => (await read(await makePdf([{ texts }]))).markdown.trim()

describe('lines of a page', () => {
  it('separates columns with a narrow gutter', async () => {
    const left = lines(`LEFT ${sentence} ${sentence}`, { x: 50, y: 100, chars: 38 })
    const right = lines(`RIGHT ${sentence} ${sentence}`, { x: 50 + 195, y: 100, chars: 38 })
    expect(await text([...left, ...right])).toBe(`LEFT ${sentence} ${sentence}\n\nRIGHT ${sentence} ${sentence}`)
  })

  it.each([
    ['keeps a paragraph together whose raised text moves its lines apart', 19, 'old, [2] and then gone'],
    ['starts a paragraph at a gap', 26, 'old, [2]\n\nand then gone'],
  ])('%s', async (_, pitch, expected) => {
    const first = lines(sentence, { x: 50, y: 100, chars: 90 }).map((line) => ({ ...line, y: line.y - 13.2 }))
    const long = 'The boat sank in the winter of the year after, when it was a very worn thing and old,'
    const mark = { text: '2', x: 50 + 374, y: 113.2 - 4, size: 7 }
    const more = [
      { text: long, x: 50, y: 113.2 },
      mark,
      { text: 'and then gone for good by the night', x: 50, y: 113.2 + pitch },
    ]
    expect(await text([...first, ...more])).toContain(expected)
  })

  it('joins the mark of a note to its text across a blank', async () => {
    const mark = { text: '1', x: 50, y: 96, size: 6.7 }
    expect(await text([mark, { text: 'First note of the page.', x: 57, y: 100, size: 8 }])).toBe(
      '[1] First note of the page.',
    )
  })
})

/** A page of tagged content: `tree` refers to the pieces by their index. */
function tagged(pieces: readonly { text: string; x: number; y: number; face?: 'mono' }[], tree: readonly Node[]) {
  const drawn = pieces.map(
    ({ text: written, x, y, face }, id) =>
      `/Span <</MCID ${id}>> BDC BT /${face ?? 'F'} 11 Tf ${x} ${842 - y} Td (${written.replaceAll(/[()]/g, '\\$&')}) Tj ET EMC`,
  )
  const objects: string[] = []
  const owners: number[] = []
  const add = ([role, kids]: Node, parent: number): number => {
    const number = objects.push('') + 8
    if (typeof kids === 'number') owners[kids] = number
    const own = typeof kids === 'number' ? `${kids}` : kids.map((kid) => `${add(kid, number)} 0 R`).join(' ')
    objects[number - 9] = `<< /Type /StructElem /S /${role} /P ${parent} 0 R /Pg 3 0 R /K [${own}] >>`
    return number
  }
  const root = add(['Document', tree], 7)
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 7 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /StructParents 0 /Resources << /Font << /F 5 0 R /mono 6 0 R >> >> >>',
    stream(drawn.join('\n')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    `<< /Type /StructTreeRoot /K [${root} 0 R] /ParentTree 8 0 R >>`,
    `<< /Nums [0 [${owners.map((number) => `${number} 0 R`).join(' ')}]] >>`,
    ...objects,
  ])
}
type Node = readonly [role: string, kids: number | readonly Node[]]

const heading = { text: 'Guide', x: 50, y: 60 }
const piece = (words: string, x: number, y: number) => ({ text: words, x, y })
const cells = (...texts: readonly (readonly [string, number, number])[]) => texts.map((cell) => piece(...cell))
const row = (role: string, ...ids: number[]): Node => ['TR', ids.map((id): Node => [role, id])]

it.each([
  [
    'code inside a sentence',
    [piece('Use', 50, 90), { ...piece('gull.close', 70, 90), face: 'mono' as const }, piece('to end.', 140, 90)],
    [
      [
        'P',
        [
          ['Span', 1],
          ['Code', [['Span', 2]]],
          ['Span', 3],
        ],
      ],
    ],
    'Use `gull.close` to end.',
  ],
  [
    'names and values without roles',
    cells(['Invoice no.', 50, 90], ['2024-17', 200, 90], ['Date of delivery', 50, 110], ['1 Feb', 200, 110]),
    [1, 2, 3, 4].map((id): Node => ['NonStruct', [['Span', id]]]),
    '| Invoice no. | 2024-17 |\n| --- | --- |\n| Date of delivery | 1 Feb |',
  ],
  [
    'a table with an empty cell that has no tag',
    [
      ...cells(['Boat', 50, 90], ['Spring', 150, 90], ['Autumn', 250, 90], ['Tern', 50, 110], ['15', 255, 110]),
      ...cells(['Gull', 50, 130], ['7', 160, 130], ['8', 255, 130]),
    ],
    [['Table', [row('TH', 1, 2, 3), row('TD', 4, 5), row('TD', 6, 7, 8)]]],
    '| Boat | Spring | Autumn |\n| --- | --- | --- |\n| Tern |  | 15 |\n| Gull | 7 | 8 |',
  ],
] as readonly (readonly [string, readonly ReturnType<typeof piece>[], readonly Node[], string])[])(
  'tags of a page are read: %s',
  async (_, pieces, tree, expected) => {
    const { markdown } = await read(tagged([heading, ...pieces], [['H1', 0], ...tree]))
    expect(markdown.trim()).toBe(`# Guide\n\n${expected}`)
  },
)

/** A page with text in visual order; capital letters represent Hebrew letters. */
function hebrewPage(rows: readonly { visual: string; x: number; y: number }[], more = '') {
  const letters = [...'ABCDEFGHIJ'].map(
    (letter, at) => `<${letter.charCodeAt(0).toString(16)}> <${(0x5d0 + at).toString(16).padStart(4, '0')}>`,
  )
  const plain = [...' .,()0123456789%abcdefghijklmnopqrstuvwxyz'].map((sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(2, '0')
    return `<${code}> <00${code}>`
  })
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${letters.length + plain.length} beginbfchar ${[...letters, ...plain].join(' ')} endbfchar endcmap`
  const drawn = rows.map(
    ({ visual, x, y }) => `BT /F 11 Tf ${x} ${842 - y} Td (${visual.replaceAll(/[()]/g, '\\$&')}) Tj ET`,
  )
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`${drawn.join('\n')} ${more}`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>',
    stream(map),
  ])
}

describe('right-to-left text', () => {
  it.each([
    ['a number in brackets at the end of a sentence', '.(3 ABC) CBA', 'אבג (גבא 3).'],
    ['a share', '.50% CBA', 'אבג 50%.'],
  ])('keeps %s in order', async (_, visual, expected) => {
    const { markdown } = await read(hebrewPage([{ visual, x: 300, y: 100 }]))
    expect(markdown.trim()).toBe(expected)
  })

  it('keeps a line with more Latin letters in the order of its paragraph', async () => {
    const rows = [
      { visual: 'FED CBA FED CBA FED CBA FED CBA FED CBA', x: 200, y: 100 },
      { visual: 'CBA gossamer project FED', x: 318, y: 113 },
    ]
    const { markdown } = await read(hebrewPage(rows))
    expect(markdown.trim()).toMatch(/דהו gossamer project אבג$/)
  })

  it('reads numbers at the right as a list', async () => {
    const rows = ['CBA .1', 'FED .2'].map((visual, at) => ({ visual, x: 300, y: 100 + at * 14 }))
    expect((await read(hebrewPage(rows))).markdown.trim()).toBe('1. אבג\n2. דהו')
  })

  it('reads the columns of a drawn table from the right', async () => {
    const rows = ['CBA', 'FED', '12', 'IHG'].map((visual, at) => {
      return { visual, x: at % 2 ? 210 : 110, y: at < 2 ? 112 : 132 }
    })
    const grid = [
      ...[742, 722, 702].map((y) => `100 ${y} m 300 ${y} l S`),
      ...[100, 200, 300].map((x) => `${x} 742 m ${x} 702 l S`),
    ]
    const { markdown } = await read(hebrewPage(rows, grid.join(' ')))
    expect(markdown.trim()).toBe('| דהו | אבג |\n| --- | --- |\n| זחט | 12 |')
  })
})
