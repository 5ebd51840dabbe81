import { describe, expect, test } from 'vitest'
import { failureOf } from '../../helpers/fakes.ts'
import { json, parametersOf, providerBefore } from './kit.ts'

const found = (...titles: string[]) =>
  json({
    batchcomplete: true,
    query: {
      search: titles.map((title) => ({
        ns: 0,
        title,
        snippet: 'Stronger than <span class="searchmatch">steel</span> &amp; light.',
      })),
    },
  })

describe('Wikipedia', () => {
  test('returns its pages', async () => {
    const { search, requests, baseUrl } = await providerBefore('wikipedia', found('Spider silk', 'AC/DC?'))
    expect(await search({ query: 'silk "spider web" -cotton intitle:silk filetype:pdf' })).toEqual([
      {
        url: `${baseUrl}/wiki/Spider_silk`,
        title: 'Spider silk',
        description: 'Stronger than steel & light.',
      },
      { url: `${baseUrl}/wiki/AC%2FDC%3F`, title: 'AC/DC?', description: 'Stronger than steel & light.' },
    ])
    expect(requests[0]!.url.pathname).toBe('/w/api.php')
    expect(requests[0]!.headers['api-user-agent']).toBe('gossamer (me@example.org)')
    expect(parametersOf(requests[0]!)).toMatchObject({
      action: 'query',
      list: 'search',
      srsearch: 'silk "spider web" intitle:silk -cotton',
      srlimit: '10',
    })
  })

  test('is also searched in English if another language finds nothing', async () => {
    const { search, requests } = await providerBefore('wikipedia', (response, one, nth) =>
      found(...(nth === 1 ? [] : ['Silk']))(response, one, nth),
    )
    expect(await search({ country: 'DE' })).toHaveLength(1)
    expect(requests).toHaveLength(2)
    const english = await providerBefore('wikipedia', found())
    expect(await english.search()).toEqual([])
    expect(english.requests).toHaveLength(1)
  })

  test.each([
    { includeDomains: ['silk.example'] },
    { query: 'silk site:silk.example' },
    { excludeDomains: ['wikipedia.org'] },
    { query: 'silk -site:wikipedia.org' },
  ])('has no answer for $includeDomains $query $excludeDomains', async (wish) => {
    const { search, requests } = await providerBefore('wikipedia', found())
    expect(await failureOf(search(wish))).toMatchObject({
      kind: 'other sites',
      pauseMs: 0,
      message: 'It only knows pages of en.wikipedia.org.',
    })
    expect(requests).toEqual([])
  })
})
