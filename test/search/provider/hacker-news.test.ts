import { describe, expect, test } from 'vitest'
import { json, latest, parametersOf, providerBefore, spring } from './kit.ts'

describe('Hacker News', () => {
  const story = { objectID: '42', title: 'Silk', created_at: '2026-03-01T10:00:00Z', points: 7, num_comments: 3 }

  test('returns the linked pages of its stories, or the stories', async () => {
    const hits = [
      { ...story, url: 'https://silk.example/a', story_text: null },
      { ...story, url: null, story_text: '<p>Ask &amp; tell</p>' },
    ]
    const { search, heard } = await providerBefore('hacker-news', json({ hits, nbPages: 1 }))
    expect(await search({ query: '"spider silk" -cotton', period: spring })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'Silk',
        description: 'Hacker News: 7 points, 3 comments',
        date: '2026-03-01T10:00:00.000Z',
      },
      expect.objectContaining({ url: 'https://news.ycombinator.com/item?id=42', description: 'Ask & tell' }),
    ])
    expect(heard[0]!.url.pathname).toBe('/api/v1/search')
    expect(parametersOf(heard[0]!)).toMatchObject({
      query: '"spider silk" -cotton',
      tags: 'story',
      numericFilters: 'created_at_i>=1772323200,created_at_i<=1780272000',
    })
  })

  test('is called for the newest first, and for further pages', async () => {
    const { search, heard } = await providerBefore(
      'hacker-news',
      json({ hits: [{ ...story, url: 'https://silk.example/a' }], nbPages: 9 }),
    )
    await search({ period: latest, includeDomains: ['other.example'] })
    expect(heard[0]!.url.pathname).toBe('/api/v1/search_by_date')
    expect(heard.map(({ url }) => url.searchParams.get('page'))).toEqual(['0', '1'])
  })
})
