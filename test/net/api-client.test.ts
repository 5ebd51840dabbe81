import type { ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createAddressRule } from '../../src/engine/net/address-rule.ts'
import { type ApiClientOptions, type ApiRequest, createApiClient } from '../../src/engine/net/http/api-client.ts'
import { failureOf } from '../helpers/fakes.ts'
import { type Answer, startReceiver } from '../webhook/kit.ts'
import { forTest } from '../helpers/for-all.ts'
import { names } from './fetching.ts'
import { answer as answered, rawSite, reset } from './raw-site.ts'

async function startService(answer: Answer) {
  const receiver = await startReceiver(answer)
  return { ...receiver, origin: `http://127.0.0.1:${receiver.port}` }
}

function clientOf({
  allowHosts = ['127.0.0.1'],
  ...options
}: Partial<ApiClientOptions> & { allowHosts?: string[] } = {}) {
  const client = forTest(
    createApiClient({
      rule: createAddressRule(allowHosts),
      userAgent: 'gossamer-test/1',
      trusted: [],
      lookup: names({}),
      ...options,
    }),
  )
  return (url: string, request: Partial<ApiRequest> = {}) =>
    client.call({ url, method: 'GET', signal: new AbortController().signal, ...request })
}

const saying =
  (text: string): Answer =>
  (_, response) =>
    void response.end(text)

describe('a call', () => {
  test('returns status, headers and body, and identifies the program', async () => {
    const service = await startService((_, response) => void response.writeHead(201, { 'X-One': '1' }).end('{"a":"ü"}'))
    const answer = await clientOf()(`http://me:pass@127.0.0.1:${service.port}/a?b=c#d`, {
      method: 'POST',
      headers: { 'X-API-Key': 'k', Accept: 'text/xml' },
      body: '{"q":"naïve"}',
    })
    expect(answer).toMatchObject({ status: 201, headers: { 'x-one': '1' }, text: '{"a":"ü"}' })
    expect(service.requests).toMatchObject([{ method: 'POST', url: '/a?b=c', body: '{"q":"naïve"}' }])
    expect(service.requests[0]!.headers).toMatchObject({
      'user-agent': 'gossamer-test/1',
      'x-api-key': 'k',
      accept: 'text/xml',
      authorization: `Basic ${Buffer.from('me:pass').toString('base64')}`,
    })
  })

  test.each([
    { coding: 'gzip', pack: gzipSync },
    { coding: 'br', pack: brotliCompressSync },
  ])('unpacks $coding', async ({ coding, pack }) => {
    const packed = pack(Buffer.from('{"a":1}'))
    const { origin } = await startService(
      (_, response) => void response.writeHead(200, { 'content-encoding': coding }).end(packed),
    )
    expect(await clientOf()(origin)).toMatchObject({ text: '{"a":1}' })
  })
})

const steps: Answer = ({ url }, response) => {
  const left = Number(url.slice(1))
  if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
  else response.end('there')
}

describe('a redirect', () => {
  test('is followed three times', async () => {
    const { origin, requests } = await startService(steps)
    const call = clientOf()
    expect(await call(`${origin}/3`, { headers: { 'x-api-key': 'k' } })).toMatchObject({ status: 200, text: 'there' })
    expect(requests.at(-1)!.headers['x-api-key']).toBe('k')
    expect(await call(`${origin}/4`)).toMatchObject({ status: 302 })
    expect(requests).toHaveLength(8)
  })

  test('to another origin or after a POST is returned as the answer', async () => {
    const other = await startService(saying('other'))
    const service = await startService(
      (_, response) => void response.writeHead(307, { location: `${other.origin}/` }).end('gone'),
    )
    expect(await clientOf()(service.origin)).toMatchObject({ status: 307, text: 'gone' })
    expect(await clientOf()(service.origin, { method: 'POST', body: '{}' })).toMatchObject({ status: 307 })
    expect(other.requests).toEqual([])
  })
})

