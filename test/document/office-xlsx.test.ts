import { describe, expect, it } from 'vitest'
import type { Converted } from '../../src/engine/document/converter.ts'
import { formatValue, readXlsx } from '../../src/engine/document/xlsx/xlsx.ts'
import { converted, expectRefusal } from './converting.ts'
import { relationships, source, xlsx, type XlsxParts, zipped } from './office-files.ts'

const read = (sheet: string, parts: XlsxParts = {}) => converted(readXlsx, xlsx(sheet, parts))
const markdownOf = async (sheet: string, parts: XlsxParts = {}) => (await read(sheet, parts)).markdown
/** Without the markdown, which takes longer than the sheet. */
const sheetOf = (sheet: string) => readXlsx(source(xlsx(sheet))) as Converted & { html: string }
const data = (...rows: string[]) => `<sheetData>${rows.join('')}</sheetData>`
const row = (index: number, ...cells: string[]) => `<row r="${index}">${cells.join('')}</row>`
const number = (at: string, value: number | string, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
describe('a number in a spreadsheet', () => {
  it.each<[number, string | undefined, string]>([
    [0.1 + 0.2, undefined, '0.3'],
    [1 / 3, 'General', '0.333333333333333'],
    [12_345_678_901, 'General', '12345678901'],
    [1e21, 'General', '1e+21'],
    [1234.5, '#,##0.00', '1,234.50'],
    [-1234.5, '#,##0.00', '-1,234.50'],
    [0.5, '#.##', '.5'],
    [1.005, '0.00', '1.01'],
    [0.256, '0.0%', '25.6%'],
    [0.00012, '0.0E-0', '1.2E-4'],
    [1.5, '# ?/?', '1 1/2'],
    [3, '# ?/?', '3'],
    [1500, '#,##0,', '2'],
    [1_500_000, '0.0,,"M"', '1.5M'],
    [9.99, '[$€-407] #,##0.00', '€ 9.99'],
    [-9.99, '"$"#,##0.00_);("$"#,##0.00)', '($9.99)'],
    [0, '0;-0;"none"', 'none'],
    [5, '[<10]"few";"many"', 'few'],
    [5_551_234, '000\\-0000', '555-1234'],
    [-0.001, '0.00', '0.00'],
    [-5, '0.00;[Red]0.00', '5.00'],
    [1, '', '1'],
  ])('%d as %s is %s', (value, code, shown) => expect(formatValue(value, code, 1900)).toBe(shown))

  it.each<[number, string, 1900 | 1904, string]>([
    [45_352, 'd/m/yy', 1900, '2024-03-01'],
    [45_352.5, 'm/d/yyyy h:mm', 1900, '2024-03-01 12:00'],
    [45_352.999_999, 'yyyy-mm-dd hh:mm:ss', 1900, '2024-03-02 00:00:00'],
    [45_352, '[$-F800]dddd, mmmm dd, yyyy', 1900, '2024-03-01'],
    [0.25, 'h:mm AM/PM', 1900, '06:00'],
    [1.5, '[h]:mm', 1900, '36:00'],
    [0.5, '[mm]:ss', 1900, '720:00'],
    [1, 'yyyy-mm-dd', 1900, '1900-01-01'],
    [61, 'yyyy-mm-dd', 1900, '1900-03-01'],
    [0, 'yyyy-mm-dd', 1904, '1904-01-01'],
    [43_890, 'yyyy-mm-dd', 1904, '2024-03-01'],
    [1e9, 'yyyy-mm-dd', 1900, '1000000000'],
  ])('%d as %s is a date or time (%d): %s', (value, code, system, shown) =>
    expect(formatValue(value, code, system)).toBe(shown),
  )
})

describe('an Excel workbook', () => {
  it('shows cells of every kind', async () => {
    const strings =
      '<si><t>plain</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>no</t></rPh></si>'
    const sheet = data(
      row(
        1,
        '<c r="A1" t="s"><v>0</v></c>',
        '<c r="B1" t="s"><v>1</v></c>',
        '<c r="C1" t="s"><v>99</v></c>',
        text('D1', 'a_x0041_&lt;'),
      ),
      row(
        2,
        '<c r="A2" t="b"><v>1</v></c>',
        '<c r="B2" t="e"><v>#N/A</v></c>',
        '<c r="C2" t="d"><v>2024-03-01T00:00:00</v></c>',
        '<c r="D2" t="str"><f>A1</f><v>made\nof two</v></c>',
      ),
    )
    expect(await markdownOf(sheet, { strings })).toBe(
      '## S\n\n| plain | rich text |  | aA< |\n| --- | --- | --- | --- |\n| TRUE | #N/A | 2024-03-01 | made<br>of two |',
    )
  })

  it('shows results of formulas, including shared ones', async () => {
    const sheet = data(
      row(1, '<c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>2</v></c>', number('B1', 1)),
      row(2, '<c r="A2"><f t="shared" si="0"/><v>4</v></c>', number('B2', 2)),
    )
    expect(await markdownOf(sheet)).toBe('## S\n\n| 2 | 1 |\n| --- | --- |\n| 4 | 2 |')
  })

  it('shows formulas without a result, and empty results as such', async () => {
    const sheet = data(
      row(1, number('A1', 1), '<c r="B1"><f>A1*2</f><v/></c>'),
      row(2, number('A2', 2), '<c r="B2" t="str"><f>""</f><v></v></c>'),
    )
    expect(await markdownOf(sheet)).toBe('## S\n\n| 1 | =A1*2 |\n| --- | --- |\n| 2 |  |')
    const link = data(row(1, '<c r="A1"><f>HYPERLINK("https://e.com/a","the page")</f><v/></c>'))
    expect(await markdownOf(link)).toBe('## S\n\n[the page](https://e.com/a)')
  })

  it('places cells without a stated position', async () => {
    expect(await markdownOf(data('<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B2"><v>3</v></c></row>'))).toBe(
      '## S\n\n| 1 | 2 |\n| --- | --- |\n|  | 3 |',
    )
  })

  it('merges cells, and keeps links', async () => {
    const sheet = `${data(row(1, text('A1', 'wide')), row(2, text('A2', 'x'), text('B2', 'y'), '<c r="C2" t="str"><f>HYPERLINK("https://ex.com/f","z")</f><v>z</v></c>'))}<mergeCells><mergeCell ref="A1:C1"/></mergeCells><hyperlinks><hyperlink ref="A2" r:id="h"/><hyperlink ref="B2" r:id="i"/></hyperlinks>`
    const links = [
      ['h', 'hyperlink', 'https://ex.com/h', 'External'],
      ['i', 'hyperlink', 'file:///x', 'External'],
    ] as const
    const { html } = await read(sheet, { links })
    expect(html).toBe(
      '<h2>S</h2><p>wide</p><table><tbody><tr><td><a href="https://ex.com/h">x</a></td><td>y</td><td><a href="https://ex.com/f">z</a></td></tr></tbody></table>',
    )
    const merged = `${data(row(1, text('A1', 'wide'), text('C1', 'c')), row(2, text('A2', 'a'), text('B2', 'b'), text('C2', 'd')))}<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="C1:C2"/></mergeCells>`
    expect((await read(merged)).html).toContain(
      '<tr><th colspan="2">wide</th><th rowspan="2">c</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr>',
    )
  })

  it('leaves out empty and hidden rows and columns', async () => {
    const sheet = `<cols><col min="2" max="2" hidden="1"/></cols>${data(row(2, text('A2', 'a'), text('B2', 'secret'), text('XFD2', 'z')), `<row r="3" hidden="1">${text('A3', 'secret')}</row>`, row(1_048_576, number('A1048576', 1)))}`
    const { markdown, warning } = await read(sheet)
    expect(markdown).toBe('## S\n\n| a | z |\n| --- | --- |\n| 1 |  |')
    expect(warning).toBe('Sheet 1: hidden rows or columns were left out.')
  })

  it('stops at its budget of cells, and names the place', () => {
    const rows = Array.from(
      { length: 70_000 },
      (_, i) => `<row r="${i + 1}"><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>`,
    )
    const { html, warning } = sheetOf(`<dimension ref="A1:C70000"/>${data(...rows)}`)
    expect(warning).toBe('Sheet 1: rows after 66667 of 70000 were left out, because the workbook is too large.')
    expect(html.match(/<tr>/g)).toHaveLength(66_667)
  })

  it('in the binary format is refused', () =>
    expectRefusal(readXlsx)(
      '',
      zipped({ '_rels/.rels': relationships(['r', 'officeDocument', 'xl/workbook.bin']), 'xl/workbook.bin': 'x' }),
      /xlsb/,
    ))
})
