import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { forAll } from '../helpers/for-all.ts'
import { key, serveToys } from './toys.ts'

const toys = forAll(() => serveToys({ health: async () => ({ jobs: 3 }) }))

type Body = { success: boolean; code?: string; error?: string; hint?: string; got?: unknown; details?: unknown }
const call = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(toys.server.url + path, { ...init, headers: { authorization: key, ...init.headers } })
  return { response, status: response.status, body: (await response.json()) as Body }
}
const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => call(path, { method: 'POST', body, headers })

describe('an operation over HTTP', () => {
  it('answers success with its output', async () => {
    const { status, body } = await post('/v2/toy/a%2Fb%20c/echo', '{"text":"hi"}')
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, got: { id: 'a/b c', text: 'hi', times: 1 } },
    })
  })

  it('merges query, body and path; the later one wins', async () => {
    const { body } = await post('/v2/toy/slot/echo?id=query&times=2&text=query', '{"id":"body","text":"body"}')
    expect(body.got).toEqual({ id: 'slot', text: 'body', times: 2 })
  })

  it('reports an invalid query value', async () => {
    const { status, body } = await call('/v2/toy?limit=many')
    expect({ status, code: body.code, details: body.details }).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      details: [{ path: ['limit'] }],
    })
  })
})

describe('a body', () => {
  it.each([
    ['{"text":"x"', 'application/json', 400, 'BAD_REQUEST_INVALID_JSON'],
    ['\u0000', 'application/json', 400, 'BAD_REQUEST_INVALID_JSON'],
    ['[1]', 'application/json', 400, 'BAD_REQUEST'],
    ['null', 'application/json', 400, 'BAD_REQUEST'],
    ['"x"', 'application/json', 400, 'BAD_REQUEST'],
    ['{"text":"x"}', 'text/plain', 400, 'BAD_REQUEST'],
    ['text=x', 'application/x-www-form-urlencoded', 400, 'BAD_REQUEST'],
    ['', 'application/json', 400, 'BAD_REQUEST'],
    ['', 'text/plain', 400, 'BAD_REQUEST'],
    ['{"text":"x"}', 'application/json; charset=utf-8', 200, undefined],
    ['{"text":"x"}', 'application/vnd.toy+json', 200, undefined],
    [`{"text":"${'x'.repeat(1000)}"}`, 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
  ])('%j as %s gets %i', async (sent, type, status, code) => {
    const { body, ...answer } = await post('/v2/toy/a/echo', sent, { 'content-type': type })
    expect({ status: answer.status, code: body.code }).toEqual({ status, code })
  })

  it('is accepted without a content type, and refused if it is not UTF-8', async () => {
    expect((await post('/v2/toy/a/echo', new TextEncoder().encode('{"text":"ü"}'), {})).body.got).toMatchObject({
      text: 'ü',
    })
    expect((await post('/v2/toy/a/echo', new Uint8Array([34, 255, 34]), {})).body.code).toBe('BAD_REQUEST_INVALID_JSON')
  })

  it('that is too large ends the connection, and its rest is not read', async () => {
    const headers = { authorization: key, 'content-type': 'application/json' }
    const answer = await fetch(`${toys.server.url}/v2/toy/a/echo`, { method: 'POST', body: 'x'.repeat(2000), headers })
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close'])
  })

  it.each([
    ['of a known length', 'content-length: 4000000', (piece: string) => piece, ''],
    ['of an unknown length', 'transfer-encoding: chunked', (piece: string) => `7A120\r\n${piece}\r\n`, '0\r\n\r\n'],
  ])(
    'that is large, slow and %s is answered even if the client sends all of it before it reads',
    async (_, length, framed, end) => {
      const socket = connect(Number(new URL(toys.server.url).port), '127.0.0.1')
      const head = ['POST /v2/toy/a/echo HTTP/1.1', 'host: 127.0.0.1', `authorization: ${key}`]
      const failures: Error[] = []
      socket.on('error', (error) => failures.push(error)).pause()
      socket.write(`${[...head, 'content-type: application/json', length].join('\r\n')}\r\n\r\n`)
      for (let sent = 0; sent < 8; sent++) {
        socket.write(framed('x'.repeat(500_000)))
        await sleep(150)
      }
      socket.write(end)
      expect(failures).toEqual([])
      const answered = once(socket, 'data')
      socket.resume()
      const [answer] = (await answered) as [Buffer]
      socket.destroy()
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    },
  )

  it('with unknown length is counted while it streams, and read no further than the limit', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(500).fill(32))
      },
    })
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } }
    const answer = await call('/v2/toy/a/echo', init as RequestInit)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    expect(sent).toBeGreaterThan(1)
    expect((await call('/v2/toy')).status).toBe(200)
  })
})

