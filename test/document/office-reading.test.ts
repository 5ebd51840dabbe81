import { describe, expect, it } from 'vitest'
import { readDocx } from '../../src/engine/document/docx/docx.ts'
import { readEpub } from '../../src/engine/document/epub/epub.ts'
import { readMail } from '../../src/engine/document/mail/mail.ts'
import { readOds, readOdt } from '../../src/engine/document/odf/odf.ts'
import { readRtf } from '../../src/engine/document/rtf/rtf.ts'
import { readNotebook } from '../../src/engine/document/text/notebook.ts'
import { readXlsx } from '../../src/engine/document/xlsx/xlsx.ts'
import { converted } from './converting.ts'
import { docx, type DocxParts, namespaces, odf, para, run, xlsx, zipped } from './office-files.ts'

type Case = readonly [what: string, content: string | Uint8Array, markdown: string]

const wordLevels = [
  ['decimal', '%1.'],
  ['decimal', '%1.%2'],
  ['lowerLetter', '(%3)'],
].map(
  ([format, text], level) =>
    `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`,
)
const numbering = `<w:abstractNum w:abstractNumId="0">${wordLevels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
const clause = (text: string, level: number) =>
  para(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`)

const point = (index: number, text: string) => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`
const cache = (...texts: string[]) =>
  `<c:strRef><c:strCache>${texts.map((text, i) => point(i, text)).join('')}</c:strCache></c:strRef>`
const chart = `<c:chartSpace ${namespaces}><c:chart><c:plotArea><c:barChart><c:ser><c:tx>${cache('Tons')}</c:tx><c:cat>${cache('2024')}</c:cat><c:val>${cache('12')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
const withChart: DocxParts = { links: [['c', 'chart', 'charts/chart1.xml']], more: { 'word/charts/chart1.xml': chart } }

const words: readonly Case[] = [
  [
    'a break of the page inside a paragraph',
    docx(`<w:p>${run('ends')}<w:r><w:br w:type="page"/></w:r>${run('starts')}</w:p>`),
    'ends  \nstarts',
  ],
  [
    'text at a tab that is aligned to the margin',
    docx(`<w:p>${run('left')}<w:r><w:ptab w:alignment="right"/></w:r>${run('right')}</w:p>`),
    'left right',
  ],
  [
    'a large initial',
    docx(para('T', '<w:framePr w:dropCap="drop"/>') + para('he boats came in.')),
    'The boats came in.',
  ],
  [
    'a paragraph whose end was deleted',
    docx(para('One part', '<w:rPr><w:del w:id="1"/></w:rPr>') + para(' and the other.')),
    'One part and the other.',
  ],
  ['a start of a paragraph without an end', docx(para('Alone', '<w:rPr><w:del w:id="1"/></w:rPr>')), 'Alone'],
  [
    'marks of clauses',
    docx(
      [clause('Scope', 0), clause('Boats', 1), clause('large;', 2), clause('small.', 2), clause('Nets', 1)].join(''),
      { numbering },
    ),
    '1. Scope\n   - 1.1 Boats\n     - (a) large;\n     - (b) small.\n   - 1.2 Nets',
  ],
  [
    'the numbers of a chart',
    docx(
      '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
      withChart,
    ),
    '|  | Tons |\n| --- | --- |\n| 2024 | 12 |',
  ],
]

const number = (level: number, rest: string) =>
  `<text:list-level-style-number text:level="${level}" style:num-format="1" ${rest}/>`
const legal = `<text:list-style style:name="L">${number(1, 'style:num-suffix="."')}${number(2, 'text:display-levels="2"')}</text:list-style><text:list-style style:name="A"><text:list-level-style-number text:level="1" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>`
const item = (text: string, more = '') => `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`
const list = (style: string, ...items: string[]) =>
  `<text:list text:style-name="${style}">${items.join('')}</text:list>`

const texts: readonly Case[] = [
  [
    'the number of a heading',
    odf('text', '<text:h text:outline-level="1"><text:number>1.</text:number>Scope</text:h>'),
    '# 1. Scope',
  ],
  [
    'marks of clauses',
    odf('text', list('L', item('Scope', `<text:list>${item('Boats')}</text:list>`)) + list('A', item('large')), legal),
    '1. Scope\n   - 1.1 Boats\n\n- (a) large',
  ],
  [
    'the paragraphs in a shape',
    odf('text', '<text:p>Before <draw:rect><text:p>one</text:p><text:p>two</text:p></draw:rect>after</text:p>'),
    'Before after\n\none\n\ntwo',
  ],
  [
    'the numbers of a chart',
    odf('text', '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>', '', {
      'Object 1/content.xml':
        '<d xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>Tons</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>2024</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table></d>',
    }),
    '| Year | Tons |\n| --- | --- |\n| 2024 | 12 |',
  ],
]

const cell = (attributes: string) => `<table:table-cell ${attributes}/>`
const sheets: readonly Case[] = [
  [
    'values without text',
    odf(
      'spreadsheet',
      `<table:table table:name="S"><table:table-row>${cell('office:value-type="boolean" office:boolean-value="true"')}${cell('office:value-type="string" office:string-value="rope"')}</table:table-row></table:table>`,
    ),
    '## S\n\n|  |  |\n| --- | --- |\n| TRUE | rope |',
  ],
]

const books: readonly Case[] = [
  [
    'formulas without a result, unlike those whose result is empty',
    xlsx(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1*2</f><v/></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2" t="str"><f>""</f><v></v></c></row></sheetData>',
    ),
    '## S\n\n| 1 | =A1*2 |\n| --- | --- |\n| 2 |  |',
  ],
  [
    'the name of a link without a result',
    xlsx('<sheetData><row r="1"><c r="A1"><f>HYPERLINK("https://e.com/a","the page")</f><v/></c></row></sheetData>'),
    '## S\n\n[the page](https://e.com/a)',
  ],
]

const rtf = (body: string) => `{\\rtf1\\ansi ${body}}`
const richTexts: readonly Case[] = [
  ['a break of the page inside a paragraph', rtf('ends\\page starts\\par'), 'ends  \nstarts'],
  ['wide blanks', rtf('a\\emspace b\\enspace c\\par'), 'a b c'],
  ['raised text', rtf('xy{\\up6 2}\\par'), 'xy^2'],
  [
    'marks of clauses',
    rtf(
      '{\\listtext 1.\\tab}\\ls1 Scope\\par{\\listtext 1.1\\tab}\\ls1\\ilvl1 Boats\\par{\\listtext (a)\\tab}\\ls1\\ilvl2 large\\par',
    ),
    '1. Scope\n   - 1.1 Boats\n     - (a) large',
  ],
]

const notebook = (...outputs: unknown[]) =>
  JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source: '', outputs }] })
