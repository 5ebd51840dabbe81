import { deflateSync } from 'node:zlib'
import { flateBomb, onePage, rawPdf, stream } from '../document/pdf/raw-pdf.ts'
import { begins, type Bomb, bomb, dud } from './bomb.ts'

const deflated = (content: string | Uint8Array) => deflateSync(content, { level: 9 })
const flate = '/Filter /FlateDecode'
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const says = (text: string) => `BT /F 12 Tf 72 720 Td (${text}) Tj ET\n`

/** A file with one page that its page tree names many times. */
const repeatedPage = (count: number, content: string) =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count ${count} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    stream(content),
    font,
  ])

/** Two pages: one that can be read, and an expensive one. */
const twoPages = (
  content: string | Uint8Array,
  resources = '',
  more: readonly (string | Uint8Array)[] = [],
  entries = flate,
) =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(says(begins)),
    font,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 7 0 R /Resources << /Font << /F 5 0 R >> ${resources} >> >>`,
    stream(entries === flate ? deflated(content) : content, entries),
    ...more,
  ])

/** Forms that each paint the next one ten times. */
const formsInForms = (levels: number) =>
  twoPages(
    '/X Do '.repeat(10),
    '/XObject << /X 8 0 R >>',
    Array.from({ length: levels }, (_, level) =>
      stream(
        '/X Do '.repeat(10) + says('a'),
        `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> /XObject << /X ${Math.min(9 + level, 7 + levels)} 0 R >> >>`,
      ),
    ),
  )

export const pdfBombs: readonly Bomb[] = [
  bomb('pdf', 'one page named 50,000 times', () => repeatedPage(50_000, says(begins))),
  bomb('pdf', 'pages that share their content', () => {
    const pages = Array.from(
      { length: 8000 },
      () =>
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >>',
    )
    return rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${pages.map((_, index) => `${index + 5} 0 R`).join(' ')}] /Count ${pages.length} >>`,
      stream(says(begins) + `BT /F 9 Tf 72 700 Td ${'(some words of a line) Tj 0 -9 Td '.repeat(70)} ET`),
      font,
      ...pages,
    ])
  }),
  bomb('pdf', 'text on one page', () =>
    twoPages(
      `BT /F 9 Tf ${Array.from({ length: 400_000 }, (_, index) => `1 0 0 1 ${(index * 7) % 590} ${(index * 13) % 840} Tm (a${index}) Tj `).join('')} ET`,
    ),
  ),
  bomb('pdf', 'saved states', () => twoPages('q '.repeat(30_000_000))),
  bomb('pdf', 'forms in forms', () => formsInForms(9)),
  bomb('pdf', 'an array in an operator', () => twoPages(`BT /F 9 Tf [${'(a) -9 '.repeat(3_000_000)}] TJ ET`)),
  bomb('pdf', 'a huge inline image', () =>
    twoPages(`BI /W 30000 /H 30000 /BPC 8 /CS /RGB ID ${'\u0001'.repeat(50_000_000)} EI`),
  ),
  bomb('pdf', 'a huge image', () =>
    twoPages('/X Do', '/XObject << /X 8 0 R >>', [
      stream(
        deflated(Buffer.alloc(200_000_000)),
        `/Type /XObject /Subtype /Image /Width 10000 /Height 20000 /BitsPerComponent 8 /ColorSpace /DeviceGray ${flate}`,
      ),
    ]),
  ),
  bomb('pdf', 'a character map', () =>
    twoPages('BT /G 9 Tf 72 700 Td <0001> Tj ET', '/Font << /G 8 0 R >>', [
      '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [10 0 R] /ToUnicode 9 0 R >>',
      stream(
        deflated(
          `begincmap\n${'100 beginbfrange\n' + '<0000> <ffff> <0000>\n'.repeat(100) + 'endbfrange\n'}`.repeat(200),
        ),
        flate,
      ),
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 11 0 R >>',
      '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 1 1] >>',
    ]),
  ),
  bomb('pdf', 'links', () => {
    const links = Array.from(
      { length: 20_000 },
      () => '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://a.example/) >> >>',
    )
    const annotations = `/X 0 >> /Annots [${links.map((_, index) => `${index + 8} 0 R`).join(' ')}] /Y << `
    return twoPages(says('a'), annotations, links)
  }),
  bomb('pdf', 'bookmarks in a ring', () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
      stream(says(begins)),
      font,
      '<< /First 7 0 R /Last 7 0 R /Count 1 >>',
      ...Array.from(
        { length: 60_000 },
        (_, index) => `<< /Title (A) /Parent 6 0 R /Next ${index + 8} 0 R /Dest [3 0 R /Fit] >>`,
      ),
    ]),
  ),
  dud('pdf', 'content of hundreds of megabytes', () => flateBomb(400)),
  dud('pdf', 'an object stream', () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      stream(deflated('<< /Type /Pages /Kids [] >> '.repeat(8_000_000)), `/Type /ObjStm /N 8000000 /First 10 ${flate}`),
    ]),
  ),
  dud('pdf', 'nested dictionaries', () => onePage('', `/A ${'<< /A '.repeat(300_000)}`, [])),
]
