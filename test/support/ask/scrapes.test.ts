import { describe, expect, test } from 'vitest'
import { localCertificate } from '../../helpers/site/self-signed.ts'
import { type Case, diagnosed, pastOn } from './diagnosed.ts'
import { brokenSite, service } from './kit.ts'

const site = brokenSite()
const secure = brokenSite({ certificate: localCertificate })
const nobodyListens = 'http://127.0.0.1:9/'
const { scraped } = pastOn(() => site)

const cases: Case[] = [
  [
    'My scrape of SITE/slow-page timed out',
    scraped('/slow-page', { timeout: 1000 }),
    { says: /timeout of 1000 ms/, fix: { timeout: 30_000 }, result: 'success', confidence: 'high' },
  ],
  [
    'The markdown of SITE/late is empty',
    scraped('/late'),
    { says: /scripts build the page/, fix: { waitFor: 5000 }, result: 'success', confidence: 'high' },
  ],
  [
    'The site blocks me with 403, some captcha',
    scraped('/wall'),
    { says: /keeps automated visitors out/, result: 'failure' },
  ],
  [
    'I get 429 too many requests',
    scraped('/status/429'),
    { says: /status 429/, result: 'failure', confidence: 'high' },
  ],
  [
    'SITE/fine comes outdated',
    async () => {
      const made = await scraped('/fine')()
      await made.call('scrape', { url: site.url('/fine') })
      return made
    },
    { says: /copy from the cache/, fix: { maxAge: 0 }, result: 'success', confidence: 'high' },
  ],
  [
    'Lockdown scrape says it is not in the cache',
    scraped('/fine', { lockdown: true }),
    { says: /lockdown/, fix: { lockdown: false }, result: 'skipped' },
  ],
  [
    'SSL error on my scrape',
    async () => scraped(secure.url('/article'), { skipTlsVerification: false })(),
    { says: /certificate/, fix: { skipTlsVerification: true }, result: 'success', confidence: 'high' },
  ],
  [
    'My scrape does not resolve the domain',
    scraped('http://nothing-here.invalid/', {}, { GOSSAMER_ALLOW_HOSTS: '*' }),
    { says: /SCRAPE_DNS_RESOLUTION_ERROR|host name/, confidence: 'high' },
  ],
  [
    'scrape: connection refused',
    scraped(nobodyListens),
    { says: /failed again.*refused the connection/, result: 'failure', confidence: 'high' },
  ],
  [
    'scrape fails: SCRAPE_SITE_ERROR',
    scraped('/redirect/loop'),
    { says: /redirects in a loop/, result: 'failure', confidence: 'high' },
  ],
  ['I get a login form for SITE/members', scraped('/members'), { says: /only after a login/, confidence: 'high' }],
  [
    'The element my scrape waits for does not appear',
    scraped('/fine', { actions: [{ type: 'wait', selector: '#never' }], timeout: 6000 }),
    { says: /"#never"/, fix: { waitFor: 3000, actions: [] }, result: 'success', confidence: 'high' },
  ],
  [
    'No screenshot comes from my scrape',
    scraped('/fine', { formats: ['screenshot'] }, { GOSSAMER_BROWSER_PATH: '/nowhere/chrome' }),
    { says: /browser/, confidence: 'high' },
  ],
  [
    'The summary of my scrape is of poor quality',
    scraped('/fine', { formats: ['summary'] }),
    { says: /No language model is set/, confidence: 'high' },
  ],
  [
    'My scrape gets no content, it is blank',
    scraped('/fine', { includeTags: ['#nothing'] }),
    { says: /No element of the page matches includeTags/, fix: { includeTags: [] }, result: 'success' },
  ],
  [
    'My scrape says that nothing is in the cache',
    scraped('/fine', { minAge: 1000 }),
    { says: /Leave minAge out/, fix: { minAge: null }, result: 'success', confidence: 'high' },
  ],
  ['What is this 404?', scraped('/status/404'), { says: /does not exist.*404/, confidence: 'high' }],
  [
    'The scrape of our intranet page is refused',
    scraped('http://10.0.0.1/admin'),
    { says: /SSRF protection/, confidence: 'high' },
  ],
  [
    'Why can scrape not read this file?',
    scraped('/archive'),
    { says: /cannot be converted to text/, confidence: 'high' },
  ],
  [
    'The footer of SITE/with-footer is missing',
    scraped('/with-footer'),
    { says: /Only the main content/, fix: { onlyMainContent: false }, result: 'success', confidence: 'high' },
  ],
  [
    'Is the server down? I see 500',
    scraped('/status/500'),
    { says: /fault of its server, even just now/, result: 'failure', confidence: 'high' },
  ],
  [
    'why did my scrape fail?',
    async () => {
      const made = await scraped('/fine')()
      await made.call('scrape', { url: site.url('/slow-page'), timeout: 1000 })
      return made
    },
    { says: /timeout of 1000 ms/, fix: { timeout: 30_000 }, result: 'success' },
  ],
]

describe('the reason why a scrape failed, for the question', () => diagnosed(() => site, cases))

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
