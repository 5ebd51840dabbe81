import { describe, expect, test } from 'vitest'
import { allows, parseRobots } from '../../src/engine/net/robots/robots.ts'

const robotsOf = (text: string | Uint8Array) => parseRobots(Buffer.from(text))
const mayVisit = (text: string, path: string, agent = 'Fox/1.0 (+https://fox.example)') =>
  allows(robotsOf(text), agent, `https://site.example${path}`)
const forAll = (...rules: string[]) => ['User-agent: *', ...rules].join('\n')

test.each([
  // A pattern is a beginning of the path.
  ['Disallow: /', '/', false],
  ['Disallow: /', '/any/page?at=all', false],
  ['Disallow:', '/any', true],
  ['Disallow: /fish', '/fish', false],
  ['Disallow: /fish', '/fishheads/yummy.html', false],
  ['Disallow: /fish', '/Fish.asp', true],
  ['Disallow: /fish', '/catfish', true],
  ['Disallow: /fish', '/desert/fish', true],
  ['Disallow: /fish/', '/fish/salmon.htm', false],
  ['Disallow: /fish/', '/fish', true],
  ['Disallow: fish', '/fish', true],
  // A star matches anything; at the end it has no effect.
  ['Disallow: /fish*', '/fishheads', false],
  ['Disallow: *.php', '/folder/a.php', false],
  ['Disallow: /*.php', '/folder/any.php.file.html', false],
  ['Disallow: /*.php', '/windows.PHP', true],
  ['Disallow: /fish*.php', '/fishheads/catfish.php?parameters', false],
  ['Disallow: /a**b***c', '/a-b-c', false],
  ['Disallow: /a*b*c', '/acb', true],
  // A dollar sign is the end, and only at the end.
  ['Disallow: /*.php$', '/folder/filename.php', false],
  ['Disallow: /*.php$', '/filename.php?parameters', true],
  ['Disallow: /*.php$', '/a.php.php', false],
  ['Disallow: /$', '/', false],
  ['Disallow: /a*$', '/a/b', false],
  ['Disallow: /ab*ba$', '/aba', true],
  ['Disallow: /pay$me', '/pay$me/now', false],
  ['Disallow: /pay%24', '/pay$', false],
  ['Disallow: /star-%2A.html', '/star-*.html', false],
  ['Disallow: /star-%2a.html', '/star-light.html', true],
  // One address, several spellings.
  ['Disallow: /foo/bar/ツ', '/foo/bar/%E3%83%84', false],
  ['Disallow: /foo/bar/%e3%83%84', '/foo/bar/ツ', false],
  ['Disallow: /foo/bar/%62%61%7A', '/foo/bar/baz', false],
  ['Disallow: /~joe/', '/%7Ejoe/home', false],
  ['Disallow: /a%2Fb', '/a/b', true],
  ['Disallow: /two words', '/two%20words', false],
  ['Disallow: /x?q="a"', '/x?q=%22a%22', false],
  ['Disallow: /100%', '/100%', false],
  // Path and query count, the fragment does not.
  ['Disallow: /*?sort=', '/list?sort=up', false],
  ['Disallow: /*?$', '/list?', false],
  ['Disallow: /list%23top', '/list#top', true],
  ['Disallow: /list#top', '/list', false],
  ['Disallow: /secret', '/open/../secret', false],
  // The file itself may always be read.
  ['Disallow: /', '/robots.txt', true],
  ['Disallow: /', '/robots.txt.html', false],
  ['Disallow: /', '/folder/robots.txt', false],
])('pattern %s on %s: %s', (rule, path, expected) => expect(mayVisit(forAll(rule), path)).toBe(expected))

test.each([
  ['the longer one counts', ['Allow: /p', 'Disallow: /'], '/page', true],
  ['the longer one counts', ['Disallow: /folder', 'Allow: /folder/page'], '/folder/page', true],
  ['the longer one counts, whatever its place', ['Allow: /folder', 'Disallow: /folder/page'], '/folder/page', false],
  ['the one that allows wins a tie', ['Disallow: /folder', 'Allow: /folder'], '/folder/page', true],
  ['stars count as bytes', ['Allow: /page', 'Disallow: /*.htm'], '/page.htm', false],
  ['stars count as bytes', ['Allow: /page', 'Disallow: /*.ph'], '/page.php5', true],
  ['the dollar sign counts as a byte', ['Allow: /$', 'Disallow: /'], '/', true],
  ['the dollar sign has to fit', ['Allow: /$', 'Disallow: /'], '/page.htm', false],
  ['bytes count, not characters', ['Disallow: /ツ', 'Allow: /*****'], '/ツ', false],
  ['an index page allows its folder', ['Allow: /a/index.html', 'Disallow: /a/'], '/a/', true],
  ['an index page allows its folder', ['Allow: /a/index.htm', 'Disallow: /'], '/a/', true],
  ['an index page allows nothing else', ['Allow: /a/index.html', 'Disallow: /'], '/a/b', false],
  ['an index page is no folder when disallowed', ['Disallow: /a/index.html'], '/a/', true],
])('among several patterns of a group, %s: %j on %s → %s', (_, rules, path, expected) => {
  expect(mayVisit(forAll(...rules), path)).toBe(expected)
})

describe('a pattern with a long part', () => {
  const ab = 'ab'.repeat(300)
  test.each([
    [`${ab}c`, `x${ab}abc`, true],
    [`${ab}c`, `x${ab}abd`, false],
    [`${ab}c*${ab}c`, `${ab}c${ab}c`, true],
    [`${ab}c*${ab}c`, `${ab}c${ab}`, false],
    [`${ab}*${ab}`, `${ab}${ab.slice(2)}`, false],
    [`${ab}${ab}x*y`, `${ab}${ab}${ab}x-y`, true],
    [`aab${'aab'.repeat(200)}aac`, `${'aab'.repeat(300)}aac`, true],
  ])('matches like a short one (%#)', (part, path, isFound) => {
    expect(mayVisit(forAll(`Disallow: /*${part}`), `/${path}/`)).toBe(!isFound)
  })
})

describe('hostile files', () => {
  const size = 512_000
  const long = `https://site.example/${'a'.repeat(8000)}`
  const agentsAndRules = Array.from({ length: 100_000 }, (_, at) => `User-agent: a${at}\nDisallow: /${at}`).join('\n')
  const noise = Uint8Array.from({ length: size }, (_, at) => (at * 2_654_435_761) >>> 13)
  test.each([
    ['a pattern of stars', forAll(`Disallow: /${'*'.repeat(16_000)}b`), true],
    ['many patterns of stars and letters', forAll(...Array(6000).fill(`Disallow: /${'*a'.repeat(30)}*b`)), true],
    ['many patterns that nearly match', forAll(...Array(30).fill(`Disallow: /*b${'a'.repeat(4000)}`)), true],
    ['many patterns that match', forAll(...Array(9000).fill('Disallow: /*a*a*a*a*a*a*a*a*a$')), false],
    ['blanks', ' '.repeat(size), true],
    ['a name and blanks', `${'a'.repeat(8000)}${' '.repeat(8000)}\n`.repeat(31), true],
    ['percent signs', forAll(`Disallow: /${'%'.repeat(16_000)}`), true],
    ['zero bytes', '\0'.repeat(size), true],
    ['a hundred thousand groups', agentsAndRules, true],
    ['noise', noise, true],
  ])('of %s are read', (_, text, expected) => expect(allows(robotsOf(text), 'Fox', long)).toBe(expected))
})
