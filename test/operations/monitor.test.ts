import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { page, service, startPages } from './extract-world.ts'
import { operations } from '../../src/operations/index.ts'
import { startEngine } from '../e2e/search-engine.ts'
import { forTest } from '../helpers/for-all.ts'
import { startReceiver } from '../webhook/kit.ts'

type Json = Record<string, unknown>
type Page = Json & { url: string; status: string; diff: { text?: string; json?: Json } | null }
type Check = Json & { id: string; status: string; summary: Json; pages: Page[]; actualCredits: number }

const yearly = { cron: '0 0 1 1 *' }

/** Starts the service with a monitor that runs on demand. */
async function watching(monitor: Json, env?: Record<string, string>) {
  const running = await service({ ...(env && { env }) })
  const { output } = running
  const { data } = (await output('monitor_create', { schedule: yearly, ...monitor })) as { data: Json & { id: string } }
  const { id } = data
  const checkOf = async (checkId: string, more: Json = {}) =>
    ((await output('monitor_check', { id, checkId, ...more })) as { data: Check }).data
  return {
    ...running,
    id,
    monitor: data,
    checkOf,
    async check(): Promise<Check> {
      const started = (await output('monitor_run', { id })) as { data: Check }
      for (;;) {
        const check = await checkOf(started.data.id)
        if (check.status !== 'queued' && check.status !== 'running') return check
        await sleep(30)
      }
    },
  }
}

const statuses = ({ pages }: Check) =>
  Object.fromEntries(pages.map(({ url, status }) => [new URL(url).pathname, status]))

