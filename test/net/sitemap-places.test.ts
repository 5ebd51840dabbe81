import { describe, expect, test } from 'vitest'
import { sitemapUrls } from '../../src/engine/net/sitemap/sitemap-entries.ts'

const at = (...paths: string[]) => paths.map((path) => `https://site.example${path}`)

describe('guessed addresses of sitemaps', () => {
  test.each([
    ['https://site.example', at('/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/?page=1#top', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/index.html', at('/docs/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/docs/v1.2/', at('/docs/v1.2/sitemap.xml', '/sitemap.xml', '/sitemap_index.xml')],
    ['https://site.example/index.html', at('/sitemap.xml', '/sitemap_index.xml')],
    [
      'https://me:pw@site.example:8443/',
      ['/sitemap.xml', '/sitemap_index.xml'].map((path) => `https://site.example:8443${path}`),
    ],
    ['nowhere', []],
  ])('for %s are %j', (start, expected) => {
    expect(sitemapUrls(start, [])).toEqual(expected)
  })

  test('start with those of robots.txt, each once', () => {
    const named = [
      'https://cdn.example/map.xml',
      'https://site.example/sitemap.xml',
      'https://cdn.example/map.xml',
      'x',
    ]
    expect(sitemapUrls('https://site.example/a/', named)).toEqual([
      'https://cdn.example/map.xml',
      ...at('/sitemap.xml', '/a/sitemap.xml', '/sitemap_index.xml'),
    ])
  })
})
