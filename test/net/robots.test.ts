import { describe, expect, test } from 'vitest'
import {
  allows,
  crawlDelayMs,
  everythingAllowed,
  everythingDisallowed,
  parseRobots,
} from '../../src/engine/net/robots/robots.ts'

const robotsOf = (text: string | Uint8Array) => parseRobots(Buffer.from(text))
const mayVisit = (text: string, path: string, agent = 'Fox/1.0 (+https://fox.example)') =>
  allows(robotsOf(text), agent, `https://site.example${path}`)
const forAll = (...rules: string[]) => ['User-agent: *', ...rules].join('\n')

const only = (agent: string) => `User-agent: ${agent}\nDisallow: /`

describe('groups', () => {
  test.each([
    ['its own name', only('Fox'), 'Fox', false],
    ['its own name in another case', only('fOX'), 'FOX/2.1', false],
    ['its name with a version', only('Fox/9.9 (old)'), 'Fox/1.0', false],
    ['its name and another word', only('Fox Hound'), 'Fox/1.0', false],
    ['a longer name', only('FoxHound'), 'Fox/1.0', true],
    ['a longer name with a dash', only('Fox-Images'), 'Fox/1.0', true],
    ['a shorter name', only('Fox'), 'Fox-Images/1.0', true],
    ['a name with digits', only('MJ12bot'), 'MJ12bot/v1.4.8', false],
    ['another name with digits', only('Fox2'), 'Fox3', true],
    ['the name a browser-like agent gives', only('Fox'), 'Mozilla/5.0 (compatible; Fox/1.0; +https://x)', false],
    ['everyone', only('*'), 'Fox', false],
    ['everyone, with something behind it', only('* everyone'), 'Fox', false],
    ['a name that only begins with a star', only('*fox'), 'Fox', true],
    ['an empty name', only(''), 'Fox', true],
    ['everyone, to an agent without a name', only('*'), '(none)', false],
    ['an empty name, to an agent without one', only(''), '', true],
  ])('a group for %s', (_, text, agent, expected) => expect(mayVisit(text, '/page', agent)).toBe(expected))

  test('with the name of the crawler applies alone', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: Fox\nDisallow: /den'
    expect(mayVisit(text, '/wood')).toBe(true)
    expect(mayVisit(text, '/den')).toBe(false)
    expect(mayVisit(text, '/wood', 'Bear')).toBe(false)
  })

  test('with the same name are merged', () => {
    const text =
      'User-agent: Fox\nDisallow: /a\nUser-agent: Bear\nDisallow: /b\nUser-agent: fox\nDisallow: /c\nAllow: /a/b'
    expect(['/a', '/b', '/c', '/a/b'].map((path) => mayVisit(text, path))).toEqual([false, true, false, true])
  })

  test('may name several crawlers, with other lines in between', () => {
    const text =
      'User-agent: Fox\n# both\n\nSitemap: https://site.example/s.xml\nNonsense: 1\nUser-agent: Bear\nDisallow: /a'
    expect(['Fox', 'Bear', 'Owl'].map((agent) => mayVisit(text, '/a', agent))).toEqual([false, false, true])
  })

  test('contains no rules before the first group', () => {
    expect(mayVisit('Disallow: /\nUser-agent: *\nDisallow: /a', '/b')).toBe(true)
  })
})

