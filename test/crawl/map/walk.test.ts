import { expect, test } from 'vitest'
import { linking, worldOf } from './world.ts'

const names = Array.from({ length: 30 }, (_, at) => `https://ex.com/p/${at}`)
const start = linking(Object.fromEntries(names.map((name) => [name, 'P'])))

/** Counts concurrent requests. */
function counted(robots: string) {
  const busy = { now: 0, most: 0 }
  const page = async () => {
    busy.now += 1
    busy.most = Math.max(busy.most, busy.now)
    await new Promise((resolve) => setImmediate(resolve))
    busy.now -= 1
    return { body: linking({}) }
  }
  const world = worldOf({
    'https://ex.com/robots.txt': robots,
    'https://ex.com/': start,
    ...Object.fromEntries(names.map((name) => [name, page])),
  })
  return { ...world, busy }
}

test('pages are visited eight at a time', async () => {
  const { urls, busy } = counted('')
  expect((await urls()).length).toBe(31)
  expect(busy.most).toBe(8)
})

test('pages are visited one by one if the site has a Crawl-delay', async () => {
  const { urls, busy } = counted('User-agent: *\nCrawl-delay: 0.001')
  expect((await urls()).length).toBe(31)
  expect(busy.most).toBe(1)
})

test('pages read by a map are cached under a separate name', async () => {
  const world = worldOf({ 'https://ex.com/': linking({ '/a': 'A' }), 'https://ex.com/a': linking({}) })
  await world.urls()
  const requested = world.fetched.length
  await world.urls()
  const again = world.fetched.slice(requested).map(({ url }) => url)
  expect(again).not.toContain('https://ex.com/a')
  expect([...world.cache.values()].map(({ page }) => Object.keys(page.made))).toEqual([
    ['links of the page'],
    ['links of the page'],
  ])
  await world.urls({ ignoreCache: true })
  expect(world.fetched.slice(requested + again.length).map(({ url }) => url)).toContain('https://ex.com/a')
})