const notebooks: readonly Case[] = [
  [
    'HTML without the scripts in it',
    notebook({ data: { 'text/html': '<script>var a</script><p>One</p><p>Two</p>' } }),
    '```text\nOne\nTwo\n```',
  ],
  [
    'HTML of an object whose plain text is its name',
    notebook({ data: { 'text/html': '<b>Sum</b>: 3', 'text/plain': '<IPython.core.display.HTML object>' } }),
    '```text\nSum: 3\n```',
  ],
  ['the last state of a progress bar', notebook({ text: '10%\r50%\r100%\ndone\n' }), '```text\n100%\ndone\n```'],
]

const mail = (body: string) =>
  `From: a@e.com\r\nMIME-Version: 1.0\r\nSubject: Boats\r\n${body}`.replaceAll(/(?<!\r)\n/g, '\r\n')
const mails: readonly Case[] = [
  [
    'a part without a name among the attachments',
    mail(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\n--b--\n',
    ),
    '# Boats\n\n**From**: a@e.com\n\nHello\n\n## Attachments\n\n- without a name (text/calendar, 16 bytes)',
  ],
  [
    'a saved page without a second title',
    mail('Snapshot-Content-Location: https://e.com/\nContent-Type: text/html\n\n<h1>Boats of the bay</h1><p>Hello</p>'),
    '**From**: a@e.com  \n**Address**: https://e.com/\n\n# Boats of the bay\n\nHello',
  ],
]

const chapter = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><p>on p<span epub:type="pagebreak">13</span>age</p><p><epub:switch><epub:case>new</epub:case><epub:default>old</epub:default></epub:switch></p></body></html>`
const chapters: readonly Case[] = [
  [
    'a page without the page numbers of the printed book and without forms for few readers',
    zipped({
      'META-INF/container.xml':
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      'b.opf':
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'a.xhtml': chapter,
    }),
    'on page\n\nold',
  ],
]

describe.each([
  ['docx', readDocx, words],
  ['odt', readOdt, texts],
  ['ods', readOds, sheets],
  ['xlsx', readXlsx, books],
  ['rtf', readRtf, richTexts],
  ['ipynb', readNotebook, notebooks],
  ['eml', readMail, mails],
  ['epub', readEpub, chapters],
] as const)('%s', (_, converter, cases) => {
  it.each(cases)('shows %s', async (_what, content, expected) => {
    const { markdown } = await converted(converter, content)
    expect(markdown.trim()).toBe(expected)
  })
})
