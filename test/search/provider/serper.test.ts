import { describe, expect, test } from 'vitest'
import type { SearchPeriod } from '../../../src/contracts/search-port.ts'
import { bodyOf, json, key, providerBefore, spring } from './kit.ts'

const dayMs = 86_400_000
const day: SearchPeriod = { from: Date.now() - dayMs, to: undefined, preset: 'd', sort: 'relevance' }

const organic = (from: number) =>
  Array.from({ length: 10 }, (_, index) => ({
    title: `No ${from + index}`,
    link: `https://silk.example/${from + index}`,
    snippet: 'Strong.',
    date: 'Nov 5, 2024',
    position: index + 1,
  }))
const found = (lists: object) => json({ searchParameters: { q: 'q', type: 'search' }, ...lists, credits: 1 })

describe('Serper', () => {
  test('gets every operator, place and language unchanged', async () => {
    const { search, requests } = await providerBefore('serper', found({ organic: organic(0) }))
    const query =
      'silk "spider web" -cotton site:silk.example filetype:pdf inurl:paper intitle:strong related:b.example'
    const hits = await search({ query, country: 'DE', location: 'Berlin,Germany', language: 'de' })
    expect(hits[0]).toEqual({
      url: 'https://silk.example/0',
      title: 'No 0',
      description: 'Strong.',
      date: '2024-11-05',
    })
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { 'x-api-key': key } })
    expect(requests[0]!.url.pathname).toBe('/search')
    const body = bodyOf(requests[0]!) as Record<string, string>
    expect(body).toMatchObject({ num: 10, page: 1, gl: 'de', hl: 'de', location: 'Berlin,Germany' })
    for (const part of query.split(/ (?!web)/)) expect(body['q']).toContain(part)
  })

  test.each([
    { period: day, tbs: 'qdr:d' },
    { period: { ...day, preset: 'h' as const, sort: 'date' as const }, tbs: 'qdr:h,sbd:1' },
    { period: spring, tbs: 'cdr:1,cd_min:3/1/2026,cd_max:5/31/2026' },
    { period: { ...spring, from: undefined, to: undefined, sort: 'date' as const }, tbs: 'sbd:1' },
    { period: { ...spring, from: undefined, to: undefined }, tbs: undefined },
  ])('gets the time as $tbs', async ({ period, tbs }) => {
    const { search, requests } = await providerBefore('serper', found({ organic: [] }))
    await search({ period })
    expect((bodyOf(requests[0]!) as { tbs?: string }).tbs).toBe(tbs)
  })

  test('is called for pictures and news', async () => {
    const image = { title: 'A', link: 'https://silk.example/a', imageUrl: 'https://cdn.example/a.jpg' }
    const images = [{ ...image, imageWidth: 800, imageHeight: 600 }]
    const pictures = await providerBefore('serper', found({ images }))
    expect(await pictures.search({ source: 'images', query: 'silk larger:640x480' })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'A',
        imageUrl: 'https://cdn.example/a.jpg',
        imageWidth: 800,
        imageHeight: 600,
      },
    ])
    expect(pictures.requests[0]!.url.pathname).toBe('/images')
    expect(bodyOf(pictures.requests[0]!)).toMatchObject({ q: 'silk larger:640x480' })
    const news = await providerBefore('serper', found({ news: [{ ...image, date: '3 hours ago', snippet: 's' }] }))
    const [article] = await news.search({ source: 'news' })
    expect(news.requests[0]!.url.pathname).toBe('/news')
    expect(Date.now() - Date.parse(article!.date!)).toBeGreaterThanOrEqual(3 * 3_600_000)
  })
})
