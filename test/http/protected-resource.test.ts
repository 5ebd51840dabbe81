import { describe, expect, it } from 'vitest'
import { failure } from '../../src/kernel/error.ts'
import type { HttpAppOptions } from '../../src/surfaces/http/app.ts'
import { key, toyApp } from './toys.ts'

const issuer = 'https://login.example/realm'
const options: Partial<HttpAppOptions> = {
  authorizationServer: issuer,
  mcp: { fetch: async () => Response.json({}) },
  authenticate: async (authorization) => {
    if (authorization === 'Bearer narrow') throw failure('INSUFFICIENT_SCOPE')
    if (authorization === 'Bearer old') throw failure('UNAUTHORIZED', { message: 'The "token" has expired – sorry.' })
    if (authorization === 'Bearer early') throw failure('AUTHORIZATION_UNAVAILABLE')
    return authorization === key ? { id: 'team', key: 'test', permissions: [] } : undefined
  },
}
const ask = (path: string, authorization?: string, over: Partial<HttpAppOptions> = {}, method = 'GET') =>
  toyApp({ ...options, ...over }).request(`http://127.0.0.1${path}`, {
    method,
    headers: authorization === undefined ? {} : { authorization },
  })
const wellKnown = '/.well-known/oauth-protected-resource'

it.each(['', '/mcp'])('the metadata of the protected resource "%s" is open to all', async (path) => {
  const answer = await ask(wellKnown + path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toEqual({
    resource: `http://127.0.0.1${path}`,
    authorization_servers: [issuer],
    scopes_supported: ['gossamer'],
    bearer_methods_supported: ['header'],
    resource_name: 'Gossamer',
  })
})

const metadata = (path: string) => `resource_metadata="http://127.0.0.1${wellKnown}${path}", scope="gossamer"`

describe('a refusal', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/v2/toy', ''],
  ])('of %s names the authorization server without an error, if no token was sent', async (path, resource) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `Bearer ${metadata(resource)}`])
  })

  it.each([
    ['old', 401, 'error="invalid_token", error_description="The token has expired  sorry."'],
    ['bad', 401, 'error="invalid_token", error_description="The API key is missing or invalid."'],
    ['narrow', 403, 'error="insufficient_scope", error_description="The access token lacks the required scope."'],
  ])('of the token %s has status %i and a reason', async (token, status, fault) => {
    const answer = await ask('/mcp', `Bearer ${token}`)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      status,
      `Bearer ${metadata('/mcp')}, ${fault}`,
    ])
  })

  it('asks the client to retry with the same token if the signing keys are missing', async () => {
    const { status, headers } = await ask('/mcp', 'Bearer early')
    expect([status, headers.get('retry-after'), headers.get('www-authenticate')]).toEqual([503, '10', null])
  })
})
