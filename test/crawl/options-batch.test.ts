import { describe, expect, test } from 'vitest'
import { failureOf } from '../helpers/fakes.ts'
import { forAll } from '../helpers/for-all.ts'
import { useTestNames, nowhere, pathsOf, sendPage, smallSite, startCrawling, until } from './kit.ts'

let release = () => {}
useTestNames()
const site = forAll(() =>
  smallSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /'),
    '/old': (_, response) => response.writeHead(301, { location: '/new' }).end(),
    '/gone': (_, response) => response.writeHead(410).end('gone'),
    '/held': ({ pathname }, response) => void (release = () => sendPage(response, pathname, [])),
    '/photo.png': (_, response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('PK\u0003\u0004'),
    '*': ({ pathname }, response) => sendPage(response, pathname, ['/other']),
  }),
)
const crawling = forAll(startCrawling)

const urls = (...paths: string[]) => paths.map((path) => site.url(path))

describe('a batch', () => {
  test('returns the given pages but no linked pages, regardless of robots.txt', async () => {
    const job = await crawling.run({ urls: urls('/a', '/b', '/gone') }, 'batch_scrape')
    expect(pathsOf(job)).toEqual(['/a', '/b', '/gone'])
    expect(job.status).toMatchObject({ status: 'completed', completed: 3, total: 3, failed: 0, creditsUsed: 3 })
    expect(site.count('/robots.txt') + site.count('/other') + site.count('/sitemap.xml')).toBe(0)
  })

  test('returns a page once per given URL, even if several URLs lead to it', async () => {
    const job = await crawling.run({ urls: urls('/a', '/a', '/a#part', '/old', '/new') }, 'batch_scrape')
    expect(pathsOf(job).map((path) => path.replace(/#.*/, ''))).toEqual(['/a', '/a', '/a', '/new', '/new'])
    expect(job.skipped).toEqual({})
  })

  test('returns each address as data or as an error', async () => {
    const given = [...urls('/a', '/photo.png'), `http://${nowhere}/`, 'http://127.0.0.2/']
    const job = await crawling.run({ urls: given }, 'batch_scrape')
    expect(pathsOf(job)).toEqual(['/a'])
    expect(job.errors.map(({ url, code }) => [url, code]).toSorted()).toEqual([
      [site.url('/photo.png'), 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
      ['http://127.0.0.2/', 'SCRAPE_ADDRESS_REFUSED'],
      [`http://${nowhere}/`, 'SCRAPE_DNS_RESOLUTION_ERROR'],
    ])
    expect(job.status).toMatchObject({ status: 'completed', completed: 1, failed: 3, total: 4 })
  })

  test('omits invalid URLs and lists them, or fails on request', async () => {
    const given = [...urls('/a'), 'not a url', 'ftp://site.test/', '']
    const started = await crawling.call<{ id: string; invalidURLs: string[] }>('batch_scrape', { urls: given })
    expect(started.invalidURLs).toEqual(['not a url', 'ftp://site.test/', ''])
    await crawling.end(started.id)
    expect((await crawling.results(started.id)).data).toHaveLength(1)
    for (const refused of [{ urls: given, ignoreInvalidURLs: false }, { urls: ['not a url'] }, { urls: [] }])
      expect(await failureOf(crawling.call('batch_scrape', refused))).toMatchObject({
        code: 'BAD_REQUEST',
        status: 400,
      })
  })

  test('accepts more pages while it runs, but not after its end', async () => {
    const id = await crawling.begin({ urls: urls('/held') }, 'batch_scrape')
    await until(async () => site.count('/held') === 1)
    const added = await crawling.call('batch_scrape', { urls: urls('/a', '/held2'), appendToId: id })
    expect(added).toMatchObject({ id })
    release()
    await crawling.end(id)
    const job = await crawling.results(id)
    expect(pathsOf(job)).toEqual(['/a', '/held', '/held2'])
    expect(job.status).toMatchObject({ completed: 3, total: 3 })
    const late = crawling.call('batch_scrape', { urls: urls('/a'), appendToId: id })
    expect(await failureOf(late)).toMatchObject({ code: 'JOB_IS_OVER', status: 409 })
  })

  test('is found by batch_status and by crawl_status, but is not an active crawl', async () => {
    const { id } = await crawling.run({ urls: urls('/a') }, 'batch_scrape')
    expect(await crawling.call('batch_status', { id })).toMatchObject({ status: 'completed' })
    expect(await crawling.call('crawl_status', { id })).toMatchObject({ status: 'completed' })
    expect(await crawling.call('crawl_active', {})).toEqual({ crawls: [] })
    expect(await failureOf(crawling.call('batch_cancel', { id }))).toMatchObject({ code: 'JOB_IS_OVER' })
  })
})
