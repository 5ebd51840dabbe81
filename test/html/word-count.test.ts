import { expect, it } from 'vitest'
import { wordCount } from '../../src/engine/html/page/word-count.ts'
import { read } from './read.ts'

it.each([
  ['', 0],
  ['One, two — three!', 3],
  ["don't well-known 3.5 x2", 5],
  ['# A head\n\n- an item\n- [a link](https://example.com/some/long/path "a title")', 6],
  ['[one](a(b) two) ![three](x y) [four](<z> "t t")', 6],
  ['[a](/b)-c d-[e](/f)', 4],
  ['faces 😀 and 🚀rockets ™ ✓ ➁ 🄀', 5],
  ['日本語です', 5],
  ['한국어 문장', 2],
  ['naïve Größe e\u0301te\u0301', 3],
])('%j has %i words', (markdown, count) => expect(wordCount(markdown)).toBe(count))

it('is in the metadata if markdown is requested', () => {
  const page = '<html><body><p>Three words here.</p></body></html>'
  expect(read(page, ['markdown', 'metadata']).metadata).toMatchObject({ wordCount: 3 })
  expect(read(page, ['metadata']).metadata).not.toHaveProperty('wordCount')
})

it.each(["don't well-known a--b -c d-", 'naïve ½ x² 3.5 ‘so’ it’s', 'a·b €5 → end', '#1 _two_ **three**'])(
  'counts %j the same with and without a Chinese character',
  (text) => expect(wordCount(`${text} 字`)).toBe(wordCount(text) + 1),
)
