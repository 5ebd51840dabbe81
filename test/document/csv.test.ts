import { describe, expect, test } from 'vitest'
import { delimiterOf, readCsv, rowsOf } from '../../src/engine/document/text/csv-file.ts'
import { converted } from './converting.ts'

const table = async (text: string | Uint8Array, facts = {}) => (await converted(readCsv, text, facts)).markdown
const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('')

/** Rows as one text: `·` separates fields, `/` rows. */
const rowsIn = (text: string) => [...rowsOf(text, ',')].map((row) => row.join('·')).join(' / ')

test.each([
  ['quotes, doubled quotes and line ends in them', '"a ""b""","c\nd"\n"",e\n', 'a "b"·c\nd / ·e'],
  ['a quote inside a field as a character', '5" disk,a"b"\n', '5" disk·a"b"'],
  ['a quote that never ends as a character', 'a,"b\nc,d\n', 'a·"b / c·d'],
  ['text behind a closing quote', '"a"b,c', 'ab·c'],
  ['empty fields at both ends', ',\n,a,', '· / ·a·'],
  ['no row in a blank line', '\na,b\n\n  \nc,d\n\n', 'a·b / c·d'],
  ['no row in an empty text', '', ''],
  ['rows of any length', 'a\nb,c,d\n', 'a / b·c·d'],
])('reads %s', (_, text, rows) => expect(rowsIn(text)).toBe(rows))

test.each([
  ['a,b\n1,2', ','],
  ['name;price\nLamp;49,50\nChair;120,00', ';'],
  ['a\tb, c\n1\t2', '\t'],
  ['a|b|c\n1|2|3', '|'],
  ['"a;b";"c,d,e"\n1;2', ';'],
  ['title of it all\na;b;c\n1;2;3', ';'],
  ['one\ntwo', ','],
  ['', ','],
])('finds the delimiter of %j', (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter))

describe('a CSV file as markdown', () => {
  test('is a table whose header is the first row', async () => {
    expect(await converted(readCsv, 'name,price\r\nLamp,49.50\r\n')).toMatchObject({
      markdown: lines('| name | price |', '| --- | --- |', '| Lamp | 49.50 |'),
      metadata: { rowCount: 1, columnCount: 2 },
    })
  })

  test('keeps each cell in its column whatever it contains', async () => {
    expect(await table('a,b\n"x|y","1\n2"\n"\\|",<script>\n')).toBe(
      lines('| a | b |', '| --- | --- |', String.raw`| x\|y | 1<br>2 |`, String.raw`| \\\| | \<script> |`),
    )
  })

  test.each(['sep=;\na;b,c', '\ufeff"sep=;"\r\na;b,c'])('uses the separator that Excel declares in %j', async (text) =>
    expect(await table(text)).toBe(lines('| a | b,c |', '| --- | --- |')),
  )

  test.each([{ contentType: 'text/tab-separated-values' }, { url: 'https://ex.com/a.tsv' }])(
    'is split at tabs if its type or name says so: %j',
    async (facts) => expect(await table('a,b,c\td,e,f', facts)).toBe(lines('| a,b,c | d,e,f |', '| --- | --- |')),
  )

  test.each([
    ['gb18030', 'bmFtZSxjaXR5CtXFzrAsurG+qcrQCg=='],
    ['windows-1252', 'bmFtZSxjaXR5Ckr8cmdlbixL9mxuCg=='],
  ])('warns that it guessed the charset %s', async (charset, base64) => {
    const { warning } = await converted(readCsv, Buffer.from(base64, 'base64'))
    expect(warning).toContain(`read as ${charset}, which is a guess`)
  })

  test('is cut at a limit, with a warning', async () => {
    const { markdown, warning, metadata } = await converted(readCsv, 'a,b\n'.repeat(300_000))
    expect(warning).toBe('The table has 300000 rows; the first 250000 are shown (500000 cells at most).')
    expect(markdown.split('\n')).toHaveLength(250_002)
    expect(metadata).toMatchObject({ rowCount: 299_999 })
  })

  test('takes time proportional to its length, even with unclosed quotes', async () => {
    const hostile = `a,b\n${'"x,'.repeat(200_000)}`
    expect((await table(hostile)).length).toBeGreaterThan(hostile.length)
  })
})
