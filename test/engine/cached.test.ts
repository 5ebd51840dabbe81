import { describe, expect, test } from 'vitest'
import { findCached } from '../../src/engine/scrape/get-page.ts'
import { planPage } from '../../src/engine/scrape/plan.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { bytes, failureOf, fakeWorld, noon } from '../helpers/fakes.ts'

const url = 'https://example.com/a'

/** A world whose cache contains the page, `ageMs` old, if an age is given. */
function setting(ageMs?: number, stored: 'whole' | 'without its body' = 'whole') {
  const world = fakeWorld()
  const acquire = (options: object, needsBody = true) => {
    const plan = planPage(ScrapeInput.parse({ url, ...options }), 'acme')
    if (ageMs !== undefined) {
      const page = { fetchedAt: noon - ageMs, url, status: 200, headers: { 'content-type': 'text/html' }, made: {} }
      world.cache.set(plan.cacheKey, { page, ...(stored === 'whole' && { body: bytes('cached') }) })
    }
    return findCached(world.ports, { ...plan, content: { ...plan.content, parts: [], needsBody } })
  }
  return { world, acquire }
}

describe('a cached page', () => {
  test.each<[string, number, object]>([
    ['younger than maxAge', 999, { maxAge: 1000 }],
    ['younger than two days', 172_799_999, {}],
    ['older than minAge', 1001, { minAge: 1000 }],
    ['exactly as old as minAge', 1000, { minAge: 1000 }],
    ['a year old, with minAge', 31_536_000_000, { minAge: 1 }],
    ['a year old, in lockdown', 31_536_000_000, { lockdown: true }],
    ['just stored, in lockdown', 0, { lockdown: true }],
  ])('%s is served without a request', async (_, ageMs, options) => {
    const { acquire, world } = setting(ageMs)
    const page = await acquire(options)
    expect(page).toMatchObject({ fetchedAt: noon - ageMs, url })
    expect(Buffer.from(page?.body ?? []).toString()).toBe('cached')
    expect(world.fetched).toEqual([])
  })

  test.each<[string, number, object]>([
    ['older than maxAge', 1001, { maxAge: 1000 }],
    ['older than two days', 172_800_001, {}],
    ['of any age, with a maxAge of 0', 0, { maxAge: 0 }],
    ['of any age, for a call with headers', 5, { headers: { a: 'b' } }],
    ['from the future, after the clock was set back', -5000, {}],
  ])('%s is not used', async (_, ageMs, options) => {
    const { acquire } = setting(ageMs)
    expect(await acquire(options)).toBeUndefined()
  })

  test('is not read in full if its body is not needed', async () => {
    const { acquire, world } = setting(5)
    expect(await acquire({}, false)).toMatchObject({ url, body: undefined })
    expect(world.bodiesRead).toEqual([])
  })

  test('without its body is used only if the body is not needed', async () => {
    const { acquire } = setting(5, 'without its body')
    expect(await acquire({})).toBeUndefined()
    expect(await acquire({}, false)).toMatchObject({ url })
    expect(await failureOf(acquire({ lockdown: true }))).toMatchObject({ code: 'SCRAPE_LOCKDOWN_CACHE_MISS' })
  })
})

test.each<[string, number | undefined, object, string]>([
  ['none at all, with minAge', undefined, { minAge: 1 }, 'SCRAPE_NO_CACHED_DATA'],
  ['one younger than minAge', 999, { minAge: 1000 }, 'SCRAPE_NO_CACHED_DATA'],
  ['one older than maxAge, with minAge', 2001, { minAge: 1000, maxAge: 2000 }, 'SCRAPE_NO_CACHED_DATA'],
  ['none at all, in lockdown', undefined, { lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
  ['one older than two years, in lockdown', 63_072_000_001, { lockdown: true }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
  ['one older than maxAge, in lockdown', 11, { lockdown: true, maxAge: 10 }, 'SCRAPE_LOCKDOWN_CACHE_MISS'],
  [
    'none at all, in lockdown with headers',
    undefined,
    { lockdown: true, headers: { a: 'b' } },
    'SCRAPE_LOCKDOWN_CACHE_MISS',
  ],
])('without a usable cached page, nothing is fetched and the answer is a 404: %s', async (_, ageMs, options, code) => {
  const { acquire, world } = setting(ageMs)
  const error = await failureOf(acquire(options))
  expect(error).toMatchObject({ code, status: 404 })
  expect(JSON.stringify(error)).not.toContain('example.com')
  expect(world.fetched).toEqual([])
})
