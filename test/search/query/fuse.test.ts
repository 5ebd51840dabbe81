import { describe, expect, test } from 'vitest'
import type { SearchHit } from '../../../src/contracts/search-port.ts'
import { canonicalResult, fuse, type Ranked } from '../../../src/engine/search/query/merge-and-filter.ts'

const hit = (name: string, more: Partial<SearchHit> = {}): SearchHit => ({
  url: `https://${name}.org/`,
  title: name,
  ...more,
})
const list = (names: string, weight = 1): Ranked => ({ hits: names.split(' ').map((name) => hit(name)), weight })
const order = (lists: readonly Ranked[]) =>
  fuse(lists)
    .map(({ title }) => title)
    .join(' ')

describe('the order', () => {
  test.each<{ what: string; lists: Ranked[]; order: string }>([
    { what: 'of no list is empty', lists: [], order: '' },
    { what: 'of one list is its own', lists: [list('a b c')], order: 'a b c' },
    // b: 1/61 + 1/62 = 0.03252; a: 1/61 + 1/63 = 0.03227; c: 1/62; d: 1/63.
    { what: 'of two is by the sum of reciprocal ranks', lists: [list('a c b'), list('b d a')], order: 'a b c d' },
    {
      what: 'puts a page of both lists before the first page of one list',
      lists: [list('a x'), list('b x')],
      order: 'x a b',
    },
    // x: 2/64 = 0.03125; a and d: 1/61 = 0.01639.
    {
      what: 'trusts two fourth places more than one first',
      lists: [list('a b c x'), list('d e f x')],
      order: 'x a d b e c f',
    },
    // a: 0.5/61 = 0.00820; b: 1/62 = 0.01613.
    { what: 'follows the weights of lists', lists: [list('a', 0.5), list('x b', 1)], order: 'x b a' },
    // x: 0.5/61 + 0.5/61 = 0.01639; a: 1/62 = 0.01613.
    { what: 'adds weights', lists: [list('x', 0.5), list('x', 0.5), list('y a', 1)], order: 'x y a' },
    // y: 1/61 and x: 2 · 0.5/61 are the same, so the first list decides.
    { what: 'of equal sums is that of the lists', lists: [list('a b'), list('c d')], order: 'a c b d' },
    { what: 'counts a page once for each list', lists: [list('a b a a'), list('c b')], order: 'b a c' },
  ])('$what', ({ lists, order: expected }) => expect(order(lists)).toBe(expected))

  test('prefers the better best rank on equal sums', () => {
    // q: 1/62; r: (61/62)/61 is the same.
    const lists = [list('p q'), { hits: [hit('r')], weight: 61 / 62 }]
    expect(order(lists)).toBe('p r q')
  })
})

const both = (one: Partial<SearchHit>, other: Partial<SearchHit>) =>
  fuse([
    { hits: [hit('a', one)], weight: 1 },
    { hits: [hit('a', other)], weight: 1 },
  ])

describe('a page in several lists', () => {
  test('is one result with the longest description', () => {
    expect(both({ description: 'short' }, { description: 'rather longer' })).toEqual([
      hit('a', { description: 'rather longer' }),
    ])
    expect(both({ description: 'rather longer' }, { description: 'short' })).toEqual([
      hit('a', { description: 'rather longer' }),
    ])
  })

  test('has every fact of the lists, and on conflicts those of the first', () => {
    expect(
      both({ date: '2026-01-01' }, { title: 'other', date: '2025-01-01', imageUrl: 'https://a.org/a.png' }),
    ).toEqual([hit('a', { date: '2026-01-01', imageUrl: 'https://a.org/a.png' })])
    expect(both({}, { description: 'known' })).toEqual([hit('a', { description: 'known' })])
    expect(both({}, {})).toEqual([hit('a')])
  })
})

const dated = (name: string, date?: string) => hit(name, { ...(date !== undefined && { date }) })
const sorted = (...hits: SearchHit[]) => fuse([{ hits, weight: 1 }], 'date').map(({ title }) => title)

test('results by date start with the newest, and those without a date are last in their order', () => {
  expect(
    sorted(
      dated('a'),
      dated('b', '2025-01-01'),
      dated('c', 'nonsense'),
      dated('d', '2026-01-01T10:00:00Z'),
      dated('e'),
    ),
  ).toEqual(['d', 'b', 'a', 'c', 'e'])
})

describe('addresses of one page', () => {
  const home = 'https://example.org/a'
  test.each([
    [home, 'http://example.org/a'],
    [home, 'https://www.example.org/a'],
    [home, 'https://m.example.org/a'],
    [home, 'https://amp.example.org/a'],
    [home, 'https://EXAMPLE.org/a'],
    [home, 'https://example.org:443/a'],
    [home, 'https://example.org/a/'],
    [home, 'https://example.org/a/index.html'],
    [home, 'https://example.org/a/index.php'],
    [home, 'https://example.org/a#part'],
    [home, 'https://example.org/a?utm_source=x&utm_campaign=y'],
    [home, 'https://example.org/a?fbclid=1&gclid=2&msclkid=3&mc_cid=4&mc_eid=5&ref=6'],
    ['https://example.org/', 'https://www.example.org/index.htm'],
    ['https://example.org/?a=1&b=2', 'https://example.org/?b=2&a=1'],
    ['https://example.org/?a=1', 'https://example.org/?utm_medium=m&a=1#top'],
  ])('%s is %s', (one, other) => expect(canonicalResult(other)).toBe(canonicalResult(one)))

  test.each([
    [home, 'https://example.org/b'],
    [home, 'https://example.org/A'],
    [home, 'https://sub.example.org/a'],
    [home, 'https://example.org:8443/a'],
    [home, 'https://example.org/a?page=2'],
    [home, 'https://example.org/a/index.html.bak'],
    ['https://example.org/#/one', 'https://example.org/#/two'],
    ['https://example.org/#!/one', 'https://example.org/#!/two'],
    ['https://m.com/', 'https://www.com/'],
    ['not an address', 'another one'],
  ])('%s is not %s', (one, other) => expect(canonicalResult(other)).not.toBe(canonicalResult(one)))
})
