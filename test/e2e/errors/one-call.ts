import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { Site } from '../../helpers/site.ts'

export type Team = 'plain' | 'trusted' | 'poor' | 'homely'
/** State before the calls: a completed crawl, a zero-retention scrape, sites, and a folder with files. */
export type There = { crawl: string; unkept: string; site: Site; secured: Site; files: string }
/** A call that fails with the error over REST and MCP, by a team (`plain` by default). */
export type OneCall = { as?: Team; call: string; with: (there: There) => object }

const nobodys = '0190c2a0-0000-7000-8000-000000000000'
const schedule = { cron: '0 9 1 1 *', timezone: 'UTC' }
export const scrape = (path: string, options: object = {}): OneCall => ({
  call: 'scrape',
  with: ({ site }) => ({ url: site.url(path), maxAge: 0, ...options }),
})

/** Errors that one call raises on a server without a browser, a model and a working search service. */
export const byOneCall = {
  BAD_REQUEST: { call: 'scrape', with: () => ({}) },
  INSUFFICIENT_CREDITS: { ...scrape('/plain'), as: 'poor' },
  PERMISSION_REQUIRED: scrape('/plain', { zeroDataRetention: true }),
  JOB_OF_OTHER_TEAM: { as: 'trusted', call: 'crawl_status', with: ({ crawl }) => ({ id: crawl }) },
  FILE_NOT_ALLOWED: { call: 'parse', with: () => ({ path: '/etc/hostname' }) },
  FILE_NOT_FOUND: { as: 'trusted', call: 'parse', with: ({ files }) => ({ path: `${files}/none.csv` }) },
  JOB_NOT_FOUND: { call: 'crawl_status', with: () => ({ id: nobodys }) },
  MONITOR_NOT_FOUND: { call: 'monitor_get', with: () => ({ id: nobodys }) },
  SESSION_NOT_FOUND: { call: 'browser_snapshot', with: () => ({ sessionId: nobodys }) },
  MAP_TIMEOUT: { call: 'map', with: ({ site }) => ({ url: site.url('/silent'), sitemap: 'skip', timeout: 1000 }) },
  SEARCH_TIMEOUT: { call: 'search', with: () => ({ query: 'never', timeout: 1000 }) },
  JOB_IS_OVER: { call: 'crawl_cancel', with: ({ crawl }) => ({ id: crawl }) },
  REPLAY_UNAVAILABLE: { as: 'trusted', call: 'interact', with: ({ unkept }) => ({ jobId: unkept, code: '1' }) },
  MAP_FAILED: { call: 'map', with: () => ({ url: 'http://127.0.0.1:1/' }) },
  FEATURE_UNAVAILABLE: {
    call: 'monitor_create',
    with: ({ site }) => ({
      name: 'one',
      schedule,
      targets: [{ type: 'scrape', urls: [site.url('/plain')] }],
      notification: { email: { enabled: true, recipients: ['ann@example.com'] } },
    }),
  },
  SEARCH_UNAVAILABLE: { call: 'search', with: () => ({ query: 'anything' }) },
  BROWSER_UNAVAILABLE: scrape('/plain', { formats: ['screenshot'] }),
  SCRAPE_DNS_RESOLUTION_ERROR: { call: 'scrape', with: () => ({ url: 'http://no-such-host.invalid/' }) },
  SCRAPE_ACTIONS_NOT_SUPPORTED: scrape('/plain', { actions: [{ type: 'scrape' }] }),
  SCRAPE_ADDRESS_REFUSED: { call: 'scrape', with: () => ({ url: 'http://10.0.0.1/' }) },
  SCRAPE_NO_CACHED_DATA: scrape('/never-read', { maxAge: undefined, minAge: 1 }),
  SCRAPE_LOCKDOWN_CACHE_MISS: scrape('/never-read', { maxAge: undefined, lockdown: true }),
  SCRAPE_TIMEOUT: scrape('/silent', { timeout: 1000 }),
  SCRAPE_ALL_ENGINES_FAILED: { call: 'scrape', with: () => ({ url: 'http://127.0.0.1:1/' }) },
  SCRAPE_PROXY_SELECTION_ERROR: scrape('/plain', { proxy: 'enhanced' }),
  SCRAPE_SITE_ERROR: scrape('/redirect/loop'),
  SCRAPE_SSL_ERROR: {
    call: 'scrape',
    with: ({ secured }) => ({ url: secured.url('/plain'), skipTlsVerification: false }),
  },
  SCRAPE_UNSUPPORTED_FILE_ERROR: scrape('/binary'),
  SCRAPE_BRANDING_NOT_SUPPORTED: scrape('/plain', { formats: ['branding'] }),
  SCRAPE_AUDIO_UNSUPPORTED_URL: scrape('/csv', { formats: ['audio'] }),
  SCRAPE_VIDEO_UNSUPPORTED_URL: scrape('/csv', { formats: ['video'] }),
  SCRAPE_ZDR_VIOLATION_ERROR: {
    ...scrape('/plain', { zeroDataRetention: true, onlyCleanContent: true }),
    as: 'trusted',
  },
  SCRAPE_PDF_OCR_REQUIRED: scrape('/scan.pdf', { parsers: [{ type: 'pdf', mode: 'fast' }] }),
} as const satisfies Partial<Record<ErrorCode, OneCall>>
