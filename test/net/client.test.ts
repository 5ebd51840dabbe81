import { describe, expect, test } from 'vitest'
import { createFetcher } from '../../src/engine/net/http/client.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { startSite } from '../helpers/site.ts'
import { client, textOf } from './fetching.ts'
import { ruleForAll } from './rule-for-all.ts'

const site = siteForAll()

const lastRequest = () => site.requests.at(-1)
const sent = async (headers: Record<string, string>) => {
  await client()(site.url('/plain'), { headers })
  return lastRequest()?.headers ?? {}
}

test('header names are returned in lower case, repeated headers joined', async () => {
  const own = await startSite({
    routes: { '/': ({ response }) => void response.writeHead(204, { 'X-One': ['a', 'b'], ETag: '"x"' }).end() },
  })
  expect((await client()(own.origin)).headers).toMatchObject({ 'x-one': 'a, b', etag: '"x"' })
  await own.close()
})

test('keeps connections for the next requests', async () => {
  const get = client()
  const before = site.requests.length
  for (const path of ['/plain', '/coded/br', '/json', '/status/404', '/empty', '/text']) await get(site.url(path))
  await get(site.url('/redirect/chain/5'))
  const connections = site.requests.slice(before).map(({ connection }) => connection)
  expect(connections).toHaveLength(12)
  expect(new Set(connections).size).toBeLessThanOrEqual(2)
  expect(new Set(connections.slice(-6)).size).toBe(1)
})

test('a request is repeated once if the site closes a kept connection before it answers, then reported', async () => {
  const before = site.requests.length
  await expect(client()(site.url('/cut-before-headers'))).rejects.toMatchObject({
    code: 'SCRAPE_ALL_ENGINES_FAILED',
    message: 'The site closed the connection before the answer was complete.',
  })
  expect(site.requests.length - before).toBe(2)
})

describe('request headers', () => {
  test('include a user agent and accepted types, unless the caller sets them', async () => {
    expect(await sent({})).toMatchObject({
      'user-agent': 'gossamer-test/1',
      accept: expect.stringContaining('text/html'),
      'accept-language': expect.any(String),
      'accept-encoding': 'gzip, deflate, br, zstd',
    })
    expect(await sent({ 'User-Agent': 'me/1', ACCEPT: 'text/plain' })).toMatchObject({
      'user-agent': 'me/1',
      accept: 'text/plain',
    })
  })

  test('about the connection or the body are set by the client only', async () => {
    const headers = await sent({
      Host: 'evil.example',
      'Content-Length': '5',
      'Transfer-Encoding': 'chunked',
      Connection: 'close, x-secret',
      'Keep-Alive': 'x',
      TE: 'trailers',
      Upgrade: 'h2c',
      Expect: '100-continue',
      'Accept-Encoding': 'lzma',
    })
    expect(headers).toMatchObject({
      host: `127.0.0.1:${site.port}`,
      connection: 'keep-alive',
      'accept-encoding': 'gzip, deflate, br, zstd',
    })
    for (const name of ['content-length', 'transfer-encoding', 'keep-alive', 'te', 'upgrade', 'expect'])
      expect(headers).not.toHaveProperty(name)
  })

  test.each(['a\r\nX-Injected: 1', 'a\nb', 'a\0b', 'a\x7fb', '日本'])(
    'with the value %j are refused by name',
    async (value) => {
      const before = site.requests.length
      await expect(client()(site.url('/plain'), { headers: { 'X-Mark': value } })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'The value of header "x-mark" has characters that HTTP does not allow.',
        details: { header: 'x-mark' },
      })
      expect(site.requests.length).toBe(before)
    },
  )

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'ä'])('named %j are refused', async (name) => {
    await expect(client()(site.url('/plain'), { headers: { [name]: 'x' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
})

describe('a site that fails', () => {
  const impatient = { headersTimeoutMs: 100, bodyTimeoutMs: 100, connectTimeoutMs: 1000 }
  test.each([
    ['/hang', 'SCRAPE_ALL_ENGINES_FAILED', 'The site took the request but did not begin to answer.'],
    ['/not-http', 'SCRAPE_SITE_ERROR', 'The answer of the site is not valid HTTP.'],
  ])('like %s is reported as %s: %s', async (path, code, message) => {
    await expect(client(impatient)(site.url(path))).rejects.toMatchObject({ code, message })
  })

  test.each(['/hang-after-headers', '/cut-in-body', '/long-content-length'])(
    'in the middle of a body, like %s, gets a second request, and the part that arrived is returned',
    async (path) => {
      const before = site.requests.length
      expect(await client(impatient)(site.url(path))).toMatchObject({ status: 200, faults: ['cut off'] })
      expect(site.requests.length - before).toBe(2)
    },
  )

  test('by sending more than it declared is read up to the declared length', async () => {
    expect(textOf(await client()(site.url('/short-content-length')))).toBe('hello')
  })

  test('because no server listens is reported as refusing the connection', async () => {
    const gone = await startSite()
    await gone.close()
    await expect(client()(gone.origin)).rejects.toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      message: 'The site refused the connection.',
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

describe('an abort', () => {
  test.each(['/hang', '/hang-after-headers', '/drip'])(
    'ends %s with its reason and closes the connection',
    async (path) => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const before = site.requests.length
      const fetching = client()(site.url(path), { signal: controller.signal })
      await expect.poll(() => site.requests.length).toBeGreaterThan(before)
      controller.abort(reason)
      await expect(fetching).rejects.toBe(reason)
      await expect.poll(() => site.requests[before]?.closed).toBe(true)
    },
  )

  test('by a deadline ends a site that sends a byte at a time', async () => {
    const fetching = client()(site.url('/drip'), { signal: AbortSignal.timeout(200) })
    await expect(fetching).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect.poll(() => lastRequest()?.closed).toBe(true)
  })
})

test('closing the client ends requests in progress', async () => {
  const fetcher = createFetcher({ ruleOf: ruleForAll(['127.0.0.1']), userAgent: 'x' })
  const before = site.requests.length
  const { signal } = new AbortController()
  const fetching = fetcher.fetchPage({
    url: site.url('/hang'),
    teamId: 'team',
    headers: {},
    skipTlsVerification: false,
    maxBytes: 1,
    signal,
  })
  const failing = expect(fetching).rejects.toThrow()
  await expect.poll(() => site.requests.length).toBeGreaterThan(before)
  await fetcher.close()
  await failing
})
