import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/kernel/error.ts'
import { linking, many, silent, sitemap, worldOf } from './world.ts'

const root = 'https://ex.com/'

test('credentials in headers are sent to the start site only', async () => {
  const world = worldOf({
    'https://ex.com/robots.txt': 'Sitemap: https://cdn.com/map.xml',
    'https://cdn.com/map.xml': sitemap('https://ex.com/a'),
    [root]: linking({ 'https://docs.ex.com/': 'Docs' }),
    'https://docs.ex.com/': linking({}),
  })
  await world.urls({ headers: { Cookie: 'sid=1' } })
  const withCookie = world.fetched.filter(({ headers }) => 'cookie' in headers).map(({ url }) => new URL(url).host)
  expect(new Set(withCookie)).toEqual(new Set(['ex.com']))
  expect(world.fetched.some(({ url }) => url === 'https://docs.ex.com/')).toBe(true)
})

test('credentials are sent to the same site under https and www, but not to a less secure address', async () => {
  const world = worldOf({
    'http://ex.com/': { url: 'https://www.ex.com/', body: linking({ '/a': 'A' }) },
    'https://www.ex.com/a': linking({}),
  })
  await world.urls({ url: 'ex.com/', headers: { Cookie: 'sid=1' } })
  expect(world.fetched.find(({ url }) => url === 'https://www.ex.com/a')?.headers['cookie']).toBe('sid=1')

  const secure = worldOf({ [root]: linking({ 'http://ex.com/a': 'A' }), 'http://ex.com/a': linking({}) })
  await secure.urls({ headers: { Cookie: 'sid=1' } })
  const requested = secure.fetched.find(({ url }) => url === 'http://ex.com/a')
  expect(requested?.headers).toEqual({})
})

describe('verified links', () => {
  test('lead to a page, or could not be checked', async () => {
    const { urls, requested } = worldOf({
      'https://ex.com/robots.txt': 'User-agent: *\nDisallow: /private',
      'https://ex.com/sitemap.xml': sitemap(
        ...many(100),
        'https://ex.com/private/1',
        'https://ex.com/gone',
        'https://ex.com/broken',
        'https://no.ex.com/',
      ),
      ...Object.fromEntries(many(100).map((url) => [url, { status: 206 }])),
      'https://ex.com/gone': { status: 410 },
      'https://ex.com/broken': { status: 500 },
      'https://no.ex.com/': () => Promise.reject(failure('SCRAPE_ALL_ENGINES_FAILED')),
      'https://no.ex.com/robots.txt': { status: 404 },
      [root]: linking({ '/missing': 'Missing' }),
    })
    const found = await urls({ verifyLinks: true })
    expect(found).toEqual([root, ...many(100), 'https://ex.com/private/1', 'https://ex.com/broken'])
    expect(requested().filter((url) => url === root)).toEqual([root])
  })

  test('are kept if no time was left to check them', async () => {
    const world = worldOf({
      'https://ex.com/sitemap.xml': sitemap(...many(100)),
      ...Object.fromEntries(many(100).map((url) => [url, silent])),
      [root]: linking({}),
    })
    world.clock.pass(59_800)
    expect((await world.urls({ verifyLinks: true })).length).toBe(101)
    expect(world.warnings).toEqual(['No time was left to check 100 of the links.'])
  })
})
