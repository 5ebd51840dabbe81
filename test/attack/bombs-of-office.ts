import { randomBytes } from 'node:crypto'
import { docx, odf, para, pptx, type Parts, relationships, xlsx, zipped } from '../document/office-files.ts'
import { begins, type Bomb, bomb, dud } from './bomb.ts'

/** Text that compresses to a hundredth of its size, which is below every limit of the ratio. */
const noisy = (unit: string, count: number) =>
  Array.from({ length: Math.ceil(count / 100) }, () => unit.repeat(100) + randomBytes(12).toString('hex')).join('')

const wordBombs: Bomb[] = [
  bomb('docx', 'short paragraphs', () => docx(para(begins) + noisy(para('a'), 900_000))),
  bomb('docx', 'a table of cells', () =>
    docx(
      para(begins) +
        `<w:tbl>${`<w:tr>${'<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'.repeat(50)}</w:tr>${''}`.repeat(6_000)}</w:tbl>`,
    ),
  ),
  bomb('docx', 'tables in tables', () =>
    docx(
      para(begins) +
        `${'<w:tbl><w:tr><w:tc>'.repeat(120)}${para('a')}${'</w:tc></w:tr></w:tbl>'.repeat(120)}`.repeat(2000),
    ),
  ),
  bomb('docx', 'a note referred to a hundred thousand times', () =>
    docx(para(begins) + noisy('<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>', 400_000), {
      footnotes: `<w:footnote w:id="2">${para('n'.repeat(20_000))}</w:footnote>`,
      links: [['r9', 'footnotes', 'footnotes.xml']],
    }),
  ),
  dud('docx', 'attributes', () =>
    docx(para(begins) + `<w:p ${Array.from({ length: 1_000_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
  ),
  bomb('odt', 'short paragraphs', () =>
    odf('text', `<text:p>${begins}</text:p>${noisy('<text:p>a</text:p>', 1_500_000)}`),
  ),
  bomb('rtf', 'groups', () => Buffer.from(`{\\rtf1 ${begins}\\par ${'{\\b a'.repeat(350_000)}`)),
  bomb('rtf', 'paragraphs', () => Buffer.from(`{\\rtf1 ${begins}\\par ${'a\\par '.repeat(300_000)}}`)),
  bomb('rtf', 'cells', () =>
    Buffer.from(`{\\rtf1 ${begins}\\par \\trowd${'\\cellx1'.repeat(500)}${'\\intbl a\\cell '.repeat(120_000)}\\row}`),
  ),
]

const row = (cells: number) => `<row>${'<c><v>1</v></c>'.repeat(cells)}</row>`
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const sheets = (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `<sheet name="S${index}" sheetId="${index}" r:id="r1"/>`)
  return `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets>${ids.join('')}</sheets></workbook>`
}
const sheetBombs: Bomb[] = [
  bomb('xlsx', 'cells', () =>
    xlsx(`<sheetData><row><c t="inlineStr"><is><t>${begins}</t></is></c></row>${noisy(row(20), 200_000)}</sheetData>`),
  ),
  bomb('xlsx', 'shared texts', () =>
    xlsx(`<sheetData><row><c t="s"><v>0</v></c></row></sheetData>`, {
      strings: `<si><t>${begins}</t></si>${noisy('<si><t>a</t></si>', 3_000_000)}`,
    }),
  ),
  bomb('xlsx', 'a long text in each cell', () =>
    xlsx(`<sheetData>${noisy(`<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`, 9000)}</sheetData>`, {
      strings: `<si><t>${begins}${'a'.repeat(30_000)}</t></si>`,
    }),
  ),
  bomb('xlsx', 'merged areas', () =>
    xlsx(
      `<sheetData><row><c t="inlineStr"><is><t>${begins}</t></is></c></row></sheetData><mergeCells>${noisy('<mergeCell ref="A1:XFD1048576"/>', 1_500_000)}</mergeCells>`,
    ),
  ),
  bomb('xlsx', 'thousands of sheets that are one', () =>
    zipped({
      '_rels/.rels': relationships(['r1', 'officeDocument', 'xl/workbook.xml']),
      'xl/workbook.xml': sheets(20_000),
      'xl/_rels/workbook.xml.rels': relationships(['r1', 'worksheet', 'worksheets/sheet1.xml']),
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row><c t="inlineStr"><is><t>${begins}</t></is></c></row></sheetData>${noisy('<col/>', 100_000)}</worksheet>`,
    }),
  ),
  bomb('ods', 'a long text repeated', () =>
    odf(
      'spreadsheet',
      `<table:table table:name="${begins}"><table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="200"><text:p>${'a'.repeat(100_000)}</text:p></table:table-cell></table:table-row></table:table>`,
    ),
  ),
  bomb('csv', 'cells', () => Buffer.from(`${begins}\n${'1,'.repeat(900_000)}`)),
  bomb('csv', 'rows', () => Buffer.from(`${begins},b\n${'1,2\n'.repeat(450_000)}`)),
]

