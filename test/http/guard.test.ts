import { describe, expect, it } from 'vitest'
import { forAll } from '../helpers/for-all.ts'
import { ask, serveToys, toyApp } from './toys.ts'

const toys = forAll(serveToys)

const good = 'https://good.example'

describe('the Host header', () => {
  it.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:9', 200],
    ['toys.example:8443', 200],
    ['TOYS.example:8443', 200],
    ['toys.example', 403],
    ['toys.example:1', 403],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost', 403],
  ])('%s gets %i', async (host, status) => {
    for (const path of ['/health', '/v2/toy', '/mcp'])
      expect((await ask(toys.server.url + path, { headers: { host } })).status).toBe(
        path === '/mcp' && status === 200 ? 404 : status,
      )
  })

  it('is also checked in the request line', async () => {
    const response = await toyApp().request('http://evil.example/health', { headers: { host: '127.0.0.1' } })
    expect(response.status).toBe(403)
  })

  it.each([
    [['*'], 'http://any.example/health', 200],
    [['::1'], 'http://[::1]:3000/health', 200],
    [['[::1]'], 'http://[::1]/health', 200],
    [['[::1]:5'], 'http://[::1]:6/health', 403],
    [['::1'], 'http://[::2]/health', 403],
    [[], 'http://127.0.0.1/health', 403],
  ])('%j with %s gets %i', async (allowedHosts, url, status) => {
    expect((await toyApp({ allowedHosts }).request(url)).status).toBe(status)
  })
})

const statusOf = async (access: 'by key' | 'open', host: string) =>
  (await toyApp({ allowedHosts: [], access }).request(`http://${host}/health`, { headers: { host } })).status

describe('a host name that no web site can have', () => {
  it.each(['gossamer:3002', 'host.docker.internal', 'nas.local:3002', 'a.home.arpa', '172.18.0.2:3002', '[fd00::2]'])(
    '%s is served only if every call needs a key',
    async (host) => expect([await statusOf('by key', host), await statusOf('open', host)]).toEqual([200, 403]),
  )

  it.each(['evil.example', 'internal.evil.example', '1.2.3.4.evil.example', 'localhost.evil.example', 'a.b'])(
    '%s is always refused',
    async (host) => expect(await statusOf('by key', host)).toBe(403),
  )
})

describe('the Origin header', () => {
  it.each([
    [good, 200],
    ['https://evil.example', 403],
    ['https://good.example.evil.example', 403],
    ['http://good.example', 403],
    ['null', 403],
    ['http://127.0.0.1', 403],
  ])('%s gets %i', async (origin, status) => {
    const answer = await ask(`${toys.server.url}/v2/toy`, { headers: { origin } })
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBe(status === 200 ? origin : undefined)
  })

  it('gets its CORS headers on errors as well, and is named in Vary', async () => {
    const { headers } = await ask(`${toys.server.url}/v2/nothing`, { headers: { origin: good } })
    expect(headers).toMatchObject({ 'access-control-allow-origin': good, vary: 'Origin' })
  })
})

const preflight = (origin: string) =>
  ask(`${toys.server.url}/v2/toy/a/echo`, {
    method: 'OPTIONS',
    headers: {
      origin,
      authorization: '',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-any',
    },
  })

describe('a preflight', () => {
  it('from an allowed origin gets the allowed headers without a key', async () => {
    const { status, headers } = await preflight(good)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': good,
      'access-control-allow-headers': 'authorization,x-any',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('from another origin gets no headers', async () => {
    const { status, headers } = await preflight('https://evil.example')
    expect(status).toBe(403)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
