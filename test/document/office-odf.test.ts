import { describe, expect, it } from 'vitest'
import { readOdp, readOds, readOdt } from '../../src/engine/document/odf/odf.ts'
import { converted, expectRefusal, type Refused } from './converting.ts'
import { odf, odfNamespaces, source, zipped } from './office-files.ts'

const textOf = async (body: string, styles = '') => (await converted(readOdt, odf('text', body, styles))).markdown
const sheet = (body: string) => converted(readOds, odf('spreadsheet', body))
/** Without the markdown, which takes longer than the sheet. */
const largeSheet = (body: string) => readOds(source(odf('spreadsheet', body)))
const p = (inner: string, style = 'P') => `<text:p text:style-name="${style}">${inner}</text:p>`
const list = (items: string, more = '') => `<text:list ${more}>${items}</text:list>`
const item = (inner: string, more = '') => `<text:list-item ${more}>${inner}</text:list-item>`
const textStyle = (name: string, look: string) =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${look}/></style:style>`
const paragraphStyle = (name: string, more: string, look = '') =>
  `<style:style style:name="${name}" style:family="paragraph" ${more}><style:text-properties ${look}/></style:style>`
const level = (at: number, more: string) =>
  `<text:list-level-style-number text:level="${at}" ${more.includes('num-format') ? '' : 'style:num-format="1"'} ${more}/>`
const styles =
  textStyle('B', 'fo:font-weight="700"') +
  textStyle('I', 'fo:font-style="italic"') +
  textStyle('N', 'fo:font-weight="normal"') +
  textStyle('H', 'text:display="none"') +
  paragraphStyle('Title', '') +
  paragraphStyle('P9', 'style:parent-style-name="Title"') +
  paragraphStyle('Gone', '', 'text:display="none"') +
  paragraphStyle('Quotations', '') +
  paragraphStyle('Pre', 'style:display-name="Preformatted Text"') +
  '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>' +
  `<text:list-style style:name="C">${level(1, 'style:num-suffix="."')}${level(2, 'text:display-levels="2"')}</text:list-style>` +
  `<text:list-style style:name="A">${level(1, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"')}</text:list-style>`

describe('an OpenDocument text', () => {
  it.each<[string, string, string]>([
    ['headings', '<text:h text:outline-level="2">Two</text:h>', '## Two'],
    ['titles by style', p('Name', 'P9'), '# Name'],
    ['white space as one space', p('  a \n  b<text:span> c</text:span> <text:s text:c="2"/>d'), 'a b c d'],
    [
      'styles within styles',
      p(
        '<text:span text:style-name="B">a<text:span text:style-name="I">b</text:span><text:span text:style-name="N">c</text:span></text:span>',
      ),
      '**a*b***c',
    ],
    [
      'no hidden text',
      p('a<text:span text:style-name="H">b</text:span>') +
        p('c', 'Gone') +
        '<text:section text:display="none"><text:p>d</text:p></text:section>',
      'a',
    ],
    [
      'no deleted text',
      `<text:tracked-changes><text:changed-region><text:deletion>${p('old')}</text:deletion></text:changed-region></text:tracked-changes>${p('<text:change/>new')}`,
      'new',
    ],
    [
      'no table of contents',
      `<text:table-of-content><text:index-body>${p('One 1')}</text:index-body></text:table-of-content>${p('text')}`,
      'text',
    ],
    ['quotes', p('a', 'Quotations') + p('b', 'Quotations'), '> a\n>\n> b'],
    ['code', p('if<text:s/><text:s/>x', 'Pre') + p('', 'Pre') + p('y', 'Pre'), '```\nif  x\n\ny\n```'],
    [
      'numbers and bullets',
      list(item(p('a') + list(item(p('b')))) + item(p('c')), 'text:style-name="L"'),
      '1. a\n   - b\n2. c',
    ],
    [
      'the numbers of a continued list',
      list(item(p('a')), 'text:style-name="L"') +
        p('x') +
        list(item(p('b')), 'text:style-name="L" text:continue-numbering="true"'),
      '1. a\n\nx\n\n2. b',
    ],
    [
      'the number of a heading',
      '<text:h text:outline-level="1"><text:number>1.</text:number>Scope</text:h>',
      '# 1. Scope',
    ],
    [
      'marks of clauses',
      list(item(p('Scope') + list(item(p('Boats')))), 'text:style-name="C"') +
        list(item(p('large')), 'text:style-name="A"'),
      '1. Scope\n   - 1.1 Boats\n\n- (a) large',
    ],
    [
      'paragraphs in a shape',
      p(`Before <draw:rect>${p('one')}${p('two')}</draw:rect>after`),
      'Before after\n\none\n\ntwo',
    ],
    ['text boxes', `<draw:frame><draw:text-box>${p('in')}</draw:text-box></draw:frame>`, 'in'],
    [
      'usable links only',
      p('<text:a xlink:href="https://ex.com/">a</text:a> <text:a xlink:href="#b">b</text:a>'),
      '[a](https://ex.com/) b',
    ],
  ])('keeps %s', async (_, body, markdown) => expect(await textOf(body, styles)).toBe(markdown))

  it('keeps notes, and stops notes within notes', async () => {
    const note = (id: string, inner: string) =>
      `<text:note text:id="${id}"><text:note-citation>9</text:note-citation><text:note-body>${p(inner)}</text:note-body></text:note>`
    expect(await textOf(p(`a${note('n1', `first${note('n2', 'no')}`)}b${note('n3', 'last')}`))).toBe(
      'a[^1]b[^2]\n\n[^1]: first\n\n[^2]: last',
    )
  })
})

const cell = (inner: string, more = '') =>
  `<table:table-cell ${more}>${inner && `<text:p>${inner}</text:p>`}</table:table-cell>`
const row = (inner: string, more = '') => `<table:table-row ${more}>${inner}</table:table-row>`
const table = (inner: string) => `<table:table table:name="S">${inner}</table:table>`

it.each([
  [
    'the source of a formula',
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>a</mi><annotation encoding="StarMath 5.0">{a} over {b}</annotation></semantics></math>',
    '`{a} over {b}`',
  ],
  [
    'the numbers of a chart',
    `<d ${odfNamespaces}><table:table><table:table-header-rows>${row(cell('Year') + cell('Tons'))}</table:table-header-rows>${row(cell('2024') + cell('12'))}</table:table></d>`,
    '| Year | Tons |\n| --- | --- |\n| 2024 | 12 |',
  ],
])('an OpenDocument text keeps %s', async (_, object, expected) => {
  const body = p('<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>')
  const { markdown } = await converted(readOdt, odf('text', body, '', { 'Object 1/content.xml': object }))
  expect(markdown).toBe(expected)
})

describe('an OpenDocument spreadsheet', () => {
  it('ends with its content, however often empty cells are repeated', async () => {
    const edge = cell('', 'table:number-columns-repeated="16384"')
    const { html } = await sheet(
      table(row(cell('a') + cell('b') + edge) + row(edge, 'table:number-rows-repeated="1048576"') + row(cell('c'))),
    )
    expect(html).toBe(
      '<h2>S</h2><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td></td></tr></tbody></table>',
    )
  })

  it('repeats cells and rows with content, up to a limit', async () => {
    const { markdown } = await sheet(
      table(row(cell('x', 'table:number-columns-repeated="3"'), 'table:number-rows-repeated="2"')),
    )
    expect(markdown).toBe('## S\n\n| x | x | x |\n| --- | --- | --- |\n| x | x | x |')
    const large = largeSheet(
      table(row(cell('x', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"')),
    )
    expect('html' in large && large.html.length).toBeLessThan(10_000_000)
  })

  it('shows values that are stored without their text', async () => {
    const flag = cell('', 'office:value-type="boolean" office:boolean-value="true"')
    const { markdown } = await sheet(
      table(row(flag + cell('', 'office:value-type="string" office:string-value="rope"'))),
    )
    expect(markdown).toBe('## S\n\n|  |  |\n| --- | --- |\n| TRUE | rope |')
  })

  it('writes dates as ISO 8601 and everything else as displayed', async () => {
    const date = cell('1.3.24', 'office:value-type="date" office:date-value="2024-03-01T00:00:00"')
    expect(
      (await sheet(table(row(date + cell('25,5 %', 'office:value-type="percentage" office:value="0.255"'))))).markdown,
    ).toContain('| 2024-03-01 | 25,5 % |')
  })
})

const frame = (text: string, y: string, more = '') =>
  `<draw:frame svg:x="1cm" svg:y="${y}" ${more}><draw:text-box>${p(text)}</draw:text-box></draw:frame>`
it('an OpenDocument presentation is read by position, with its notes', async () => {
  const page = `<draw:page>${frame('low', '9cm')}${frame('high', '2cm')}${frame('T', '20cm', 'presentation:class="title"')}${frame('7', '1cm', 'presentation:class="page-number"')}<presentation:notes>${frame('say', '1cm', 'presentation:class="notes"')}</presentation:notes></draw:page>`
  const { markdown, numPages } = await converted(readOdp, odf('presentation', page + page))
  const slide = '## T\n\nhigh\n\nlow\n\n> Notes:\n>\n> say'
  expect([markdown, numPages]).toEqual([`${slide}\n\n${slide}`, 2])
})

const locked =
  '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'

it.each<Refused>([
  ['with a password', odf('text', '', '', { 'META-INF/manifest.xml': locked }), /password/],
  ['without content', zipped({ mimetype: 'application/vnd.oasis.opendocument.text' }), /lacks its content/],
])('an OpenDocument file %s is refused', expectRefusal(readOdt))
