import { describe, expect, it } from 'vitest'
import { readDocx } from '../../src/engine/document/docx/docx.ts'
import { converted } from './converting.ts'
import { docx, type DocxParts, namespaces, para, relationships, run } from './office-files.ts'

const markdownOf = async (body: string, parts: DocxParts = {}) =>
  (await converted(readDocx, docx(body, parts))).markdown

const style = (id: string, name: string, inner = '', type = 'paragraph') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${inner}</w:style>`
const based = (id: string) => `<w:basedOn w:val="${id}"/>`
const styled = (id: string, text: string) => para(text, `<w:pStyle w:val="${id}"/>`)
const styles =
  style('H1', 'heading 1', '<w:rPr><w:b/></w:rPr>') +
  style('H2', 'heading 2', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>') +
  style('Mine', 'Chapter', based('H1')) +
  style('Deep', 'Deeper', `${based('Mine')}<w:pPr><w:outlineLvl w:val="2"/></w:pPr>`) +
  style('T', 'Title') +
  style('Q', 'Quote') +
  style('Pre', 'HTML Preformatted') +
  style('Code', 'Source Code', '', 'character') +
  style('Toc', 'toc 1') +
  style('LB', 'List Bullet', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')

const level = (at: number, format: string, text = '', more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`
const listScheme = (id: number, levels: string) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`
const list = (id: number, of: number, more = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`
const numbering =
  listScheme(0, level(0, 'bullet') + level(1, 'bullet')) +
  listScheme(1, level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%2)')) +
  listScheme(2, level(0, 'upperRoman', '%1.') + level(1, 'decimal', '%1.%2')) +
  list(1, 0) +
  list(2, 1) +
  list(3, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>') +
  list(4, 2) +
  listScheme(3, level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2') + level(2, 'lowerLetter', '(%3)')) +
  list(5, 3)
const item = (text: string, id: number, at = 0) =>
  para(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)

const cell = (text: string, properties = '') =>
  `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${para(text)}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const markedRow = (mark: string, ...cells: string[]) => row(`<w:trPr><w:${mark}/></w:trPr>`, ...cells)
const table = (inner: string, look = '') => `<w:tbl><w:tblPr>${look}</w:tblPr>${inner}</w:tbl>`
const look = (value: string) => `<w:tblLook w:val="${value}"/>`
const inRun = (...elements: string[]) => `<w:r>${elements.map((each) => `<w:${each}/>`).join('')}</w:r>`
const mark = (type: string, data = '') => `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`
const field = (code: string, result: string) =>
  `${mark('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${mark('separate')}${run(result)}${mark('end')}`
const drawing = (inner: string, description = '') =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="${description}"/>${inner}</wp:inline></w:drawing></w:r>`
const boxed = (text: string) => `<w:txbxContent>${para(text)}</w:txbxContent>`
const box = `<mc:Choice><w:drawing><wps:txbx>${boxed('in')}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${boxed('in')}</v:textbox></w:pict></mc:Fallback>`
const reading = '<w:rt><w:r><w:t>kanji</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase>'
const control = `<w:sdt><w:sdtPr/><w:sdtContent>${para(`<w:smartTag>${run('in')}</w:smartTag>`)}</w:sdtContent></w:sdt>`
const ticked = '<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>'
const raised = run('2', '<w:vertAlign w:val="superscript"/>') + run('3', '<w:position w:val="8"/><w:sz w:val="10"/>')
const deleted = '<w:del><w:r><w:delText>old</w:delText></w:r></w:del>'
const symbols = ['Symbol" w:char="F061', 'Wingdings" w:char="F0FC'].map((sign) => `sym w:font="${sign}"`)
const noEnd = '<w:rPr><w:del w:id="1"/></w:rPr>'
const tabs =
  '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/></w:r>'
const pageOf = (result: string) => field(' PAGEREF a ', result)

const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`
const sign = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const part = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`

const cache = (text: string) => `<c:strRef><c:strCache><c:pt idx="0"><c:v>${text}</c:v></c:pt></c:strCache></c:strRef>`
const chart = (name: string) =>
  `<c:chartSpace ${namespaces}><c:chart><c:plotArea><c:barChart><c:ser><c:tx>${cache(name)}</c:tx><c:cat>${cache('2024')}</c:cat><c:val>${cache('12')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
const chartAt = (id: string) => drawing(`<a:graphic><a:graphicData><c:chart r:id="${id}"/></a:graphicData></a:graphic>`)
const parts: DocxParts = {
  styles,
  numbering,
  links: [['c', 'chart', 'charts/chart1.xml']],
  more: { 'word/charts/chart1.xml': chart('Tons') },
}

type Case = [what: string, body: string, markdown: string]

describe('a Word document', () => {
  it.each<Case>([
    ['headings by style', styled('H1', 'One') + styled('H2', 'Two'), '# One\n\n## Two'],
    ['headings by styles based on others', styled('Mine', 'One') + styled('Deep', 'Three'), '# One\n\n### Three'],
    ['headings by outline level', para('Two', '<w:outlineLvl w:val="1"/>'), '## Two'],
    ['titles', styled('T', 'Name'), '# Name'],
    ['adjacent quotes as one', styled('Q', 'a') + styled('Q', 'b'), '> a\n>\n> b'],
    ['code as one block', styled('Pre', 'a &lt; b') + styled('Pre', '  c'), '```\na < b\n  c\n```'],
    ['code in a line', para(run('f()', '<w:rStyle w:val="Code"/>')), '`f()`'],
    ['bold runs as one', para(run('a', '<w:b/>') + run(' ') + run('b', '<w:b w:val="1"/>')), '**a b**'],
    ['text that is explicitly not bold', para(run('a', '<w:b w:val="0"/>')), 'a'],
    ['insertions and not deletions', para(`<w:ins>${run('new')}</w:ins>${deleted}`), 'new'],
    ['visible text only', para(run('a') + run('b', '<w:vanish/>')), 'a'],
    ['text in controls and smart tags', control, 'in'],
    ['tabs, breaks and hyphens', para(tabs), 'a b  \nc‑d'],
    ['page breaks inside a paragraph', para(run('a') + inRun('br w:type="page"') + run('b')), 'a  \nb'],
    ['text at a tab aligned to the margin', para(run('a') + inRun('ptab') + run('b')), 'a b'],
    ['characters of symbol fonts', para(inRun(...symbols)), 'α✓'],
    ['phonetic readings', para(`<w:r><w:ruby>${reading}</w:ruby></w:r>`), '漢字(kanji)'],
    ['check boxes', para(mark('begin', ticked) + mark('end') + run(' done')), '☒ done'],
    ['links written as fields', para(field(' HYPERLINK "https://ex.com/a" ', 'here')), '[here](https://ex.com/a)'],
    ['raised text', para(run('m') + raised), 'm^23'],
    ['page numbers in sentences', para(run('See page ') + pageOf('7') + run('.')), 'See page 7.'],
    ['no table of contents', para(field(' TOC ', `One${pageOf('1')}`)) + styled('Toc', 'One 1') + para('text'), 'text'],
    [
      'text boxes once, after their paragraph',
      para(`${run('a')}<w:r><mc:AlternateContent>${box}</mc:AlternateContent></w:r>`),
      'a\n\nin',
    ],
    ['descriptions of pictures', para(drawing('', 'A map')), '![A map](<Base64-Image-Removed>)'],
    ['the numbers of a chart', para(chartAt('c')), '|  | Tons |\n| --- | --- |\n| 2024 | 12 |'],
    ['large initials', para('T', '<w:framePr w:dropCap="drop"/>') + para('he boats came in.'), 'The boats came in.'],
    ['a paragraph with a deleted end', para('One part', noEnd) + para(' and another.'), 'One part and another.'],
    ['a paragraph without an end', para('Alone', noEnd), 'Alone'],
    ['bullets', item('a', 1) + item('b', 1, 1) + item('c', 1), '- a\n  - b\n- c'],
    ['numbers', item('a', 2) + item('b', 2, 1) + item('c', 2, 1) + item('d', 2), '1. a\n   1. b\n   2. c\n2. d'],
    ['numbers that continue after a paragraph', item('a', 2) + para('x') + item('b', 2), '1. a\n\nx\n\n2. b'],
    ['numbers with a new start', item('a', 2) + para('x') + item('b', 3) + item('c', 3), '1. a\n\nx\n\n7. b\n8. c'],
    ['a list that starts at a deep level', item('a', 1, 1) + item('b', 1), '- a\n- b'],
    [
      'numbers of headings',
      para('One', '<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="4"/></w:numPr>') +
        para('Two', '<w:pStyle w:val="H2"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr>'),
      '# I. One\n\n## I.1 Two',
    ],
    [
      'marks of clauses',
      item('Scope', 5) + item('Boats', 5, 1) + item('large;', 5, 2) + item('small.', 5, 2) + item('Nets', 5, 1),
      '1. Scope\n   - 1.1 Boats\n     - (a) large;\n     - (b) small.\n   - 1.2 Nets',
    ],
    [
      'rows marked as head',
      table(markedRow('tblHeader', cell('A'), cell('B')) + row(cell('1'), cell('2'))),
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'a first row with its own style as head',
      table(row(cell('A'), cell('B')) + row(cell('1'), cell('2')), look('04A0')),
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['a table without a head', table(row(cell('A'), cell('B')), look('0000')), '|  |  |\n| --- | --- |\n| A | B |'],
    [
      'merged cells',
      table(
        row(cell('A', '<w:gridSpan w:val="2"/>')) +
          row(cell('t', '<w:vMerge w:val="restart"/>'), cell('1')) +
          row(cell('', '<w:vMerge/>'), cell('2')),
        '<w:tblLook w:firstRow="1"/>',
      ),
      '| A |  |\n| --- | --- |\n| t | 1 |\n|  | 2 |',
    ],
    [
      'no deleted rows',
      table(row(cell('a'), cell('b')) + markedRow('del', cell('x'))),
      '|  |  |\n| --- | --- |\n| a | b |',
    ],
    ['a table of one cell as its content', table(row(cell('boxed'))), 'boxed'],
  ])('keeps %s', async (_, body, markdown) => expect(await markdownOf(body, parts)).toBe(markdown))

  it('shows the chart of a footnote, found by the relationships of the footnotes', async () => {
    const footnotes = `<w:footnote w:id="1">${para(chartAt('c'))}</w:footnote>`
    const links = relationships(['c', 'chart', 'charts/chart2.xml'])
    const more = { ...parts.more, 'word/charts/chart2.xml': chart('Boats'), 'word/_rels/footnotes.xml.rels': links }
    const body = para(run('a') + inRun('footnoteReference w:id="1"'))
    expect(await markdownOf(body, { ...parts, footnotes, more })).toMatch(/Boats/)
  })

  it('shows a large chart only as often as fits into the limit for charts', async () => {
    const more = { 'word/charts/chart1.xml': chart('x'.repeat(3_000_000)) }
    const markdown = await markdownOf(para('before') + para(chartAt('c')).repeat(5) + para('after'), { ...parts, more })
    expect(markdown.split('x'.repeat(3_000_000))).toHaveLength(4)
    expect(markdown).toMatch(/after$/)
  })

  it.each<Case>([
    [
      'fractions and roots',
      part('f', part('num', sign('a')) + part('den', sign('b'))) + part('rad', `<m:deg/>${part('e', sign('x'))}`),
      '\\frac{a}{b}\\sqrt{x}',
    ],
    [
      'indices',
      part('sSup', part('e', sign('x')) + part('sup', sign('2'))) +
        part('sSub', part('e', sign('ab')) + part('sub', sign('i'))),
      'x^{2}{ab}_{i}',
    ],
    [
      'sums',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${part('sub', sign('i=1'))}${part('sup', sign('n'))}${part('e', sign('i'))}</m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    ['brackets', part('d', part('e', sign('a')) + part('e', sign('b'))), '(a|b)'],
    [
      'functions and accents',
      part('func', part('fName', sign('sin')) + part('e', sign('x'))) + part('acc', part('e', sign('y'))),
      '\\sin x\\hat{y}',
    ],
    [
      'matrices',
      part(
        'm',
        ['12', '34'].map((digits) => part('mr', [...digits].map((each) => part('e', sign(each))).join(''))).join(''),
      ),
      '\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}',
    ],
  ])('writes formulas as TeX: %s', async (_, inner, tex) => {
    expect(await markdownOf(para(`${run('so ')}${math(inner)}`))).toBe(`so $${tex}$`)
    expect(await markdownOf(para(`<m:oMathPara>${math(inner)}</m:oMathPara>`))).toBe(`$$\n${tex}\n$$`)
  })
})
