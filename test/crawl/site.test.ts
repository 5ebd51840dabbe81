import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCrawlSite, type CrawlSite } from '../helpers/crawl-site.ts'
import { judge } from '../helpers/site/crawl-judge.ts'
import type { CrawlWish } from '../helpers/site/crawl-rules.ts'
import { get, linksOf, textOf, titleIn, visit, walk } from '../helpers/site/crawl-walk.ts'
import { read } from '../document/pdf/make-pdf.ts'

let site: CrawlSite
beforeAll(async () => {
  site = await startCrawlSite({ slowMs: 1, retryAfterS: 0 })
})
afterAll(() => site.close())

const paths = (wish: CrawlWish) => site.expected(wish).pages.map(({ urls: [url = ''] }) => url.replace(/^.*?:\d+/, ''))
const isTwin = (url: string) => url.includes('/odd/twin')
const hostsIn = (wish: CrawlWish) =>
  new Set(site.expected(wish).pages.map(({ urls: [url = ''] }) => new URL(url).hostname))

describe('the pages', () => {
  test('are those that following every link comes to', async () => {
    const expected = site.expected({ sitemap: 'skip', ignoreRobotsTxt: true })
    const leadingOut = /\/odd\/(?:loop|away)$/
    const known = new Set(expected.pages.flatMap(({ urls }) => urls.map(expected.identity)))
    const walked = (await walk(site.url('/', 'site.test'), expected.identity)).filter((url) => !leadingOut.test(url))
    expect(walked.map(expected.identity).filter((key) => !known.has(key))).toEqual([])
    expect(judge(expected, { documents: walked }).missing).toEqual([])
    expect(walked.length).toBeGreaterThan(450)
  })

  test('answer with the status and the title of the key', async () => {
    const { pages } = site.expected({ allowExternalLinks: true, ignoreRobotsTxt: true, scripts: 'run' })
    const wrong: unknown[] = []
    for (const { urls, status, title } of pages) {
      const [url = ''] = urls
      const got = await visit(url)
      if (got.status !== status || titleIn(got) !== title) wrong.push({ url, status: got.status, title: titleIn(got) })
    }
    expect(wrong).toEqual([])
  })

  test('are the same in every run', async () => {
    const other = await startCrawlSite()
    const all = [site, other].map(({ expected, port }) =>
      expected().pages.map(({ urls }) => urls.map((url) => url.replace(`:${port}`, ''))),
    )
    await other.close()
    expect(all[0]).toEqual(all[1])
  })

  test('are another site for another seed', async () => {
    const other = await startCrawlSite({ seed: 2 })
    const [one, two] = await Promise.all([site, other].map(async ({ url }) => textOf(await get(url('/docs/harbour/')))))
    await other.close()
    expect(two).not.toBe(one)
  })

  test('stand under 127.0.0.1 and localhost as well', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'www.site.test']) {
      expect(titleIn(await get(site.url('/docs/harbour/', host)))).toBe('Page /docs/harbour/')
    }
    expect((await get(site.url('/docs/harbour/', 'other.test'))).status).toBe(404)
  })

  test('hold a report that can be read', async () => {
    const { bytes } = await get(site.url('/files/report.pdf'))
    expect((await read(bytes)).markdown).toContain('The report of the harbour says this.')
  })

  test('tell a visitor once that they are busy', async () => {
    const fresh = await startCrawlSite({ retryAfterS: 7 })
    const first = await get(fresh.url('/odd/busy-429'))
    const second = await get(fresh.url('/odd/busy-429'))
    await fresh.close()
    expect([first.status, first.headers['retry-after'], second.status]).toEqual([429, '7', 200])
  })

  test('that a script writes hold no links', async () => {
    expect(linksOf(await get(site.url('/odd/script-only')))).toEqual([])
    expect(paths({ scripts: 'run' })).toContain('/odd/behind-script')
    expect(paths({})).not.toContain('/odd/behind-script')
  })

  test('beyond a megabyte come whole', async () => {
    const got = await get(site.url('/odd/large'))
    expect(got.bytes.length).toBeGreaterThan(1_200_000)
    expect(linksOf(got).map(({ pathname }) => pathname)).toContain('/odd/behind-large')
  })
})

