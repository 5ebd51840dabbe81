import { describe, expect, test } from 'vitest'
import type { SearchPeriod, SearchRequest } from '../../../src/contracts/search-port.ts'
import { resultsEngines, resultsPages, resultsUrl } from '../../../src/engine/search/results-pages/results-pages.ts'
import { fakeClock, noon } from '../../helpers/fakes.ts'
import { requestFor } from '../kit.ts'

const engineNamed = (name: string) => resultsEngines.find((engine) => engine.name === name)!
const [duck, mojeek, brave, bing] = ['duckduckgo', 'mojeek', 'brave-page', 'bing'] as const
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const period = (more: Partial<SearchPeriod>): SearchPeriod => ({
  from: undefined,
  to: undefined,
  preset: undefined,
  sort: 'relevance',
  ...more,
})
const fieldsOf = (name: string, more: Partial<SearchRequest>, text = 'x') =>
  Object.fromEntries(new URL(resultsUrl(engineNamed(name), requestFor({ ...more, query: text }), noon)).searchParams)

test('engines are called in this order, for the web only, and only if permitted', () => {
  const options = { renderPage: () => Promise.reject(new Error('not asked')), clock: fakeClock() }
  const providers = resultsPages({ ...options, enabled: true })
  expect(providers.map(({ name }) => name)).toEqual([duck, mojeek, brave, bing])
  for (const { sources, weight } of providers)
    expect({ sources: [...sources], weight }).toEqual({ sources: ['web'], weight: 0.9 })
  expect(resultsPages({ ...options, enabled: false })).toEqual([])
})

test.each([
  { name: duck, home: 'https://html.duckduckgo.com/html/', fields: { q: 'x', kl: 'us-en', kp: '-1' } },
  { name: mojeek, home: 'https://www.mojeek.com/search', fields: { q: 'x', safe: '1', arc: 'us' } },
  {
    name: brave,
    home: 'https://search.brave.com/search',
    fields: { q: 'x', source: 'web', country: 'us', safesearch: 'moderate', summary: '0' },
  },
  { name: bing, home: 'https://www.bing.com/search', fields: { q: 'x', mkt: 'en-US', adlt: 'moderate' } },
])('$name is called politely and for the country', ({ name, home, fields }) => {
  const url = new URL(resultsUrl(engineNamed(name), requestFor({ query: 'x' }), noon))
  expect(`${url.origin}${url.pathname}`).toBe(home)
  expect(Object.fromEntries(url.searchParams)).toEqual(fields)
})

const range = { from: day('2026-01-02'), to: day('2026-02-03') + 86_399_999 }
test.each([
  { name: duck, field: 'df', wish: { from: 1, preset: 'h' as const }, sent: 'd' },
  { name: duck, field: 'df', wish: { from: 1, preset: 'd' as const }, sent: 'd' },
  { name: duck, field: 'df', wish: range, sent: '2026-01-02..2026-02-03' },
  { name: duck, field: 'df', wish: { from: day('2026-01-02') }, sent: '2026-01-02..2026-03-15' },
  { name: duck, field: 'df', wish: { to: day('2026-01-02') }, sent: '1990-01-01..2026-01-02' },
  { name: mojeek, field: 'since', wish: { from: day('2026-03-08'), preset: 'w' as const }, sent: '20260308' },
  { name: mojeek, field: 'before', wish: range, sent: '20260203' },
  { name: brave, field: 'tf', wish: { from: 1, preset: 'h' as const }, sent: 'pd' },
  { name: brave, field: 'tf', wish: range, sent: '2026-01-02to2026-02-03' },
  { name: bing, field: 'filters', wish: { from: 1, preset: 'h' as const }, sent: 'ex1:"ez1"' },
  { name: bing, field: 'filters', wish: { from: 1, preset: 'w' as const }, sent: 'ex1:"ez2"' },
  {
    name: bing,
    field: 'filters',
    wish: { from: day('2025-03-15'), preset: 'y' as const },
    sent: 'ex1:"ez5_20162_20527"',
  },
  { name: bing, field: 'filters', wish: range, sent: 'ex1:"ez5_20455_20487"' },
  { name: bing, field: 'filters', wish: { sort: 'date' as const }, sent: undefined },
])('a period in the syntax of $name: $wish is $sent', ({ name, field, wish, sent }) => {
  expect(fieldsOf(name, { period: period(wish) })[field]).toBe(sent)
})

test.each([
  { name: duck, field: 'kl', country: 'DE', sent: 'de-de' },
  { name: duck, field: 'kl', country: 'GB', sent: 'uk-en' },
  { name: duck, field: 'kl', country: 'CH', sent: 'ch-de' },
  { name: duck, field: 'kl', country: 'AQ', sent: 'wt-wt' },
  { name: mojeek, field: 'lb', country: 'CH', language: 'fr-CH', sent: 'fr' },
  { name: brave, field: 'country', country: 'DE', sent: 'de' },
  { name: bing, field: 'mkt', country: 'DE', sent: 'de-DE' },
  { name: bing, field: 'mkt', country: 'JP', sent: 'ja-JP' },
  { name: bing, field: 'mkt', country: 'CH', language: 'fr', sent: 'fr-CH' },
  { name: bing, field: 'mkt', country: 'ZZ', sent: 'en-ZZ' },
])('a place in the syntax of $name: $country ($language) is $sent', ({ name, field, country, language, sent }) => {
  expect(fieldsOf(name, { country, language })[field]).toBe(sent)
})

