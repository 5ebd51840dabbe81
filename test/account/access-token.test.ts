import { createSecretKey } from 'node:crypto'
import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/read-config.ts'
import { openAccessTokens } from '../../src/app/wiring/open-account.ts'
import { signed, type SigningKey, signingKey, startAuthorizationServer } from '../helpers/authorization-server.ts'
import { forAll } from '../helpers/for-all.ts'

const nowSeconds = 1_800_000_000
const clock = { now: () => nowSeconds * 1000 }
let rsa: SigningKey
let elliptic: SigningKey
let foreign: SigningKey

const open = (env: Record<string, string> = {}) =>
  openAccessTokens(
    readConfig({}, { GOSSAMER_OAUTH_ISSUER: server.issuer, GOSSAMER_PUBLIC_URL: 'https://web.example', ...env }),
    clock,
  )!

beforeAll(async () => {
  ;[rsa, elliptic, foreign] = await Promise.all([signingKey('RS256'), signingKey('ES256'), signingKey('RS256')])
})
const server = forAll(async () => {
  const started = await startAuthorizationServer(rsa)
  started.published.push(elliptic.publicJwk)
  return started
})
const tokens = forAll(() => open())

const claims = (over: object = {}): JWTPayload => ({
  iss: server.issuer,
  sub: 'acme',
  aud: 'https://web.example/mcp',
  exp: nowSeconds + 60,
  scope: 'gossamer',
  ...over,
})
const token = (over: object = {}, header: Record<string, unknown> = {}) =>
  signed({ key: rsa, claims: claims(over), header })

describe('an access token', () => {
  test.each(['RS256', 'ES256'])('signed by %s belongs to the team of its subject', async (alg) => {
    const key = alg === 'RS256' ? rsa : elliptic
    const owner = await tokens.find(await signed({ key, claims: claims() }))
    expect(owner).toEqual({ name: 'oauth', teamId: 'acme', permissions: [] })
  })

  test.each(['https://web.example', 'https://web.example/', ['https://else.example', 'https://web.example/mcp']])(
    'is accepted for the audience %j',
    async (aud) => expect(await tokens.find(await token({ aud }))).toMatchObject({ teamId: 'acme' }),
  )

  test('is valid up to thirty seconds before and after its times', async () => {
    expect(await tokens.find(await token({ exp: nowSeconds - 29, nbf: nowSeconds + 29 }))).toBeDefined()
  })

  test.each<[string, object]>([
    ['scope', { scope: 'openid gossamer gossamer:localFiles gossamer:admin gossamer:nonsense' }],
    ['scp', { scope: undefined, scp: 'gossamer gossamer:localFiles' }],
    ['scp as a list', { scope: undefined, scp: ['gossamer', 'gossamer:localFiles', 7] }],
  ])('requests permissions by %s, but never to manage the server', async (_, over) => {
    expect((await tokens.find(await token(over))).permissions).toEqual(['localFiles'])
  })
})

const unsigned = (header: object, body: object) =>
  [header, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')

/** The public key as the secret of an HMAC, in the form that confused verifiers would use. */
async function confused(): Promise<string> {
  const spki = await exportSPKI((await importJWK({ ...rsa.publicJwk, ext: true }, 'RS256')) as CryptoKey)
  return new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: rsa.kid })
    .sign(createSecretKey(Buffer.from(spki)))
}

/** A token whose header contains the key that it is signed with. */
const bringsItsKey = () =>
  signed({ key: foreign, claims: claims(), header: { jwk: foreign.publicJwk, kid: undefined } })

const extended = () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: rsa.alg, kid: rsa.kid, crit: ['x'], x: 1 })
    .sign(rsa.privateKey, { crit: { x: true } })

const refusals: [string, () => Promise<string> | string, string][] = [
  ['of another issuer', () => token({ iss: 'https://else.example' }), 'was issued by another server'],
  ['without an issuer', () => token({ iss: undefined }), 'was issued by another server'],
  ['for another audience', () => token({ aud: 'https://web.example.evil/mcp' }), 'is for another audience'],
  ['for no audience', () => token({ aud: undefined }), 'is for another audience'],
  ['that has expired', () => token({ exp: nowSeconds - 31 }), 'has expired'],
  ['that never expires', () => token({ exp: undefined }), 'does not say when it expires'],
  ['that is not valid yet', () => token({ nbf: nowSeconds + 31 }), 'is not valid yet'],
  ['signed with HS256 and the public key', confused, 'by a method that is not accepted'],
  ['without a signature', () => new UnsecuredJWT(claims()).encode(), 'by a method that is not accepted'],
  ['with the key of another server', () => signed({ key: foreign, claims: claims() }), 'has a wrong signature'],
  ['with a key that it brings along', bringsItsKey, 'has a wrong signature'],
  ['with an unknown key', () => token({}, { kid: 'unknown' }), 'that its server does not publish'],
  ['with an extension that must be understood', () => token({}, { crit: ['b64'], b64: true }), 'demands an extension'],
  ['with an extension that nobody knows', () => extended(), 'cannot be read'],
  ['with a changed body', async () => changed(await token()), 'has a wrong signature'],
  ['of another type', () => token({}, { typ: 'logout+jwt' }), 'is a token of another type'],
  ['that is bound to a key', () => token({ cnf: { jkt: 'x' } }), 'is bound to a key'],
  ['of the operator', () => token({ sub: 'local' }), 'names no team'],
  ['of a team whose name is none', () => token({ sub: 'a:b' }), 'names no team'],
  ['of a team that is no text', () => token({ sub: ['acme'] }), 'names no team'],
  ['of garbage', () => 'a.b.c', 'cannot be read'],
  ['of five parts', () => 'a.b.c.d.e', 'cannot be read'],
  ['with no signature at all', () => `${unsigned({ alg: 'RS256', kid: rsa.kid }, claims())}.`, 'has a wrong signature'],
  ['that is huge', () => token({ padding: 'x'.repeat(13_000) }), 'is longer than 12288 characters'],
]

function changed(jwt: string): string {
  const [head, , signature] = jwt.split('.')
  const body = Buffer.from(JSON.stringify(claims({ sub: 'another' }))).toString('base64url')
  return `${head}.${body}.${signature}`
}

describe('an access token is refused', () => {
  test.each(refusals)('%s', async (_, make, fault) => {
    const given = await make()
    const error = await tokens.find(given).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'UNAUTHORIZED', status: 401, message: expect.stringContaining(fault) })
    expect(error).not.toMatchObject({ message: expect.stringContaining('acme') })
  })

  test('that does not name which of two keys signed it', async () => {
    server.published.push({ ...foreign.publicJwk, kid: 'RS256-2' })
    const other = open()
    await expect(other.find(await token({}, { kid: undefined }))).rejects.toThrow('does not say which key')
    server.published.pop()
    await other.close()
  })

  test.each([{ scope: 'openid' }, { scope: 'gossamer:localFiles' }, { scope: undefined }, { scope: ['x'], scp: 7 }])(
    'with %j instead of the scope that every call needs',
    async (over) => {
      const attempt = tokens.find(await token(over))
      await expect(attempt).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE', status: 403 })
    },
  )

  test('with any audience if no audience is configured', async () => {
    const config = readConfig({}, { GOSSAMER_OAUTH_ISSUER: server.issuer })
    const other = openAccessTokens(config, clock)!
    await expect(other.find(await token())).rejects.toThrow('is for another audience')
    await other.close()
  })
})
