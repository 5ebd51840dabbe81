import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { client, names, textOf } from './fetching.ts'
import { rawSite, reset, type Step } from './raw-site.ts'
import { browsed, tolerated, word } from './tolerant-answers.ts'

const ending =
  (answer: string): Step =>
  (socket) =>
    void socket.end(answer, 'latin1')
const twice = (answer: string) => [ending(answer), ending(answer)]

describe('a page is read', () => {
  test.each(tolerated)('with %s', async (_, answer) => {
    const { url, requests } = await rawSite(twice(answer))
    expect(textOf(await client()(url('/page')))).toContain(word)
    expect(requests.map(({ text }) => text)).toEqual(['GET /page', 'GET /page'])
  })

  test.each([...browsed, ['a reset', ''] as const])('by a browser, with %s', async (_, answer) => {
    const step = answer === '' ? reset : ending(answer)
    const { url, requests } = await rawSite([step, step])
    const requestedUrls: string[] = []
    const get = client({
      async browse(request) {
        requestedUrls.push(request.url)
        return { url: request.url, status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(word) }
      },
    })
    expect(textOf(await get(url('/page')))).toBe(word)
    expect(requestedUrls).toEqual([url('/page')])
    expect(requests).toHaveLength(2)
  })
})

test('the parser that a site needs is used immediately for its next page', async () => {
  const [, folded] = tolerated[0]!
  const { url, requests } = await rawSite([...twice(folded), ending(folded)])
  const get = client()
  await get(url('/1'))
  await get(url('/2'))
  expect(requests.map(({ text }) => text)).toEqual(['GET /1', 'GET /1', 'GET /2'])
})

test('a connection that was read tolerantly is not reused', async () => {
  const [, folded] = tolerated[0]!
  const body = folded.replace('Connection: close', 'Connection: keep-alive')
  const kept: Step = (socket) => void socket.write(body.replace('\r\n\r\n', '\r\nContent-Length: 20\r\n\r\n'))
  const { url, requests } = await rawSite([kept, kept, kept])
  const get = client()
  await get(url('/1'))
  await get(url('/2'))
  expect(requests.map(({ connection }) => connection)).toEqual([1, 2, 3])
})

test('a page from a browser is reported as cut off if the gzip that is left in it is cut off', async () => {
  const { url } = await rawSite([reset, reset])
  const body = gzipSync(`<p>${Array.from({ length: 400 }, (_, nth) => Math.sqrt(nth)).join(' ')}</p>`).subarray(0, -99)
  const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
  const get = client({ browse: async (request) => ({ url: request.url, status: 200, headers, body }) })
  expect(await get(url('/page'))).toMatchObject({ faults: ['cut off'] })
})

test('a status of 000 is no unexpected error', async () => {
  const { url } = await rawSite(twice('HTTP/1.1 000 X\r\nContent-Type: text/html\r\n\r\nx'))
  await expect(client()(url('/page')).then(({ status }) => status)).resolves.toBe(0)
})

test.each([
  ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'],
  ['nothing', ''],
])('a site that answers with %s fails instead of never ending', async (_, answer) => {
  const { url } = await rawSite(twice(answer))
  await expect(client()(url('/page'))).rejects.toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' })
})

const browse = () => Promise.reject(new Error('The browser was used.'))
describe('no request is repeated', () => {
  test('to an unknown host', async () => {
    const failed = client({ browse, lookup: names({}), allowHosts: ['*'] })('http://nobody.example/')
    await expect(failed).rejects.toMatchObject({ code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
  })

  test('to a refused address', async () => {
    const failed = client({ browse, allowHosts: [] })('http://127.0.0.1:1/')
    await expect(failed).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })
})

test('a request whose time is over does not wait for the handshake of the second connection', async () => {
  const { url, sockets } = await rawSite([])
  const late = AbortSignal.timeout(500)
  const failed = client({ connectTimeoutMs: 60_000 })(url('/').replace('http:', 'https:'), { signal: late })
  while (sockets.length === 0) await sleep(5)
  sockets[0]!.end('This is not TLS.')
  await expect(failed).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(sockets).toHaveLength(2)
})

test('the tolerant parser follows no redirect to a refused address', async () => {
  const answer = 'HTTP/1.1 302 Found\nLocation: http://169.254.169.254/\n\n'
  const { url, host } = await rawSite(twice(answer))
  const failed = client({ allowHosts: [host] })(url('/'))
  await expect(failed).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
})
