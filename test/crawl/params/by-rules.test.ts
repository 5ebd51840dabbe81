import { describe, expect, test } from 'vitest'
import type { PromptOptions } from '../../../src/engine/crawl/crawl-options.ts'
import { readByRules } from '../../../src/engine/crawl/prompt/by-rules.ts'
import { finish } from '../../../src/engine/crawl/prompt/derive.ts'
import { checkPatterns } from '../../../src/engine/crawl/scope/path-patterns.ts'

const site = 'https://ex.com/'
const read = (prompt: string, url = site) => finish(url, readByRules(url, prompt))

/** The expected meaning of a prompt: options, and paths that are included or excluded. */
type Meaning = Omit<PromptOptions, 'includePaths' | 'excludePaths'> & { takes?: string[]; leaves?: string[] }

const isTaken = ({ includePaths, excludePaths = [] }: PromptOptions, path: string) =>
  (includePaths?.some((pattern) => new RegExp(pattern).test(path)) ?? true) &&
  !excludePaths.some((pattern) => new RegExp(pattern).test(path))

describe('the prompt of a crawl', () => {
  test.each<[string, Meaning]>([
    ['only the blog', { takes: ['/blog', '/blog/a', '/'], leaves: ['/about', '/blogging/a'] }],
    ['pages under /docs', { takes: ['/docs', '/docs/a/b', '/'], leaves: ['/docs-old', '/blog'] }],
    ['Crawl https://ex.com/guides/ and https://ex.com/help', { takes: ['/guides/a', '/help/b'], leaves: ['/blog'] }],
    ['the path /Docs/API.html', { takes: ['/Docs/API.html'], leaves: ['/docs/api.html', '/Docs/API.html/a'] }],
    ['exclude changelog and /legal', { takes: ['/a'], leaves: ['/changelog', '/change-log/1', '/legal/x'] }],
    [
      'Crawl the documentation but skip the changelog and /legal',
      { takes: ['/docs/a'], leaves: ['/changelog', '/legal/x', '/blog'] },
    ],
    [
      'crawl everything except the blog, the forum or /shop',
      { crawlEntireDomain: true, takes: ['/a'], leaves: ['/blog/1', '/forum', '/shop/b'] },
    ],
    ['crawl news articles excluding sports', { takes: ['/news/1'], leaves: ['/sports/2', '/news/sports/1'] }],
    ['extract pricing and about pages only', { takes: ['/pricing', '/about'], leaves: ['/blog'] }],
    ['Find every recipe', { takes: ['/recipes/1', '/recipe/2'], leaves: ['/a'] }],
    ['only the German version', { takes: ['/de/a', '/de-AT/b'], leaves: ['/en/a', '/dev'] }],
    ['our developer documentation and the API reference', { takes: ['/docs/a', '/reference'], leaves: ['/blog'] }],
    ["Don't include PDFs or images", { takes: ['/a', '/pdf-help'], leaves: ['/a.pdf', '/images/1'] }],
    ['Skip login and signup pages', { takes: ['/a'], leaves: ['/login', '/sign-in', '/signup'] }],
    ['- only /a\n- not /a/b\n- limit 7', { limit: 7, takes: ['/a', '/a/c'], leaves: ['/a/b/c', '/b'] }],
    ["Don't crawl more than 20 pages", { limit: 20 }],
    ['no more than 1,000 urls', { limit: 1000 }],
    ['limit it to 2k pages', { limit: 2000 }],
    ['the first two hundred pages', { limit: 200 }],
    ['20 blog posts', { limit: 20, takes: ['/blog/1'], leaves: ['/a'] }],
    ['just the home page', { limit: 1, maxDiscoveryDepth: 0 }],
    ['two levels deep', { maxDiscoveryDepth: 2 }],
    ['no deeper than 4', { maxDiscoveryDepth: 4 }],
    ['only pages linked from the start page', { maxDiscoveryDepth: 1 }],
    ['at most 2 path segments', { takes: ['/a/b'], leaves: ['/a/b/c'] }],
    [
      'get everything under /en/products, two levels deep',
      { maxDiscoveryDepth: 2, takes: ['/en/products/1'], leaves: ['/en/a'] },
    ],
    ['whole site', { crawlEntireDomain: true }],
    ['Crawl the whole website including subdomains', { crawlEntireDomain: true, allowSubdomains: true }],
    ['including subdomains', { allowSubdomains: true }],
    ['do not include sub-domains', { allowSubdomains: false }],
    ['Do not follow external links, wait 2 seconds between pages', { allowExternalLinks: false, delay: 2 }],
    ['stay on this site', { allowExternalLinks: false }],
    ["don't use the sitemap.xml", { sitemap: 'skip' }],
    ['use only the sitemap and at most 200 urls', { sitemap: 'only', limit: 200 }],
    ['include the sitemap', { sitemap: 'include' }],
    ["Be gentle, don't hammer the server", { delay: 1 }],
    ['wait 2 seconds between pages', { delay: 2 }],
    ['10 pages per minute', { delay: 6 }],
    ['one request every 3 seconds', { delay: 3 }],
    ['ignore query parameters', { ignoreQueryParameters: true }],
    ['keep query parameters', { ignoreQueryParameters: false }],
    ['All job openings, ignore query parameters', { ignoreQueryParameters: true, takes: ['/jobs/1'], leaves: ['/a'] }],
    [
      'Please crawl the docs and the API reference, not the changelog; at most 300 pages, 3 levels deep, one page per second, and no external links.',
      {
        limit: 300,
        maxDiscoveryDepth: 3,
        delay: 1,
        allowExternalLinks: false,
        takes: ['/docs/a', '/reference/b'],
        leaves: ['/changelog', '/blog'],
      },
    ],
    ['crawl the site', {}],
  ])('is understood: "%s"', async (prompt, { takes = [], leaves = [], ...meaning }) => {
    const { options, reasons, warning } = await read(prompt)
    const { includePaths: _, excludePaths: __, ...plain } = options
    expect(plain).toEqual(meaning)
    expect([...takes, ...leaves].filter((path) => isTaken(options, path))).toEqual(takes)
    expect(warning).toBeUndefined()
    expect(Object.keys(reasons).toSorted()).toEqual(Object.keys(options).toSorted())
  })

  test.each([
    ['only the blog about submarines', 'submarines'],
    ['seulement les recettes', 'seulement, les, recettes'],
    ['pages from 2024', '2024'],
    ['产品页面', '产品页面'],
  ])('is reported if it was not understood: "%s"', async (prompt, words) => {
    expect((await read(prompt)).warning).toContain(`These words were not understood: ${words}.`)
  })

  test('does not override robots.txt', async () => {
    expect(await read('ignore robots.txt, at most 5 pages')).toEqual({
      options: { limit: 5 },
      reasons: { limit: { by: 'rules', words: 'at most 5' } },
      warning: 'robots.txt is obeyed: set ignoreRobotsTxt yourself if you may.',
    })
  })

  test.each([
    [
      'the start page to the included pages',
      'only the blog',
      'https://ex.com/en/',
      { includePaths: ['^/en/?$', '/(?:blogs?|posts?)(?:[/.]|$)'], crawlEntireDomain: true },
    ],
    [
      'the start page if the included pages lie below it',
      'only /en/blog',
      'https://ex.com/en',
      { includePaths: ['^/en/?$', '^/en/blog(?:/|$)'] },
    ],
    [
      'nothing if the start page is included already',
      'only the blog',
      'https://ex.com/blog/',
      { includePaths: ['/(?:blogs?|posts?)(?:[/.]|$)'] },
    ],
  ])('adds %s', async (_, prompt, url, options) => expect((await read(prompt, url)).options).toEqual(options))

  test.each([
    'the blog and the docs, not the pdf files',
    'only /a(b/ and /c+d, 2 folders deep',
    'the German and English pages',
  ])('becomes valid patterns for "%s"', async (prompt) => {
    const { includePaths = [], excludePaths = [] } = (await read(prompt)).options
    expect(includePaths.length + excludePaths.length).toBeGreaterThan(1)
    await checkPatterns({ includePaths, excludePaths })
  })
})
