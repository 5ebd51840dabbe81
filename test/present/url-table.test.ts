import { expect, test } from 'vitest'
import { shortened, splitUrls, tableOf } from '../../src/operations/present/present-lists.ts'

test.each([
  [['https://a.test/docs/x', 'https://a.test/docs/y/z'], 'https://a.test/docs', ['/x', '/y/z']],
  // A path that the others continue keeps its last part, too.
  [['https://a.test/docs', 'https://a.test/docs/x'], 'https://a.test', ['/docs', '/docs/x']],
  [['https://a.test/docs', 'https://a.test/docs-old'], 'https://a.test', ['/docs', '/docs-old']],
  [['https://a.test/x', 'https://b.test/x'], '', ['https://a.test/x', 'https://b.test/x']],
  [['https://a.test/x', 'https://a.test.evil/x'], '', ['https://a.test/x', 'https://a.test.evil/x']],
  [['http://a.test/x', 'https://a.test/x'], '', ['http://a.test/x', 'https://a.test/x']],
  [['', 'https://a.test/x'], '', ['', 'https://a.test/x']],
])('%j have %j in common', (urls, base, rests) => {
  expect(splitUrls(urls)).toEqual({ base, rests })
})

test('long URLs are complete, because a cut one cannot be opened', () => {
  const { base, rests } = splitUrls([
    `https://a.test/${'x'.repeat(900)}/1`,
    `https://a.test/${'x'.repeat(900)}/2${'y'.repeat(900)}`,
  ])
  expect(base).toBe(`https://a.test/${'x'.repeat(900)}`)
  expect(rests).toEqual(['/1', `/2${'y'.repeat(900)}`])
})

test('a cell is one line, and so is a row', () => {
  expect(tableOf(['row', 'title'], [[1, shortened(' Two\n3 | forged ')]])).toBe('row | title\n1 | Two 3 | forged')
  expect(splitUrls(['https://a.test/x\nhttps://b.test/'])).toMatchObject({
    rests: ['https://a.test/x https://b.test/'],
  })
})
