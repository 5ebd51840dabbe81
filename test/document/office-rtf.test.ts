import { describe, expect, it } from 'vitest'
import { readRtf } from '../../src/engine/document/rtf/rtf.ts'
import { converted, expectRefusal } from './converting.ts'

const bytes = (rtf: string) => Buffer.from(rtf, 'latin1')
const read = (inner: string, start = '\\ansi') => converted(readRtf, bytes(`{\\rtf1${start} ${inner}}`))
const markdownOf = async (inner: string, start?: string) => (await read(inner, start)).markdown
const row = (...cells: string[]) =>
  `\\trowd${cells.map((_, i) => `\\cellx${(i + 1) * 1000}`).join('')}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `
const styles =
  '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 Title;}{\\s3 Quote;}{\\s4 HTML Preformatted;}{\\*\\cs5 Source Code;}}'
const fonts =
  '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}{\\f3\\fcharset2 Symbol;}{\\f4\\fcharset177 David;}}'

describe('an RTF document', () => {
  it.each<[string, string, string]>([
    ['paragraphs', 'a\\par b\\par', 'a\n\nb'],
    [
      'styles that end with their group',
      '{\\b bold}{\\i  it} {\\b\\b0 no}{\\strike s}\\super 2\\nosupersub',
      '**bold** _it_ no~~s~~^2',
    ],
    ['signs by name', '\\lquote a\\rquote\\emdash\\bullet  x', '‘a’—• x'],
    ['Unicode with a fallback', "\\u1044\\'3fa\\u1041 ?b", 'ДaБb'],
    ['negative Unicode and pairs', '\\u-10179?\\u-8704?', '😀'],
    ['bytes by the code page', "caf\\'e9 \\'80", 'café €'],
    ['bytes by the font', `${fonts}{\\f1 \\'cf\\'f0}{\\f2 \\'93\\'fa\\'96\\'7b}{\\f4 \\'f9}{\\f3 \\'61}`, 'Пр日本שα'],
    [
      'headings',
      `${styles}\\pard\\s1 One\\par\\pard\\outlinelevel1 Two\\par\\pard\\s2 T\\par`,
      '# One\n\n## Two\n\n# T',
    ],
    [
      'quotes and code',
      `${styles}\\pard\\s3 q\\par\\pard\\s4 a  b\\par c\\par\\pard {\\cs5 f()}\\par`,
      '> q\n\n```\na  b\nc\n```\n\n`f()`',
    ],
    [
      'lists',
      "{\\listtext 1.\\tab}\\pard\\ls1 a\\par{\\listtext\\'b7\\tab}\\pard\\ls1\\ilvl1 b\\par{\\listtext 2.\\tab}\\pard\\ls1 c\\par",
      '1. a\n   - b\n2. c',
    ],
    [
      'tables',
      `${row('A', 'B')}${row('1|', '{\\b 2}')}\\pard after\\par`,
      '|  |  |\n| --- | --- |\n| A | B |\n| 1\\| | **2** |\n\nafter',
    ],
    [
      'links',
      '{\\field{\\*\\fldinst HYPERLINK "https://ex.com/a"}{\\fldrslt {\\ul here}}} {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}',
      '[here](https://ex.com/a)',
    ],
    ['notes', 'a{\\super\\chftn{\\footnote\\pard\\chftn {\\i n}ote}}b\\par', 'a[^1]b\n\n[^1]: *n*ote'],
    ['no hidden and no deleted text', 'a{\\v b}{\\deleted c}{\\revised d}', 'ad'],
    [
      'no pictures, headers and unknown groups',
      '{\\pict\\pngblip 89504e47}{\\header h}{\\*\\unknown u}{\\*\\bkmkstart x}a',
      'a',
    ],
    ['no binary data, whatever is in it', 'a{\\pict\\bin5 }}}}}}b', 'ab'],
    ['text boxes', '{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv v}}{\\shptxt in\\par}}}a', 'in\n\na'],
    ['text after surplus brackets', 'a}}}b', 'ab'],
    ['page breaks inside a paragraph', 'ends\\page starts\\par', 'ends  \nstarts'],
    ['wide blanks', 'a\\emspace b\\enspace c\\par', 'a b c'],
    ['raised text', 'xy{\\up6 2}\\par', 'xy^2'],
    [
      'marks of clauses',
      '{\\listtext 1.\\tab}\\ls1 Scope\\par{\\listtext 1.1\\tab}\\ls1\\ilvl1 Boats\\par{\\listtext (a)\\tab}\\ls1\\ilvl2 large\\par',
      '1. Scope\n   - 1.1 Boats\n     - (a) large',
    ],
  ])('keeps %s', async (_, inner, markdown) => expect(await markdownOf(inner)).toBe(markdown))

  it.each<[string, string, string]>([
    ['\\ansi\\ansicpg1251', "\\'cf\\'f0", 'Пр'],
    ['\\ansi\\ansicpg932', "\\'93\\'fa", '日'],
    ['\\ansi\\ansicpg65001', "\\'e6\\'97\\'a5", '日'],
    ['\\mac', "\\'8e", 'é'],
    ['\\ansi\\ansicpg99999', "\\'e9", 'é'],
  ])('follows %s', async (start, inner, markdown) => expect(await markdownOf(inner, start)).toBe(markdown))

  it('has metadata', async () => {
    const info =
      "{\\info{\\title T\\'e9}{\\author A}{\\operator B}{\\keywords k, l}{\\creatim\\yr2024\\mo3\\dy1\\hr9\\min30}{\\revtim\\yr0\\mo0}{\\revtim\\yr2024\\mo9999999999}}"
    expect((await read(`${info}x`)).metadata).toEqual({
      title: 'Té',
      author: 'A',
      keywords: 'k, l',
      publishedTime: '2024-03-01T09:30:00.000Z',
    })
  })

  it.each<[string, string]>([
    ['groups without end', '{'.repeat(300_000)],
    ['groups in groups', `${'{\\b '.repeat(100_000)}core${'}'.repeat(100_000)}`],
    ['notes in notes', '{\\footnote x'.repeat(5000)],
    ['fields in fields', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt '.repeat(5000)],
    ['a million control words', '\\b'.repeat(1_000_000)],
    ['very many cells', `\\trowd${'\\cellx1'.repeat(100_000)}${'\\cell'.repeat(100_000)}\\row`],
    ['wild numbers', '\\u99999999999999\\bin-5\\uc-1\\cellx-1\\ilvl-9\\ls1 x\\par'],
    ['an unfinished control word', '\\u'],
  ])('survives %s', async (_, inner) => {
    expect((await converted(readRtf, bytes(`{\\rtf1 start ${inner}`))).html).toContain('start')
  })

  it('is refused if it is not RTF', () => expectRefusal(readRtf)('', 'hello', /not an RTF/))
})