describe('robots.txt and the sitemaps', () => {
  test('name one another as the key says', async () => {
    const robots = textOf(await get(site.url('/robots.txt')))
    expect(robots.match(/^Sitemap: .*$/gm)).toEqual([
      `Sitemap: ${site.origin}/sitemap.xml`,
      `Sitemap: ${site.origin}/maps/extra.xml`,
    ])
    const locations = async (path: string) => {
      const { bytes } = await get(site.url(path))
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
      return [...text.matchAll(/<loc>\s*(.*?)\s*<\/loc>/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
    }
    const children = await locations('/sitemap.xml')
    expect(children).toHaveLength(2)
    const listed = await Promise.all(
      [...children.map((url) => new URL(url).pathname), '/maps/extra.xml'].map(locations),
    )
    const expected = site.expected({ host: '127.0.0.1', sitemap: 'only' })
    expect(judge(expected, { documents: [site.url('/'), ...listed.flat()] })).toMatchObject({ missing: [], twice: [] })
  })

  test('stand on the hosts they are about', async () => {
    expect(textOf(await get(site.url('/robots.txt', 'other.test')))).toContain('Disallow: /closed/')
    expect((await get(site.url('/sitemap.xml', 'other.test'))).status).toBe(404)
  })
})

describe('the key', () => {
  test('keeps a crawl below its start unless told otherwise', () => {
    const below = paths({ path: '/docs/' })
    expect(below.filter((path) => !path.startsWith('/docs/'))).toEqual([])
    expect(below).toEqual(expect.arrayContaining(['/docs/unlinked-1', '/docs/harbour/harbour-1/part-2']))
    expect(paths({ path: '/docs' }).length).toBe(below.length)
    expect(paths({ path: '/docs/', crawlEntireDomain: true })).toEqual(
      expect.arrayContaining(['/blog/', '/docs-old/one', '/docs/unlinked-1']),
    )
  })

  test.each<[string, CrawlWish, string[], string[]]>([
    [
      'sitemap only',
      { sitemap: 'only' },
      ['/', '/archive/box-40', '/archive/search?what=a&how=b'],
      ['/docs/', '/odd/'],
    ],
    ['sitemap skipped', { sitemap: 'skip' }, ['/docs/', '/odd/'], ['/archive/box-1']],
    [
      'robots.txt',
      {},
      ['/private/open/door', '/private/open/listed'],
      ['/private/', '/private/closed', '/odd/print?print=1'],
    ],
    ['robots.txt ignored', { ignoreRobotsTxt: true }, ['/private/behind-robots', '/odd/print?print=1'], []],
    ['rules for one agent', { robotsAgent: 'slowbot' }, ['/private/'], ['/blog/']],
    ['patterns', { excludePaths: ['part-\\d', '^/blog'] }, ['/docs/'], ['/blog/', '/docs/harbour/harbour-1/part-1']],
    [
      'wanted patterns',
      { path: '/docs/', includePaths: ['^/docs/(?:$|harbour)'] },
      ['/docs/harbour/'],
      ['/docs/ledger/'],
    ],
    ['patterns over all', { regexOnFullURL: true, excludePaths: ['page=3'] }, ['/shop/item-11'], ['/shop/item-31']],
    ['no queries', { ignoreQueryParameters: true }, ['/shop/item-10'], ['/shop/item-11', '/shop/item-1?color=red']],
    ['depth', { maxDiscoveryDepth: 1, sitemap: 'skip' }, ['/docs/', '/odd/'], ['/docs/harbour/', '/odd/twin']],
    ['case and bytes', {}, ['/odd/Case', '/odd/case', '/odd/CASE', '/odd/caf%C3%A9', '/odd/%E6%B8%AF'], []],
    ['base', {}, ['/odd/base/relative', '/odd/base/dotted', '/odd/base/?query=1'], ['/odd/relative']],
    ['routes', {}, ['/odd/app', '/odd/app#/orders', '/odd/app#!/orders'], ['/odd/app#section']],
    ['documents', {}, ['/files/report.pdf'], ['/files/bundle.zip', '/files/Photo.JPG', '/files/download']],
  ])('knows %s', (_, wish, there, absent) => {
    const found = paths(wish)
    expect(there.filter((path) => !found.includes(path))).toEqual([])
    expect(absent.filter((path) => found.includes(path))).toEqual([])
  })

  test('lets a crawl go to other hosts only where it may', () => {
    expect(hostsIn({})).toEqual(new Set(['site.test']))
    expect(hostsIn({ allowSubdomains: true })).toEqual(new Set(['site.test', 'docs.site.test']))
    expect(hostsIn({ allowExternalLinks: true })).toEqual(new Set(['site.test', 'docs.site.test', 'other.test']))
    expect(paths({ allowExternalLinks: true })).not.toContain('/closed/door')
  })

  test('counts alike addresses as one page unless told otherwise', () => {
    expect(paths({}).filter(isTwin)).toHaveLength(1)
    const apart = site.expected({ deduplicateSimilarURLs: false }).pages.flatMap(({ urls }) => urls.filter(isTwin))
    expect(apart).toEqual(
      ['site.test', 'www.site.test'].flatMap((host) =>
        ['', '/', '/index.html', '/index.php'].map((end) => site.url(`/odd/twin${end}`, host)),
      ),
    )
  })

  test('counts an address with parameters for tracking as the page itself', () => {
    expect(paths({}).filter((path) => path.startsWith('/odd/print'))).toEqual(['/odd/print'])
    expect(paths({ deduplicateSimilarURLs: false })).toContain('/odd/print?gclid=abc')
  })

  test('counts a redirect and where it leads as one page', () => {
    const { pages, failed, skipped } = site.expected()
    const all = (path: string) => pages.filter(({ urls }) => urls.includes(site.url(path, 'site.test')))
    expect(all('/odd/chain')).toEqual(all('/odd/final'))
    expect(all('/odd/moved-302')[0]?.urls).toContain(site.url('/about', 'site.test'))
    expect(failed).toEqual([site.url('/odd/loop', 'site.test')])
    expect(skipped.get(site.url('/odd/away', 'site.test'))).toBe('outOfScope')
  })

  test('caps the count at the limit', () => {
    expect(site.expected({ limit: 20 })).toMatchObject({ count: 20 })
    expect(site.expected().count).toBe(site.expected().pages.length)
  })
})

describe('folders without end', () => {
  test('are not linked unless wanted, and are no pages of the key', async () => {
    const trapped = await startCrawlSite({ traps: 'linked' })
    const skipped = [...trapped.expected().skipped].filter(([, reason]) => reason === 'trap')
    await trapped.close()
    expect(skipped).toHaveLength(3)
    expect([...site.expected().skipped.values()]).not.toContain('trap')
  })

  test.each(['/calendar/2026/01', '/session/?sid=1', '/deep/a'])('lead on and on from %s', async (path) => {
    const seen = new Set<string>()
    let next = site.url(path)
    for (let step = 0; step < 30; step++) {
      seen.add(next)
      next = linksOf(await get(next)).find(({ href }) => !seen.has(href))?.href ?? ''
    }
    expect(seen.size).toBe(30)
    expect(judge(site.expected(), { documents: [...seen] }).unexpected).toEqual([])
  })
})

test('the judge takes a failure among the errors, and nowhere else', () => {
  const expected = site.expected()
  const all = expected.pages.map(({ urls: [url = ''] }) => url)
  const [gone = ''] = all.splice(1, 1)
  const [loop = ''] = expected.failed
  expect(judge(expected, { documents: all, errors: [gone, loop] })).toMatchObject({ missing: [], unexpected: [] })
  expect(judge(expected, { documents: [...all, gone, loop] }).unexpected).toEqual([loop])
})

test('the judge tells what is missing, what is too much and what came twice', () => {
  const expected = site.expected()
  const [first = '', second = '', ...rest] = expected.pages.map(({ urls: [url = ''] }) => url)
  const wrong = site.url('/private/', 'site.test')
  const verdict = judge(expected, { documents: [second, wrong, ...rest], errors: [`${second}#again`] })
  expect(verdict).toEqual({ missing: [first], unexpected: [wrong], twice: [second], trapped: {} })
})
