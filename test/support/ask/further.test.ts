import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Site } from '../../helpers/site.ts'
import { service, startBrokenSite } from './kit.ts'
import { diagnoses, type Situation } from './situations.ts'

let site: Site
beforeAll(async () => {
  site = await startBrokenSite()
})
afterAll(() => site?.close())

const situations: Situation[] = [
  [
    'a crawl that ends at its limit',
    { says: /over the limit of 1 page\b/, result: 'skipped', fix: { limit: expect.any(Number) } },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/shop/'), limit: 1, crawlEntireDomain: true, sitemap: 'skip' })
      return ask('My crawl brought only one page, there are more pages')
    },
  ],
  [
    'a crawl that may not go deep enough',
    { says: /deeper than maxDiscoveryDepth 0/, fix: { maxDiscoveryDepth: 2 }, result: 'success' },
    async () => {
      const { crawl, ask } = service()
      await crawl({ url: site.url('/chain/1'), maxDiscoveryDepth: 0, crawlEntireDomain: true, sitemap: 'skip' })
      return ask('Why are deep pages missing from the crawl?')
    },
  ],
  [
    'selectors that match nothing',
    { says: /No element of the page matches includeTags/, fix: { includeTags: [] }, result: 'success' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine'), includeTags: ['#nothing'] })
      return ask('My scrape gets no content, it is blank')
    },
  ],
  [
    'a minimum age that no copy has',
    { says: /Leave minAge out/, fix: { minAge: null }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine'), minAge: 1000 })
      return ask('My scrape says that nothing is in the cache')
    },
  ],
  [
    'a page that is not there',
    { says: /does not exist.*404/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/status/404') })
      return ask('What is this 404?')
    },
  ],
  [
    'an address within the network',
    { says: /SSRF protection/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: 'http://10.0.0.1/admin' })
      return ask('The scrape of our intranet page is refused')
    },
  ],
  [
    'a file that holds no text',
    { says: /cannot be converted to text/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/archive') })
      return ask('Why can scrape not read this file?')
    },
  ],
  [
    'a footer that was dropped',
    { says: /Only the main content/, fix: { onlyMainContent: false }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/with-footer') })
      return ask(`The footer of ${site.url('/with-footer')} is missing`)
    },
  ],
  [
    'a server with a fault',
    { says: /fault of its server, also now/, result: 'failure', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/status/500') })
      return ask('Is the server down? I see 500')
    },
  ],
  [
    'a visit that cannot be restored',
    { says: /cannot be repeated|was not recorded/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      const { id } = await call('scrape', { url: site.url('/fine'), zeroDataRetention: true })
      expect(await call('interact', { jobId: id, code: '1' })).toMatchObject({ code: 'REPLAY_UNAVAILABLE' })
      return ask('interact gives me 409')
    },
  ],
  [
    'an error that no job shows',
    { says: /^PERMISSION_REQUIRED means: This option must be enabled by the operator/, confidence: 'medium' },
    async () => service().ask('What is PERMISSION_REQUIRED?'),
  ],
  [
    'a job that is named by its kind alone',
    { says: /timeout of 1000 ms/, fix: { timeout: 30_000 }, result: 'success' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine') })
      await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
      return ask('why did my scrape fail?')
    },
  ],
]

describe('the other reasons for failures', () => diagnoses(situations))
