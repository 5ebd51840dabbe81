import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Ports } from '../../src/contracts/ports.ts'
import { ScrapeInput } from '../../src/schema/scrape/scrape-options.ts'
import { readHtml } from '../../src/engine/html/page/read-parts.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import { scrape } from '../helpers/scrape.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { answer, html } from '../helpers/site/route.ts'
import { client } from './fetching.ts'

const page = `<!doctype html><title>A</title>${Array.from({ length: 400 }, (_, i) => `<p>Paragraph ${i} of ${Math.sqrt(i)}</p>`).join('')}`
/** Longer than one decoding step. */
const long = `${page}<!--${Array.from({ length: 60_000 }, (_, i) => Math.sin(i)).join()}-->${'z'.repeat(90)}`
const cut = (coding: string, packed: Buffer) =>
  answer(200, { 'content-type': 'text/html', 'content-encoding': coding }, packed.subarray(0, -9))
const refresh = (content: string) =>
  html(`<meta charset="utf-8"><meta http-equiv="Refresh" content="${content}"><p>Stay.</p>`)

const site = siteForAll({
  routes: {
    '/cut/gzip': cut('gzip', zlib.gzipSync(page)),
    '/cut/deflate': cut('deflate', zlib.deflateSync(page)),
    '/cut/raw-deflate': cut('deflate', zlib.deflateRawSync(page)),
    '/cut/br': cut('br', zlib.brotliCompressSync(page)),
    '/cut/long-gzip': cut('gzip', zlib.gzipSync(long)),
    '/cut/long-br': cut('br', zlib.brotliCompressSync(long, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })),
    '/cut/undeclared-gzip': answer(200, { 'content-type': 'text/html' }, zlib.gzipSync(page).subarray(0, -9)),
    '/cut/long-undeclared-gzip': answer(200, { 'content-type': 'text/html' }, zlib.gzipSync(long).subarray(0, -9)),
    '/whole': answer(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }, zlib.gzipSync(long)),
    '/part': answer(206, { 'content-type': 'text/html', 'content-range': 'bytes 0-9/99' }, page),
    '/refresh/private': refresh('0; url=http://10.0.0.1/secret'),
    '/refresh/quoted': refresh("0;URL='http://169.254.169.254/latest'"),
    '/refresh/late': refresh('600, http://localhost:1/'),
    '/refresh/header': html('<p>Stay.</p>', { refresh: '0; url=http://192.168.1.1/' }),
    '/refresh/itself': refresh('30'),
    '/mojibake': html(`<p>${Buffer.from('Grüße, très élégant').toString('latin1')}</p>`),
  },
})

const faultsOf = async (path: string) => (await client()(site.url(path))).faults

describe('the fault of a compressed body that was cut off', () => {
  const codings = 'gzip deflate raw-deflate br long-gzip long-br undeclared-gzip long-undeclared-gzip'
  test.each(codings.split(' '))('is reported for %s', async (name) => {
    const { body, faults } = await client({})(site.url(`/cut/${name}`), { maxBytes: 10_000_000 })
    expect(faults).toEqual(['cut off'])
    expect(Buffer.from(body).toString()).toContain('Paragraph 300 of')
  })

  test('is not reported for a complete body', async () => {
    const { body, faults } = await client({})(site.url('/whole'), { maxBytes: 10_000_000 })
    expect([Buffer.from(body).toString() === long, faults]).toEqual([true, undefined])
  })
})

describe('a refresh', () => {
  test.each(['private', 'quoted', 'late', 'header'])('to an address that is refused is a fault: %s', async (name) => {
    expect(await faultsOf(`/refresh/${name}`)).toEqual(['refresh refused'])
  })
  test('that leads back to the page is not a fault', async () => {
    expect(await faultsOf('/refresh/itself')).toBeUndefined()
  })
})

test.each([
  ['/cut/gzip', /before it was complete/],
  ['/cut/undeclared-gzip', /before it was complete/],
  ['/part', /a part of the page \(206\)/],
  ['/refresh/private', /redirects \(refresh\).*not followed/],
  ['/mojibake', /encoded twice/],
])('a scrape of %s has a warning, and only a complete page is cached', async (path, warning) => {
  const get = client()
  let rendered = 0
  const ports: Ports = {
    ...fakeWorld().ports,
    fetchPage: ({ url, ...rest }) => get(url, rest),
    readHtml: async (request) => readHtml(request),
    renderPage: async () => {
      rendered += 1
      throw new Error('no browser is needed')
    },
  }
  const input = ScrapeInput.parse({ url: site.url(path) })
  const document = await scrape(ports, input, fakeCtx())
  expect(document.warning).toMatch(warning)
  expect(document.markdown).toMatch(/Paragraph|Stay|Gr/)
  expect(rendered).toBe(0)
  const again = await scrape(ports, input, fakeCtx())
  expect(again.metadata.cacheState).toBe(path === '/mojibake' ? 'hit' : 'miss')
  expect(again.warning).toMatch(warning)
})
