import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localCertificate } from '../../helpers/site/self-signed.ts'
import type { Site } from '../../helpers/site.ts'
import { service, startBrokenSite } from './kit.ts'
import { diagnoses, type Situation } from './situations.ts'

let site: Site
let secure: Site
beforeAll(async () => {
  site = await startBrokenSite()
  secure = await startBrokenSite({ certificate: localCertificate })
})
afterAll(async () => {
  await site?.close()
  await secure?.close()
})

const nobodyListens = 'http://127.0.0.1:9/'

const situations: Situation[] = [
  [
    'a page slower than the timeout',
    { says: /timeout of 1000 ms/, fix: { timeout: 30_000 }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
      return ask(`My scrape of ${site.url('/slow-page')} timed out`)
    },
  ],
  [
    'a page that scripts fill late',
    { says: /scripts build the page/, fix: { waitFor: 5000 }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/late') })
      return ask(`The markdown of ${site.url('/late')} is empty`)
    },
  ],
  [
    'a bot challenge',
    { says: /keeps automated visitors out/, result: 'failure' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/wall') })
      return ask('The site blocks me with 403, some captcha')
    },
  ],
  [
    'too many requests',
    { says: /status 429/, result: 'failure', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/status/429') })
      return ask('I get 429 too many requests')
    },
  ],
  [
    'a stale copy',
    { says: /copy from the cache/, fix: { maxAge: 0 }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine') })
      await call('scrape', { url: site.url('/fine') })
      return ask(`${site.url('/fine')} comes outdated`)
    },
  ],
  [
    'lockdown without a copy',
    { says: /lockdown/, fix: { lockdown: false }, result: 'skipped' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine'), lockdown: true })
      return ask('Lockdown scrape says it is not in the cache')
    },
  ],
  [
    'a certificate that nobody vouches for',
    { says: /certificate/, fix: { skipTlsVerification: true }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: secure.url('/article'), skipTlsVerification: false })
      return ask('SSL error on my scrape')
    },
  ],
  [
    'a host name that does not exist',
    { says: /SCRAPE_DNS_RESOLUTION_ERROR|host name/, confidence: 'high' },
    async () => {
      const { call, ask } = service({ GOSSAMER_ALLOW_HOSTS: '*' })
      await call('scrape', { url: 'http://nothing-here.invalid/' })
      return ask('My scrape does not resolve the domain')
    },
  ],
  [
    'a port at which nobody listens',
    { says: /failed again.*refused the connection/, result: 'failure', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: nobodyListens })
      return ask('scrape: connection refused')
    },
  ],
  [
    'redirects in a loop',
    { says: /redirects in a loop/, result: 'failure', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/redirect/loop') })
      return ask('scrape fails: SCRAPE_SITE_ERROR')
    },
  ],
  [
    'a login wall',
    { says: /only after a login/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/members') })
      return ask(`I get a login form for ${site.url('/members')}`)
    },
  ],
  [
    'a selector that never appears',
    { says: /"#never"/, fix: { waitFor: 3000, actions: [] }, result: 'success', confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine'), actions: [{ type: 'wait', selector: '#never' }], timeout: 6000 })
      return ask('The element my scrape waits for does not appear')
    },
  ],
  [
    'a machine without a browser',
    { says: /browser/, confidence: 'high' },
    async () => {
      const { call, ask } = service({ GOSSAMER_BROWSER_PATH: '/nowhere/chrome' })
      await call('scrape', { url: site.url('/fine'), formats: ['screenshot'] })
      return ask('No screenshot comes from my scrape')
    },
  ],
  [
    'a service without a language model',
    { says: /No language model is set/, confidence: 'high' },
    async () => {
      const { call, ask } = service()
      await call('scrape', { url: site.url('/fine'), formats: ['summary'] })
      return ask('The summary of my scrape is of poor quality')
    },
  ],
]

describe('the reason why a scrape failed', () => diagnoses(situations))

test('an answer asserts no outcome of a trial that was not made', async () => {
  const { call, ask } = service()
  // Jobs that act on the page are not run again.
  const options = { actions: [{ type: 'click', selector: '#buy' }], proxy: 'basic' }
  const { id } = await call('scrape', { url: nobodyListens, ...options })
  const answered = await ask('Why did this fail?', { jobId: id })
  expect(answered?.validation).toMatchObject({ tested: false, result: 'skipped' })
  expect(answered?.answer).toMatch(/not tested/)
  expect(answered?.answer).not.toMatch(/\bnow\b|passing|passed|since|each time/)
})
