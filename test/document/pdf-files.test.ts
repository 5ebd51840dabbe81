import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PDFDocument, PDFPage } from 'pdf-lib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hasTesseract, paragraphsOf } from '../../src/engine/document/ocr/tesseract.ts'
import { lines, makePdf, read } from './pdf/make-pdf.ts'
import { onePage, rawPdf, stream } from './pdf/raw-pdf.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'pdf', name))
const sea = 'The ships came in at dawn with the tide and were tied up along the northern wall.'
const helvetica = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const simple = await makePdf([{ texts: lines(sea, { x: 70, y: 100 }) }])

const canRecognise = await hasTesseract()

afterEach(() => vi.unstubAllEnvs())

const report = [
  '_Page 1_',
  '# Harbour report',
  'The harbour was built in the eighteenth century by merchants who needed a safe place for their ships. Its walls are made of granite, and the basin behind them is deep enough for vessels of every kind that sails these waters today.<sup>[1]</sup> The <b>second basin</b> is newer; see <a href="https://example.com/basin">its own page</a>.',
]

describe('files of an office program and of a browser, with tags and without', () => {
  test.each(['report.pdf', 'report-tagged.pdf'])(
    '%s: headings, nested lists, table, footnote, running head and foot',
    async (name) => {
      const { html, markdown, metadata, numPages } = await read(fixture(name))
      expect(html).toContain(`<p>${report[2]}</p>`)
      expect(markdown.split('\n\n').map((block) => (block.length > 130 ? block.slice(0, 40) : block))).toEqual([
        '_Page 1_',
        '# Harbour report',
        'The harbour was built in the eighteenth ',
        '## Cargo',
        '- Timber, which comes in spring and is stored in the long sheds behind the northern wall\n  - Oak\n  - Beech\n- Wool',
        '1. Report to the office\n2. Pay the fee',
        '## Prices',
        '| Goods | Measure | Price |\n| --- | --- ',
        'The harbour was built in the eighteenth ',
        '1Measured at low tide.',
        '_Page 2_',
        '## Outlook',
        'Timber from the northern forests arrives',
        'Timber from the northern forests arrives',
      ])
      expect(markdown).toContain(
        '| Oak beams | metre, cut to the length that was ordered | 12.50 |\n| Wool | bale | 7.00 |',
      )
      expect(markdown).toContain('every kind that sails these waters today. Timber from the northern forests')
      expect(metadata).toMatchObject({
        title: 'Harbour report',
        author: 'Ann Example',
        description: 'Trade by sea',
        keywords: 'harbour, timber',
        language: 'en-GB',
      })
      expect(numPages).toBe(2)
    },
  )

  test.each(['browser.pdf', 'browser-tagged.pdf'])('%s: a printed page with lists, table and code', async (name) => {
    const { markdown } = await read(fixture(name))
    expect(markdown).toBe(
      [
        '# Harbour report',
        'The harbour has [a page](https://example.com/basin) of its own, and this sentence is long enough to be broken over two lines of the page, as sentences of papers are.',
        '## Cargo',
        '- Timber\n  - Oak\n  - Beech, which is a rather long item that needs more than one line because it goes on and on about the beech and its uses at sea\n- Wool',
        '1. Report to the office\n2. Pay the fee',
        '## Prices',
        '| Item | Unit | Price |\n| --- | --- | --- |\n| Oak beams | metre, cut to length | 12.50 |\n| Wool | bale | 7.00 |',
        '## Code',
        '```\nfunction add(a, b) {\n  return a + b\n}\n```',
      ].join('\n\n'),
    )
  })
})

test('right-to-left scripts are read in the order of their letters', async () => {
  const { html } = await read(fixture('right-to-left.pdf'))
  expect(html).toBe(
    [
      '<h1 dir="rtl">שלום עולם</h1>',
      '<p dir="rtl">הנמל נבנה בשנת 1750 (על ידי סוחרים) שהיו זקוקים למקום בטוח עבור Gossamer 2.0 ואחרים, והוא עמוק דיו לכל ספינה שבאה אליו מן הים הגדול בימים ההם.</p>',
      '<p dir="rtl">بُني الميناء عام 1750 على يد التجار الذين احتاجوا إلى مكان آمن لسفنهم، وهو عميق بما يكفي لكل السفن.</p>',
    ].join('\n'),
  )
})

/** A font whose glyphs and character map are not in the file. */
const eastern = (encoding: string, ordering: string) => [
  `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
  `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
  '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
]

test.each([
  ['UniGB-UCS2-H', 'GB1', '6E2F53E362A5544A', '港口报告'],
  ['UniGB-UCS2-V', 'GB1', '6E2F53E362A5544A', '港口报告'],
  ['UniJIS-UTF16-H', 'Japan1', '6E2F306E5831544A', '港の報告'],
  ['GBK-EUC-H', 'GB1', 'B8DBBFDAB1A8B8E6', '港口报告'],
  ['90ms-RKSJ-H', 'Japan1', '8D6082CC95F18D90', '港の報告'],
  ['ETen-B5-H', 'CNS1', 'B4E4A466B3F8A769', '港口報告'],
  ['KSCms-UHC-H', 'Korea1', 'C7D7B1B8', '항구'],
])(
  'reads East Asian text by the character map %s, without a file of that map',
  async (encoding, ordering, codes, text) => {
    const bytes = onePage(
      `BT /F1 14 Tf 70 700 Td <${codes}> Tj 0 -20 Td <${codes}> Tj ET`,
      '/Font << /F1 5 0 R >>',
      eastern(encoding, ordering),
    )
    expect((await read(bytes)).markdown.replace(/\s/g, '')).toBe(text + text)
  },
)

