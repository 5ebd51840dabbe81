import { describe, expect, it } from 'vitest'
import type { SearchOutcome, SearchRequest } from '../../src/contracts/search-port.ts'
import { search } from '../../src/engine/search/search.ts'
import { SearchInput } from '../../src/schema/search-schema.ts'
import { failureOf, fakeCtx, fakeWorld, open } from '../helpers/fakes.ts'
import { hit, hits, namesOf } from './kit.ts'

type Answering = (request: SearchRequest) => Partial<SearchOutcome> | Promise<Partial<SearchOutcome>>

function world(answer: Answering = () => ({ hits: hits('a', 'b') })) {
  const made = fakeWorld()
  const requests: SearchRequest[] = []
  const ports = {
    ...made.ports,
    search: async (request: SearchRequest) => {
      requests.push(request)
      return { hits: [], notes: [], isUnanswered: false, isLate: false, ...(await answer(request)) }
    },
  }
  const ctx = fakeCtx()
  const ask = (input: Record<string, unknown> = {}) =>
    search(ports, SearchInput.parse({ query: 'spider silk', ...input }), ctx)
  return { ...made, ports, requests, ctx, ask }
}

describe('a search', () => {
  it('returns web results with positions from 1', async () => {
    const { ask } = world()
    expect(await ask()).toEqual({
      data: {
        web: [
          { url: 'https://silk.example/a', title: 'About a', description: 'All that is known of a.', position: 1 },
          { url: 'https://silk.example/b', title: 'About b', description: 'All that is known of b.', position: 2 },
        ],
      },
      warning: null,
      id: 'job-1',
      creditsUsed: 2,
    })
  })

  it('passes on all options of the caller', async () => {
    const { ask, requests } = world()
    await ask({ limit: 7, includeDomains: ['Silk.example'], location: 'Berlin,Germany', country: 'de', tbs: 'sbd:1' })
    expect(requests).toMatchObject([
      {
        source: 'web',
        query: { terms: ['spider', 'silk'] },
        limit: 7,
        includeDomains: ['silk.example'],
        location: 'Berlin,Germany',
        country: 'DE',
        period: { sort: 'date' },
        teamId: 'acme',
      },
    ])
  })

  it('reserves time for the answer, and more for scrapes', async () => {
    const { ask, requests, ctx } = world()
    await ask({ timeout: 10_000 })
    await ask({ timeout: 10_000, scrapeOptions: { formats: ['links'] } })
    expect(requests.map(({ endsAt }) => (endsAt ?? 0) - ctx.startedAt)).toEqual([9500, 6000])
  })

  it('without an answering provider fails, with the reasons', async () => {
    const { ask } = world(() => ({
      isUnanswered: true,
      notes: ['one failed (bad key): No.', 'two failed (timed out): No.'],
    }))
    expect(await failureOf(ask())).toMatchObject({
      code: 'SEARCH_UNAVAILABLE',
      status: 502,
      message: expect.stringContaining('one failed (bad key)'),
      details: { providers: ['one failed (bad key): No.', 'two failed (timed out): No.'] },
    })
  })

  it('is cancelled by its caller', async () => {
    const caller = new AbortController()
    const { ports } = world(({ signal }) => {
      const { promise, refuse } = open<SearchOutcome>()
      signal.addEventListener('abort', () => refuse(signal.reason))
      return promise
    })
    const ctx = fakeCtx({ signal: caller.signal })
    const searching = failureOf(search(ports, SearchInput.parse({ query: 'silk' }), ctx))
    caller.abort()
    expect(await searching).toMatchObject({ code: 'REQUEST_CANCELLED' })
  })

  it('that runs out of time is reported as such, unlike a scrape', async () => {
    const { ask } = world(({ signal }) => {
      const { promise, refuse } = open<SearchOutcome>()
      signal.addEventListener('abort', () => refuse(signal.reason))
      return promise
    })
    expect(await failureOf(ask({ timeout: 20 }))).toMatchObject({
      code: 'SEARCH_TIMEOUT',
      status: 408,
      message: 'No search provider answered within 20 ms.',
    })
  })

  it('without an answer in time is reported with the reasons', async () => {
    const { ask } = world(() => ({
      isUnanswered: true,
      isLate: true,
      notes: ['one was not queried: no time was left.'],
    }))
    expect(await failureOf(ask({ timeout: 1 }))).toMatchObject({
      code: 'SEARCH_TIMEOUT',
      message: 'No search provider answered within 1 ms. one was not queried: no time was left.',
      details: { timeoutMs: 1, providers: ['one was not queried: no time was left.'] },
    })
  })

  it.each(['qdr:x', 'cdr:1', 'cdr:1,cd_min:31/12/2025', 'yesterday'])('refuses the time filter %s', async (tbs) => {
    const { ask, requests } = world()
    expect(await failureOf(ask({ tbs }))).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: ['tbs'] }] })
    expect(requests).toEqual([])
  })
})

