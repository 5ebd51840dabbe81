import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { listen } from '../helpers/listen.ts'
import { localCertificate, selfSigned } from '../helpers/site/self-signed.ts'
import { browsed, tolerated, word } from '../net/tolerant-answers.ts'
import { type Step, rawSite } from '../net/raw-site.ts'
import { textOf } from './programs/rendering.ts'
import { sharedRenderer } from './programs/shared.ts'
import { forTest, forAll, leftOpen } from '../helpers/for-all.ts'

const ending =
  (answer: string): Step =>
  (socket) =>
    void socket.end(answer, 'latin1')
const always = (answer: string) => Array.from({ length: 12 }, () => ending(answer))

const browser = forAll(sharedRenderer, leftOpen)

describe('a response with invalid HTTP', () => {
  test.each([...tolerated, ...browsed])('is read by the browser with %s', async (_, answer) => {
    const { url } = await rawSite(always(answer))
    expect(textOf(await browser.render(url('/page')))).toContain(word)
  })

  test.each(browsed)('is fetched by a GET request of the browser, with %s', async (_, answer) => {
    const { url, requests } = await rawSite(always(answer))
    const page = await browser.fetchPage(url('/robots.txt'))
    expect(page).toMatchObject({ url: url('/robots.txt'), status: 200, headers: { 'content-type': 'text/html' } })
    expect(textOf(page)).toContain(word)
    expect(requests.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => 'GET /robots.txt'))
  })

  test('fails above the size limit', async () => {
    const { url } = await rawSite(always(browsed[0]![1]))
    await expect(browser.fetchPage(url('/'), { maxBytes: 10 })).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })

  test('cannot redirect the browser to a forbidden address', async () => {
    const redirect = 'HTTP/1.1 302 Found\r\nX Y: 1\r\nLocation: http://169.254.169.254/\r\n\r\n'
    const { url } = await rawSite(always(redirect))
    await expect(browser.fetchPage(url('/'))).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })

  test('is reported with the error of the browser if that cannot read it', async () => {
    const { url } = await rawSite(always('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'))
    await expect(browser.fetchPage(url('/'))).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      details: { reason: 'RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH' },
    })
  })
})

test('a site with outdated TLS versions is reported as such', async () => {
  const old = { ...selfSigned(localCertificate), maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' }
  const site = forTest(await listen(createTlsServer(old as TlsOptions)))
  await expect(browser.fetchPage(`https://${site.place}/`)).rejects.toMatchObject({
    code: 'SCRAPE_SSL_ERROR',
    message: 'No TLS connection could be agreed on with the site: version or cipher mismatch.',
  })
})

test.each([
  ['Content-Encoding: br', 'This text is not compressed.', /^CONTENT_DECODING_FAILED$/],
  ['Transfer-Encoding: chunked', 'This text is not chunked.', /^(?:INVALID|INCOMPLETE)_CHUNKED_ENCODING$/],
  ['Content-Length: 50', '', /^CONTENT_LENGTH_MISMATCH$/],
])('a body that does not match %s fails instead of returning an empty page', async (coding, body, reason) => {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${coding}\r\nConnection: close\r\n\r\n`
  const { url } = await rawSite(always(head + body))
  const error = { code: 'SCRAPE_SITE_ERROR', details: { reason: expect.stringMatching(reason) } }
  await expect(browser.fetchPage(url('/'))).rejects.toMatchObject(error)
  await expect(browser.render(url('/'))).rejects.toMatchObject(error)
})

test('a site with HTTP/2 only is read', async () => {
  const site = forTest(
    await listen(createSecureServer(selfSigned(localCertificate), (_, response) => response.end(word))),
  )
  const page = await browser.fetchPage(`https://${site.place}/`, { skipTlsVerification: true })
  expect(textOf(page)).toBe(word)
})
