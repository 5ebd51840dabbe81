import { describe, expect, test } from 'vitest'
import { ProviderError, type SearchHit } from '../../../src/contracts/search-port.ts'
import {
  resultsEngines,
  resultsPages,
  type ResultsPagesOptions,
} from '../../../src/engine/search/results-pages/results-pages.ts'
import { openRenderer } from '../../browser/programs/rendering.ts'
import { failureOf, fakeClock } from '../../helpers/fakes.ts'
import { forAll, siteForAll } from '../../helpers/for-all.ts'
import { resultsPageRoutes } from '../../helpers/site/results-pages.ts'
import { requestFor } from '../kit.ts'

const site = siteForAll({ routes: resultsPageRoutes })
const browser = forAll(() => openRenderer([`127.0.0.1:${site.port}`]))

/** An engine whose results page is that of the site at `/serp/…`. */
function provider(name: string, path: string, more: Partial<ResultsPagesOptions> = {}) {
  const engine = resultsEngines.find((candidate) => candidate.name === name)!
  const [found] = resultsPages({
    renderPage: (request) => browser.render(request.url, request),
    clock: fakeClock(),
    enabled: true,
    engines: [{ ...engine, url: site.url(`/serp/${path}`) }],
    // Speed is not tested here, and busy machines are slow.
    deadlineMs: 25_000,
    ...more,
  })
  return found!
}
const open = (name: string, path: string, more?: Partial<ResultsPagesOptions>): Promise<SearchHit[]> =>
  provider(name, path, more).search(requestFor({ query: 'heat pumps' }))

async function faultOf(name: string, path: string, more?: Partial<ResultsPagesOptions>): Promise<string> {
  const error = await failureOf(open(name, path, more))
  if (!(error instanceof ProviderError)) throw error
  return error.kind
}

const duckHits = [
  {
    url: 'https://one.example/a?b=c&d=e#part',
    title: 'First pump',
    description: 'About First pump & what it costs.',
    date: '2026-03-14',
  },
  { url: 'https://two.example/plain', title: 'Second', description: 'About Second & what it costs.' },
  { url: 'https://www.example.org/%C3%BCbersicht', title: 'Third', description: 'About Third & what it costs.' },
]

test('a download is rejected as a results page', async () => {
  expect(await faultOf('duckduckgo', 'file')).toBe('unreadable answer')
})

describe.concurrent('a page with results', () => {
  test.each<{ name: string; path: string; hits: SearchHit[] }>([
    { name: 'duckduckgo', path: 'duckduckgo', hits: duckHits },
    {
      name: 'mojeek',
      path: 'mojeek',
      hits: [
        { url: 'https://one.example/', title: 'First', description: 'What First says.' },
        { url: 'https://two.example/b', title: 'Second', description: 'What Second says.' },
      ],
    },
    {
      name: 'brave-page',
      path: 'brave',
      hits: [
        { url: 'https://one.example/', title: 'First', description: 'About First.', date: '2026-03-03' },
        { url: 'https://two.example/b', title: 'Second', description: 'About Second.', date: '2026-03-03' },
      ],
    },
    {
      name: 'bing',
      path: 'bing',
      hits: [
        {
          url: 'https://one.example/%C3%BC?a=1&b=2',
          title: 'First',
          description: 'About First.',
          date: '2026-03-13T12:00:00.000Z',
        },
        {
          url: 'https://two.example/b',
          title: 'Second',
          description: 'About Second.',
          date: '2026-03-13T12:00:00.000Z',
        },
      ],
    },
  ])('of $name is read without advertisements, and to where its links lead in the end', async ({ name, path, hits }) =>
    expect(await open(name, path)).toEqual(hits),
  )

  test('is waited for if a script inserts the results', async () => {
    expect(await open('duckduckgo', 'late')).toEqual(duckHits)
  })

  test('is read even if it never stops loading', async () => {
    expect(await open('duckduckgo', 'never-ends')).toEqual(duckHits)
  })

  test('is not a challenge because a result mentions one', async () => {
    expect(await open('duckduckgo', 'talks-of-captchas')).toHaveLength(1)
  })
})

describe.concurrent('a page without results', () => {
  test.each(['duckduckgo', 'mojeek', 'brave', 'bing'])('of %s that states this is an empty answer', async (name) => {
    expect(await open(name === 'brave' ? 'brave-page' : name, `none/${name}`)).toEqual([])
  })

  test.each([
    { path: 'challenge', kind: 'bot challenge' },
    { path: 'challenge-202', kind: 'bot challenge' },
    { path: 'refuses', kind: 'bot challenge' },
    { path: 'captcha', name: 'brave-page', kind: 'bot challenge' },
    { path: 'too-many', name: 'brave-page', kind: 'rate limited' },
    { path: 'junk', kind: 'unreadable answer' },
    { path: 'empty-body', kind: 'unreadable answer' },
    { path: 'none/elsewhere', kind: 'unreadable answer' },
    { path: 'only-ads', kind: 'unreadable answer' },
    { path: 'lies', kind: 'unreadable answer' },
  ])('is recognised: $path is $kind', async ({ path, name = 'duckduckgo', kind }) => {
    expect(await faultOf(name, path)).toBe(kind)
  })
})

describe('the time of a search', () => {
  test.each(['hangs', 'never-ends', 'locks-up'])('ends for a page that %s', async (path) => {
    expect(await faultOf('duckduckgo', path, { deadlineMs: 1500 })).toBe('timed out')
  })

  test('ends even if the browser never answers', async () => {
    const { promise: renderPage } = Promise.withResolvers<never>()
    expect(await faultOf('duckduckgo', 'duckduckgo', { deadlineMs: 100, renderPage: () => renderPage })).toBe(
      'timed out',
    )
  })

  test('ends with the reason of the caller', async () => {
    const ending = new AbortController()
    const searching = provider('duckduckgo', 'hangs').search(requestFor({ query: 'heat pumps', signal: ending.signal }))
    const reason = new Error('enough')
    setTimeout(() => ending.abort(reason), 300)
    expect(await failureOf(searching)).toBe(reason)
  })
})

test('the engine is called once, by GET, with the words and the place', async () => {
  const before = site.requests.length
  await provider('duckduckgo', 'duckduckgo').search(
    requestFor({ query: 'heat "very quiet" site:example.org', country: 'DE' }),
  )
  const sent = site.requests.slice(before).filter(({ url }) => url.startsWith('/serp/'))
  expect(sent.map(({ method, url }) => [method, [...new URL(url, site.origin).searchParams]])).toEqual([
    [
      'GET',
      [
        ['q', 'heat "very quiet" site:example.org'],
        ['kl', 'de-de'],
        ['kp', '-1'],
      ],
    ],
  ])
})
