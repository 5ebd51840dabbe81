import { describe, expect, test } from 'vitest'
import { bodyOf, json, key, providerBefore, spring } from './kit.ts'

describe('Tavily', () => {
  const results = [
    { title: 'A', url: 'https://silk.example/a', content: 'Strong.', score: 0.9 },
    { title: 'B', url: 'https://silk.example/b', content: 'x', published_date: 'Fri, 20 Nov 2026 08:30:00 GMT' },
  ]

  test('is called with lists of domains, days and the name of the country', async () => {
    const { search, requests } = await providerBefore('tavily', json({ query: 'q', results }))
    const found = await search({
      query: 'silk -cotton -site:c.example',
      includeDomains: ['a.example'],
      period: spring,
      country: 'DE',
    })
    expect(found).toEqual([
      { url: 'https://silk.example/a', title: 'A', description: 'Strong.' },
      { url: 'https://silk.example/b', title: 'B', description: 'x', date: '2026-11-20T08:30:00.000Z' },
    ])
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${key}` } })
    expect(requests[0]!.url.pathname).toBe('/search')
    expect(bodyOf(requests[0]!)).toEqual({
      query: 'silk',
      topic: 'general',
      search_depth: 'basic',
      max_results: 20,
      include_domains: ['a.example'],
      exclude_domains: ['c.example'],
      start_date: '2026-03-01',
      end_date: '2026-05-31',
      country: 'germany',
    })
  })

  test.each([
    { country: 'US', name: 'united states' },
    { country: 'TR', name: 'turkey' },
    { country: 'TT', name: 'trinidad and tobago' },
    { country: 'MM', name: 'myanmar' },
    { country: 'HK', name: undefined },
    { country: 'CI', name: undefined },
    { country: 'ZZ', name: undefined },
  ])('gets $country as $name', async ({ country, name }) => {
    const { search, requests } = await providerBefore('tavily', json({ results: [] }))
    await search({ country })
    expect((bodyOf(requests[0]!) as { country?: string }).country).toBe(name)
  })

  test('gets the sites of a category, and a file type as a word', async () => {
    const { search, requests } = await providerBefore('tavily', json({ results: [] }))
    await search({ category: 'github' })
    await search({ category: 'pdf', query: `${'word '.repeat(99)}end` })
    expect(bodyOf(requests[0]!)).toMatchObject({ include_domains: ['github.com'] })
    const { query } = bodyOf(requests[1]!) as { query: string }
    expect(query.length).toBeLessThanOrEqual(400)
  })
})
