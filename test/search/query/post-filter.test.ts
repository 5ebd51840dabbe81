import { expect, test } from 'vitest'
import type { SearchHit, SearchPeriod, SearchRequest } from '../../../src/contracts/search-port.ts'
import { matchesRequest } from '../../../src/engine/search/query/merge-and-filter.ts'
import { noon } from '../../helpers/fakes.ts'
import { requestFor } from '../kit.ts'

const hit = (url: string, more: Partial<SearchHit> = {}): SearchHit => ({ url, title: 'A title', ...more })
const isKept = (query: string, found: SearchHit, more: Partial<SearchRequest> = {}) =>
  matchesRequest(requestFor({ ...more, query }), found, noon)

test.each<[query: string, url: string, isKept: boolean]>([
  ['x', 'https://example.org/', true],
  ['x', 'ftp://example.org/', false],
  ['x', 'javascript:alert(1)', false],
  ['x', 'not an address', false],
  ['site:example.org', 'https://example.org/a', true],
  ['site:example.org', 'https://www.example.org/a', true],
  ['site:example.org', 'https://a.b.example.org/a', true],
  ['site:example.org', 'https://EXAMPLE.org:8443/a', true],
  ['site:example.org', 'https://notexample.org/a', false],
  ['site:example.org', 'https://example.org.evil.net/', false],
  ['site:gov', 'https://nasa.gov/', true],
  ['site:gov', 'https://mygov/', false],
  ['site:münchen.de', 'https://www.münchen.de/', true],
  ['site:example.org:8080', 'https://example.org:8080/', true],
  ['site:example.org/docs', 'https://example.org/docs', true],
  ['site:example.org/docs', 'https://example.org/Docs/a', true],
  ['site:example.org/docs', 'https://example.org/docsy', false],
  ['site:example.org/docs', 'https://example.org/a/docs', false],
  ['site:example.org/für', 'https://example.org/f%C3%BCr/a', true],
  ['site:a.org site:b.org', 'https://b.org/', true],
  ['site:a.org site:b.org', 'https://c.org/', false],
  ['-site:a.org', 'https://sub.a.org/', false],
  ['site:a.org -site:old.a.org', 'https://old.a.org/', false],
  ['filetype:pdf', 'https://a.org/b.pdf', true],
  ['filetype:pdf', 'https://a.org/b.PDF?download=1#page=2', true],
  ['filetype:pdf', 'https://a.org/b.pdf/view', true],
  ['filetype:pdf', 'https://a.org/b?format=pdf', true],
  ['filetype:pdf', 'https://arxiv.org/pdf/2601.00001v2', true],
  ['filetype:pdf', 'https://arxiv.org/abs/2601.00001', false],
  ['filetype:pdf', 'https://a.org/pdf', false],
  ['-filetype:pdf', 'https://a.org/b.pdf', false],
  ['inurl:login', 'https://a.org/user/LOGIN', true],
  ['inurl:login', 'https://login.a.org/', true],
  ['inurl:für', 'https://a.org/f%C3%BCr', true],
  ['inurl:%c3%bc', 'https://a.org/f%C3%BCr', true],
  ['inurl:x', 'https://a.org/%E0%A4%A/x', true],
  ['allinurl: a.org b', 'https://a.org/c/b', true],
  ['-inurl:login', 'https://a.org/login', false],
])('a result is filtered by its address: %s and %s, kept: %s', (query, url, expected) => {
  expect(isKept(query, hit(url))).toBe(expected)
})

test.each<[query: string, title: string, description: string | undefined, isKept: boolean]>([
  ['intitle:guide', 'The user GUIDE', undefined, true],
  ['intitle:guide', 'Manual', 'a guide', false],
  ['intitle:"user guide"', 'The User Guide', undefined, true],
  ['allintitle: user guide', 'Guide of the user', undefined, true],
  ['-intitle:sale', 'For sale', undefined, false],
  ['x -cat', 'Dogs', undefined, true],
  ['x -cat', 'A Cat.', undefined, false],
  ['x -cat', 'Dogs', 'and a cat', false],
  ['x -cat', 'Category', 'concatenate', true],
  ['x -cat', 'category of a cat', undefined, false],
  ['x -"big cat"', 'A big cat', undefined, false],
  ['x -"big cat"', 'A big category', undefined, true],
  ['x -大阪', '東京と大阪府', undefined, false],
  ['x -c++', 'C++ and more', undefined, false],
  ['git push --force', 'git push --force explained', undefined, true],
  ['"exact words"', 'Something else', 'whose snippet is too short to tell', true],
])('a result is filtered by title and description: %s and %j, %j, kept: %s', (query, title, description, expected) => {
  const found = hit('https://cat.org/cat', { title, ...(description !== undefined && { description }) })
  expect(isKept(query, found)).toBe(expected)
})

