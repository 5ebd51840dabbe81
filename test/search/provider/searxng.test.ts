import { describe, expect, test } from 'vitest'
import { searxng } from '../../../src/engine/search/providers/searxng.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { apiFor, asked, json, providerBefore, startService } from './kit.ts'

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
  test('answers with what its engines found, failed ones or not', async () => {
    const dated = { ...result, url: 'https://silk.example/b', publishedDate: '2026-03-01T10:00:00' }
    const { search, heard } = await providerBefore('searxng', answering([result, dated], [['brave', 'timeout']]))
    expect(await search({ limit: 2 })).toEqual([
      { url: 'https://silk.example/a', title: 'Spider & silk', description: 'As strong as steel.' },
      expect.objectContaining({ date: '2026-03-01T10:00:00.000Z' }),
    ])
    expect(heard).toHaveLength(1)
    expect(heard[0]!.url.pathname).toBe('/search')
    expect(Object.fromEntries(heard[0]!.url.searchParams)).toEqual({
      q: 'spider silk',
      format: 'json',
      categories: 'general',
    })
  })

  test('without results because engines failed has failed', async () => {
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

  test('without results and without failures found nothing', async () => {
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
  ])('is not commanded by $query', async ({ query, q }) => {
    const { search, heard } = await providerBefore('searxng', answering([]))
    await search({ query })
    expect(heard[0]!.url.searchParams.get('q')!.replace(/\s+/g, ' ')).toBe(q)
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
  ])('is told $wish as $parameters', async ({ wish, parameters }) => {
    const { search, heard } = await providerBefore('searxng', answering([]))
    await search(wish)
    expect(Object.fromEntries(heard[0]!.url.searchParams)).toMatchObject(parameters)
  })

  const dayMs = 86_400_000
  test.each([
    { preset: 'h' as const, from: 0.1, span: 'day' },
    { preset: 'y' as const, from: 365, span: 'year' },
    { preset: undefined, from: 3, span: 'week' },
    { preset: undefined, from: 20, span: 'month' },
    { preset: undefined, from: 90, span: 'year' },
    { preset: undefined, from: 900, span: null },
  ])('searches the span that holds the last $from days: $span', async ({ preset, from, span }) => {
    const { search, heard } = await providerBefore('searxng', answering([]))
    await search({ period: { from: Date.now() - from * dayMs, to: undefined, preset: preset, sort: 'relevance' } })
    expect(heard[0]!.url.searchParams.get('time_range')).toBe(span)
  })

  test('is asked for further pages', async () => {
    const { search, heard } = await providerBefore('searxng', (response, one, nth) =>
      answering(nth < 3 ? [{ ...result, url: `https://silk.example/${nth}` }] : [])(response, one, nth),
    )
    expect(await search({ limit: 60 })).toHaveLength(2)
    expect(heard.map(({ url }) => url.searchParams.get('pageno'))).toEqual([null, '2', '3'])
  })

  test.each([
    { size: 10, limit: 15, pages: [null, '2'] },
    { size: 7, limit: 15, pages: [null, '2', '3'] },
    { size: 10, limit: 10, pages: [null] },
    { size: 40, limit: 30, pages: [null] },
    { size: 4, limit: 100, pages: [null, '2', '3', '4', '5', '6', '7', '8', '9', '10'] },
  ])('with pages of $size is asked for as many as $limit results take', async ({ size, limit, pages }) => {
    const { search, heard } = await providerBefore('searxng', (response, one, nth) =>
      answering(Array.from({ length: size }, (_, at) => ({ ...result, url: `https://silk.example/${nth}/${at}` })))(
        response,
        one,
        nth,
      ),
    )
    expect((await search({ limit })).length).toBeGreaterThanOrEqual(Math.min(limit, size * 10))
    expect(heard.map(({ url }) => url.searchParams.get('pageno'))).toEqual(pages)
  })

  test.each([
    { resolution: '1920 x 1080', size: { imageWidth: 1920, imageHeight: 1080 } },
    { resolution: '640x480', size: { imageWidth: 640, imageHeight: 480 } },
    { resolution: '640 × 480', size: { imageWidth: 640, imageHeight: 480 } },
    { resolution: 'large', size: {} },
    { resolution: null, size: {} },
  ])('shows pictures of $resolution', async ({ resolution, size }) => {
    const picture = { url: 'https://silk.example/a', title: 'A', img_src: '//cdn.example/a.jpg', resolution }
    const { search } = await providerBefore('searxng', answering([picture]))
    expect(await search({ source: 'images', limit: 1 })).toEqual([
      { url: 'https://silk.example/a', title: 'A', imageUrl: 'https://cdn.example/a.jpg', ...size },
    ])
  })

  test.each([
    { img_src: 'https://cdn.example/a.jpg', thumbnail: 'https://cdn.example/b.jpg' },
    { img_src: '', thumbnail: 'https://cdn.example/a.jpg' },
  ])('shows the picture of an article: $img_src $thumbnail', async (pictures) => {
    const { search } = await providerBefore('searxng', answering([{ ...result, ...pictures }]))
    expect(await search({ source: 'news', limit: 1 })).toMatchObject([{ imageUrl: 'https://cdn.example/a.jpg' }])
  })

  test.each(['', '/', '/search', '/searx', '/searx/'])('may lie at %s', async (path) => {
    const { baseUrl, heard } = await startService(answering([]))
    await searxng(apiFor(), { baseUrl: `${baseUrl}${path}` }).search(asked())
    expect(heard[0]!.url.pathname).toBe(path.startsWith('/searx') ? '/searx/search' : '/search')
  })
})
