import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { localTeam } from '../../src/app/app.ts'
import type { JobStatus } from '../../src/schema/crawl-schema.ts'
import { isFull } from '../attack/hostile.ts'
import { failureOf } from '../helpers/fakes.ts'
import { openWorld, page, range, slowly, status } from './faults-kit.ts'
import { sendPage, until } from './kit.ts'

const { crawler, siteOf } = openWorld()

describe.concurrent('the limit of a crawl', () => {
  test('is exact for many crawls with redirects, duplicates and failures', async () => {
    const numbered = range(30).map((at) => `/page/${at}`)
    const links = numbered.flatMap((path) => [path, `${path}/`, `${path}?utm_source=x`, path.replace('page', 'old')])
    const site = await siteOf({
      '/': ['/circle', '/gone', '/away', ...links],
      '/circle': status(302, { location: '/circle' }),
      '/gone': status(410),
      '/away': status(302, { location: 'http://other.test:1/' }),
      '*': ({ pathname }, response) =>
        pathname.startsWith('/old')
          ? response.writeHead(302, { location: pathname.replace('old', 'page') }).end()
          : sendPage(response, pathname, links),
    })
    const crawling = crawler({ GOSSAMER_MAX_CONCURRENCY: '64', GOSSAMER_CRAWL_HOST_CONCURRENCY: '16' })
    const wrong: unknown[] = []
    const crawl = async (at: number) => {
      const limit = 1 + (at % 25)
      const wish = { url: site.url('/'), limit, maxConcurrency: 16, scrapeOptions: { maxAge: (at % 2) * 60_000 } }
      const { data, status: end, errors } = await crawling.run(wish)
      const urls = data.map(({ metadata }) => metadata.url.replace(/\/?(?:\?.*)?$/, ''))
      const isRight = data.length + errors.length === limit && end.total === limit
      if (!isRight || new Set(urls).size < urls.length) wrong.push({ limit, end, urls: urls.toSorted() })
    }
    const lanes = range(10).map(async (start) => {
      // Every limit occurs among thirty of them.
      for (const at of range(isFull ? 10 : 3)) await crawl(start + at * 10)
    })
    await Promise.all(lanes)
    expect(wrong).toEqual([])
  })
})

describe.concurrent('a cancelled crawl', () => {
  test('visits no more pages, keeps its results, sends one event, and cannot be cancelled again', async () => {
    const { answer } = slowly(30)
    const site = await siteOf({ '/': range(200).map((at) => `/page/${at}`), '*': answer })
    const eventTypes: string[] = []
    const receiver = await siteOf({
      '/hook': (_, response, request) => {
        let body = ''
        request.on('data', (part) => (body += part))
        request.on('end', () => {
          eventTypes.push((JSON.parse(body) as { type: string }).type)
          response.end()
        })
      },
    })
    const crawling = crawler({ GOSSAMER_CRAWL_HOST_CONCURRENCY: '4' })
    const id = await crawling.begin({ url: site.url('/'), webhook: receiver.url('/hook') })
    await until(async () => (await crawling.status(id)).completed > 5)
    expect(await crawling.call('crawl_cancel', { id })).toEqual({ status: 'cancelled' })
    const kept = await crawling.results(id)
    const visited = site.visits.length
    expect(await failureOf(crawling.call('crawl_cancel', { id }))).toMatchObject({ code: 'JOB_IS_OVER', status: 409 })
    await until(async () => eventTypes.includes('crawl.cancelled'))
    await pause(300)
    expect(site.visits.length).toBe(visited)
    const later = await crawling.results(id)
    expect(later.status).toMatchObject({ status: 'cancelled', completed: kept.data.length, failed: 0 })
    expect(later.data).toEqual(kept.data)
    expect(later.errors).toEqual([])
    expect(eventTypes.filter((type) => type === 'crawl.cancelled')).toHaveLength(1)
    expect(eventTypes.filter((type) => type === 'crawl.page')).toHaveLength(kept.data.length)
    expect(eventTypes.filter((type) => type === 'crawl.completed' || type === 'crawl.failed')).toEqual([])
  })
})

