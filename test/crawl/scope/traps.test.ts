import { expect, test } from 'vitest'
import { repeatedLinks } from '../../../src/engine/crawl/scope/key.ts'
import { outcomeOf, scoped } from './scoped.ts'

const { judge } = await scoped({ allowExternalLinks: true })
const many = (count: number, make: (index: number) => string, glue: string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(glue)

const words = (text: string) => text.trim().split(/\s+/)

test.each(
  words(`
    /a/b/a/b/a/b /x/a/b/a/b/a/b/y /about/about/about /docs/./a/a/a/b /a////b /${many(31, (nth) => `s${nth}`, '/')}
    /calendar/2035/07 /events/2029-01 /events/2028-07-01 /events/1989/12 /calendar?month=2035-07
    /calendar?date=20350701 /calendar?date=07/2035 /calendar?day=1.7.2035 /calendar?month=7&year=2035
    /calendar?y=1950&m=1 /events/list/?tribe-bar-date=2040-01-01
    /x?${many(13, (nth) => `p${nth}=1`, '&')} /x?color=a&color=b&color=c&color=d /x?f=1&f=1&g=2&f=1&f=1
    /x?a=1&amp;amp;b=2 /x/a&amp%3Bamp%3Bb /x?next=%252525
    /login?to=/login?to=/login?to=/login?to=/
  `),
)('%s is a trap', (path) => {
  expect(outcomeOf(judge(at(path), 1, 'link'))).toBe('trap')
  expect(outcomeOf(judge(at(path), 0, 'sitemap'))).toBe('trap')
  expect(outcomeOf(judge(at(path), 0, 'start'))).toBe('page')
})

test.each(
  words(`
    / /about/about /a/b/a/b /new-york/new-york/hotels /docs//guide /v1.2/v1.2/changes
    /web/20240501000000/https://example.org/page /${many(30, (nth) => `s${nth}`, '/')}
    /2024/05/17/a-post/ /2011/11/11/eleven /archive/1990/01 /1923/04/05/a-newspaper-article /wiki/2050
    /movies/2049-blade-runner /events/2035-07-trip-to-mars /x?date=2035-13 /x?from=1850-01
    /x?year=2020-03&month=5 /x?year=2024&month=5 /products/1234/05 /item/20350701 /search?year=2050 /x?id=20350701
    /questions/11227809/why-is-processing-a-sorted-array-faster /dp/B08N5WRWNW/ref=sr_1_3
    /r/programming/comments/abc123/title/def456/ /map?lat=48.2082&lon=16.2050 /x?version=1.2.2035.4
    /x?color=a&color=b&color=c /x?ids[]=1&ids[]=2&ids[]=3&ids[]=4&ids[]=5 /x?f[0]=a&f[1]=b&f[2]=c&f[3]=d
    /x?${many(12, (nth) => `p${nth}=1`, '&')} /x?a&&&&&b /x?q=%
    /login?to=/login?to=/a?to=b
  `),
)('%s is ordinary', (path) => expect(outcomeOf(judge(at(path), 1, 'link'))).toBe('page'))

test('a URL may be as long as in a sitemap (2,047 characters)', () => {
  const judged = [2047, 2048].map((length) => outcomeOf(judge(at('/x?q=').padEnd(length, 'a'), 1, 'link')))
  expect(judged).toEqual(['page', 'trap'])
})

test.each([
  ['a copy of the site', true, '/about/', ['/about/about/', '/about/news/']],
  ['a copy two folders down', true, '/about/news/', ['/about/news/about/', '/about/news/team/x']],
  ['a copy of files', true, '/docs/index.html', ['/docs/docs/index.html', '/docs/news/']],
  ['pages of its own as well', false, '/about/', ['/about/about/', '/about/history/']],
  ['a translated site', false, '/en/', ['/en/about/', '/en/news/']],
  ['a city in a state of its name', false, '/new-york/', ['/new-york/new-york/']],
])('links below a page that are %s are skipped: %s', (_, isTrap, from, links) => {
  const known = new Set(['/about/', '/news/', '/team/x', '/docs/index.html', '/new-york/'].map(at))
  const urls = [...links, '/other/'].map(at)
  expect([...repeatedLinks(at(from), urls, (url) => known.has(url))]).toEqual(isTrap ? links.map(at) : [])
})
function at(path: string): string {
  return `https://example.com${path}`
}
