import { describe, expect, test } from 'vitest'
import { failureOf } from '../../helpers/fakes.ts'
import { json, key, parametersOf, providerBefore } from './kit.ts'

const web = (results: unknown[], more = false) =>
  json({ type: 'search', query: { original: 'q', more_results_available: more }, web: { results } })

const numbered = (from: number, count: number, host = 'silk.example') =>
  Array.from({ length: count }, (_, index) => ({
    title: `No ${from + index}`,
    url: `https://${host}/${from + index}`,
  }))

describe('Brave', () => {
  test('is called for the web, and its results lose their markup', async () => {
    const { search, requests } = await providerBefore(
      'brave',
      web([
        {
          title: 'Spider <strong>silk</strong> &amp; steel',
          url: 'https://silk.example/a',
          description: 'As <strong>strong</strong> as&nbsp;steel &#x2014; or &#8220;more&#8221;.',
          page_age: '2026-03-01T10:00:00',
        },
        { title: 'Mail', url: 'mailto:me@silk.example', description: '' },
        { title: 'No date', url: 'https://silk.example/b' },
      ]),
    )
    expect(await search({ country: 'DE', language: 'ja', location: 'Berlin,Germany' })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'Spider silk & steel',
        description: 'As strong as steel — or “more”.',
        date: '2026-03-01T10:00:00.000Z',
      },
      { url: 'https://silk.example/b', title: 'No date' },
    ])
    const [one] = requests
    expect(one).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': key, 'x-loc-city': 'Berlin' } })
    expect(one!.url.pathname).toBe('/res/v1/web/search')
    expect(parametersOf(one!)).toMatchObject({
      q: 'spider silk',
      count: '20',
      offset: '0',
      country: 'DE',
      search_lang: 'jp',
      result_filter: 'web',
    })
    expect(one!.url.href).not.toContain(key)
  })

  test('gets only the operators that it supports', async () => {
    const { search, requests } = await providerBefore('brave', web([]))
    await search({
      query: 'silk "spider web" -cotton filetype:pdf intitle:strong inurl:paper',
      includeDomains: ['a.example', 'b.example'],
    })
    expect(requests[0]!.url.searchParams.get('q')).toBe(
      'silk "spider web" intitle:strong -cotton (site:a.example OR site:b.example) filetype:pdf',
    )
  })

  test('gets ALL for an unknown country, and no unknown language', async () => {
    const { search, requests } = await providerBefore('brave', web([]))
    await search({ country: 'UY', language: 'tlh' })
    expect(parametersOf(requests[0]!)).toMatchObject({ country: 'ALL' })
    expect(requests[0]!.url.searchParams.has('search_lang')).toBe(false)
  })

  test('is called for pages until there are enough results', async () => {
    const { search, requests } = await providerBefore('brave', (response, { url }) =>
      web(numbered(20 * Number(url.searchParams.get('offset')), 20), true)(response, requests[0]!, 1),
    )
    expect(await search({ limit: 50 })).toHaveLength(60)
    expect(requests.map(({ url }) => url.searchParams.get('offset'))).toEqual(['0', '1', '2'])
  })

  test('keeps results from before a failed page, if any match', async () => {
    const { search } = await providerBefore('brave', (response, one, nth) =>
      nth === 1 ? web(numbered(0, 20), true)(response, one, nth) : json({}, 429)(response, one, nth),
    )
    expect(await search({ limit: 30 })).toHaveLength(20)
    const none = await providerBefore('brave', (response, one, nth) =>
      nth === 1 ? web(numbered(0, 20), true)(response, one, nth) : json({}, 429)(response, one, nth),
    )
    expect(await failureOf(none.search({ includeDomains: ['elsewhere.example'] }))).toMatchObject({
      kind: 'rate limited',
    })
  })

  test('keeps results from before the timeout', async () => {
    const stop = new AbortController()
    const { search } = await providerBefore('brave', (response, one, nth) => {
      if (nth === 1) web(numbered(0, 20), true)(response, one, nth)
      else stop.abort(new Error('time is up'))
    })
    expect(await search({ limit: 30, signal: stop.signal })).toHaveLength(20)
  })

  test('is called for pictures, with sizes in whole numbers', async () => {
    const properties = { url: 'https://cdn.example/a.jpg', width: 800.4, height: 600 }
    const { search, requests } = await providerBefore(
      'brave',
      json({ results: [{ title: 'A', url: 'https://silk.example/a', properties }] }),
    )
    expect(await search({ source: 'images', limit: 100 })).toEqual([
      {
        url: 'https://silk.example/a',
        title: 'A',
        imageUrl: 'https://cdn.example/a.jpg',
        imageWidth: 800,
        imageHeight: 600,
      },
    ])
    expect(requests[0]!.url.pathname).toBe('/res/v1/images/search')
    expect(requests[0]!.url.searchParams.get('count')).toBe('100')
  })
})