describe('search words', () => {
  test.each<{ name: string; text: string; more?: Partial<SearchRequest>; sent: string }>([
    { name: duck, text: 'a "b c" -d site:e.org filetype:pdf', sent: 'a "b c" -d site:e.org filetype:pdf' },
    { name: duck, text: 'intitle:a inurl:b c', sent: 'c intitle:a inurl:b' },
    { name: mojeek, text: 'a filetype:pdf', sent: 'a' },
    { name: brave, text: 'a inurl:b', sent: 'a' },
    { name: duck, text: '!g cats', sent: 'g cats' },
    { name: duck, text: 'cats !w', sent: 'cats w' },
    { name: duck, text: '! cats', sent: 'cats' },
    { name: duck, text: '\\cats', sent: 'cats' },
    { name: duck, text: '"cats !g dogs"', sent: '"cats g dogs"' },
    { name: duck, text: 'a!=b', sent: 'a!=b' },
    { name: duck, text: 'a', more: { includeDomains: ['x.org', 'y.org'] }, sent: 'a (site:x.org OR site:y.org)' },
    { name: duck, text: 'a', more: { excludeDomains: ['x.org'] }, sent: 'a -site:x.org' },
    { name: duck, text: 'a', more: { category: 'github' }, sent: 'a site:github.com' },
    { name: duck, text: 'a', more: { category: 'pdf' }, sent: 'a filetype:pdf' },
    { name: duck, text: 'a', more: { category: 'github', includeDomains: ['x.org'] }, sent: 'a site:x.org' },
  ])('sent to $name for $text $more are $sent', ({ name, text, more = {}, sent }) => {
    expect(fieldsOf(name, more, text).q).toBe(sent)
  })

  const long = 'word '.repeat(99).trim()
  test.each([
    { what: 'a long query', text: `${long} further words`, q: `${long}` },
    { what: 'a phrase that would stay open', text: `a "${long} ${long}"`.slice(0, 700), q: 'a' },
    { what: 'one long phrase', text: `"${long} ${long}"`, q: `${long}` },
    { what: 'a word without end', text: 'x'.repeat(600), q: 'x'.repeat(499) },
  ])('fit the engine: $what', ({ text, q }) => {
    const sent = fieldsOf(duck, {}, text).q!
    expect(sent.length).toBeLessThanOrEqual(499)
    expect(sent.split('"').length % 2).toBe(1)
    expect(sent.startsWith(q) || q.startsWith(sent)).toBe(true)
  })

  test('omit domains before words', () => {
    const includeDomains = Array.from({ length: 50 }, (_, at) => `host-number-${at}.example.org`)
    const sent = fieldsOf(duck, { includeDomains }, 'heat pumps').q!
    expect(sent).toMatch(
      /^heat pumps \(site:host-number-0\.example\.org OR .* OR site:host-number-\d+\.example\.org\)$/,
    )
    expect(sent.length).toBeLessThanOrEqual(499)
  })
})

const u = (target: string) => `a1${Buffer.from(target).toString('base64url')}`

test.each([
  {
    name: duck,
    link: 'https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.org%2F%3Fq%3D1&rut=2',
    target: 'https://a.org/?q=1',
  },
  { name: duck, link: 'https://duckduckgo.com/y.js?ad_domain=a.org', target: undefined },
  { name: duck, link: 'https://duckduckgo.com/l/?rut=2', target: undefined },
  { name: duck, link: 'https://help.duckduckgo.com/', target: undefined },
  { name: duck, link: 'https://notduckduckgo.com/l/?uddg=x', target: 'https://notduckduckgo.com/l/?uddg=x' },
  { name: mojeek, link: 'https://a.org/', target: 'https://a.org/' },
  { name: mojeek, link: 'https://www.mojeek.com/search?q=more', target: undefined },
  { name: brave, link: 'https://a.org/', target: 'https://a.org/' },
  { name: brave, link: 'https://search.brave.com/images?q=x', target: undefined },
  { name: brave, link: 'https://brave.com/', target: 'https://brave.com/' },
  {
    name: bing,
    link: `https://www.bing.com/ck/a?!&&p=1&u=${u('https://a.org/ö?x=1')}&ntb=1`,
    target: 'https://a.org/ö?x=1',
  },
  { name: bing, link: 'https://www.bing.com/ck/a?u=b1xyz', target: undefined },
  { name: bing, link: 'https://www.bing.com/aclk?u=a1xyz', target: undefined },
  { name: bing, link: 'https://a.org/ck/a?u=a1xyz', target: 'https://a.org/ck/a?u=a1xyz' },
])('a link of $name leads to $target', ({ name, link, target }) => {
  expect(engineNamed(name).targetOf(new URL(link))).toBe(target)
})
