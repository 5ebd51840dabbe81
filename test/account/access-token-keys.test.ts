import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import { type AccessTokens, openAccessTokens } from '../../src/app/wiring/open-account.ts'
import { signed, type SigningKey, signingKey, startAuthorizationServer } from '../helpers/authorization-server.ts'
import { forEach, forTest } from '../helpers/for-all.ts'

let now = 0
let first: SigningKey
let second: SigningKey
const path = '/realms/web'
const metadataPath = `/.well-known/oauth-authorization-server${path}`

beforeAll(async () => {
  ;[first, second] = await Promise.all([signingKey('ES256', 'first'), signingKey('ES256', 'second')])
})
beforeEach(() => void (now = 1_800_000_000_000))
const server = forEach(() => startAuthorizationServer(first, path))

function open(env: Record<string, string> = {}): AccessTokens {
  const settings = { GOSSAMER_OAUTH_ISSUER: server.issuer, GOSSAMER_OAUTH_AUDIENCE: 'web', ...env }
  return forTest(openAccessTokens(readConfig({}, settings), { now: () => now })!)
}
const tokenOf = (key: SigningKey) =>
  signed({ key, claims: { iss: server.issuer, aud: 'web', sub: 'acme', scope: 'gossamer', exp: now / 1000 + 86_400 } })
const reads = () => server.requests.filter((url) => url === '/keys').length
const unavailable = { code: 'AUTHORIZATION_UNAVAILABLE', status: 503 }

describe('signing keys', () => {
  test('are fetched once, when the first token arrives', async () => {
    const tokens = open()
    expect(server.requests).toEqual([])
    const token = await tokenOf(first)
    await Promise.all([1, 2, 3].map(() => tokens.find(token)))
    await tokens.find(token)
    expect(server.requests).toEqual([metadataPath, '/keys'])
  })

  test('are fetched again for an unknown id, but at most every ten seconds', async () => {
    const tokens = open()
    const [old, fresh] = await Promise.all([tokenOf(first), tokenOf(second)])
    await tokens.find(old)
    server.published = [second.publicJwk]
    await expect(tokens.find(fresh)).rejects.toThrow('does not publish')
    expect(reads()).toBe(1)
    now += 10_000
    expect(await Promise.all([tokens.find(fresh), tokens.find(fresh)])).toHaveLength(2)
    await expect(tokens.find(old)).rejects.toThrow('does not publish')
    expect(reads()).toBe(2)
  })

  test('that were withdrawn are accepted for ten minutes at most', async () => {
    const tokens = open()
    const old = await tokenOf(first)
    await tokens.find(old)
    server.published = [second.publicJwk]
    now += 599_999
    await tokens.find(old)
    now += 1
    await expect(tokens.find(old)).rejects.toThrow('does not publish')
  })

  test('are accepted for an hour while they cannot be fetched, and are fetched again as soon as possible', async () => {
    const tokens = open()
    const token = await tokenOf(first)
    await tokens.find(token)
    server.answers.set('/keys', { status: 500 })
    now += 3_599_999
    await tokens.find(token)
    now += 10_000
    await expect(tokens.find(token)).rejects.toMatchObject(unavailable)
    server.answers.clear()
    now += 10_000
    await tokens.find(token)
  })

  test.each([`/.well-known/openid-configuration${path}`, `${path}/.well-known/openid-configuration`])(
    'are found by the OpenID metadata at %s',
    async (place) => {
      server.answers.set(metadataPath, { status: 404 })
      const body = JSON.stringify({ issuer: server.issuer, jwks_uri: `${new URL(server.issuer).origin}/keys` })
      server.answers.set(place, { body })
      await open().find(await tokenOf(first))
    },
  )
})

const metadata = (over: object) => ({ body: JSON.stringify({ issuer: server.issuer, jwks_uri: 'x', ...over }) })

describe('keys are not accepted', () => {
  test.each<[string, string, () => { status?: number; body?: string; headers?: Record<string, string> }]>([
    ['another issuer', metadataPath, () => metadata({ issuer: 'https://else.example' })],
    ['jwks_uri', metadataPath, () => metadata({})],
    ['cannot be read: The address is private', metadataPath, () => metadata({ jwks_uri: 'http://10.0.0.1/keys' })],
    ['no JSON', '/keys', () => ({ body: '<html>' })],
    ['not return a JSON Web Key Set', '/keys', () => ({ body: '{"keys":{}}' })],
    ['status 302', '/keys', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/keys' } })],
    ['cannot be read', '/keys', () => ({ body: `{"keys":[],"x":"${'x'.repeat(300_000)}"}` })],
  ])('and the error says: %s', async (says, place, answer) => {
    server.answers.set(place, answer())
    const tokens = open()
    await expect(tokens.find(await tokenOf(first))).rejects.toMatchObject(unavailable)
    await expect(tokens.tryKeys()).rejects.toThrow(says)
  })

  test('from a failing server, which is called at most every ten seconds', async () => {
    const tokens = open()
    server.answers.set(metadataPath, { status: 500 })
    const token = await tokenOf(first)
    await expect(tokens.find(token)).rejects.toMatchObject(unavailable)
    await expect(tokens.find(token)).rejects.toMatchObject(unavailable)
    expect(server.requests.filter((url) => url === metadataPath)).toHaveLength(1)
  })
})
