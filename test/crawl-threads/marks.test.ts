import { expect, test } from 'vitest'
import { marked, marksIn, newMarks } from '../../src/app/wiring/crawl-threads/crawl-thread-calls.ts'

test.each([
  ['a short address', 'https://a.example/'],
  ['one of letters of several bytes', `https://a.example/${'ü漢🕸'.repeat(100)}`],
  ['one that just fits', 'x'.repeat(8192)],
  ['one that is too long', `https://a.example/${'x'.repeat(20_000)}`],
  ['one that is cut in the middle of a letter', `${'x'.repeat(8191)}ü`],
  ['one that is cut in the middle of a pair', `${'x'.repeat(8190)}🕸`],
])('an address is recognised by the mark that an earlier thread left: %s', (_, url) => {
  const memory = newMarks()
  marksIn(memory).reading(url)
  expect(marksIn(memory).page()).toBe(marked(url))
})

test('a page that has been read leaves no mark', () => {
  const marks = marksIn(newMarks())
  marks.reading('https://a.example/')
  marks.reading(undefined)
  expect(marks.page()).toBeUndefined()
})
