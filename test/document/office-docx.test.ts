import { describe, expect, it } from 'vitest'
import { readDocx } from '../../src/engine/document/docx/docx.ts'
import { converted } from './converting.ts'
import { docx, type DocxParts, para, run } from './office-files.ts'

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
const scheme = (id: number, levels: string) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`
const use = (id: number, of: number, more = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`
const numbering =
  scheme(0, level(0, 'bullet') + level(1, 'bullet')) +
  scheme(1, level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%2)')) +
  scheme(2, level(0, 'upperRoman', '%1.') + level(1, 'decimal', '%1.%2')) +
  use(1, 0) +
  use(2, 1) +
  use(3, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>') +
  use(4, 2)
const item = (text: string, id: number, at = 0) =>
  para(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)

const cell = (text: string, properties = '') =>
  `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${para(text)}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const table = (inner: string, look = '') => `<w:tbl><w:tblPr>${look}</w:tblPr>${inner}</w:tbl>`
const field = (code: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
const drawing = (inner: string, description = '') =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="${description}"/>${inner}</wp:inline></w:drawing></w:r>`
const box = (text: string) => `<wps:txbx><w:txbxContent>${para(text)}</w:txbxContent></wps:txbx>`
const math = (inner: string) => `<m:oMath>${inner}</m:oMath>`
const sign = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`

describe('a Word document', () => {
  it.each<[string, string, string]>([
    ['headings by style', styled('H1', 'One') + styled('H2', 'Two'), '# One\n\n## Two'],
    ['headings by styles based on others', styled('Mine', 'One') + styled('Deep', 'Three'), '# One\n\n### Three'],
    ['headings by outline level', para('Two', '<w:outlineLvl w:val="1"/>'), '## Two'],
    ['titles', styled('T', 'Name'), '# Name'],
    ['quotes as one', styled('Q', 'a') + styled('Q', 'b'), '> a\n>\n> b'],
    ['code as one block', styled('Pre', 'a &lt; b') + styled('Pre', '  c'), '```\na < b\n  c\n```'],
    ['code in a line', para(run('f()', '<w:rStyle w:val="Code"/>')), '`f()`'],
    ['bold runs as one', para(run('a', '<w:b/>') + run(' ') + run('b', '<w:b w:val="1"/>')), '**a b**'],
    ['what is no longer bold', para(run('a', '<w:b w:val="0"/>')), 'a'],
    [
      'insertions, not deletions',
      para(`<w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>`),
      'new',
    ],
    ['no hidden text', para(run('a') + run('b', '<w:vanish/>')), 'a'],
    [
      'what stands in controls and smart tags',
      `<w:sdt><w:sdtPr/><w:sdtContent>${para(`<w:smartTag>${run('in')}</w:smartTag>`)}</w:sdtContent></w:sdt>`,
      'in',
    ],
    [
      'tabs, breaks and hyphens',
      para(
        '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/></w:r>',
      ),
      'a b  \nc‑d',
    ],
    [
      'signs of symbol fonts',
      para('<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'),
      'α✓',
    ],
    [
      'readings',
      para(
        '<w:r><w:ruby><w:rt><w:r><w:t>kanji</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      ),
      '漢字(kanji)',
    ],
    [
      'boxes to tick',
      para(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>' +
          run(' done'),
      ),
      '☒ done',
    ],
    ['links written as fields', para(field(' HYPERLINK "https://ex.com/a" ', 'here')), '[here](https://ex.com/a)'],
    [
      'raised and lowered text',
      para(
        run('m') +
          run('2', '<w:vertAlign w:val="superscript"/>') +
          run('3', '<w:position w:val="8"/><w:sz w:val="10"/>'),
      ),
      'm^23',
    ],
    [
      'page numbers in sentences, but not in tables of contents',
      para(
        run('See page ') + field(' PAGEREF a ', '7') + run('.') + field(' TOC \\o ', 'One' + field(' PAGEREF b ', '1')),
      ),
      'See page 7.',
    ],
    ['no table of contents', para(field(' TOC \\o ', 'One 1')) + styled('Toc', 'One 1') + para('text'), 'text'],
    [
      'text boxes once, after their paragraph',
      para(
        `${run('a')}<w:r><mc:AlternateContent><mc:Choice><w:drawing>${box('in')}</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${para('in')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      ),
      'a\n\nin',
    ],
    ['pictures by their words', para(drawing('', 'A map')), '![A map](<Base64-Image-Removed>)'],
  ])('keeps %s', async (_, body, markdown) => expect(await markdownOf(body, { styles, numbering })).toBe(markdown))

  it.each<[string, string, string]>([
    ['bullets', item('a', 1) + item('b', 1, 1) + item('c', 1), '- a\n  - b\n- c'],
    ['numbers', item('a', 2) + item('b', 2, 1) + item('c', 2, 1) + item('d', 2), '1. a\n   1. b\n   2. c\n2. d'],
    ['numbers that go on after a paragraph', item('a', 2) + para('x') + item('b', 2), '1. a\n\nx\n\n2. b'],
    ['numbers that start anew', item('a', 2) + para('x') + item('b', 3) + item('c', 3), '1. a\n\nx\n\n7. b\n8. c'],
    ['a list that begins deep', item('a', 1, 1) + item('b', 1), '- a\n- b'],
    [
      'numbers of headings',
      para('One', '<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="4"/></w:numPr>') +
        para('Two', '<w:pStyle w:val="H2"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr>'),
      '# I. One\n\n## I.1 Two',
    ],
  ])('keeps lists: %s', async (_, body, markdown) =>
    expect(await markdownOf(body, { styles, numbering })).toBe(markdown),
  )

  it.each<[string, string, string]>([
    [
      'rows marked as head',
      table(`<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('A')}${cell('B')}</w:tr>${row(cell('1'), cell('2'))}`),
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'a first row with a look of its own',
      table(row(cell('A'), cell('B')) + row(cell('1'), cell('2')), '<w:tblLook w:val="04A0"/>'),
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['no head', table(row(cell('A'), cell('B')), '<w:tblLook w:val="0000"/>'), '|  |  |\n| --- | --- |\n| A | B |'],
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
      table(row(cell('a'), cell('b')) + `<w:tr><w:trPr><w:del/></w:trPr>${cell('x')}</w:tr>`),
      '|  |  |\n| --- | --- |\n| a | b |',
    ],
    ['a table of one cell as its content', table(row(cell('boxed'))), 'boxed'],
  ])('keeps tables: %s', async (_, body, markdown) => expect(await markdownOf(body)).toBe(markdown))

  it.each<[string, string, string]>([
    [
      'fractions and roots',
      `<m:f><m:num>${sign('a')}</m:num><m:den>${sign('b')}</m:den></m:f><m:rad><m:deg/><m:e>${sign('x')}</m:e></m:rad>`,
      '\\frac{a}{b}\\sqrt{x}',
    ],
    [
      'indices',
      `<m:sSup><m:e>${sign('x')}</m:e><m:sup>${sign('2')}</m:sup></m:sSup><m:sSub><m:e>${sign('ab')}</m:e><m:sub>${sign('i')}</m:sub></m:sSub>`,
      'x^{2}{ab}_{i}',
    ],
    [
      'sums',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${sign('i=1')}</m:sub><m:sup>${sign('n')}</m:sup><m:e>${sign('i')}</m:e></m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    ['brackets', `<m:d><m:e>${sign('a')}</m:e><m:e>${sign('b')}</m:e></m:d>`, '(a|b)'],
    [
      'functions and accents',
      `<m:func><m:fName>${sign('sin')}</m:fName><m:e>${sign('x')}</m:e></m:func><m:acc><m:e>${sign('y')}</m:e></m:acc>`,
      '\\sin x\\hat{y}',
    ],
    [
      'matrices',
      `<m:m><m:mr><m:e>${sign('1')}</m:e><m:e>${sign('2')}</m:e></m:mr><m:mr><m:e>${sign('3')}</m:e><m:e>${sign('4')}</m:e></m:mr></m:m>`,
      '\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}',
    ],
  ])('writes formulas as TeX: %s', async (_, inner, tex) => {
    expect(await markdownOf(para(`${run('so ')}${math(inner)}`))).toBe(`so $${tex}$`)
    expect(await markdownOf(para(`<m:oMathPara>${math(inner)}</m:oMathPara>`))).toBe(`$$\n${tex}\n$$`)
  })
})
