import { describe, expect, test } from 'vitest'
import { failureOf } from '../../helpers/fakes.ts'
import { json, providerBefore } from './kit.ts'

const result = {
  url: 'https://silk.example/a',
  title: 'Spider &amp; silk',
  content: 'As <b>strong</b> as steel.',
  engine: 'duckduckgo',
  engines: ['duckduckgo'],
  positions: [1],
  score: 1,
  category: 'general',
}
const answering = (results: unknown[], unresponsive: unknown[] = []) =>
  json({ query: 'q', number_of_results: 0, results, answers: [], unresponsive_engines: unresponsive })

describe('SearXNG', () => {
  test('returns the results of its engines, even if some failed', async () => {
    const dated = { ...result, url: 'https://silk.example/b', publishedDate: '2026-03-01T10:00:00' }
    const { search, requests } = await providerBefore('searxng', answering([result, dated], [['brave', 'timeout']]))
    expect(await search({ limit: 2 })).toEqual([
      { url: 'https://silk.example/a', title: 'Spider & silk', description: 'As strong as steel.' },
      expect.objectContaining({ date: '2026-03-01T10:00:00.000Z' }),
    ])
    expect(requests).toHaveLength(1)
    expect(requests[0]!.url.pathname).toBe('/search')
    expect(Object.fromEntries(requests[0]!.url.searchParams)).toEqual({
      q: 'spider silk',
      format: 'json',
      categories: 'general',
    })
  })

  test('fails if it has no results because engines failed', async () => {
    const unresponsive = [
      ['brave', 'Suspended: too many requests'],
      ['duckduckgo', 'CAPTCHA'],
    ]
    const { search } = await providerBefore('searxng', answering([], unresponsive))
    expect(await failureOf(search())).toMatchObject({
      kind: 'engines unresponsive',
      message: 'None of its engines had an answer; 2 did not respond.',
    })
  })

  test('returns an empty list if its engines found nothing', async () => {
    const { search } = await providerBefore('searxng', answering([]))
    expect(await search()).toEqual([])
  })

  test.each([
    { query: '!google silk', q: '"!google" silk' },
    { query: 'silk :de', q: 'silk ":de"' },
    { query: '?wikipedia silk <3', q: '"?wikipedia" silk "<3"' },
    { query: '!!g silk', q: '"!!g" silk' },
    { query: 'silk ! : wool!', q: 'silk wool!' },
    { query: '"silk !google web"', q: '"silk google web"' },
    { query: '"silk web" C++ a:b', q: 'C++ a:b "silk web"' },
  ])('gets $query without its commands', async ({ query, q }) => {
    const { search, requests } = await providerBefore('searxng', answering([]))
    await search({ query })
    expect(requests[0]!.url.searchParams.get('q')!.replace(/\s+/g, ' ')).toBe(q)
  })

  test.each([
    { wish: { source: 'news' as const }, parameters: { categories: 'news' } },
    { wish: { country: 'DE' }, parameters: { language: 'de-DE' } },
    { wish: { language: 'fr' }, parameters: { language: 'fr' } },
    { wish: { language: 'pt_br' }, parameters: { language: 'pt-BR' } },
    { wish: { location: 'Berlin,Germany' }, parameters: { q: 'spider silk Berlin' } },
    {
      wish: { query: 'silk -wool', includeDomains: ['a.example'] },
      parameters: { q: 'silk -wool site:a.example' },
    },
    { wish: { category: 'github' as const }, parameters: { q: 'spider silk site:github.com' } },
  ])('gets $wish as $parameters', async ({ wish, parameters }) => {
    const { search, requests } = await providerBefore('searxng', answering([]))
    await search(wish)
    expect(Object.fromEntries(requests[0]!.url.searchParams)).toMatchObject(parameters)
  })

  test('is called for further pages', async () => {
    const { search, requests } = await providerBefore('searxng', (response, one, nth) =>
      answering(nth < 3 ? [{ ...result, url: `https://silk.example/${nth}` }] : [])(response, one, nth),
    )
    expect(await search({ limit: 60 })).toHaveLength(2)
    expect(requests.map(({ url }) => url.searchParams.get('pageno'))).toEqual([null, '2', '3'])
  })
})
