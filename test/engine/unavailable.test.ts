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
    const formats = ['markdown', 'summary', { type: 'question', question: 'Who?' }]
    const options = { formats, onlyCleanContent: true }
    expect(await failureOf(run(world, options))).toMatchObject({
      code: 'FEATURE_UNAVAILABLE',
      status: 501,
      details: {
        options: ['formats: summary', 'formats: question', 'onlyCleanContent'],
      },
    })
    expect(world.fetched).toEqual([])
  })

  const plain = ['summary', 'json']
  test.each<[string, object]>([
    ...plain.map((type): [string, object] => [type, { formats: [type] }]),
    ['highlights', { formats: [{ type: 'highlights', query: 'a' }] }],
  ])('%s is refused, also where the page is in the cache', async (name, options) => {
    const world = fakeWorld()
    await run(world)
    const error = (await failureOf(run(world, options))) as { code: string; message: string }
    expect(error.code).toBe('FEATURE_UNAVAILABLE')
    expect(error.message).toContain(name)
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
