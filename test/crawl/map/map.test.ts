import { describe, expect, test } from 'vitest'
import { linking, many, sitemap, worldOf } from './world.ts'

const root = 'https://ex.com/'

describe('a map', () => {
  test('lists the start page, then sitemap URLs, then links of the start page', async () => {
    const { map, warnings } = worldOf({
      [root]: linking({ '/b': 'B from the start', '/c': 'C', '/a': 'A from the start' }, 'Home', 'All of it'),
      'https://ex.com/sitemap.xml': sitemap('https://ex.com/a', 'https://ex.com/d', ...many(100)),
    })
    expect((await map()).filter(({ url }) => !url.includes('/p/'))).toEqual([
      { url: root, title: 'Home', description: 'All of it' },
      { url: 'https://ex.com/a', title: 'A from the start' },
      { url: 'https://ex.com/d' },
      { url: 'https://ex.com/b', title: 'B from the start' },
      { url: 'https://ex.com/c', title: 'C' },
    ])
    expect(warnings).toEqual([])
  })

  test('reads sitemaps named by robots.txt, including compressed ones and indexes', async () => {
    const { urls } = worldOf({
      'https://ex.com/robots.txt': 'Sitemap: https://ex.com/maps/index.xml',
      'https://ex.com/maps/index.xml':
        '<sitemapindex><sitemap><loc>https://ex.com/maps/1.xml</loc></sitemap></sitemapindex>',
      'https://ex.com/maps/1.xml': sitemap(...many(100)),
      [root]: linking({}),
    })
    expect((await urls()).length).toBe(101)
  })

  test('follows links near the start, breadth first, if sitemaps list too little', async () => {
    const { map } = worldOf({
      [root]: linking({ '/a': 'A', '/b': 'B' }, 'Home'),
      'https://ex.com/a': linking({ '/a/1': 'A1', '/a/2': 'A2' }, 'About A', 'What A is'),
      'https://ex.com/b': linking({ '/b/1': 'B1' }, 'About B'),
      'https://ex.com/a/1': linking({ '/a/1/x': 'X' }, 'A one'),
      'https://ex.com/a/2': linking({}, 'A two'),
      'https://ex.com/b/1': linking({}, 'B one'),
      'https://ex.com/a/1/x': linking({}, 'X'),
    })
    expect(await map()).toEqual([
      { url: root, title: 'Home' },
      { url: 'https://ex.com/a', title: 'About A', description: 'What A is' },
      { url: 'https://ex.com/b', title: 'About B' },
      { url: 'https://ex.com/a/1', title: 'A one' },
      { url: 'https://ex.com/a/2', title: 'A two' },
      { url: 'https://ex.com/b/1', title: 'B one' },
      { url: 'https://ex.com/a/1/x', title: 'X' },
    ])
  })

  test('reads only the start page if sitemaps list enough', async () => {
    const { urls, requested } = worldOf({
      'https://ex.com/sitemap.xml': sitemap(...many(100)),
      [root]: linking({ '/a': 'A' }),
    })
    expect((await urls()).at(-1)).toBe('https://ex.com/a')
    expect(requested().filter((url) => !/robots|sitemap/.test(url))).toEqual([root])
  })

  test('visits at most fifty pages, and no files', async () => {
    const links = Object.fromEntries(many(80).map((url) => [url, 'P']))
    const pages = Object.fromEntries(many(80).map((url) => [url, linking({})]))
    const { urls, requested } = worldOf({ ...pages, [root]: linking({ '/manual.pdf': 'Manual', ...links }) })
    expect((await urls()).length).toBe(82)
    expect(requested().filter((url) => url.includes('/p/')).length).toBe(49)
    expect(requested()).not.toContain('https://ex.com/manual.pdf')
  })

  test('lists each page once, without fragments, queries and other hosts', async () => {
    const { urls } = worldOf({
      [root]: linking({
        '/a?x=1#top': 'A',
        'http://www.ex.com/a/': 'A again',
        'https://other.com/': 'Other',
        'https://docs.ex.com/start': 'Docs',
        'mailto:a@ex.com': 'Mail',
        '/style.css': 'Style',
        '/a/index.html': 'A once more',
        '/index.html': 'Home',
      }),
      'https://ex.com/a?x=1': linking({}),
      'https://docs.ex.com/start': linking({}),
    })
    expect(await urls()).toEqual([root, 'https://ex.com/a', 'https://docs.ex.com/start'])
  })

  test('keeps queries and omits sub-domains on request', async () => {
    const { urls } = worldOf({
      [root]: linking({ '/a?x=1': 'A', '/a?x=2': 'A', 'https://docs.ex.com/': 'Docs' }),
      'https://ex.com/a?x=1': linking({}),
      'https://ex.com/a?x=2': linking({}),
    })
    expect(await urls({ ignoreQueryParameters: false, includeSubdomains: false })).toEqual([
      root,
      'https://ex.com/a?x=1',
      'https://ex.com/a?x=2',
    ])
  })

  test('uses sitemaps only, or links only, on request', async () => {
    const pages = {
      'https://ex.com/sitemap.xml': sitemap('https://ex.com/b'),
      [root]: linking({ '/a': 'A' }),
      'https://ex.com/a': linking({}),
    }
    const only = worldOf(pages)
    expect(await only.urls({ sitemap: 'only' })).toEqual(['https://ex.com/b'])
    expect(only.requested()).not.toContain(root)
    const skip = worldOf(pages)
    expect(await skip.urls({ sitemap: 'skip' })).toEqual([root, 'https://ex.com/a'])
    expect(skip.requested()).not.toContain('https://ex.com/sitemap.xml')
  })

  test('stops at the limit, and warns that there are more pages', async () => {
    const { urls, warnings } = worldOf({ 'https://ex.com/sitemap.xml': sitemap(...many(500)), [root]: linking({}) })
    expect(await urls({ limit: 3 })).toEqual([root, 'https://ex.com/p/0', 'https://ex.com/p/1'])
    expect(warnings.join()).toContain('more links than the 3 that are listed')
  })

  test('never shows credentials, and sends them to the whole site', async () => {
    const { urls, fetched } = worldOf({
      'https://me:secret@ex.com/': linking({ '/a': 'A' }),
      'https://ex.com/a': linking({}),
    })
    expect(await urls({ url: 'https://me:secret@ex.com/' })).toEqual([root, 'https://ex.com/a'])
    const requested = fetched.find(({ url }) => url === 'https://ex.com/a')
    expect(requested?.headers['authorization']).toBe(`Basic ${btoa('me:secret')}`)
  })
})

describe('a map with a search', () => {
  const pages = {
    'https://ex.com/sitemap.xml': sitemap(...many(300), 'https://ex.com/plans', 'https://ex.com/pricing'),
    [root]: linking({ '/plans': 'What it costs: our prices', '/über': 'Über uns' }),
  }

  test('lists matches first, best first, in whatever order they were found', async () => {
    expect(await worldOf(pages).urls({ search: 'pricing', limit: 2 })).toEqual([
      'https://ex.com/pricing',
      'https://ex.com/plans',
    ])
    expect(await worldOf(pages).urls({ search: 'uber' })).toEqual(['https://ex.com/%C3%BCber'])
  })
})
