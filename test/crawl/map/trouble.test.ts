import { describe, expect, test } from 'vitest'
import { mapSite } from '../../../src/engine/crawl/map/map-site.ts'
import { failure } from '../../../src/kernel/error.ts'
import { MapInput } from '../../../src/schema/crawl-schema.ts'
import { failureOf } from '../../helpers/fakes.ts'
import { linking, many, silent, sitemap, worldOf } from './world.ts'

const root = 'https://ex.com/'

describe('a map of a site that', () => {
  test('redirects its start page elsewhere lists the new address', async () => {
    const { urls, warnings } = worldOf({
      [root]: { url: 'https://new.org/home', body: linking({ '/a': 'A', 'https://ex.com/b': 'B' }) },
      'https://new.org/a': linking({}),
      'https://ex.com/b': linking({}),
    })
    expect(await urls()).toEqual([root, 'https://new.org/a', 'https://ex.com/b'])
    expect(warnings).toEqual(['The start page redirected to another site, whose links are listed.'])
  })

  test('forbids pages by robots.txt lists them without a visit', async () => {
    const { urls, requested } = worldOf({
      'https://ex.com/robots.txt': 'User-agent: *\nDisallow: /private',
      [root]: linking({ '/private/a': 'A', '/b': 'B' }),
      'https://ex.com/b': linking({}),
    })
    expect(await urls()).toEqual([root, 'https://ex.com/private/a', 'https://ex.com/b'])
    expect(requested()).not.toContain('https://ex.com/private/a')
  })

  test('has an unreachable robots.txt reads only the start page', async () => {
    const { urls, requested, warnings } = worldOf({
      'https://ex.com/robots.txt': { status: 500 },
      [root]: linking({ '/a': 'A' }),
    })
    expect(await urls()).toEqual([root, 'https://ex.com/a'])
    expect(requested()).not.toContain('https://ex.com/a')
    expect(warnings.join()).toContain('robots.txt could not be read')
  })

  test('asks for fewer requests gets no more requests', async () => {
    const links = Object.fromEntries(many(40).map((url) => [url, 'P']))
    const { requested, urls, warnings } = worldOf({
      ...Object.fromEntries(many(40).map((url) => [url, { status: 429 }])),
      [root]: linking(links),
    })
    expect((await urls()).length).toBe(41)
    expect(requested().filter((url) => url.includes('/p/')).length).toBe(8)
    expect(warnings.join()).toContain('limits requests')
  })

  test('is drawn by scripts uses a browser', async () => {
    const shell = '<!doctype html><script src="/app.js"></script><div id="root"></div>'
    const world = worldOf({ [root]: shell, 'https://ex.com/a': linking({}) })
    world.state.browser = ({ url }) => ({
      body: Buffer.from(url === root ? linking({ '/a': 'A' }, 'Drawn') : linking({})),
    })
    expect(await world.map()).toEqual([
      { url: root, title: 'Drawn' },
      { url: 'https://ex.com/a', title: 'A page' },
    ])
  })
})

describe('a map fails', () => {
  test.each([
    [
      'the host is not there',
      () => Promise.reject(failure('SCRAPE_DNS_RESOLUTION_ERROR')),
      { code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
    ],
    ['the start page is gone', async () => ({ status: 404 }), { statusCode: 404 }],
    [
      'it answers with a bot challenge',
      async () => ({ status: 403, headers: { 'cf-mitigated': 'challenge' } }),
      { statusCode: 403 },
    ],
  ])('if %s and there is no sitemap', async (_, answer, details) => {
    const { map } = worldOf({ [root]: answer })
    expect(await failureOf(map())).toMatchObject({ code: 'MAP_FAILED', status: 500, details })
  })

  test.each([1, 20, 999])('with 408 if its timeout is only %i ms', async (timeout) => {
    const world = worldOf({ [root]: silent, 'https://ex.com/robots.txt': silent })
    expect(await failureOf(world.map({ timeout }))).toMatchObject({ code: 'MAP_TIMEOUT', status: 408 })
  })

  test('but not if some pages were found in time', async () => {
    const world = worldOf({ [root]: silent, 'https://ex.com/sitemap.xml': sitemap('https://ex.com/a') })
    world.clock.pass(59_900)
    expect(await world.urls()).toEqual([root, 'https://ex.com/a'])
    expect(world.warnings.join()).toContain('timeout of 60000 ms ended')
  })

  test('with the reason of a caller that aborts', async () => {
    const gone = new AbortController()
    const world = worldOf({ [root]: silent })
    const input = MapInput.parse({ url: root })
    const running = mapSite(world.ports, input, { ...world.ctx, signal: gone.signal })
    gone.abort()
    expect(await failureOf(running)).toMatchObject({ code: 'REQUEST_CANCELLED' })
  })
})

test('a sitemap that is cut off is reported, even at a URL that was only guessed', async () => {
  const torn = sitemap('https://ex.com/a', 'https://ex.com/b').body!.slice(0, -22)
  const world = worldOf({
    [root]: linking({}),
    'https://ex.com/a': linking({}),
    'https://ex.com/sitemap.xml': { body: torn },
  })
  expect(await world.urls()).toEqual([root, 'https://ex.com/a'])
  expect(world.warnings).toContain('A sitemap ends in the middle of an entry; that entry was left out.')
})

test('following links takes at most half of the timeout', async () => {
  const world = worldOf({
    'https://ex.com/sitemap.xml': sitemap('https://ex.com/slow'),
    [root]: linking({ '/slow': 'Slow' }),
    'https://ex.com/slow': silent,
  })
  world.clock.pass(29_900)
  expect(await world.urls()).toEqual([root, 'https://ex.com/slow'])
  expect(world.warnings.join()).toContain('half of the time')
})
