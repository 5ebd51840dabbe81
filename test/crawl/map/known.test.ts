import { expect, test } from 'vitest'
import type { MapInput } from '../../../src/schema/crawl-schema.ts'
import { linking, sitemap, worldOf } from './world.ts'

const known = [
  { url: 'https://ex.com/hidden', title: 'Found by a scrape' },
  { url: 'https://ex.com/a', title: 'A' },
  { url: 'https://docs.ex.com/b', title: 'B' },
  { url: 'https://other.com/c', title: 'C' },
]

function worldWithIndex() {
  const world = worldOf({
    'https://ex.com/': linking({ '/a': 'The first' }),
    'https://ex.com/a': linking({}),
    'https://ex.com/listed': linking({}),
    'https://ex.com/sitemap.xml': sitemap('https://ex.com/listed'),
  })
  const requested: unknown[][] = []
  world.ports.index = {
    ...world.ports.index,
    urlsOf: async (...call) => {
      requested.push(call)
      return known
    },
  }
  return { ...world, requested }
}

test('pages that the team has read before are listed last, once each, with their titles', async () => {
  const { map, requested } = worldWithIndex()
  const links = await map({ includeSubdomains: false })
  expect(links.at(-1)).toEqual({ url: 'https://ex.com/hidden', title: 'Found by a scrape' })
  expect(links.filter(({ url }) => url === 'https://ex.com/a')).toHaveLength(1)
  expect(links.map(({ url }) => url)).not.toContain('https://docs.ex.com/b')
  expect(requested).toEqual([['acme', 'ex.com', 'host', 10_000]])
})

test.each<Partial<MapInput>>([{ ignoreCache: true }, { sitemap: 'only' }, { limit: 1 }])(
  'known pages are not read with %o',
  async (input) => {
    const { urls, requested } = worldWithIndex()
    expect(await urls(input)).not.toContain('https://ex.com/hidden')
    expect(requested).toEqual([])
  },
)

test('a failing index removes nothing from the map', async () => {
  const { ports, urls } = worldWithIndex()
  ports.index = { ...ports.index, urlsOf: () => Promise.reject(new Error('broken')) }
  expect(await urls()).toContain('https://ex.com/listed')
})