describe('files that cannot be read', () => {
  test.each([
    ['an empty file', new Uint8Array(), 'The file is empty or not a PDF.'],
    ['a file of another kind', Buffer.from('<html>'), 'The file is empty or not a PDF.'],
    [
      'garbage behind the marker',
      Buffer.from(`%PDF-1.7\n${'garbage '.repeat(400)}`),
      'The PDF is damaged or incomplete.',
    ],
    ['a file cut off', Buffer.from(simple).subarray(0, 300), 'The PDF is damaged or incomplete.'],
    ['a file that asks for a password', fixture('locked.pdf'), 'The PDF is password-protected.'],
  ])('have an error: %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'SCRAPE_UNSUPPORTED_FILE_ERROR', message })
  })

  test('are not those with a broken object table', async () => {
    const text = Buffer.from(onePage('BT /F1 12 Tf 70 700 Td (The ships came in.) Tj ET', helvetica, [])).toString(
      'latin1',
    )
    const broken = text
      .replace(/startxref\n\d+/, 'startxref\n99')
      .replace(/\n(\d{10}) 00000 n/g, '\n9999999999 00000 n')
    expect((await read(Buffer.from(broken, 'latin1'))).markdown).toBe('The ships came in.')
  })

  test('are not those with single damaged pages, which are left out with a warning', async () => {
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${helvetica} >> >>`,
      stream('BT /F1 12 Tf 70 700 Td (The ships came in.) Tj ET'),
    ])
    const { markdown, warning } = await read(bytes)
    expect(markdown).toBe('_Page 1_\n\nThe ships came in.')
    expect(warning).toBe('Left out, because they are damaged: pages 2.')
  })
})

test('a page with an enormous amount of text is read up to the limit', async () => {
  const row = 'BT /F1 1 Tf 1 0 0 1 10 700 Tm (' + 'abcdefgh '.repeat(40) + ') Tj ET\n'
  const rows = Array.from({ length: 400 }, (_, index) => row.replace('700', String(800 - index * 2)))
  const { html } = await read(onePage(rows.join(''), helvetica, []))
  expect(html.match(/abcdefgh/g)).toHaveLength(Math.floor(100_000 / 9))
})

test('returns each page as printed if requested, in addition to the document', async () => {
  const start = 'A paragraph of more than forty characters that continues'
  const texts = [start, 'on the next page. It ends.']
  const bytes = await makePdf(texts.map((text) => ({ texts: lines(text, { x: 70, y: 100 }) })))
  const { html, pages } = await read(bytes, { mode: 'fast', pages: true })
  expect(html).toContain(`<p>${start} on the next page. It ends.</p>`)
  expect(pages).toEqual([
    { number: 1, html: `<p>${start}</p>` },
    { number: 2, html: '<p>on the next page. It ends.</p>' },
  ])
  expect(await read(bytes)).not.toHaveProperty('pages')
})

test('ignores scripts and attached files', async () => {
  const bytes = await makePdf([{ texts: lines(sea, { x: 70, y: 100 }) }], (document) => {
    document.addJavaScript('main', 'globalThis.ranFromPdf = true')
    void document.attach(Buffer.from('attached words'), 'notes.txt')
  })
  expect((await read(bytes)).html).toBe(`<p>${sea}</p>`)
  expect(globalThis).not.toHaveProperty('ranFromPdf')
})

const row = (paragraph: number, line: number, certainty: number, text: string) =>
  ['5', '1', '1', paragraph, line, '1', '0', '0', '9', '9', certainty, text].join('\t')

describe('scanned pages', () => {
  test.each(['fast', 'auto'] as const)('are an error in mode %s without tesseract', async (mode) => {
    if (mode === 'auto') vi.stubEnv('PATH', '')
    await expect(read(fixture('scan.pdf'), { mode })).rejects.toMatchObject({ code: 'SCRAPE_PDF_OCR_REQUIRED' })
  })

  test('are named in a warning if only some pages are scanned', async () => {
    const picture = {
      texts: [],
      draw: async (page: PDFPage, document: PDFDocument) => {
        const [scan] = await document.embedPdf(fixture('scan.pdf'), [0])
        page.drawPage(scan!, { x: 0, y: 300 })
      },
    }
    const { markdown, warning } = await read(
      await makePdf([{ texts: lines(sea, { x: 70, y: 100 }) }, picture, { texts: [] }]),
    )
    expect(markdown).toBe(`_Page 1_\n\n${sea}\n\n_Page 2_\n\n_Page 3_`)
    expect(warning).toBe('Left out, because they are pictures of text or drawings and OCR did not read them: page 2.')
  })

  test('become paragraphs from the words of tesseract', () => {
    const table = [
      'level\t…',
      row(1, 1, 96, 'The'),
      row(1, 1, 90, 'mer-'),
      row(1, 2, 95, 'chants'),
      row(1, 2, 3, '~~'),
      row(2, 1, 91, 'A<B'),
    ].join('\n')
    expect(paragraphsOf(table)).toEqual(['<p>The merchants</p>', '<p>A&lt;B</p>'])
  })

  test.runIf(canRecognise)('are read by OCR, upright and rotated', async () => {
    const { markdown, numPages } = await read(fixture('scan.pdf'), { mode: 'auto' })
    expect(markdown).toBe('_Page 1_\n\nThe ships came in at dawn.\n\n_Page 2_\n\nThe ships came in at dawn.')
    expect(numPages).toBe(2)
  })
})