test.each<[more: Partial<SearchRequest>, url: string, isKept: boolean]>([
  [{ includeDomains: ['a.org'] }, 'https://www.a.org/', true],
  [{ includeDomains: ['a.org'] }, 'https://ba.org/', false],
  [{ includeDomains: ['a.org', 'b.org'] }, 'https://b.org/', true],
  [{ excludeDomains: ['a.org'] }, 'https://x.a.org/', false],
  [{ excludeDomains: ['a.org'] }, 'https://ba.org/', true],
  [{ category: 'github' }, 'https://github.com/a/b', true],
  [{ category: 'github' }, 'https://a.github.io/', true],
  [{ category: 'github' }, 'https://mygithub.com/', false],
  [{ category: 'research' }, 'https://arxiv.org/abs/1', true],
  [{ category: 'research' }, 'https://doi.org/10.1', true],
  [{ category: 'research' }, 'https://blog.example.org/', false],
  [{ category: 'pdf' }, 'https://a.org/b.pdf', true],
  [{ category: 'pdf' }, 'https://arxiv.org/pdf/1', true],
  [{ category: 'pdf' }, 'https://a.org/b', false],
])('a result is filtered by domains: %j and %s, kept: %s', (more, url, expected) => {
  expect(isKept('x', hit(url), more)).toBe(expected)
})

const lastDay = { from: noon - 86_400_000, preset: 'd' } as const
const february = { from: Date.parse('2026-02-01'), to: Date.parse('2026-02-28T23:59:59.999Z') }
test.each<[period: Partial<SearchPeriod>, date: string | undefined, isKept: boolean]>([
  [lastDay, '2026-03-15T11:00:00Z', true],
  [lastDay, '2026-03-14T11:59:59Z', false],
  [lastDay, '2026-03-14', true],
  [lastDay, '2026-03-13', false],
  [lastDay, undefined, true],
  [lastDay, 'some day', true],
  [lastDay, '2026-03-16T11:00:00Z', true],
  [february, '2026-02-01', true],
  [february, '2026-02-28', true],
  [february, '2026-02-28T23:30:00Z', true],
  [february, '2026-03-01', false],
  [february, '2026-01-31', false],
  [{ from: Date.parse('2026-02-01') }, '2026-01-31T23:59:59Z', false],
  [{ to: Date.parse('2026-02-01') }, '2020-01-31', true],
  [{ sort: 'date' }, '1999-01-31', true],
])('a result is filtered by time: %j and %s, kept: %s', (period, date, expected) => {
  const whole: SearchPeriod = { from: undefined, to: undefined, preset: undefined, sort: 'relevance', ...period }
  expect(isKept('x', hit('https://a.org/', { ...(date !== undefined && { date }) }), { period: whole })).toBe(expected)
})

const imageUrl = 'https://a.org/a.png'
test.each<[query: string, image: Partial<SearchHit>, isKept: boolean]>([
  ['sky', { imageUrl }, true],
  ['sky', {}, false],
  ['imagesize:800x600', { imageUrl, imageWidth: 800, imageHeight: 600 }, true],
  ['imagesize:800x600', { imageUrl, imageWidth: 600, imageHeight: 800 }, false],
  ['imagesize:800x600', { imageUrl }, false],
  ['larger:800x600', { imageUrl, imageWidth: 801, imageHeight: 600 }, true],
  ['larger:800x600', { imageUrl, imageWidth: 800, imageHeight: 600 }, true],
  ['larger:800x600', { imageUrl, imageWidth: 1600, imageHeight: 500 }, false],
])('a picture is filtered: %s and %j, kept: %s', (query, image, expected) => {
  expect(isKept(query, hit('https://a.org/', image), { source: 'images' })).toBe(expected)
})
