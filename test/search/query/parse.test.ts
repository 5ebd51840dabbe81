import { describe, expect, test } from 'vitest'
import type { SearchQuery } from '../../../src/contracts/search-port.ts'
import { parseQuery } from '../../../src/engine/search/query/parse-query.ts'

const isSaid = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** Parts of a query besides its text. */
function partsOf(text: string): Partial<SearchQuery> {
  const { text: _, ...parts } = parseQuery(text)
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => isSaid(value)))
}

type Row = [query: string, parts: Partial<SearchQuery>]
const holds = ([query, parts]: Row) => expect(partsOf(query)).toEqual(parts)

test.each<Row>([
  ['', {}],
  ['heat pumps', { terms: ['heat', 'pumps'] }],
  ['Heat PUMPS', { terms: ['Heat', 'PUMPS'] }],
  ['"heat pumps"', { phrases: ['heat pumps'] }],
  ['" heat  pumps "', { phrases: ['heat  pumps'] }],
  ['“heat pumps”', { phrases: ['heat pumps'] }],
  ['«heat pumps»', { phrases: ['heat pumps'] }],
  ['＂heat pumps＂', { phrases: ['heat pumps'] }],
  ['"heat pumps', { phrases: ['heat pumps'] }],
  ['a "b c" d "e', { terms: ['a', 'd'], phrases: ['b c', 'e'] }],
  ['a"b c"d', { terms: ['a', 'd'], phrases: ['b c'] }],
  ["don't panic", { terms: ["don't", 'panic'] }],
  ['東京 ラーメン', { terms: ['東京', 'ラーメン'] }],
  ['"東京タワー" -大阪', { phrases: ['東京タワー'], without: ['大阪'] }],
  ['c++ vs c#', { terms: ['c++', 'vs', 'c#'] }],
  ['(heat pumps)', { terms: ['heat', 'pumps'] }],
  ['wiki/Foo_(bar)', { terms: ['wiki/Foo_(bar)'] }],
  ['http://a.org/b', { terms: ['http://a.org/b'] }],
  ['12:30 mysite:x', { terms: ['12:30', 'mysite:x'] }],
  ['🦆 pond', { terms: ['🦆', 'pond'] }],
])('words and phrases are parsed: %j', (...row) => holds(row))

test.each<Row>([
  ['jaguar -car', { terms: ['jaguar'], without: ['car'] }],
  ['jaguar -"sports car"', { terms: ['jaguar'], without: ['sports car'] }],
  ['-car', { without: ['car'] }],
  ['e-mail well-known', { terms: ['e-mail', 'well-known'] }],
  ['a - b', { terms: ['a', 'b'] }],
  ['a -', { terms: ['a'] }],
  ['git push --force', { terms: ['git', 'push', '--force'] }],
  ['-filetype:pdf -ext:doc', { notFiletype: ['pdf', 'doc'] }],
  ['-inurl:login', { notInUrl: ['login'] }],
  ['-intitle:"for sale"', { notInTitle: ['for sale'] }],
  ['-allintitle:a b', { notInTitle: ['a'], terms: ['b'] }],
  ['-related:a.org', {}],
  ['-(a', { without: ['a'] }],
])('a minus excludes: %j', (...row) => holds(row))

test.each<Row>([
  ['cats OR dogs', { terms: ['cats', 'dogs'], isAny: true }],
  ['cats | dogs', { terms: ['cats', 'dogs'], isAny: true }],
  ['cats or dogs', { terms: ['cats', 'or', 'dogs'] }],
  ['cats AND dogs', { terms: ['cats', 'dogs'] }],
  ['"big cats" OR "small dogs"', { phrases: ['big cats', 'small dogs'], isAny: true }],
  ['-OR', { without: ['OR'] }],
  ['"cats OR dogs"', { phrases: ['cats OR dogs'] }],
  ['(site:a.org OR site:b.org) x y', { site: ['a.org', 'b.org'], terms: ['x', 'y'] }],
  ['x y (site:a.org | site:b.org)', { site: ['a.org', 'b.org'], terms: ['x', 'y'] }],
  ['filetype:pdf OR filetype:doc', { filetype: ['pdf', 'doc'] }],
  ['-(site:a.org', { notSite: ['a.org'] }],
])('OR separates alternatives: %j', (...row) => holds(row))

