import { expect, test } from 'vitest'
import { degrees, PDFName, PDFString, type PDFPage } from 'pdf-lib'
import { type Drawn, lines, makePdf, read, readPage, sea, type Sheet, wood } from './pdf/make-pdf.ts'

test.each([0, 90, 180, 270])('reads a page that is displayed rotated by %i degrees', async (turn) => {
  const size: [number, number] = turn % 180 ? [842, 595] : [595, 842]
  const places: Record<number, (x: number, y: number) => { x: number; y: number }> = {
    0: (x, y) => ({ x, y }),
    90: (x, y) => ({ x: y, y: 595 - x }),
    180: (x, y) => ({ x: 595 - x, y: 842 - y }),
    270: (x, y) => ({ x: 842 - y, y: x }),
  }
  const upright = [...lines(sea, { x: 70, y: 100 }), ...lines(wood, { x: 70, y: 160 })]
  const texts = upright.map((drawn): Drawn => ({ ...drawn, ...places[turn]!(drawn.x, drawn.y), turn }))
  const bytes = await makePdf([{ texts, size, draw: (page) => page.setRotation(degrees(turn)) }])
  expect((await read(bytes)).markdown).toBe(`${sea}\n\n${wood}`)
})

const sheet = (number: number, text: string): Sheet => ({
  texts: [
    { text: 'Harbour authority', x: 70, y: 40, size: 9 },
    ...lines(text, { x: 70, y: 100 }),
    { text: `Page ${number} of 3`, x: 280, y: 810, size: 9 },
  ],
})

test('names each page, leaves out repeated lines, and keeps a paragraph whole across pages', async () => {
  const cut = wood.indexOf(' until')
  const [start, end] = [wood.slice(0, cut), wood.slice(cut + 1)]
  const { markdown, numPages } = await read(
    await makePdf([sheet(1, sea), sheet(2, start), sheet(3, `${end} The rest was burned.`)]),
  )
  expect(markdown).toBe(`_Page 1_\n\n${sea}\n\n_Page 2_\n\n${wood} The rest was burned.\n\n_Page 3_`)
  expect(numPages).toBe(3)
})

test('reads at most the permitted number of pages, and counts those it read', async () => {
  const bytes = await makePdf([sea, wood, sea].map((text) => ({ texts: lines(text, { x: 70, y: 100 }) })))
  const { markdown, numPages } = await read(bytes, { mode: 'fast', maxPages: 2 })
  expect(markdown).toBe(`_Page 1_\n\n${sea}\n\n_Page 2_\n\n${wood}`)
  expect(numPages).toBe(2)
})

test('reads text once that is drawn twice to look bold', async () => {
  const texts = lines(sea, { x: 70, y: 100 }).flatMap((drawn) => [drawn, { ...drawn, x: drawn.x + 0.4 }])
  expect((await readPage(texts)).markdown).toBe(sea)
})

/** Adds operators at the end of the page's own. */
const write = (page: PDFPage, operators: string) => {
  const stream = page.doc.context.flateStream(operators)
  page.node.addContentStream(page.doc.context.register(stream))
}

const hidden = (page: PDFPage) =>
  write(page, `BT /${fontKey(page)} 11 Tf 3 Tr 70 500 Td (Nobody sees these words on the page) Tj ET`)

test('omits invisible text next to visible text, and reads it if there is no other', async () => {
  const seen = await read(await makePdf([{ texts: lines(sea, { x: 70, y: 100 }), draw: hidden }]))
  expect(seen.markdown).toBe(sea)
  const scan = await read(await makePdf([{ texts: [{ text: '1', x: 70, y: 100 }], draw: hidden }]))
  expect(scan.markdown).toBe('1\n\nNobody sees these words on the page')
})

const fontKey = (page: PDFPage) =>
  page.node
    .Resources()!
    .lookup(PDFName.of('Font'))!
    .toString()
    .match(/\/(\S+)/)![1]!

const link = (page: PDFPage, rect: number[], uri: string) =>
  page.doc.context.register(
    page.doc.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: rect, A: { S: 'URI', URI: PDFString.of(uri) } }),
  )

const addLinks = (page: PDFPage) =>
  page.node.set(
    PDFName.of('Annots'),
    page.doc.context.obj([
      link(page, [87, 738, 128, 752], 'https://example.com/basin'),
      link(page, [179, 738, 199, 752], 'mailto:ann@example.com'),
      link(page, [212, 738, 260, 752], 'javascript:alert(1)'),
    ]),
  )

test('links only the words that have a web or mail address', async () => {
  const texts: Drawn[] = [
    { text: 'See the basin, write to', x: 70, y: 100 },
    { text: 'Ann', x: 180, y: 100 },
    { text: 'or run it.', x: 202, y: 100 },
  ]
  expect((await read(await makePdf([{ texts, draw: addLinks }]))).markdown).toBe(
    'See [the basin](https://example.com/basin), write to [Ann](mailto:ann@example.com) or run it.',
  )
})

const drawForm = (page: PDFPage) => {
  const form = page.doc.getForm()
  const name = form.createTextField('name')
  name.setText('Ann Example')
  name.addToPage(page, { x: 130, y: 735, width: 160, height: 18, borderWidth: 0 })
  const box = form.createCheckBox('agreed')
  box.addToPage(page, { x: 70, y: 700, width: 12, height: 12 })
  box.check()
}

test('shows the values of form fields at their places', async () => {
  const texts: Drawn[] = [
    { text: 'Name:', x: 70, y: 102 },
    { text: 'I agree', x: 90, y: 140 },
  ]
  const { markdown } = await read(await makePdf([{ texts, draw: drawForm }]))
  expect(markdown).toContain('Name: Ann Example')
  expect(markdown).toContain('I agree')
})

test('returns the metadata of the file', async () => {
  const bytes = await makePdf([{ texts: lines(sea, { x: 70, y: 100 }) }], (document) => {
    document.setTitle('Harbour report')
    document.setAuthor('Ann Example')
    document.setSubject('Trade by sea')
    document.setKeywords(['harbour', 'timber'])
    document.setLanguage('en-GB')
    document.setCreationDate(new Date('2024-03-05T06:07:08Z'))
    document.setModificationDate(new Date('2024-04-05T06:07:08Z'))
  })
  expect((await read(bytes)).metadata).toEqual({
    title: 'Harbour report',
    author: 'Ann Example',
    description: 'Trade by sea',
    keywords: 'harbour timber',
    language: 'en-GB',
    publishedTime: '2024-03-05T06:07:08.000Z',
    modifiedTime: '2024-04-05T06:07:08.000Z',
  })
})

test.each([
  ['slanted', { x: 150, y: 500, turn: 45 }],
  ['behind the text at one place of all pages', { x: 120, y: 135, turn: 0 }],
])('leaves out a watermark that is %s', async (_, place) => {
  const label = { text: 'Name of the ship:', x: 70, y: 400 }
  const sheets = [1, 2, 3].map((number) => ({
    texts: [
      { text: 'CONFIDENTIAL', size: 60, ...place },
      ...lines(`Report ${number} says that the ships came in at dawn with the tide and were tied up along the wall.`, {
        x: 70,
        y: 100,
        chars: 40,
      }),
      label,
    ],
  }))
  const { markdown } = await read(await makePdf(sheets))
  expect(markdown).not.toMatch(/CONF/)
  expect(markdown.match(/Report \d says that[^]*?along the wall\.[^]*?Name of the ship:/g)).toHaveLength(3)
})
