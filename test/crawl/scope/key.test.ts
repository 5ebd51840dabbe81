import { expect, test } from 'vitest'
import { scoped } from './scoped.ts'

const similar = await scoped({ deduplicateSimilarURLs: true })
const exact = await scoped({})

const oneAnyway: [string, string][] = [
  ['https://example.com/a', 'https://example.com/a#part'],
  ['https://example.com/a', 'https://example.com/a#'],
  ['https://example.com/a', 'https://example.com/a?'],
  ['https://example.com/a', 'HTTPS://user:secret@EXAMPLE.com:443/a'],
  ['https://example.com/a', 'https://example.com./a'],
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/~a', 'https://example.com/%7Ea'],
  ['https://example.com/%C3%A9', 'https://example.com/%c3%a9'],
  ['https://example.com/é', 'https://example.com/%c3%a9'],
  ['https://example.com/?q=%7ea', 'https://example.com/?q=~a'],
  ['https://example.com/a/../b', 'https://example.com/b'],
]
const neverOne: [string, string][] = [
  ['https://example.com/a', 'https://example.com/A'],
  ['https://example.com/a?x=1', 'https://example.com/a?x=2'],
  ['https://example.com/a?x=1&y=2', 'https://example.com/a?y=2&x=1'],
  ['https://example.com/a?session_id=1', 'https://example.com/a?session_id=2'],
  ['https://example.com/a?id=utm_source', 'https://example.com/a'],
  ['https://example.com/#/a', 'https://example.com/#/b'],
  ['https://example.com/#!/a', 'https://example.com/'],
  ['https://example.com/a%2Fb', 'https://example.com/a/b'],
  ['https://example.com/a', 'https://blog.example.com/a'],
  ['https://example.com/a', 'https://example.com:8443/a'],
  ['https://example.com/a/index.html/b', 'https://example.com/a/b'],
]
const oneIfSimilar: [string, string][] = [
  ['https://example.com/a', 'http://example.com/a'],
  ['https://example.com/a', 'https://www.example.com/a'],
  ['https://example.com/a', 'https://example.com/a/'],
  ['https://example.com/a/', 'https://example.com/a/index.html'],
  ['https://example.com/', 'http://www.example.com/index.php'],
  ['https://example.com/a', 'https://example.com/a?utm_source=x&utm_campaign=y'],
  ['https://example.com/a?x=1', 'https://example.com/a?gclid=1&x=1&fbclid=2'],
  ['https://example.com/a', 'https://example.com/a?msclkid=1&mc_cid=2&mc_eid=3&_ga=4'],
  ['https://example.com/a', 'https://example.com/a?PHPSESSID=abc'],
  ['https://example.com/a.jsp', 'https://example.com/a.jsp;JSESSIONID=0A1B'],
]

test.each(oneAnyway)('%s and %s are one page under all rules', (left, right) => {
  expect(exact.keyOf(right)).toBe(exact.keyOf(left))
  expect(similar.keyOf(right)).toBe(similar.keyOf(left))
})
test.each(neverOne)('%s and %s are two pages under all rules', (left, right) => {
  expect(exact.keyOf(right)).not.toBe(exact.keyOf(left))
  expect(similar.keyOf(right)).not.toBe(similar.keyOf(left))
})
test.each(oneIfSimilar)('%s and %s are one page only with similar addresses deduplicated', (left, right) => {
  expect(similar.keyOf(right)).toBe(similar.keyOf(left))
  expect(exact.keyOf(right)).not.toBe(exact.keyOf(left))
})

test.each([false, true])(
  'ignored query parameters do not change the key of a URL (similar URLs are one: %s)',
  async (deduplicateSimilarURLs) => {
    const scope = await scoped({ ignoreQueryParameters: true, deduplicateSimilarURLs })
    expect(scope.keyOf('https://example.com/a?x=1&y=2')).toBe(scope.keyOf('https://example.com/a'))
    expect(scope.keyOf('https://example.com/a?x=1')).not.toBe(scope.keyOf('https://example.com/b?x=1'))
    expect(scope.keyOf('https://example.com/?x=1#/a')).not.toBe(scope.keyOf('https://example.com/?x=1#/b'))
  },
)

test.each([
  [
    'https://WWW.example.com/A/index.html?utm_source=x#part',
    'https://www.example.com/A/index.html?utm_source=x',
    'www.example.com:443',
  ],
  ['http://user:secret@example.com/%7ea?#', 'http://example.com/%7ea?', 'example.com:80'],
  ['http://example.com:81/#/route', 'http://example.com:81/#/route', 'example.com:81'],
  ['http://user@[::1]/#!/route', 'http://[::1]/#!/route', '[::1]:80'],
])('%s is visited as %s', async (found, url, host) => {
  const rules = { allowExternalLinks: true, deduplicateSimilarURLs: true, ignoreQueryParameters: true }
  expect((await scoped(rules)).judge(found, 1, 'link')).toMatchObject({ page: { url, host } })
})

test('the key of a page is the key of its address and of the address it is visited by', async () => {
  const rules = { allowExternalLinks: true, deduplicateSimilarURLs: true }
  const scope = await scoped(rules)
  for (const url of [...oneAnyway, ...neverOne, ...oneIfSimilar].flat()) {
    const key = scope.keyOf(url)
    const verdict = scope.judge(url, 1, 'link')
    expect(verdict).toMatchObject({ page: { key } })
    if ('page' in verdict) expect(scope.keyOf(verdict.page.url)).toBe(key)
  }
})