const bySource: Answering = ({ source, limit }) => ({
  hits: Array.from({ length: limit }, (_, at) =>
    hit(`${source}${at}`, {
      date: '2026-03-14T10:00:00.000Z',
      imageUrl: `https://silk.example/${at}.png`,
      imageWidth: 640.4,
      imageHeight: 479.6,
    }),
  ),
})

describe('several sources', () => {
  it('are searched concurrently, each with the whole limit', async () => {
    const { ask } = world(bySource)
    const { data, creditsUsed } = await ask({ sources: ['web', { type: 'images' }, 'news', 'web'], limit: 7 })
    expect([data.web, data.images, data.news].map((list) => list?.map(({ position }) => position))).toEqual(
      Array.from({ length: 3 }, () => [1, 2, 3, 4, 5, 6, 7]),
    )
    expect(creditsUsed).toBe(6)
  })

  it('have their own fields each', async () => {
    const { data } = await world(bySource).ask({ sources: ['images', 'news'], limit: 1 })
    expect(data).toEqual({
      images: [
        {
          title: 'About images0',
          imageUrl: 'https://silk.example/0.png',
          imageWidth: 640,
          imageHeight: 480,
          url: 'https://silk.example/images0',
          position: 1,
        },
      ],
      news: [
        {
          title: 'About news0',
          snippet: 'All that is known of news0.',
          url: 'https://silk.example/news0',
          date: '2026-03-14T10:00:00.000Z',
          imageUrl: 'https://silk.example/0.png',
          position: 1,
        },
      ],
    })
  })

  it('return the results of those that work, with a warning', async () => {
    const { ask } = world(({ source }) =>
      source === 'news' ? { isUnanswered: true, notes: ['gdelt failed.'] } : { hits: hits('a') },
    )
    expect(await ask({ sources: ['web', 'news'] })).toMatchObject({
      data: { web: [{ position: 1 }], news: [] },
      warning: 'gdelt failed.',
    })
  })
})

const byCategory: Answering = ({ category }) => ({ hits: [...hits(`${category}1`, `${category}2`), hit('shared')] })

describe('categories', () => {
  it('alternate, and every result names its own', async () => {
    const { data } = await world(byCategory).ask({ categories: ['github', { type: 'research' }], limit: 4 })
    expect(data.web?.map(({ category, position, url }) => [category, position, url.split('/').at(-1)])).toEqual([
      ['github', 1, 'github1'],
      ['research', 2, 'research1'],
      ['github', 3, 'github2'],
      ['research', 4, 'research2'],
    ])
  })

  it('with the same page name it once', async () => {
    const { data } = await world(byCategory).ask({ categories: ['github', 'pdf'], limit: 10 })
    expect(namesOf(data.web ?? []).filter((name) => name === 'shared')).toHaveLength(1)
  })
})

describe('passages of indexed pages', () => {
  const better = new Map([['https://silk.example/b', 'Silk is stronger than steel.']])

  it('replace the description of a provider', async () => {
    const { ports, ask } = world()
    ports.index.highlights = async () => better
    const { data } = await ask()
    expect(data.web?.map(({ description }) => description)).toEqual([
      'All that is known of a.',
      'Silk is stronger than steel.',
    ])
  })

  it('are omitted if the index fails', async () => {
    const { ports, ask } = world()
    ports.index.highlights = async () => Promise.reject(new Error('disk'))
    expect((await ask()).data.web).toHaveLength(2)
  })
})
