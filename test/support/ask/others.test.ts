import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { folderForAll } from '../../helpers/for-all.ts'
import type { Site } from '../../helpers/site.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { service, startBrokenSite } from './kit.ts'
import { diagnoses, type Situation } from './situations.ts'

const folder = folderForAll()
let site: Site
beforeAll(async () => {
  site = await startBrokenSite()
})
afterAll(async () => {
  await site?.close()
})

const situations: Situation[] = [
  [
    'robots.txt that denies the start',
    { says: /robots\.txt.*forbids the start URL/, confidence: 'high' },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/closed/start') })
      return ask('Why did my crawl bring 0 pages?')
    },
  ],
  [
    'a pattern that is no regular expression',
    { says: /not a valid regular expression/, fix: { includePaths: ['.*\\.html'] }, result: 'success' },
    async () => {
      const { call, ask } = service()
      await call('crawl', { url: site.url('/shop/'), includePaths: ['*.html'] })
      return ask('The crawl says my pattern is invalid')
    },
  ],
  [
    'a crawl by a sitemap that there is none of',
    { says: /sitemap is set to only/, fix: { sitemap: 'include' }, result: 'success' },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/shop/'), sitemap: 'only', crawlEntireDomain: true })
      return ask('Only one page came from my crawl, I expected more')
    },
  ],
  [
    'links above the start path',
    { says: /outside the folder/, fix: { crawlEntireDomain: true }, result: 'success', confidence: 'high' },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/shop/'), sitemap: 'skip' })
      return ask('Why did the crawl find only one page?')
    },
  ],
  [
    'a search that every provider refuses',
    { says: /SEARCH_UNAVAILABLE/, confidence: 'high' },
    async () => {
      const engine = await startEngine(() => ({}))
      engine.fail()
      const { call, ask } = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
      await call('search', { query: 'lighthouses' })
      await engine.stop()
      return ask('Search is blocked and finds nothing')
    },
  ],
  [
    'credits that are used up',
    { says: /INSUFFICIENT_CREDITS/, confidence: 'high' },
    async () => {
      const { call, ask } = service({ GOSSAMER_MONTHLY_CREDITS: '1' })
      await call('scrape', { url: site.url('/fine') })
      await call('scrape', { url: site.url('/shop/') })
      return ask('402 payment required?')
    },
  ],
  [
    'more calls than the team may make at once',
    { says: /at the same time; 1 run now/, confidence: 'high' },
    async () => {
      const { call, ask } = service({ GOSSAMER_MAX_CONCURRENCY: '1', GOSSAMER_MAX_WAITING: '0' })
      const stop = new AbortController()
      const held = call('scrape', { url: site.url('/hang') }, { signal: stop.signal })
      await sleep(100)
      expect(await call('scrape', { url: site.url('/fine') })).toMatchObject({ code: 'QUEUE_FULL' })
      const answer = await ask('I get 429, too many requests are waiting')
      stop.abort()
      await held
      return answer
    },
  ],
  [
    'a profile that another session writes to',
    { says: /profile "shop"/, fix: { profile: { name: 'shop', saveChanges: false } }, result: 'skipped' },
    async () => {
      const { call, ask } = service({ GOSSAMER_DATA_DIR: folder.path })
      const { output } = await call('browser_create', { profile: { name: 'shop' } })
      await call('scrape', { url: site.url('/fine'), profile: { name: 'shop' } })
      const answer = await ask('My login profile does not work: 409')
      await call('browser_close', { sessionId: output?.['id'] })
      return answer
    },
  ],
  [
    'a webhook whose receiver fails',
    { says: /not taken by the webhook's receiver.*500/, confidence: 'high' },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/fine'), limit: 1, sitemap: 'skip', webhook: site.url('/hook') })
      await expect.poll(() => site.requests.filter(({ url }) => url === '/hook').length).toBeGreaterThan(0)
      await sleep(200)
      return ask('My webhook gets nothing')
    },
  ],
  [
    'a session that is gone',
    { says: /ended at .*SESSION_GONE/ },
    async () => {
      const { call, ask } = service()
      const { output } = await call('browser_create', {})
      const id = output?.['id']
      await call('browser_close', { sessionId: id })
      expect(await call('browser_execute', { sessionId: id, code: '1' })).toMatchObject({ code: 'SESSION_GONE' })
      return ask(`browser_execute fails for session ${id}`)
    },
  ],
]

describe('the reason why another call failed', () => diagnoses(situations))
