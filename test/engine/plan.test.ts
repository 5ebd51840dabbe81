import { describe, expect, test } from 'vitest'
import { planPage } from '../../src/engine/scrape/plan.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'

const dayMs = 86_400_000
const plan = (options: object = {}, teamId = 'acme') =>
  planPage(ScrapeInput.parse({ url: 'https://example.com/a', ...options }), teamId)

const key = (options?: object, teamId?: string) => plan(options, teamId).cacheKey

describe('two calls share a cached page', () => {
  test.each<[string, object]>([
    ['for other formats', { formats: ['html'] }],
    ['with other content options', { onlyMainContent: false, includeTags: ['main'] }],
    ['with other accepted ages', { maxAge: 5, timeout: 5000 }],
    ['for equivalent URLs', { url: 'https://EXAMPLE.com:443/a#part' }],
    ['if one is in lockdown', { lockdown: true }],
  ])('%s', (_, options) => expect(key(options)).toBe(key()))

  test.each<[string, object, string?]>([
    ['for another team', {}, 'other'],
    ['for another path', { url: 'https://example.com/b' }],
    ['for another query', { url: 'https://example.com/a?b' }],
    ['for another host', { url: 'https://www.example.com/a' }],
    ['for another scheme', { url: 'http://example.com/a' }],
    ['for a route of a script application', { url: 'https://example.com/a#/part' }],
    ['for a phone', { mobile: true }],
    ['with its ads', { blockAds: false }],
    ['for another country', { location: { country: 'DE' } }],
    ['for other languages', { location: { languages: ['de'] } }],
  ])('but not %s', (_, options, teamId) => expect(key(options, teamId)).not.toBe(key()))

  test('and a URL cannot forge the cache key of another team', () => {
    expect(key({}, 'a","https://x.example"')).not.toBe(key({}, 'a'))
  })
})

const tracked = { formats: ['markdown', 'changeTracking'] }
test.each<[string, object, { minMs: number; maxMs: number } | undefined]>([
  ['none by default for change tracking', tracked, undefined],
  ['up to maxAge with change tracking', { ...tracked, maxAge: 5000 }, { minMs: 0, maxMs: 5000 }],
  ['any from minAge on with change tracking', { ...tracked, minAge: 1 }, { minMs: 1, maxMs: Infinity }],
  ['two years in lockdown with change tracking', { ...tracked, lockdown: true }, { minMs: 0, maxMs: 730 * dayMs }],
  ['between minAge and maxAge', { minAge: 10, maxAge: 20 }, { minMs: 10, maxMs: 20 }],
  ['from minAge on in lockdown', { lockdown: true, minAge: 7 }, { minMs: 7, maxMs: 730 * dayMs }],
  ['none after actions', { actions: [{ type: 'scrape' }] }, undefined],
  ['none with a profile', { profile: { name: 'a' } }, undefined],
  ['none for an address with a password', { url: 'https://a:b@example.com/a' }, undefined],
  ['those requested, if only the cache may answer', { headers: { a: 'b' }, minAge: 3 }, { minMs: 3, maxMs: Infinity }],
  ['two days with an empty list of headers', { headers: {} }, { minMs: 0, maxMs: 2 * dayMs }],
])('accepted ages of a cached page are %s', (_, options, expected) =>
  expect(plan(options).acceptedAge).toEqual(expected),
)

test.each<[object, 'stored' | 'not stored']>([
  [{}, 'stored'],
  [{ storeInCache: true }, 'stored'],
  [{ maxAge: 0 }, 'stored'],
  [{ headers: {} }, 'stored'],
  [{ actions: [] }, 'stored'],
  [{ location: { languages: ['de'] } }, 'stored'],
  [{ storeInCache: false }, 'not stored'],
  [{ headers: { a: 'b' } }, 'not stored'],
  [{ headers: { a: 'b' }, storeInCache: true }, 'not stored'],
  [{ actions: [{ type: 'scrape' }] }, 'not stored'],
  [{ actions: [{ type: 'scrape' }], storeInCache: true }, 'not stored'],
  [{ profile: { name: 'a' } }, 'not stored'],
  [{ profile: { name: 'a' }, storeInCache: true }, 'not stored'],
  [{ url: 'https://a:b@example.com', storeInCache: true }, 'not stored'],
  [{ zeroDataRetention: true }, 'not stored'],
  [{ zeroDataRetention: true, storeInCache: true }, 'not stored'],
  [{ lockdown: true, storeInCache: true }, 'not stored'],
])('with %j the page is %s', (options, expected) => expect(plan(options).storesPage).toBe(expected === 'stored'))

test.each<[object, boolean]>([
  [{}, true],
  [{ headers: {} }, true],
  [{ headers: { a: 'b' } }, false],
  [{ actions: [{ type: 'scrape' }] }, false],
  [{ skipTlsVerification: false }, false],
  [{ skipTlsVerification: true, headers: { a: 'b' } }, true],
])('with %j invalid certificates are accepted: %j', (options, expected) => {
  expect(plan(options).skipTlsVerification).toBe(expected)
})

test.each([
  [{ languages: ['de'] }, 'de'],
  [{ languages: ['de-AT', 'de', 'en'] }, 'de-AT, de;q=0.9, en;q=0.8'],
  [{ languages: ['zh-Hant-TW'], country: 'DE' }, 'zh-Hant-TW'],
  [{ country: 'DE' }, 'de-DE, de;q=0.9'],
  [{ country: 'jp', languages: [] }, 'ja-JP, ja;q=0.9'],
  [{ country: 'FR', languages: ['*'] }, 'fr-FR, fr;q=0.9'],
  [{}, 'en-US, en;q=0.9'],
])('the languages of the location %j are sent as %s', (location, expected) => {
  expect(plan({ location }).acceptLanguage).toEqual({ 'accept-language': expected })
})
