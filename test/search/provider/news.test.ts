import { describe, expect, test } from 'vitest'
import type { SearchPeriod } from '../../../src/contracts/search-port.ts'
import { digitsOf } from '../../../src/engine/search/providers/shared/search-scope.ts'
import { json, parametersOf, providerBefore, textAnswer } from './kit.ts'

const dayMs = 86_400_000
const lastWeek: SearchPeriod = {
  from: Date.now() - 14 * dayMs,
  to: Date.now() - 7 * dayMs,
  preset: undefined,
  sort: 'date',
}

const rss = (...items: string[]) =>
  textAnswer(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>silk</title>${items.join('')}</channel></rss>`,
    'application/rss+xml',
  )
const click =
  'http://www.bing.com/news/apiclick.aspx?ref=FexRss&amp;aid=&amp;url=https%3a%2f%2fnews.example%2fa%3fb%3d1&amp;c=1'

describe('GDELT', () => {
  const article = {
    url: 'https://news.example/a',
    title: 'Silk , stronger than steel ?',
    seendate: '20260301T173000Z',
    socialimage: 'https://img.example/a.jpg',
    domain: 'news.example',
    language: 'English',
    sourcecountry: 'Germany',
  }

  test('returns news, even from invalid JSON', async () => {
    const body = JSON.stringify({ articles: [article] }).replace('stronger', String.raw`\'stronger\'`)
    const { search, requests } = await providerBefore('gdelt', textAnswer(body, 'application/json'))
    const wish = { query: '"spider silk" -cotton', includeDomains: ['a.example', 'b.example'], country: 'GB' }
    expect(await search({ ...wish, period: lastWeek })).toEqual([
      {
        url: 'https://news.example/a',
        title: "Silk, 'stronger' than steel?",
        description: 'news.example',
        date: '2026-03-01T17:30:00.000Z',
        imageUrl: 'https://img.example/a.jpg',
      },
    ])
    expect(requests[0]!.url.pathname).toBe('/api/v2/doc/doc')
    expect(parametersOf(requests[0]!)).toEqual({
      query: '"spider silk" -cotton (domain:a.example OR domain:b.example) sourcecountry:unitedkingdom',
      mode: 'artlist',
      format: 'json',
      maxrecords: '30',
      sort: 'datedesc',
      startdatetime: digitsOf(lastWeek.from!),
      enddatetime: digitsOf(lastWeek.to!),
    })
  })

  test('is called with alternatives in brackets', async () => {
    const { search, requests } = await providerBefore('gdelt', json({}))
    await search({ query: 'silk OR web OR "spider silk" -wool' })
    expect(requests[0]!.url.searchParams.get('query')).toBe('(silk OR web OR "spider silk") -wool')
  })
})

describe('the news of Bing', () => {
  test('have the URLs of the articles instead of the click tracker', async () => {
    const { search, requests } = await providerBefore(
      'bing-news',
      rss(
        `<item><title>Silk &amp;amp; steel</title><link>${click}</link><description>As &lt;b&gt;strong&lt;/b&gt;</description><pubDate>Sun, 01 Mar 2026 17:30:00 GMT</pubDate></item>`,
      ),
    )
    expect(await search({ country: 'DE', query: 'silk -wool' })).toEqual([
      {
        url: 'https://news.example/a?b=1',
        title: 'Silk & steel',
        description: 'As strong',
        date: '2026-03-01T17:30:00.000Z',
      },
    ])
    expect(requests[0]!.url.pathname).toBe('/news/search')
    expect(parametersOf(requests[0]!)).toEqual({ q: 'silk -wool', format: 'rss', setmkt: 'de-DE' })
  })

  test.each([
    { preset: 'h' as const, sort: 'relevance' as const, qft: 'interval="7"' },
    { preset: 'm' as const, sort: 'date' as const, qft: 'interval="9" sortbydate="1"' },
    { preset: 'y' as const, sort: 'relevance' as const, qft: null },
  ])('are from the last $preset', async ({ preset, sort, qft }) => {
    const { search, requests } = await providerBefore('bing-news', rss())
    expect(await search({ period: { from: Date.now() - 1000, to: undefined, preset: preset, sort } })).toEqual([])
    expect(requests[0]!.url.searchParams.get('qft')).toBe(qft)
  })
})
