import { expect, test } from 'vitest'
import { type Drawn, lines, makePdf, read, sea, type Sheet } from './pdf/make-pdf.ts'
import { officePapers } from './pdf/office-papers.ts'
import { rawPdf, stream } from './pdf/raw-pdf.ts'

/** The text of each page, without the line that names it. */
const pagesOf = (markdown: string) =>
  markdown
    .split(/_Page \d+_/)
    .slice(1)
    .map((page) => page.trim())

test.each(officePapers)('$name', async ({ sheets, kept, gone, heads }) => {
  const { markdown, warning } = await read(await makePdf(sheets))
  const pages = pagesOf(markdown)
  const missing = kept.flatMap((texts, index) => texts.filter((text) => !pages[index]?.includes(text)))
  expect(missing).toEqual([])
  expect(gone.filter((text) => markdown.includes(text))).toEqual([])
  if (heads === 'with heads') expect(warning).toContain('running heads')
  else expect(warning).toBeUndefined()
})

/** A page with text, and lines at its edges. */
const sheet = (...edges: Drawn[]): Sheet => ({ texts: [...lines(sea, { x: 70, y: 120 }), ...edges] })
const atTop = (text: string, x = 70): Drawn => ({ text, x, y: 40, size: 9 })
const atFoot = (text: string, x = 70): Drawn => ({ text, x, y: 810, size: 9 })
const numbered = (count: number, make: (page: number) => Drawn[]) =>
  makePdf(Array.from({ length: count }, (_, index) => sheet(...make(index + 1))))

test.each([
  ['a number', (page: number) => `${page + 40}`],
  ['a Roman number', (page: number) => ['iv', 'v', 'vi', 'vii', 'viii', 'ix'][page - 1]!],
  ['a number between dashes', (page: number) => `- ${page} -`],
  ['a number and the total', (page: number) => `${page} / 6`],
  ['a number in its chapter', (page: number) => `3-${page}`],
  ['a number in a phrase', (page: number) => `Seite ${page} von 6`],
  ['a number after an abbreviation', (page: number) => `p. ${page}`],
])('leaves out page numbers without a warning: %s', async (_, text) => {
  const { markdown, warning } = await read(await numbered(6, (page) => [atFoot(text(page), 280)]))
  expect(pagesOf(markdown)).toEqual(Array.from({ length: 6 }, () => sea))
  expect(warning).toBeUndefined()
})

test.each([
  ['next to the number', (page: number) => [atTop('Harbour report'), atTop(`${page}`, 500)]],
  ['in one line with the number', (page: number) => [atTop(`Harbour report 2024 | ${page}`)]],
  ['left and right', (page: number) => [page % 2 ? atTop('Harbour report', 300) : atTop('Timber and wool')]],
  ['of chapters, next to the number', (page: number) => [atTop(`Part ${Math.ceil(page / 3)}`), atTop(`${page}`, 500)]],
  ['at the foot, with the number', (page: number) => [atFoot(`Harbour report ${page}`)]],
  ['in two lines', () => [atTop('Harbour report'), { ...atTop('The northern wall'), y: 51 }]],
  ['on most pages', (page: number) => (page % 4 ? [atTop('Harbour report')] : [])],
])('leaves out running heads with a warning: %s', async (_, make) => {
  const { markdown, warning } = await read(await numbered(9, make))
  expect(pagesOf(markdown)).toEqual(Array.from({ length: 9 }, () => sea))
  expect(warning).toMatch(/^Left out on \d of 9 pages: running heads and feet/)
})

test.each([
  ['numbers that do not count pages', (page: number) => [atTop(`${page * 77}`)], (page: number) => `${page * 77}`],
  ['a text on few pages', (page: number) => (page % 5 ? [] : [atTop('Read this first')]), () => 'Read this first'],
  ['a heading that counts', (page: number) => [atTop(`Exam question ${page}`)], (page: number) => `question ${page}`],
  [
    'a heading that counts, beside a text that does not',
    (page: number) => [atTop(`Question ${page}`), atTop('Harbour exam', 400)],
    (page: number) => `Question ${page}`,
  ],
  [
    'a title beside a page number, on one page only',
    (page: number) => [atTop(`Invoice ${1000 + page * 3}`), atTop(`Page ${page}`, 400)],
    (page: number) => `Invoice ${1000 + page * 3}`,
  ],
])('keeps %s', async (_, make, text) => {
  const { markdown } = await read(await numbered(10, make))
  const wanted = Array.from({ length: 10 }, (__, index) => (make(index + 1).length > 0 ? text(index + 1) : ''))
  expect(pagesOf(markdown).map((page, index) => page.includes(wanted[index]!))).toEqual(wanted.map(() => true))
})

test('keeps repeated text that is most of the text of its pages', async () => {
  const tickets = Array.from({ length: 6 }, (_, index): Sheet => ({
    texts: [
      { text: 'Night ferry from Harwich to Hook of Holland', x: 20, y: 15, size: 8 },
      { text: `Seat ${index + 1}`, x: 20, y: 75, size: 8 },
      { text: 'Keep this ticket until you leave the ship.', x: 20, y: 145, size: 8 },
    ],
    size: [300, 150],
  }))
  const { markdown, warning } = await read(await makePdf(tickets))
  for (const page of pagesOf(markdown)) expect(page).toMatch(/^Night ferry[^]*Seat \d[^]*leave the ship\.$/)
  expect(warning).toBeUndefined()
})

/** A page that declares its heading and its artifacts. */
const tagged = (content: string) =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /StructParents 0 /Resources << /Font << /F1 5 0 R >> >> >>',
    stream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
    '<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>',
    '<< /Type /StructElem /S /H1 /P 6 0 R /Pg 3 0 R /K 0 >>',
  ])
const heading = '/H1 << /MCID 0 >> BDC BT /F1 11 Tf 70 700 Td (The harbour and its northern wall) Tj ET EMC'
const artifact = (text: string) => `/Artifact BMC BT /F1 11 Tf 70 640 Td (${text}) Tj ET EMC`

test.each([
  ['Harbour report', 'with a warning'],
  ['Page 1 of 1', 'without'],
])('leaves out artifacts declared by the file: %s, %s', async (text, warns) => {
  const { markdown, warning } = await read(tagged(`${heading} ${artifact(text)}`))
  expect(markdown).toBe('# The harbour and its northern wall')
  expect(warning !== undefined).toBe(warns === 'with a warning')
})