describe.concurrent('the slots of a team', () => {
  test('are shared by two crawls', async () => {
    const { seen, answer } = slowly(20)
    const site = await siteOf({
      '/robots.txt': status(404),
      '/one/': range(15).map((at) => `/one/${at}`),
      '/two/': range(15).map((at) => `/two/${at}`),
      '*': answer,
    })
    const crawling = crawler({ GOSSAMER_MAX_CONCURRENCY: '3' })
    const both = await Promise.all(
      ['/one/', '/two/'].map((path) => crawling.run({ url: site.url(path), sitemap: 'skip' })),
    )
    expect(both.map(({ data }) => data.length)).toEqual([16, 16])
    expect(seen.most).toBeLessThanOrEqual(3)
    const order = site.visits.map(({ url }) => /\/(one|two)\/\d/.exec(url)?.[1]).filter((name) => name !== undefined)
    expect(order.lastIndexOf('one')).toBeGreaterThan(order.indexOf('two'))
    expect(order.lastIndexOf('two')).toBeGreaterThan(order.indexOf('one'))
  })

  test('are given to a scrape even if a crawl occupies all of them', async () => {
    const { answer } = slowly(50)
    const site = await siteOf({ '/': range(100).map((at) => `/page/${at}`), '*': answer })
    const crawling = crawler({ GOSSAMER_MAX_CONCURRENCY: '2' })
    const id = await crawling.begin({ url: site.url('/') })
    await until(async () => (await crawling.status(id)).completed > 2)
    await crawling.call('scrape', { url: site.url('/alone') })
    expect((await crawling.status(id)).status).toBe('scraping')
    await crawling.call('crawl_cancel', { id })
  })
})

describe.concurrent('results of a crawl', () => {
  test('continue over several answers if one cannot contain all pages', async () => {
    const words = 400_000
    const site = await siteOf({
      '/': range(6).map((at) => `/page/${at}`),
      '*': ({ pathname }, response) => sendPage(response, pathname, [], pathname.startsWith('/page') ? words : 10),
    })
    const crawling = crawler()
    const formats = ['rawHtml']
    const { id, data } = await crawling.run({ url: site.url('/'), sitemap: 'skip', scrapeOptions: { formats } })
    expect(new Set(data.map(({ metadata }) => metadata.url)).size).toBe(7)
    const sizes: number[] = []
    let next: string | undefined = 'http://api.test/?skip=0'
    while (next !== undefined) {
      const skip = Number(new URL(next).searchParams.get('skip'))
      const answer: JobStatus = await crawling.call('crawl_status', { id, skip })
      sizes.push(Buffer.byteLength(JSON.stringify(answer.data)))
      next = answer.next
    }
    expect(sizes.length).toBeGreaterThan(2)
    expect(Math.max(...sizes)).toBeLessThan(10 * 1024 * 1024 + 1000)
  })

  test('belong to their team, and expire', async () => {
    const site = await siteOf({ '/': page() })
    const crawling = crawler({ GOSSAMER_JOB_RETENTION_HOURS: String(8 / 3600) })
    const { id } = await crawling.run({ url: site.url('/') })
    const others = { ...localTeam, id: 'others' }
    for (const name of ['crawl_status', 'crawl_errors', 'crawl_cancel']) {
      expect(await failureOf(crawling.call(name, { id }, others))).toMatchObject({
        code: 'JOB_OF_OTHER_TEAM',
        status: 403,
      })
      const unknown = crawling.call(name, { id: crypto.randomUUID() })
      expect(await failureOf(unknown)).toMatchObject({ code: 'JOB_NOT_FOUND', status: 404 })
    }
    await until(async () => (await crawling.status(id).catch(({ code }: { code: string }) => code)) === 'JOB_NOT_FOUND')
  })
})

describe.concurrent('monthly credits', () => {
  test('end a crawl when they are used up, with a warning', async () => {
    const site = await siteOf({ '/': range(40).map((at) => `/page/${at}`), '*': page() })
    const crawling = crawler({ GOSSAMER_MONTHLY_CREDITS: '7' })
    const brought = await crawling.run({ url: site.url('/') })
    expect(brought.status).toMatchObject({ status: 'completed', completed: 7, total: 7, creditsUsed: 7 })
    expect(brought.status.skipped).toEqual({ limit: 34 })
    expect(brought.status.warning).toContain('monthly credits are used up')
    expect(await failureOf(crawling.begin({ url: site.url('/') }))).toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
  })
})
