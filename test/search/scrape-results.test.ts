import { describe, expect, it } from 'vitest'
import type { PageRequest } from '../../src/contracts/fetch.ts'
import type { SearchRequest } from '../../src/contracts/search-port.ts'
import { search } from '../../src/engine/search/search.ts'
import { failure } from '../../src/kernel/error.ts'
import { SearchInput } from '../../src/schema/search-schema.ts'
import { failureOf, fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { hit, hits } from './kit.ts'

const found = {
  web: hits('a', 'b', 'c'),
  news: hits('n'),
  images: [hit('i', { imageUrl: 'https://silk.example/i.png' })],
}

function world(site: (path: string) => Promise<{ body?: string; status?: number }> = async () => ({}), over = {}) {
  const made = fakeWorld(({ url }: PageRequest) => site(new URL(url).pathname))
  const all = { ...found, ...over }
  const ports = {
    ...made.ports,
    search: async ({ source }: SearchRequest) => ({ hits: all[source], notes: [], isUnanswered: false, isLate: false }),
  }
  const ctx = fakeCtx()
  const ask = (input: Record<string, unknown> = {}) =>
    search(ports, SearchInput.parse({ query: 'silk', scrapeOptions: { formats: ['markdown'] }, ...input }), ctx)
  return { ...made, ports, ctx, ask }
}

const hanging = (path: string) => (path === '/b' ? new Promise<never>(() => {}) : Promise.resolve({}))
const refusing = async (path: string) => {
  if (path === '/b') throw failure('SCRAPE_ADDRESS_REFUSED')
  if (path === '/c') throw failure('SCRAPE_SITE_ERROR')
  return {}
}

describe('scraped results', () => {
  it('have the requested formats and the metadata of the page', async () => {
    const { data, creditsUsed } = await world().ask({ scrapeOptions: { formats: ['markdown', 'links'] } })
    expect(data.web?.[0]).toMatchObject({
      url: 'https://silk.example/a',
      title: 'About a',
      description: 'All that is known of a.',
      position: 1,
      markdown: 'Hello',
      links: ['https://example.com/a'],
      metadata: { sourceURL: 'https://silk.example/a', statusCode: 200, scrapeId: expect.any(String) },
    })
    expect(creditsUsed).toBe(2 + 3)
  })

  it('can be read again by their scrapeId, and cost the search alone', async () => {
    const { ask, recorded } = world()
    const { data } = await ask()
    expect(recorded.map(({ id }) => id).toSorted()).toEqual(
      data.web?.map(({ metadata }) => metadata?.['scrapeId']).toSorted(),
    )
    expect(recorded.map(({ endpoint, credits }) => [endpoint, credits])).toEqual(
      Array.from({ length: 3 }, () => ['scrape', 0]),
    )
  })

  it.each([{}, { formats: [] }, { onlyMainContent: false }])(
    'are not scraped for no format: %j',
    async (scrapeOptions) => {
      const { ask, fetched } = world()
      expect(await ask({ scrapeOptions })).toMatchObject({
        creditsUsed: 2,
        warning: expect.stringContaining('no formats'),
      })
      expect(fetched).toEqual([])
    },
  )

  it('report progress', async () => {
    const reports: unknown[] = []
    const ctx = fakeCtx({ progress: (...progress) => void reports.push(progress) })
    await search(world().ports, SearchInput.parse({ query: 'silk', scrapeOptions: { formats: ['markdown'] } }), ctx)
    expect(reports).toHaveLength(4)
    expect(reports.at(-1)).toEqual([3, 3, expect.any(String)])
  })

  it('run within the concurrency limit of the team', async () => {
    const { ask, ports } = world()
    let running = 0
    let most = 0
    let turn = Promise.resolve()
    ports.account.enter = async () => {
      const before = turn
      const { promise, resolve } = Promise.withResolvers<void>()
      turn = promise
      await before
      most = Math.max(most, ++running)
      return () => {
        running -= 1
        resolve()
      }
    }
    expect((await ask()).data.web?.every(({ markdown }) => markdown === 'Hello')).toBe(true)
    expect(most).toBe(1)
  })
})

describe('a result that cannot be scraped', () => {
  it('is kept with its error, and costs nothing', async () => {
    const { data, creditsUsed } = await world(refusing).ask()
    expect(data.web).toMatchObject([
      { markdown: 'Hello' },
      {
        description: 'All that is known of b.',
        metadata: { sourceURL: 'https://silk.example/b', error: expect.stringContaining('SCRAPE_ADDRESS_REFUSED') },
      },
      { metadata: { error: expect.stringContaining('SCRAPE_SITE_ERROR') } },
    ])
    expect(creditsUsed).toBe(2 + 1)
  })

  it('because it hangs delays neither the others nor the answer', async () => {
    const { data } = await world(hanging).ask({ timeout: 1000 })
    expect(data.web).toMatchObject([
      { markdown: 'Hello' },
      { url: 'https://silk.example/b', metadata: { error: 'The page did not load in time.' } },
      { markdown: 'Hello' },
    ])
  })

  it('because no slot was free is reported as such', async () => {
    const { ask, ports } = world()
    ports.account.enter = (_, signal) =>
      new Promise((_resolve, refuse) => signal.addEventListener('abort', () => refuse(signal.reason)))
    expect((await ask({ timeout: 1000 })).data.web?.[0]?.metadata).toMatchObject({
      error: 'No time was left to scrape this page.',
    })
  })

  it('is omitted with ignoreInvalidURLs if its URL is invalid, and the others move up', async () => {
    const { data } = await world(refusing).ask({ ignoreInvalidURLs: true })
    expect(data.web?.map(({ url, position }) => [url.at(-1), position])).toEqual([
      ['a', 1],
      ['c', 2],
    ])
  })
})

it('a caller that aborts is not kept waiting', async () => {
  const caller = new AbortController()
  const { ports } = world(hanging)
  const ctx = fakeCtx({ signal: caller.signal, progress: (done) => void (done === 2 && caller.abort()) })
  const input = SearchInput.parse({ query: 'silk', scrapeOptions: { formats: ['markdown'] } })
  expect(await failureOf(search(ports, input, ctx))).toMatchObject({ code: 'REQUEST_CANCELLED' })
})
