import { describe, expect, test } from 'vitest'
import { scrape } from '../helpers/scrape.ts'
import { ScrapeInput } from '../../src/schema/scrape/options.ts'
import { failureOf, fakeCtx, fakeWorld, type World } from '../helpers/fakes.ts'

const url = 'https://example.com/a'
const run = (world: World, options: object = {}) =>
  scrape(world.ports, ScrapeInput.parse({ url, ...options }), fakeCtx())

describe('options that this version does not carry out', () => {
  test('are refused before anything is asked, all of them by name', async () => {
    const world = fakeWorld()
    expect(await failureOf(run(world, { formats: ['markdown', 'json'] }))).toMatchObject({
      code: 'FEATURE_UNAVAILABLE',
      status: 501,
      details: {
        options: ['formats: json'],
      },
    })
    expect(world.fetched).toEqual([])
  })

  test('json is refused, also where the page is in the cache', async () => {
    const world = fakeWorld()
    await run(world)
    const error = (await failureOf(run(world, { formats: ['json'] }))) as { code: string; message: string }
    expect(error.code).toBe('FEATURE_UNAVAILABLE')
    expect(error.message).toContain('json')
  })

  test.each<[object]>([
    [{ proxy: 'basic' }],
    [{ proxy: 'auto' }],
    [{ blockAds: false }],
    [{ actions: [] }],
    [{ location: {} }],
  ])('%j is no such option', async (options) => {
    expect((await run(fakeWorld(), options)).markdown).toBe('Hello')
  })
})
