import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { folderForAll } from '../../helpers/for-all.ts'
import { startEngine } from '../../e2e/search-engine.ts'
import { atLeast, type Case, diagnosed, pastOn } from './diagnosed.ts'
import { brokenSite, service } from './kit.ts'

const folder = folderForAll()
const site = brokenSite()

const { crawled, failed } = pastOn(() => site)

const cases: Case[] = [
  [
    'Why did my crawl bring 0 pages?',
    crawled('/closed/start'),
    { says: /robots\.txt.*forbids the start URL/, confidence: 'high' },
  ],
  [
    'The crawl says my pattern is invalid',
    failed('BAD_REQUEST', 'crawl', () => ({ url: site.url('/shop/'), includePaths: ['*.html'] })),
    { says: /not a valid regular expression/, fix: { includePaths: ['.*\\.html'] }, result: 'success' },
  ],
  [
    'Only one page came from my crawl, I expected more',
    crawled('/shop/', { sitemap: 'only', crawlEntireDomain: true }),
    { says: /sitemap is set to only/, fix: { sitemap: 'include' }, result: 'success' },
  ],
  [
    'Why did the crawl find only one page?',
    crawled('/shop/', { sitemap: 'skip' }),
    { says: /outside the folder/, fix: { crawlEntireDomain: true }, result: 'success', confidence: 'high' },
  ],
  [
    'My crawl brought only one page, there are more pages',
    crawled('/shop/', { limit: 1, crawlEntireDomain: true, sitemap: 'skip' }),
    { says: /over the limit of 1 page\b/, fix: { limit: atLeast(2) }, result: 'skipped' },
  ],
  [
    'Why are deep pages missing from the crawl?',
    crawled('/chain/1', { maxDiscoveryDepth: 0, crawlEntireDomain: true, sitemap: 'skip' }),
    { says: /deeper than maxDiscoveryDepth 0/, fix: { maxDiscoveryDepth: 2 }, result: 'success' },
  ],
  [
    'Search is blocked and finds nothing',
    async () => {
      const engine = await startEngine(() => ({}))
      engine.fail()
      const made = service({ GOSSAMER_SEARXNG_URL: engine.url, GOSSAMER_SEARCH_PROVIDERS: 'searxng' })
      await made.call('search', { query: 'lighthouses' })
      await engine.stop()
      return made
    },
    { says: /SEARCH_UNAVAILABLE/, confidence: 'high' },
  ],
  [
    '402 payment required?',
    async () => {
      const made = service({ GOSSAMER_MONTHLY_CREDITS: '1' })
      for (const path of ['/fine', '/shop/']) await made.call('scrape', { url: site.url(path) })
      return made
    },
    { says: /INSUFFICIENT_CREDITS/, confidence: 'high' },
  ],
  [
    'I get 429, too many requests are waiting',
    async () => {
      const made = service({ GOSSAMER_MAX_CONCURRENCY: '1', GOSSAMER_MAX_WAITING: '0' })
      const stop = new AbortController()
      const held = made.call('scrape', { url: site.url('/hang') }, { signal: stop.signal })
      await sleep(100)
      expect(await made.call('scrape', { url: site.url('/fine') })).toMatchObject({ code: 'QUEUE_FULL' })
      const ask: typeof made.ask = async (question) => {
        const answer = await made.ask(question)
        stop.abort()
        await held
        return answer
      }
      return { ...made, ask }
    },
    { says: /at the same time; 1 run now/, confidence: 'high' },
  ],
  [
    'My login profile does not work: 409',
    async () => {
      const made = service({ GOSSAMER_DATA_DIR: folder.path })
      await made.call('browser_create', { profile: { name: 'shop' } })
      await made.call('scrape', { url: site.url('/fine'), profile: { name: 'shop' } })
      return made
    },
    { says: /profile "shop"/, fix: { profile: { name: 'shop', saveChanges: false } }, result: 'skipped' },
  ],
  [
    'My webhook gets nothing',
    async () => {
      const made = service()
      await made.crawl({ url: site.url('/fine'), limit: 1, sitemap: 'skip', webhook: site.url('/hook') })
      await expect.poll(() => site.requests.filter(({ url }) => url === '/hook').length).toBeGreaterThan(0)
      await sleep(200)
      return made
    },
    { says: /not accepted by the webhook's receiver.*500/, confidence: 'high' },
  ],
  [
    'browser_execute fails for my session',
    async () => {
      const made = service()
      const { output } = await made.call('browser_create', {})
      const id = output?.['id']
      await made.call('browser_close', { sessionId: id })
      expect(await made.call('browser_execute', { sessionId: id, code: '1' })).toMatchObject({ code: 'SESSION_GONE' })
      return { ...made, ask: (question) => made.ask(`${question} ${id}`) }
    },
    { says: /ended at .*SESSION_GONE/ },
  ],
  [
    'interact gives me 409',
    async () => {
      const made = service()
      const { id } = await made.call('scrape', { url: site.url('/fine'), zeroDataRetention: true })
      expect(await made.call('interact', { jobId: id, code: '1' })).toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
      return made
    },
    { says: /cannot be repeated|was not recorded/, confidence: 'high' },
  ],
  [
    'What is PERMISSION_REQUIRED?',
    async () => service(),
    { says: /^PERMISSION_REQUIRED means: This option must be enabled by the operator/, confidence: 'medium' },
  ],
]

describe('a question about a call other than a scrape is answered:', () => diagnosed(() => site, cases))