test.each(['GET', 'POST'] as const)('a %s is repeated after a reset only if it is a GET', async (method) => {
  const { requests, url } = await rawSite([reset, answered('again')])
  const got = await clientOf()(url('/'), { method, ...(method === 'POST' && { body: '{}' }) }).catch(
    (error: unknown) => error,
  )
  expect(got).toMatchObject(method === 'GET' ? { text: 'again' } : { code: 'SCRAPE_ALL_ENGINES_FAILED' })
  expect(requests).toHaveLength(method === 'GET' ? 2 : 1)
})

describe('a call fails', () => {
  test.each(['http://0x7f.1/', 'http://localhost/', 'ftp://a.example/'])('for the private address %s', async (url) => {
    expect(await failureOf(clientOf({ allowHosts: [] })(url))).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })

  test('if its host name leads to a private address', async () => {
    const lookup: LookupFunction = names({ 'api.example.org': [['127.0.0.1']] })
    expect(await failureOf(clientOf({ allowHosts: [], lookup })('http://api.example.org/'))).toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
  })

  test('if its address is next to a trusted one', async () => {
    const trustedService = await startService(saying('in'))
    const other = await startService(saying('out'))
    const call = clientOf({ allowHosts: [], trusted: [trustedService.origin] })
    expect(await call(`${trustedService.origin}/search`)).toMatchObject({ text: 'in' })
    expect(await failureOf(call(other.origin))).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    expect(other.requests).toEqual([])
  })

  test('except to a trusted name, whatever it resolves to', async () => {
    const { port } = await startService(saying('in'))
    const lookup = names({ searx: [['127.0.0.1']], 'other.example.org': [['127.0.0.1']] })
    const call = clientOf({ allowHosts: [], lookup, trusted: [`http://searx:${port}`] })
    expect(await call(`http://searx:${port}/`)).toMatchObject({ text: 'in' })
    expect(await failureOf(call(`http://other.example.org:${port}/`))).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })

  test('if the answer is too large, compressed or not', async () => {
    const large = Buffer.alloc(6_000_000)
    const plain = await startService((_, response) => void response.end(large))
    expect(await failureOf(clientOf()(plain.origin))).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    expect(await clientOf()(plain.origin, { maxBytes: 7_000_000 })).toMatchObject({ status: 200 })
    const bomb = await startService(
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large)),
    )
    expect(await failureOf(clientOf()(bomb.origin))).toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })

  test.each([
    { when: 'silence', answer: () => {} },
    {
      when: 'an answer that stops',
      answer: (_: unknown, response: ServerResponse) => void response.writeHead(200).write('{'),
    },
  ])('after its timeout, for $when', async ({ answer }) => {
    const { origin } = await startService(answer)
    const error = await failureOf(clientOf()(origin, { timeoutMs: 100 }))
    expect(error).toMatchObject({
      code: 'SCRAPE_ALL_ENGINES_FAILED',
      message: 'There was no answer within 0.1 s.',
      cause: { name: 'TimeoutError' },
    })
  })

  test('with the reason of its signal, before and during the call', async () => {
    const stop = new AbortController()
    const { origin, requests } = await startService((_, response) => {
      response.writeHead(200).write('{')
      stop.abort(new Error('enough'))
    })
    const call = clientOf()
    expect(await failureOf(call(origin, { signal: stop.signal }))).toMatchObject({ message: 'enough' })
    expect(await failureOf(call(origin, { signal: stop.signal }))).toMatchObject({ message: 'enough' })
    expect(requests).toHaveLength(1)
  })

  test('if its host does not exist, or its URL is invalid', async () => {
    expect(await failureOf(clientOf()('http://nowhere.example.org/'))).toMatchObject({
      code: 'SCRAPE_DNS_RESOLUTION_ERROR',
    })
    expect(await failureOf(clientOf()('no url'))).toMatchObject({ code: 'BAD_REQUEST' })
  })
})