const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const slideBombs: Bomb[] = [
  bomb('pptx', 'shapes', () => pptx([shape(begins) + noisy(shape('a'), 350_000)])),
  bomb('pptx', 'many slides that are one', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `<p:sldId id="${index}" r:id="r0"/>`).join('')
    const presentation = `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${office}"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`
    return pptx([shape(begins) + shape('a').repeat(2000)], [], { 'ppt/presentation.xml': presentation } satisfies Parts)
  }),
  bomb('odp', 'shapes', () =>
    odf(
      'presentation',
      `<draw:page>${`<draw:frame><draw:text-box><text:p>${begins}</text:p></draw:text-box></draw:frame>`}</draw:page><draw:page>${noisy('<draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>', 700_000)}</draw:page>`,
    ),
  ),
]

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
const book = (chapters: Parts) =>
  zipped({
    'META-INF/container.xml': container,
    'a.opf': `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${Object.keys(chapters)
      .map((path) => `<item id="${path}" href="${path}" media-type="application/xhtml+xml"/>`)
      .join('')}</manifest><spine>${Object.keys(chapters)
      .map((path) => `<itemref idref="${path}"/>`)
      .join('')}</spine></package>`,
    ...chapters,
  })
const bookBombs: Bomb[] = [
  bomb('epub', 'short paragraphs', () =>
    book({ 'a.xhtml': `<p>${begins}</p>`, 'b.xhtml': noisy('<p>a</p>', 1_400_000) }),
  ),
  bomb('epub', 'open elements', () => book({ 'a.xhtml': `<p>${begins}</p>`, 'b.xhtml': noisy('<b><i>a', 1_400_000) })),
]

const item = '<item><title>a</title></item>'
const textBombs: Bomb[] = [
  bomb('feed', 'items', () =>
    Buffer.from(`<rss><channel><title>${begins}</title>${item.repeat(60_000)}</channel></rss>`),
  ),
  bomb('feed', 'open elements', () => Buffer.from(`<rss><channel><title>${begins}</title>${'<item>'.repeat(300_000)}`)),
  bomb('feed', 'categories', () =>
    Buffer.from(
      `<rss><channel><title>${begins}</title><item>${'<category>a</category>'.repeat(80_000)}</item></channel></rss>`,
    ),
  ),
  bomb('xml', 'depth', () => Buffer.from(`<a>${begins}${'<a>'.repeat(600_000)}`)),
  bomb('json', 'depth', () => Buffer.from(`["${begins}",${'['.repeat(900_000)}${']'.repeat(900_000)}]`)),
  bomb('json', 'empty objects', () => Buffer.from(`["${begins}"${',{}'.repeat(600_000)}]`)),
  bomb('ndjson', 'lines', () => Buffer.from(`{"a":"${begins}"}\n${'{}\n'.repeat(600_000)}`)),
]

export const officeBombs: readonly Bomb[] = [...wordBombs, ...sheetBombs, ...slideBombs, ...bookBombs, ...textBombs]
