import { describe, expect, test } from 'vitest'
import { scrapeIn, url } from '../helpers/scrape.ts'
import type { Ctx } from '../../src/kernel/ctx.ts'
import { failure } from '../../src/kernel/error.ts'
import { failureOf, fakeWorld, noon, open } from '../helpers/fakes.ts'

describe('the formats of one scrape', () => {
  const formats = ['markdown', 'html', 'rawHtml', 'links', 'images']

  test('are made from one request and one parse', async () => {
    const world = fakeWorld({ body: '<p>Hello</p>' })
    expect(await scrapeIn(world, { formats })).toEqual({
      markdown: 'Hello',
      html: '<p>Hello</p>',
      rawHtml: '<p>Hello</p>',
      links: ['https://example.com/a'],
      images: ['https://example.com/a.png'],
      metadata: expect.objectContaining({ title: 'A title' }),
    })
    expect(world.fetched).toHaveLength(1)
    expect(world.read).toHaveLength(1)
    expect(world.read[0]?.wanted.toSorted()).toEqual(['html', 'images', 'links', 'markdown', 'metadata'])
  })

  test('are the only ones in the answer', async () => {
    expect(Object.keys(await scrapeIn(fakeWorld(), { formats: ['links'] })).toSorted()).toEqual(['links', 'metadata'])
  })

  test('need no parts beyond those requested', async () => {
    const world = fakeWorld()
    await scrapeIn(world, { formats: ['rawHtml'] })
    expect(world.read[0]?.wanted).toEqual(['metadata'])
  })
})

describe('a second scrape', () => {
  test('uses the page and its parts from the cache', async () => {
    const world = fakeWorld()
    const first = await scrapeIn(world)
    world.clock.pass(1000)
    const second = await scrapeIn(world, {}, { jobId: 'job-2', startedAt: noon + 1000 })
    expect(second.markdown).toBe(first.markdown)
    expect(second.metadata).toMatchObject({
      cacheState: 'hit',
      cachedAt: new Date(noon).toISOString(),
      scrapeId: 'job-2',
    })
    expect([world.fetched.length, world.read.length, world.bodiesRead.length, world.added.length]).toEqual([1, 1, 0, 0])
  })

  test('creates only missing parts, and caches them', async () => {
    const world = fakeWorld()
    await scrapeIn(world)
    const { markdown, links } = await scrapeIn(world, { formats: ['markdown', 'links'] })
    expect({ markdown, links }).toEqual({ markdown: 'Hello', links: ['https://example.com/a'] })
    expect(world.read.map(({ wanted }) => wanted)).toEqual([['markdown', 'metadata'], ['links']])
    await scrapeIn(world, { formats: ['markdown', 'links'] })
    expect([world.fetched.length, world.read.length]).toEqual([1, 2])
  })

  test.each<[string, object]>([
    ['other content options', { onlyMainContent: false }],
    ['other tags', { excludeTags: ['nav'] }],
    [
      'queries for attributes',
      { formats: ['markdown', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'b' }] }] },
    ],
  ])('with %s reads the cached page again, without a request', async (_, options) => {
    const world = fakeWorld()
    await scrapeIn(world)
    await scrapeIn(world, options)
    await scrapeIn(world, options)
    expect([world.fetched.length, world.read.length, world.added.length]).toEqual([1, 2, 1])
    expect(world.added[0]).toMatchObject({ fetchedAt: noon })
  })

  test.each<[string, object, Partial<Ctx>?]>([
    ['in lockdown', { lockdown: true, onlyMainContent: false }],
    ['without data retention', { zeroDataRetention: true, onlyMainContent: false }],
  ])('%s adds nothing to the cache', async (_, options) => {
    const world = fakeWorld()
    await scrapeIn(world)
    expect((await scrapeIn(world, options)).metadata.cacheState).toBe('hit')
    expect([world.read.length, world.added.length]).toEqual([2, 0])
  })
})

describe('stored results of a scrape', () => {
  test.each<[string, object, number]>([
    ['a page', {}, 200],
    ['a page that is fetched again', { maxAge: 0 }, 200],
  ])('contain %s', async (_, options, status) => {
    const world = fakeWorld({ status, body: 'body' })
    await scrapeIn(world, options)
    const [held] = world.cache.values()
    expect(held?.page).toMatchObject({ fetchedAt: noon, status, url })
    expect(Buffer.from(held?.body ?? []).toString()).toBe('body')
  })

  test.each<[string, object, number]>([
    ['an error page of the site', {}, 404],
    ['an error of the site', {}, 503],
    ['an answer without content', {}, 204],
    ['a part of a page', {}, 206],
    ['a redirect to nowhere', {}, 302],
    ['an answer that nothing changed', {}, 304],
  ])('do not contain %s', async (_, options, status) => {
    const world = fakeWorld({ status })
    await scrapeIn(world, options)
    expect(world.cache.size).toBe(0)
    expect(world.added).toEqual([])
  })
})

test('only response headers that describe the page are stored', async () => {
  const world = fakeWorld(async (request) => ({
    url: request.url,
    status: 200,
    headers: { 'content-type': 'text/html', 'last-modified': 'yesterday', 'set-cookie': 'session=secret', server: 'x' },
    body: Buffer.from('<p>Hello</p>'),
  }))
  await scrapeIn(world)
  const [stored] = world.cache.values()
  expect(stored?.page.headers).toEqual({ 'content-type': 'text/html', 'last-modified': 'yesterday' })
})

const refused = () =>
  fakeWorld(() => Promise.reject(failure('SCRAPE_SSL_ERROR', { cause: new Error('Host: secret.example') })))

describe('a failure', () => {
  test('keeps its cause for the log', async () => expect(await failureOf(scrapeIn(refused()))).toHaveProperty('cause'))

  test('has no cause if nothing may be stored, because it would name the host', async () => {
    const error = await failureOf(scrapeIn(refused(), { zeroDataRetention: true }))
    expect(error).toMatchObject({ code: 'SCRAPE_SSL_ERROR', status: 500, cause: undefined })
  })
})

/** A site that takes the request and never answers. */
const silent = () =>
  fakeWorld(({ signal }) => {
    const { promise, refuse } = open<never>()
    if (signal.aborted) refuse(signal.reason)
    signal.addEventListener('abort', () => refuse(signal.reason))
    return promise
  })

describe('an interrupted scrape', () => {
  test('by its timeout fails with SCRAPE_TIMEOUT; time before its start counts', async () => {
    const waited = { startedAt: noon - 4999 }
    expect(await failureOf(scrapeIn(silent(), { timeout: 5000 }, waited))).toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      status: 408,
      details: { timeoutMs: 5000 },
    })
  })

  test('by its caller is cancelled', async () => {
    const gone = new AbortController()
    const answer = scrapeIn(silent(), {}, { signal: gone.signal })
    gone.abort()
    expect(await failureOf(answer)).toMatchObject({ code: 'SCRAPE_JOB_CANCELLED' })
  })
})
