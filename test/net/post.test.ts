import { describe, expect, test } from 'vitest'
import { failureOf, open } from '../helpers/fakes.ts'
import { startSite } from '../helpers/site.ts'
import { localCertificate } from '../helpers/site/self-signed.ts'
import { poster, startReceiver } from '../webhook/kit.ts'
import { rawSite } from './raw-site.ts'
import { forTest } from '../helpers/for-all.ts'
import { names } from './fetching.ts'

const requestTo = (url: string, changes: object = {}) => ({
  url,
  teamId: 'team',
  headers: {},
  body: '{}',
  timeoutMs: 10_000,
  signal: new AbortController().signal,
  ...changes,
})

describe('a post', () => {
  test('sends body and headers, and a user agent', async () => {
    const receiver = await startReceiver()
    const url = `http://me:pass%20word@127.0.0.1:${receiver.port}/a/b?c=d#e`
    const headers = { 'content-type': 'application/json', 'X-One': '1', ACCEPT: 'text/plain' }
    expect(await poster().post(requestTo(url, { headers, body: '{"a":"naïve"}' }))).toEqual({ status: 200 })
    expect(receiver.requests).toEqual([
      { method: 'POST', url: '/a/b?c=d', headers: expect.anything(), body: '{"a":"naïve"}' },
    ])
    expect(receiver.requests[0]?.headers).toMatchObject({
      'user-agent': 'gossamer-test/1',
      'content-type': 'application/json',
      'content-length': '14',
      'x-one': '1',
      accept: 'text/plain',
      authorization: `Basic ${Buffer.from('me:pass word').toString('base64')}`,
    })
  })

  test('closes its connection, because it accepts malformed HTTP', async () => {
    const site = forTest(await startSite({ routes: { '/hook': ({ response }) => void response.end('ok') } }))
    const { post } = poster()
    for (let nth = 0; nth < 3; nth++) await post(requestTo(site.url('/hook')))
    expect(new Set(site.requests.map(({ connection }) => connection)).size).toBe(3)
  })

  test.each([
    ['a folded header', 'HTTP/1.1 202 Accepted\r\nx-a: 1\r\n  two\r\ncontent-length: 0\r\n\r\n', { status: 202 }],
    ['lines that end with LF alone', 'HTTP/1.1 204 No Content\nx-a: 1\n\n', { status: 204 }],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
      { code: 'SCRAPE_ALL_ENGINES_FAILED' },
    ],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', { code: 'SCRAPE_SITE_ERROR' }],
  ])('is sent once if the answer has %s', async (_, answer, outcome) => {
    const { requests, url } = await rawSite([(socket) => void socket.end(answer)])
    const got = await poster()
      .post(requestTo(url('/hook')))
      .catch((error: unknown) => error)
    expect(got).toMatchObject(outcome)
    expect(requests).toHaveLength(1)
  })

  test('reads little of an endless answer, and disconnects', async () => {
    const hungUp = open<number>()
    const chunk = Buffer.alloc(16_384)
    const receiver = await startReceiver((_, response) => {
      const state = { sent: 0 }
      const more = () => {
        while (!response.destroyed && response.write(chunk)) state.sent += chunk.length
      }
      response.on('drain', more).on('close', () => hungUp.give(state.sent))
      more()
    })
    expect(await poster().post(requestTo(receiver.url()))).toEqual({ status: 200 })
    // The buffers of the system between the two ends take a few megabytes of the answer.
    expect(await hungUp.promise).toBeLessThan(32 * 2 ** 20)
  })
})

describe('a post fails', () => {
  test('when the receiver does not answer in time', async () => {
    const receiver = await startReceiver(() => {})
    expect(await failureOf(poster().post(requestTo(receiver.url(), { timeoutMs: 100 })))).toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      message: 'There was no answer within 0.1 s.',
    })
  })

  test('when the connection is closed before an answer, and is not repeated', async () => {
    const receiver = await startReceiver((_, response) => response.destroy())
    expect(await failureOf(poster().post(requestTo(receiver.url())))).toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      message: 'The site closed the connection before the answer was complete.',
    })
    expect(receiver.requests).toHaveLength(1)
  })

  test('when its certificate cannot be verified', async () => {
    const site = forTest(await startSite({ certificate: localCertificate }))
    expect(await failureOf(poster().post(requestTo(site.url('/plain'))))).toMatchObject({ code: 'SCRAPE_SSL_ERROR' })
  })
})

describe('a closed address gets no post', () => {
  const refusal = { code: 'SCRAPE_ADDRESS_REFUSED', status: 403 }

  test.each(['http://[::ffff:7f00:1]/', 'http://localhost/', 'file:///etc/passwd'])('when it is %s', async (url) => {
    expect(await failureOf(poster({ allowHosts: [] }).post(requestTo(url)))).toMatchObject(refusal)
  })

  test.each(['127.0.0.2', '::ffff:127.0.0.1'])('when a name resolves to %s', async (address) => {
    const lookup = names({ 'hook.example.com': [[address]] })
    const { post } = poster({ allowHosts: [], lookup })
    expect(await failureOf(post(requestTo('http://hook.example.com/')))).toMatchObject(refusal)
  })
})
