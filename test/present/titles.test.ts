import { expect, test } from 'vitest'
import { withoutSiteName } from '../../src/operations/present/present-lists.ts'

test.each([
  [
    ['Quay', 'A · Quay', 'B · Quay', 'C · Quay'],
    ['Quay', 'A', 'B', 'C'],
  ],
  [
    ['A - b | Quay', 'C | Quay', 'D | Quay'],
    ['A - b', 'C', 'D'],
  ],
  [
    ['Foo - Guide - Acme', 'Bar - News - Acme', 'Baz - Blog - Acme'],
    ['Foo - Guide', 'Bar - News', 'Baz - Blog'],
  ],
  [
    ['A | Quay-Werft', 'B - C | Quay-Werft', 'D | Quay-Werft'],
    ['A', 'B - C', 'D'],
  ],
  // Two titles may have the same end by chance, and a match inside a word is not evidence.
  [
    ['A · Quay', 'B · Quay'],
    ['A · Quay', 'B · Quay'],
  ],
  [
    ['one-way', 'two-way', 'free-way'],
    ['one-way', 'two-way', 'free-way'],
  ],
  [Array.from({ length: 3 }, () => ` · ${'x'.repeat(200)}`), Array.from({ length: 3 }, () => ` · ${'x'.repeat(200)}`)],
  [
    ['A · x', 'B · y', 'C · z', 'D'],
    ['A · x', 'B · y', 'C · z', 'D'],
  ],
  [[], []],
])('%j are %j', (titles, short) => {
  expect(withoutSiteName(titles)).toEqual(short)
})

test('only the end of an endless title is examined', () => {
  const begins = ['a', 'b', 'c'].map((name) => `${name}${' -'.repeat(5_000_000)}`)
  const short = withoutSiteName(begins.map((begin) => `${begin} ·`))
  // Not toEqual, which would print the titles.
  expect(short.every((title, index) => title === begins[index]?.slice(0, -2))).toBe(true)
})
