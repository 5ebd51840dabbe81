import { describe, expect, test } from 'vitest'
import { bodyOf, json, key, providerBefore, spring } from './kit.ts'

describe('Exa', () => {
  const results = [
    {
      title: 'A',
      url: 'https://silk.example/a',
      publishedDate: '2026-03-01T00:00:00.000Z',
      highlights: ['Strong.', 'Light.'],
    },
    { title: null, url: 'https://silk.example/b', publishedDate: null },
  ]

  test('is called with exact times, domains and place', async () => {
    const { search, requests } = await providerBefore('exa', json({ requestId: 'r', results }))
    expect(await search({ query: 'silk site:a.example/papers', period: spring, country: 'DE', limit: 30 })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'A',
        description: 'Strong. … Light.',
        date: '2026-03-01T00:00:00.000Z',
      },
      { url: 'https://silk.example/b', title: 'https://silk.example/b' },
    ])
    expect(requests[0]).toMatchObject({ method: 'POST', headers: { 'x-api-key': key } })
    expect(requests[0]!.url.pathname).toBe('/search')
    expect(bodyOf(requests[0]!)).toEqual({
      query: 'silk',
      type: 'auto',
      userLocation: 'DE',
      numResults: 60,
      contents: { highlights: true },
      includeDomains: ['a.example'],
      startPublishedDate: '2026-03-01T00:00:00.000Z',
      endPublishedDate: '2026-05-31T23:59:59.999Z',
    })
  })

  test('finds related pages', async () => {
    const { search, requests } = await providerBefore('exa', json({ results }))
    expect(await search({ query: 'related:silk.example/a' })).toHaveLength(2)
    expect(requests[0]!.url.pathname).toBe('/findSimilar')
    expect(bodyOf(requests[0]!)).toMatchObject({ url: 'https://silk.example/a', numResults: 20 })
  })
})