describe('a monitor of pages', () => {
  test('reports changes from check to check, and costs as much as its scrapes', async () => {
    const pages: Record<string, string> = { '/a': page('A', { Price: 12 }), '/b': page('B', {}), '/c': page('C', {}) }
    const { url } = await startPages(pages)
    const urls = ['/a', '/b', '/c', '/gone'].map(url)
    const { check, output, id } = await watching({ name: 'Prices', targets: [{ type: 'scrape', urls }] })
    const first = await check()
    expect(statuses(first)).toEqual({ '/a': 'new', '/b': 'new', '/c': 'new', '/gone': 'removed' })
    expect(first).toMatchObject({ status: 'completed', trigger: 'manual', actualCredits: 4 })
    pages['/a'] = page('A', { Price: 21 })
    delete pages['/c']
    const second = await check()
    expect(statuses(second)).toEqual({ '/a': 'changed', '/b': 'same', '/c': 'removed', '/gone': 'removed' })
    expect(second.summary).toEqual({ totalPages: 4, same: 1, changed: 1, new: 0, removed: 2, error: 0 })
    const [changed] = second.pages
    expect(changed?.diff?.text).toMatch(/^-.*12\n\+.*21$/m)
    expect(changed?.diff?.json).toMatchObject({ files: [{ additions: 1, deletions: 1 }] })
    expect(changed?.['previousScrapeId']).toBe(first.pages[0]?.['currentScrapeId'])
    const { data } = await output('scrape_result', { jobId: String(changed?.['currentScrapeId']) })
    expect(data).toMatchObject({ changeTracking: { changeStatus: 'changed' } })
    expect((await output('monitor_get', { id })).data).toMatchObject({
      name: 'Prices',
      lastCheckSummary: second.summary,
      currentCheckId: null,
      schedule: { cron: yearly.cron, timezone: 'UTC' },
    })
    const { data: activity } = (await output('activity', {})) as { data: { endpoint: string; target: string }[] }
    expect(activity.map(({ endpoint }) => endpoint)).toEqual(['monitor', 'monitor'])
    const { data: usage } = (await output('credit_usage', {})) as { data: Json }
    expect(usage).toMatchObject({ planCredits: expect.any(Number) })
    expect(Number(usage['planCredits']) - Number(usage['remainingCredits'])).toBe(8)
  })

  test('with a search checks the current results, each against its last visit', async () => {
    const pages = { '/a': page('A', { Price: 12 }), '/b': page('B', {}) }
    const { url } = await startPages(pages)
    const hits = (paths: string[]) => paths.map((path) => ({ url: url(path), title: path, content: '' }))
    const engine = forTest(await startEngine((words) => ({ general: hits(words === 'pot' ? ['/b', '/a'] : ['/a']) })))
    const target = { id: 'news', type: 'search', queries: ['kettle'], maxResults: 5 }
    const { check, output, id } = await watching(
      { targets: [target] },
      { GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' },
    )
    const first = await check()
    expect(statuses(first)).toEqual({ '/a': 'new' })
    expect(first).toMatchObject({ actualCredits: 3, targetResults: [{ targetId: 'news', resultCount: 1 }] })
    pages['/a'] = page('A', { Price: 21 })
    await output('monitor_update', { id, targets: [{ ...target, queries: ['kettle', 'pot'] }] })
    expect(statuses(await check())).toEqual({ '/a': 'changed', '/b': 'new' })
  })

  test('compares fields, and reports only pages whose field meets the condition', async () => {
    const pages = { '/a': page('A', { Price: 12 }), '/b': page('B', { Price: 50 }) }
    const { url } = await startPages(pages)
    const receiver = await startReceiver()
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    const formats = ['markdown', { type: 'changeTracking', modes: ['json'], schema }]
    const { check } = await watching(
      {
        targets: [{ type: 'scrape', urls: [url('/a'), url('/b')], scrapeOptions: { formats } }],
        condition: { field: { path: 'price', is: '<', value: 11 } },
        webhook: { url: receiver.url(), metadata: { run: 7 }, headers: { 'x-mine': 'yes' } },
      },
      { GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_WEBHOOK_SECRET: 'very secret' },
    )
    await check()
    pages['/b'] = page('B', { Price: 40 })
    const quiet = await check()
    expect(quiet.pages).toMatchObject([{ isReported: false }, { isReported: false }])
    pages['/a'] = page('A', { Price: 10 })
    const reported = await check()
    expect(reported.pages[0]).toMatchObject({
      isReported: true,
      diff: { json: { price: { previous: 12, current: 10 } } },
      snapshot: { json: { price: 10 } },
    })
    await expect.poll(() => receiver.requests.length).toBe(2)
    const [news, end] = receiver.requests.map(({ headers, body }) => ({ headers, body: JSON.parse(body) as Json }))
    expect(news).toMatchObject({
      headers: { 'x-mine': 'yes', 'x-service-signature': expect.stringMatching(/^sha256=/) },
      body: {
        success: true,
        type: 'monitor.page',
        id: reported.id,
        metadata: { run: 7 },
        data: [{ monitorId: reported['monitorId'], checkId: reported.id, url: url('/a'), status: 'changed' }],
      },
    })
    expect(end?.body).toMatchObject({ type: 'monitor.check.completed', data: [{ summary: reported.summary }] })
  })

  test('is not checked after the monthly credits are used up', async () => {
    const { url } = await startPages({ '/a': page('A', {}) })
    const { check } = await watching(
      { targets: [{ type: 'scrape', urls: [url('/a')] }] },
      { GOSSAMER_MONTHLY_CREDITS: '1' },
    )
    expect(await check()).toMatchObject({ status: 'completed', billingStatus: 'confirmed' })
    expect(await check()).toMatchObject({ status: 'skipped_no_credits', billingStatus: 'not_applicable', pages: [] })
  })
})

const link = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')

test('a monitor of a site crawls it, and reports which pages appeared and disappeared', async () => {
  const pages: Record<string, string> = {
    '/': page('Home', {}, link('/a', '/b')),
    '/a': page('A', { Price: 1 }),
    '/b': page('B', {}),
  }
  const { url } = await startPages(pages)
  const { check, output } = await watching({ targets: [{ type: 'crawl', url: url('/') }] })
  const first = await check()
  expect(statuses(first)).toEqual({ '/': 'new', '/a': 'new', '/b': 'new' })
  expect(first.actualCredits).toBe(3)
  pages['/'] = page('Home', {}, link('/a', '/d'))
  pages['/a'] = page('A', { Price: 2 })
  pages['/d'] = page('D', {})
  const second = await check()
  expect(statuses(second)).toEqual({ '/': 'changed', '/a': 'changed', '/b': 'removed', '/d': 'new' })
  expect(statuses(await check())).toEqual({ '/': 'same', '/a': 'same', '/d': 'same' })
  expect(second.pages.find(({ url: at }) => at === url('/a'))?.diff?.text).toContain('+')
  const { data } = (await output('activity', {})) as { data: { id: string; endpoint: string }[] }
  expect(data.map(({ endpoint }) => endpoint)).toEqual(['monitor', 'monitor', 'monitor'])
  const [result] = second['targetResults'] as { crawlId: string }[]
  expect(await output('crawl_status', { id: result?.crawlId ?? '' })).toMatchObject({ status: 'completed' })
})

describe('monitors', () => {
  const targets = [{ type: 'scrape', urls: ['https://example.com/'] }]

  test('are listed, changed, paused and deleted', async () => {
    const { output, call, id, monitor } = await watching({ targets, webhook: 'https://example.org/hook', goal: 'News' })
    expect(monitor).toMatchObject({ name: 'https://example.com/', status: 'active', goal: 'News', retentionDays: 30 })
    expect(await output('monitor_list', {})).toMatchObject({ data: [{ id }], pagination: { total: 1 } })
    const paused = await output('monitor_update', { id, status: 'paused', webhook: null, name: 'New' })
    expect(paused['data']).toMatchObject({
      status: 'paused',
      nextRunAt: null,
      webhook: null,
      name: 'New',
      goal: 'News',
    })
    const schedule = { text: 'daily at 9:00', timezone: 'Europe/Berlin' }
    const active = await output('monitor_update', { id, status: 'active', schedule })
    expect(active['data']).toMatchObject({
      schedule: { cron: '0 9 * * *', ...schedule },
      nextRunAt: expect.any(String),
    })
    expect(await output('monitor_delete', { id })).toEqual({ id })
    for (const name of ['monitor_get', 'monitor_delete', 'monitor_run', 'monitor_checks'])
      expect(await call(name, { id }), name).toMatchObject({ code: 'MONITOR_NOT_FOUND' })
    expect(await output('monitor_list', {})).toMatchObject({ data: [] })
  })

  test.each<[string, Json, string]>([
    ['zero data retention', { zeroDataRetention: true }, 'SCRAPE_ZDR_VIOLATION_ERROR'],
    ['e-mail', { notification: { email: { recipients: ['a@example.com'] } } }, 'FEATURE_UNAVAILABLE'],
    ['an invalid schedule', { schedule: { cron: 'never' } }, 'BAD_REQUEST'],
    ['two schedules', { schedule: { cron: '* * * * *', text: 'hourly' } }, 'BAD_REQUEST'],
    ['a search without queries', { targets: [{ type: 'search', queries: [] }] }, 'BAD_REQUEST'],
    [
      'a condition on a field that is not extracted',
      { condition: { field: { path: 'a', is: '=', value: 1 } } },
      'BAD_REQUEST',
    ],
    ['pages from the cache only', { targets: [{ ...targets[0], scrapeOptions: { lockdown: true } }] }, 'BAD_REQUEST'],
  ])('refuse %s', async (_, input, code) => {
    const { call } = await service()
    expect(await call('monitor_create', { schedule: yearly, targets, ...input })).toMatchObject({ code })
  })

  test.each(['monitor_create', 'monitor_update'])('require a permission to ignore robots.txt: %s', (name) => {
    const crawl = { type: 'crawl', url: 'https://example.com/', crawlOptions: { ignoreRobotsTxt: true } }
    const permissions = operations.find((each) => each.name === name)?.permissions
    expect(permissions?.({ targets: [crawl] })).toEqual(['ignoreRobotsTxt'])
    expect(permissions?.({ targets: [{ ...crawl, crawlOptions: {} }] })).toEqual([])
  })

  test('do not show cookies and keys after they are stored', async () => {
    const headers = { cookie: 'secret', 'x-plain': 'seen' }
    const { monitor } = await watching({
      targets: [{ ...targets[0], scrapeOptions: { headers } }],
      webhook: { url: 'https://example.org/', headers: { authorization: 'secret' } },
    })
    expect(JSON.stringify(monitor)).not.toContain('secret')
    expect(monitor['targets']).toMatchObject([{ scrapeOptions: { headers: { 'x-plain': 'seen' } } }])
  })
})