describe('the file', () => {
  test.each([
    ['Windows line ends', 'User-agent: *\r\nDisallow: /a\r\n'],
    ['old Macintosh line ends', 'User-agent: *\rDisallow: /a\r'],
    ['mixed line ends and no last one', 'User-agent: *\r\n\n\rDisallow: /a'],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /a'],
    ['comments', '# hello\nUser-agent: * # all\nDisallow: /a# no more'],
    ['blanks everywhere', '  User-agent :\t*  \n\t Disallow\t:   /a  '],
    ['names in any case', 'USER-AGENT: *\ndisAllow: /a'],
    ['no colons', 'User-agent *\nDisallow /a'],
    ['"useragent"', 'Useragent: *\nDisallow: /a'],
    ['"user agent"', 'User agent: *\nDisallow: /a'],
    ...['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'].map((slip) => [`"${slip}"`, forAll(`${slip}: /a`)]),
  ])('may have %s', (_, text) => {
    expect(mayVisit(text!, '/a')).toBe(false)
    expect(mayVisit(text!, '/b')).toBe(true)
  })

  test.each(['Allow and Disallow', 'Disallow /a b', 'Disallo: /a', '/a', ': /a', 'Disallow'])(
    'has no rules if its line is "%s"',
    (line) => expect(robotsOf(forAll(line)).groups).toEqual([{ agents: ['*'], rules: [] }]),
  )

  test('counts up to 500 KiB', () => {
    const filler = '#'.repeat(99)
    const at = (size: number) => forAll(`${`${filler}\n`.repeat(size / 100)}Disallow: /a`)
    expect(mayVisit(at(512_000), '/a')).toBe(true)
    expect(mayVisit(at(511_000), '/a')).toBe(false)
  })

  test('is plain data once read', () => {
    const robots = robotsOf(forAll('Disallow: /a', 'Crawl-delay: 2', 'Sitemap: https://site.example/s.xml'))
    const kept = JSON.parse(JSON.stringify(robots))
    expect(kept).toEqual(robots)
    expect(allows(kept, 'Fox', 'https://site.example/a')).toBe(false)
  })
})

test('everythingAllowed allows every URL, everythingDisallowed only robots.txt itself', () => {
  expect(allows(everythingAllowed, 'Fox', 'https://site.example/a')).toBe(true)
  expect(allows(everythingDisallowed, 'Fox', 'https://site.example')).toBe(false)
  expect(allows(everythingDisallowed, 'Fox', 'https://site.example/robots.txt')).toBe(true)
})

test('an invalid URL may not be visited', () => expect(allows(everythingAllowed, 'Fox', 'nowhere')).toBe(false))

describe('crawl-delay', () => {
  test.each([
    ['10', 10_000],
    ['0', 0],
    ['0.5', 500],
    ['.25', 250],
    ['2.', 2000],
    ['3600', 60_000],
    ['999999999', 60_000],
    ['-1', undefined],
    ['soon', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['NaN', undefined],
    ['10 s', undefined],
  ])('"%s" is %s ms', (written, expected) => {
    expect(crawlDelayMs(robotsOf(forAll(`Crawl-delay: ${written}`)), 'Fox')).toBe(expected)
  })

  test('comes from the group of the crawler, and is the longest of several', () => {
    const robots = robotsOf(
      'User-agent: *\nCrawl-delay: 9\nDisallow: /a\nUser-agent: Fox\nCrawl-delay: 1\nDisallow: /a\nUser-agent: Fox\nCrawl-delay: 2\nDisallow: /\nUser-agent: Bear\nDisallow: /',
    )
    expect(['Fox', 'Bear', 'Owl'].map((agent) => crawlDelayMs(robots, agent))).toEqual([2000, undefined, 9000])
  })
})

test('sitemaps are absolute and unique, wherever they are listed', () => {
  const text = `Sitemap: https://site.example/one.xml
User-agent: Fox
site-map: http://other.example/two.xml # the second
Disallow: /
SITEMAP: https://site.example/one.xml
Sitemap: /relative.xml
Sitemap: //site.example/three.xml
Sitemap: ftp://site.example/four.xml
Sitemap: https://
Sitemap: https://site.example/fünf.xml`
  expect(robotsOf(text).sitemaps).toEqual([
    'https://site.example/one.xml',
    'http://other.example/two.xml',
    'https://site.example/f%C3%BCnf.xml',
  ])
})

test.each(['utf16le', 'utf16be'])('a file in %s is read', (encoding) => {
  const bytes = Buffer.from('\uFEFFUser-agent: *\nDisallow: /private\n', 'utf16le')
  const robots = parseRobots(encoding === 'utf16le' ? bytes : bytes.swap16())
  expect(robots.groups).toMatchObject([{ agents: ['*'], rules: [{ kind: 'disallow', pattern: '/private' }] }])
})