describe('an error', () => {
  it.each([
    ['JOB_NOT_FOUND', 404],
    ['INSUFFICIENT_CREDITS', 402],
    ['QUEUE_FULL', 429],
    ['REQUEST_CANCELLED', 499],
    ['REMOTE_UNAVAILABLE', 502],
    ['SCRAPE_DNS_RESOLUTION_ERROR', 200],
  ])('%s has status %i', async (how, status) => {
    const answer = await post('/v2/break', JSON.stringify({ how }))
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, code: how, details: { how } })
    expect(answer.body.hint).toBeTruthy()
  })

  it('has Retry-After if too many calls wait', async () => {
    const { response } = await post('/v2/break', '{"how":"QUEUE_FULL"}')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post('/v2/break', '{"how":"JOB_NOT_FOUND"}')).response.headers.has('retry-after')).toBe(false)
  })

  it('with an unknown cause logs it under an error id', async () => {
    const { status, body, response } = await post('/v2/break', '{"how":"x"}')
    const { errorId } = body.details as { errorId: string }
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'UNKNOWN_ERROR' })
    expect(body.error).toContain(errorId)
    expect(JSON.stringify(body)).not.toContain('secret cause')
    const line = toys.log.lines.find(({ level }) => level === 'error')
    expect(line?.facts).toMatchObject({ details: { errorId }, requestId: response.headers.get('x-request-id') })
    expect(String(line?.facts['cause'])).toContain('secret cause')
  })

  it('is returned for an unknown route, and for a known one with another method', async () => {
    expect(await call('/v2/nothing')).toMatchObject({ status: 404, body: { success: false, code: 'NOT_FOUND' } })
    const put = await call('/v2/toy/a', { method: 'PUT' })
    expect(put).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    expect(put.response.headers.get('allow')).toBe('GET, DELETE, HEAD, OPTIONS')
    expect((await call('/health', { method: 'POST' })).response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('an API key', () => {
  it.each([{}, { authorization: 'Bearer bad' }, { authorization: 'good' }])('%j is refused', async (headers) => {
    const response = await fetch(`${toys.server.url}/v2/toy`, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ success: false, code: 'UNAUTHORIZED' })
  })

  it('is required before the body is read', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(5000) }
    expect((await fetch(`${toys.server.url}/v2/toy/a/echo`, init)).status).toBe(401)
  })

  it('is not required for health and the API description', async () => {
    expect(await (await fetch(`${toys.server.url}/health`)).json()).toEqual({ status: 'ok', version: '1.2.3', jobs: 3 })
    expect(await (await fetch(`${toys.server.url}/openapi.json`)).json()).toEqual({ openapi: '3.1.1' })
  })
})

describe('every response', () => {
  it('has the standard headers, including errors', async () => {
    for (const path of ['/v2/toy', '/v2/nothing', '/health'])
      expect(Object.fromEntries((await call(path)).response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-type': 'application/json',
      })
  })

  it('is logged in one line, without query, body or key', async () => {
    await call('/v2/toy/secret-slot?token=hush', { headers: { 'x-request-id': 'logged' } })
    await call('/v2/files/hush')
    const line = toys.log.lines.find(({ facts }) => facts['requestId'] === 'logged')
    expect(line).toMatchObject({
      level: 'info',
      event: 'request',
      facts: { method: 'GET', path: '/v2/toy/secret-slot', status: 200 },
    })
    expect(line?.facts['ms']).toBeTypeOf('number')
    expect(JSON.stringify(toys.log.lines)).not.toMatch(/hush|Bearer good/)
  })
})
