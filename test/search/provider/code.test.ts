import { describe, expect, test } from 'vitest'
import { failureOf } from '../../helpers/fakes.ts'
import { type Answering, json, key, latest, parametersOf, providerBefore, spring } from './kit.ts'

const repository = 'https://github.com/a/b'
const both: Answering = (response, one, nth) =>
  json({
    total_count: 1,
    items: one.url.pathname.endsWith('/issues')
      ? [{ title: 'Broken', html_url: `${repository}/issues/1`, body: null, updated_at: '2026-03-02T00:00:00Z' }]
      : [
          { full_name: 'a/b', html_url: repository, description: 'Spins', pushed_at: '2026-03-01T00:00:00Z' },
          { full_name: 'c/d', html_url: 'https://github.com/c/d', description: null, pushed_at: null },
        ],
  })(response, one, nth)

test('GitHub returns repositories and issues alternately', async () => {
  const { search, requests } = await providerBefore('github', both)
  expect(await search({ period: { ...spring, sort: 'date' } })).toEqual([
    { url: 'https://github.com/a/b', title: 'a/b', description: 'Spins', date: '2026-03-01T00:00:00.000Z' },
    { url: 'https://github.com/a/b/issues/1', title: 'Broken', date: '2026-03-02T00:00:00.000Z' },
    { url: 'https://github.com/c/d', title: 'c/d' },
  ])
  const parameters = Object.fromEntries(requests.map((one) => [one.url.pathname, parametersOf(one)]))
  const range = '2026-03-01T00:00:00Z..2026-05-31T23:59:59Z'
  expect(parameters).toMatchObject({
    '/search/repositories': { q: `spider silk pushed:${range}`, sort: 'updated', per_page: '10' },
    '/search/issues': { q: `spider silk is:issue updated:${range}` },
  })
  expect(requests[0]!.headers).toMatchObject({
    authorization: `Bearer ${key}`,
    accept: 'application/vnd.github+json',
  })
})

describe('Stack Exchange', () => {
  const item = {
    item_type: 'question',
    question_id: 11,
    title: 'What is List&lt;String&gt;?',
    excerpt: 'a <span class="highlight">List</span>&hellip;',
    creation_date: 1_772_323_200,
  }

  test('returns questions', async () => {
    const { search, requests } = await providerBefore('stack-exchange', json({ items: [item], quota_remaining: 12 }))
    expect(await search({ period: { ...spring, sort: 'date' } })).toEqual([
      {
        url: 'https://stackoverflow.com/questions/11',
        title: 'What is List<String>?',
        description: 'a List…',
        date: '2026-03-01T00:00:00.000Z',
      },
    ])
    expect(requests[0]!.url.pathname).toBe('/2.3/search/excerpts')
    expect(parametersOf(requests[0]!)).toMatchObject({
      q: 'spider silk',
      site: 'stackoverflow',
      sort: 'creation',
      fromdate: '1772323200',
      todate: '1780272000',
    })
  })

  test('is paused for as long as it requests', async () => {
    const { search, requests } = await providerBefore('stack-exchange', json({ items: [item], backoff: 30 }))
    expect(await search()).toHaveLength(1)
    expect(await failureOf(search())).toMatchObject({ kind: 'rate limited', pauseMs: expect.closeTo(30_000, -3) })
    expect(requests).toHaveLength(1)
  })
})

describe('Hacker News', () => {
  const story = { objectID: '42', title: 'Silk', created_at: '2026-03-01T10:00:00Z', points: 7, num_comments: 3 }

  test('returns the linked pages of its stories, or the stories', async () => {
    const hits = [
      { ...story, url: 'https://silk.example/a', story_text: null },
      { ...story, url: null, story_text: '<p>Ask &amp; tell</p>' },
    ]
    const { search, requests } = await providerBefore('hacker-news', json({ hits, nbPages: 1 }))
    expect(await search({ query: '"spider silk" -cotton', period: spring })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'Silk',
        description: 'Hacker News: 7 points, 3 comments',
        date: '2026-03-01T10:00:00.000Z',
      },
      expect.objectContaining({ url: 'https://news.ycombinator.com/item?id=42', description: 'Ask & tell' }),
    ])
    expect(requests[0]!.url.pathname).toBe('/api/v1/search')
    expect(parametersOf(requests[0]!)).toMatchObject({
      query: '"spider silk" -cotton',
      tags: 'story',
      numericFilters: 'created_at_i>=1772323200,created_at_i<=1780272000',
    })
  })

  test('is called for the newest first, and for further pages', async () => {
    const { search, requests } = await providerBefore(
      'hacker-news',
      json({ hits: [{ ...story, url: 'https://silk.example/a' }], nbPages: 9 }),
    )
    await search({ period: latest, includeDomains: ['other.example'] })
    expect(requests[0]!.url.pathname).toBe('/api/v1/search_by_date')
    expect(requests.map(({ url }) => url.searchParams.get('page'))).toEqual(['0', '1'])
  })
})
