import { expect, test } from 'vitest'
import { scrapeIn, url } from '../helpers/scrape.ts'
import { fakeWorld, noon } from '../helpers/fakes.ts'

test('a cached page is indexed once', async () => {
  const world = fakeWorld()
  await scrapeIn(world)
  await scrapeIn(world)
  expect(world.indexed).toEqual([
    {
      cacheKey: [...world.cache.keys()][0],
      teamId: 'acme',
      url,
      title: 'A title',
      description: '',
      text: 'Hello',
      fetchedAt: noon,
      contentType: 'text/html; charset=utf-8',
    },
  ])
})

test('a redirected page is indexed by its final address', async () => {
  const world = fakeWorld({ url: 'https://example.com/b' })
  await scrapeIn(world)
  expect(world.indexed.map((page) => page.url)).toEqual(['https://example.com/b'])
})

test.each<[string, object]>([
  ['zero data retention', { zeroDataRetention: true }],
  ['storeInCache off', { storeInCache: false }],
  ['headers', { headers: { cookie: 'a=b' } }],
  ['credentials in its address', { url: 'https://me:secret@example.com/a' }],
])('a page with %s is not indexed', async (_, options) => {
  const world = fakeWorld()
  await scrapeIn(world, options)
  expect(world.indexed).toEqual([])
})

test.each([404, 500, 204])('a page with status %d is not indexed', async (status) => {
  const world = fakeWorld({ status })
  await scrapeIn(world)
  expect(world.indexed).toEqual([])
})

test.each<[string, object]>([
  ['lockdown', { lockdown: true }],
  ['zero data retention', { zeroDataRetention: true }],
  ['storeInCache off', { storeInCache: false }],
])('a cached page read with %s is not indexed', async (_, options) => {
  const world = fakeWorld()
  await scrapeIn(world, { formats: ['links'] })
  await scrapeIn(world, options)
  expect(world.indexed.map(({ text }) => text)).toEqual([''])
})
