import { describe, expect, test } from 'vitest'
import { failureOf } from '../helpers/fakes.ts'
import { changesForAll } from './change-kit.ts'

const changes = changesForAll()

const dayMs = 86_400_000

describe('the cache', () => {
  test('is not used if changes are tracked and no maxAge is given', async () => {
    const { scrape } = await changes.begin()
    const url = changes.site.url('/change/visits/uncached')
    await scrape(url, { formats: ['markdown'] })
    const { changeTracking, metadata } = await scrape(url)
    expect([changeTracking?.changeStatus, metadata.cacheState]).toEqual(['new', 'miss'])
    expect((await scrape(url)).markdown).toBe('This is visit 3.')
  })

  test('may answer with the page of the snapshot, which is then unchanged in every format', async () => {
    const { scrape, clock } = await changes.begin()
    const url = changes.steps('One.|Two.')
    await scrape(url)
    const taken = new Date(clock.now()).toISOString()
    clock.advance(1000)
    const { changeTracking, metadata, markdown } = await scrape(url, { maxAge: dayMs, excludeTags: ['p:last-child'] })
    expect([metadata.cacheState, markdown, changeTracking?.changeStatus]).toEqual(['hit', 'One.', 'same'])
    expect(changeTracking?.previousScrapeAt).toBe(taken)
  })

  test('may answer with a page newer than the snapshot', async () => {
    const { scrape, clock } = await changes.begin()
    const url = changes.site.url('/change/visits/newer')
    await scrape(url, { tracking: { tag: 'a' } })
    clock.advance(1000)
    await scrape(url, { tracking: { tag: 'b' } })
    clock.advance(1000)
    const { changeTracking, warning } = await scrape(url, { maxAge: dayMs, tracking: { tag: 'a' } })
    expect(changeTracking).toMatchObject({
      changeStatus: 'changed',
      diff: expect.stringContaining('+This is visit 2.'),
    })
    expect(warning).toBeUndefined()
    clock.advance(1000)
    const next = await scrape(url, { tracking: { tag: 'a' } })
    expect(next.changeTracking?.previousScrapeAt).toBe(new Date(clock.now() - 2000).toISOString())
  })
})

test.each([
  ['zeroDataRetention', { zeroDataRetention: true }],
  ['lockdown', { lockdown: true }],
])('a scrape with zero retention compares and leaves no snapshot: %s', async (_, options) => {
  const { scrape, clock } = await changes.begin()
  const url = changes.steps('One.')
  await scrape(url, { formats: ['markdown'] })
  const first = await scrape(url, options)
  expect(first.changeTracking?.changeStatus).toBe('new')
  expect(first.warning).toContain('This scrape stores no snapshot')
  clock.advance(1000)
  await scrape(url)
  clock.advance(1000)
  const between = await scrape(url, options)
  expect(between.changeTracking).toMatchObject({ changeStatus: 'same' })
  const { changeTracking } = await scrape(url)
  expect(changeTracking?.previousScrapeAt).toBe(new Date(clock.now() - 1000).toISOString())
})

describe('a scrape', () => {
  test('that fails after loading the page keeps the last snapshot, so the next scrape reports the change', async () => {
    const { scrape, clock, ports } = await changes.begin()
    const url = changes.steps('One.', 'Two.', 'Three.')
    await scrape(url)
    clock.advance(1000)
    const findMedia = ports.findMedia
    ports.findMedia = () => Promise.reject(new Error('broken'))
    const formats = ['markdown' as const, 'changeTracking' as const, 'video' as const]
    expect(await failureOf(scrape(url, { formats }))).toMatchObject({ message: 'broken' })
    ports.findMedia = findMedia
    expect((await scrape(url)).changeTracking?.diff).toBe('@@ -1,1 +1,1 @@\n-One.\n+Three.\n')
  })

  test('that is cancelled while its formats are created keeps the last snapshot', async () => {
    const { scrape, ports, clock } = await changes.begin()
    const url = changes.steps('One.', 'Two.', 'Three.')
    await scrape(url)
    clock.advance(1000)
    const cancelled = new AbortController()
    const { last } = ports.snapshots
    ports.snapshots = {
      ...ports.snapshots,
      last: (...key) => {
        cancelled.abort()
        return last(...key)
      },
    }
    const failing = scrape(url, { signal: cancelled.signal })
    expect(await failureOf(failing)).toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
    expect((await scrape(url)).changeTracking?.diff).toBe('@@ -1,1 +1,1 @@\n-One.\n+Three.\n')
  })
})

test('scrapes of one page at the same time all succeed, and the next one is compared with one of them', async () => {
  const { scrape, clock } = await changes.begin()
  const url = changes.site.url('/change/visits/at-once')
  const all = await Promise.all(Array.from({ length: 12 }, () => scrape(url)))
  const statuses = all.map(({ changeTracking }) => changeTracking?.changeStatus)
  expect(statuses).toContain('new')
  expect(statuses.filter((status) => status !== 'new' && status !== 'changed')).toEqual([])
  clock.advance(1000)
  const { changeTracking } = await scrape(url)
  expect(changeTracking?.previousScrapeAt).toBe(new Date(clock.now() - 1000).toISOString())
  expect(changeTracking?.diff).toMatch(/^@@ -1,1 \+1,1 @@\n-This is visit \d+\.\n\+This is visit 13\.\n$/)
})

describe('malicious texts', () => {
  test.each([
    ['look like a diff', '@@ -1,1 +1,1 @@|-One.|+One.', '--- a/file|+++ b/file'],
    ['look like a property', '__proto__|constructor|toString', '__proto__|hasOwnProperty'],
    ['are not whole characters', 'A \ufffd lamp.', 'A \u{1f578} lamp.'],
    ['are SQL', "'); DROP TABLE snapshot; --", "' OR 1=1 --"],
  ])('are compared as text if they %s', async (_, one, other) => {
    expect(await changes.statuses(one, other, other)).toEqual(['new', 'changed', 'same'])
  })

  test('in tags distinguish snapshots like any other', async () => {
    const { statusesOf } = await changes.begin()
    const url = changes.steps('One.', 'Two.')
    const tags = ["'; DROP TABLE snapshot; --", '__proto__', 'a\0b', 'a', '\ud800', 'a\nb', ' ', '%']
    const visits = tags.map((tag) => ({ tracking: { tag } }))
    expect(await statusesOf(url, ...visits)).toEqual(tags.map(() => 'new'))
    expect(await statusesOf(url, ...visits.slice(1))).toEqual(tags.slice(1).map(() => 'same'))
  })
})