test.each<Row>([
  ['site:example.com', { site: ['example.com'] }],
  ['SITE:Example.COM x', { site: ['example.com'], terms: ['x'] }],
  ['site: example.com', { site: ['example.com'] }],
  ['site:https://example.com/', { site: ['example.com'] }],
  ['site:*.example.com', { site: ['example.com'] }],
  ['site:.gov', { site: ['gov'] }],
  ['site:localhost:8080/a', { site: ['localhost/a'] }],
  ['site:münchen.de', { site: ['xn--mnchen-3ya.de'] }],
  ['site:a.org -site:b.a.org', { site: ['a.org'], notSite: ['b.a.org'] }],
  ['site:', {}],
  ['site: -x', { without: ['x'] }],
])('the operator site is parsed: %j', (...row) => holds(row))

test.each<Row>([
  ['filetype:pdf', { filetype: ['pdf'] }],
  ['ext:docx', { filetype: ['docx'] }],
  ['inurl:login', { inUrl: ['login'] }],
  ['inurl:"a b"', { inUrl: ['a b'] }],
  ['inurl:a/b?c=d', { inUrl: ['a/b?c=d'] }],
  ['allinurl:a b', { inUrl: ['a', 'b'] }],
  ['intitle:guide x', { inTitle: ['guide'], terms: ['x'] }],
  ['intitle:"user guide"', { inTitle: ['user guide'] }],
  ['allintitle:a b', { inTitle: ['a', 'b'] }],
  ['x allintitle: a b', { terms: ['x'], inTitle: ['a', 'b'] }],
  ['allintitle: a -b c', { inTitle: ['a', 'c'], without: ['b'] }],
  ['allintitle: a b OR c', { inTitle: ['a', 'b', 'c'] }],
  ['allintitle:"a b" c', { inTitle: ['a', 'b', 'c'] }],
  ['allintitle: a b site:c.org d', { inTitle: ['a', 'b'], site: ['c.org'], terms: ['d'] }],
  ['allintitle: a allinurl: b', { inTitle: ['a'], inUrl: ['b'] }],
  ['related:example.com', { related: 'example.com' }],
  ['related:https://example.com/a', { related: 'https://example.com/a' }],
  ['imagesize:1920x1080', { imageSize: { width: 1920, height: 1080 } }],
  ['imagesize:1920×1080', { imageSize: { width: 1920, height: 1080 } }],
  ['imagesize:big', { terms: ['big'] }],
  ['larger:800x600 sky', { larger: { width: 800, height: 600 }, terms: ['sky'] }],
  ['larger:2MP', { terms: ['2MP'] }],
])('the other operators are parsed: %j', (...row) => holds(row))

test('all together', () => {
  const query =
    'install "node js" -windows site:nodejs.org -site:old.nodejs.org filetype:pdf inurl:docs intitle:"getting started" related:deno.com larger:640x480'
  expect(parseQuery(`  ${query} `)).toEqual({
    text: query,
    terms: ['install'],
    phrases: ['node js'],
    without: ['windows'],
    isAny: false,
    site: ['nodejs.org'],
    notSite: ['old.nodejs.org'],
    filetype: ['pdf'],
    notFiletype: [],
    inUrl: ['docs'],
    notInUrl: [],
    inTitle: ['getting started'],
    notInTitle: [],
    related: 'deno.com',
    imageSize: undefined,
    larger: { width: 640, height: 480 },
  })
})

describe('arbitrary queries', () => {
  test.each([
    '"'.repeat(500),
    '('.repeat(500),
    'site:'.repeat(100),
    '(-'.repeat(250),
    `${'allintitle: '.repeat(40)}x`,
    `${' '.repeat(499)}x`,
    '__proto__:x constructor:y toString',
    '\u0000\u0001\uFFFF \uD800',
    'ب'.repeat(500),
    `inurl:${'%'.repeat(400)}`,
    '<script>alert(1)</script>',
  ])('are parsed, with no operators left in the words: %j', (query) => {
    const { terms, phrases, without, site, inUrl, inTitle } = parseQuery(query)
    const all = [...terms, ...phrases, ...without, ...site, ...inUrl, ...inTitle]
    expect(all.every((text) => text.trim() !== '')).toBe(true)
    expect(all.join('').length).toBeLessThanOrEqual(query.length)
  })

  test('with 500 characters keep every word', () => {
    const words = Array.from({ length: 125 }, (_, at) => String(100 + at))
    expect(parseQuery(words.join(' ')).terms).toEqual(words)
  })
})
