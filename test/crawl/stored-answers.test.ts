import { expect, test } from 'vitest'
import { jsonBytes } from '../../src/surfaces/ws/watch.ts'
import { StoredJson } from '../../src/util/json.ts'
import { toyApp } from '../http/toys.ts'
import { smallSite, startCrawling } from './kit.ts'
import { localTeam } from '../../src/app/app.ts'
import { forAll } from '../helpers/for-all.ts'

/**
 * Pages are sent as they are stored: clients must get the same bytes as if each page had been parsed and serialised.
 */
const utf8 = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const stored = (value: object) => new StoredJson(Buffer.from(JSON.stringify(value)))
const page = { markdown: 'ä "quoted" \u2028 𝒳 \ud800', links: [], metadata: { statusCode: 200 }, 7: null }

test.each<{ what: string; from: (document: (value: object) => object) => object }>([
  { what: 'a list', from: (document) => ({ success: true, data: [document(page), document({})], next: 'x' }) },
  { what: 'an empty list', from: () => ({ success: true, data: [], gone: undefined, skipped: { robots: 1 } }) },
  { what: 'one', from: (document) => ({ type: 'document', data: document(page) }) },
  {
    what: 'one in a job in an answer',
    from: (document) => ({ id: '1', job: { status: 'ä', data: [document(page)] } }),
  },
  {
    what: 'one that lies deeper than the search for them',
    from: (document) => ({ a: { b: { c: { d: [document(page)] } } } }),
  },
  { what: 'one beside an object that was not stored', from: (document) => ({ data: [document(page), { n: 1 }] }) },
  { what: 'none', from: () => ({ text: '\ud800', list: [1, undefined, null], none: undefined, when: new Date(0) }) },
])('stored objects are written like JSON.stringify: $what', ({ from }) => {
  const plain = JSON.stringify(from((value) => value))
  expect(utf8(jsonBytes(from(stored)))).toBe(utf8(Buffer.from(plain)))
  expect(JSON.stringify(from(stored))).toBe(plain)
})

const crawling = forAll(() => startCrawling({ GOSSAMER_MONTHLY_CREDITS: '1000' }))
const site = forAll(() => smallSite({ '/': ['/ä', '/b', '/missing'], '/%C3%A4': [], '/b': [] }))

async function bothWays(id: string, route: 'v1' | 'v2', ask = '') {
  const { app } = crawling
  const team = { ...localTeam, permissions: ['zeroDataRetention' as const] }
  const parsing = (init: Parameters<typeof app.newCtx>[0]) => app.newCtx({ ...init, takesStored: false })
  const answers = [app.newCtx, parsing].map(async (newCtx) => {
    const { operations, invoke } = app
    const http = toyApp({ operations, invoke, newCtx, authenticate: async () => team })
    const response = await http.fetch(new Request(`http://127.0.0.1/${route}/crawl/${id}${ask}`))
    expect(response.headers.get('content-type')).toBe('application/json')
    return response.text()
  })
  return Promise.all(answers)
}

test.each([
  { what: 'a page of results', more: {}, ask: '' },
  { what: 'some of the results', more: {}, ask: '?skip=1&limit=1' },
  { what: 'no results', more: {}, ask: '?skip=99' },
  { what: 'a job of which nothing is kept', more: { zeroDataRetention: true }, ask: '' },
])('stored answers over HTTP have the same bytes: $what', async ({ more, ask }) => {
  const team = { ...localTeam, permissions: ['zeroDataRetention' as const] }
  const input = { url: site.url('/'), sitemap: 'skip', ...more, scrapeOptions: { formats: ['markdown', 'links'] } }
  const { id } = await crawling.call<{ id: string }>('crawl', input, team)
  await crawling.end(id)
  const [asStored, parsed] = await bothWays(id, 'v2', ask)
  expect(asStored).toBe(parsed)
  expect(JSON.parse(asStored!)).toMatchObject({ success: true, status: 'completed', total: 4 })
  const [translated, again] = await bothWays(id, 'v1', ask)
  expect(translated).toBe(again)
})
