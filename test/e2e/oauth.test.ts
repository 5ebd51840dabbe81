import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AuthorizationServer,
  signed,
  type SigningKey,
  signingKey,
  startAuthorizationServer,
} from '../helpers/authorization-server.ts'
import { send } from '../helpers/api.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { freePort } from '../helpers/listen.ts'
import { runProgram, startProgram, type Program } from '../helpers/program.ts'

const folder = folderForAll()
let key: SigningKey
let issuing: AuthorizationServer
let program: Program
let url: string
let env: Record<string, string>

beforeAll(async () => {
  key = await signingKey('RS256')
  issuing = await startAuthorizationServer(key)
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  env = {
    GOSSAMER_DATA_DIR: folder.path,
    GOSSAMER_OAUTH_ISSUER: issuing.issuer,
    GOSSAMER_PUBLIC_URL: url,
    GOSSAMER_API_KEYS: 'acme:its-key',
    GOSSAMER_PERMISSIONS: 'ignoreRobotsTxt,zeroDataRetention',
    GOSSAMER_ADMIN_KEY: 'the-key-of-the-admin',
  }
  program = startProgram(['serve', '--port', String(port)], env)
  await program.waitForStderr(/listens on/)
})
afterAll(async () => {
  program.kill('SIGTERM')
  await program.exited
  await issuing.close()
})

const token = (over: object = {}) => {
  const exp = Math.floor(Date.now() / 1000) + 300
  const claims = { iss: issuing.issuer, sub: 'acme', aud: url, scope: 'gossamer', exp, ...over }
  return signed({ key, claims })
}

async function rest(method: string, path: string, given = '', body?: object) {
  const response = await send(url + path, { method, key: given, ...(body && { body }) })
  const text = await response.text()
  return { status: response.status, text, challenge: response.headers.get('www-authenticate') }
}

test('an MCP client finds the authorization server from the URL, gets a token, and calls a tool', async () => {
  const authProvider = new ClientCredentialsProvider({
    clientId: 'agent',
    clientSecret: 'secret',
    expectedIssuer: issuing.issuer,
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider }))
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  const used = await client.callTool({ name: 'usage', arguments: {} })
  expect(used.isError ?? false).toBe(false)
  await client.close()
  expect(issuing.forms.map((form) => [form.get('resource'), form.get('scope')])).toEqual([[`${url}/mcp`, 'gossamer']])
})

describe('over REST', () => {
  test('tokens are accepted alongside keys, and calls without either are refused', async () => {
    const path = '/v2/team/credit-usage'
    expect((await rest('GET', path, await token())).status).toBe(200)
    expect((await rest('GET', path, 'its-key')).status).toBe(200)
    expect((await rest('GET', path, 'no-key')).status).toBe(401)
    expect(await rest('GET', path)).toMatchObject({
      status: 401,
      challenge: `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource", scope="gossamer"`,
    })
    const wrong = await rest('GET', path, await token({ aud: 'https://else.example' }))
    expect(wrong).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') })
    const narrow = await rest('GET', path, await token({ scope: 'openid' }))
    expect(narrow).toMatchObject({ status: 403, challenge: expect.stringContaining('error="insufficient_scope"') })
  })

  test('a permission needs the scope and the grant of the operator, and no scope allows management', async () => {
    const crawl = { url: 'http://10.0.0.1/', ignoreRobotsTxt: true }
    const denied = await rest('POST', '/v2/crawl', await token(), crawl)
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('PERMISSION_REQUIRED')])
    const scope = 'gossamer gossamer:ignoreRobotsTxt gossamer:localFiles gossamer:admin admin'
    expect((await rest('POST', '/v2/crawl', await token({ scope }), crawl)).text).not.toContain('PERMISSION_REQUIRED')
    await rest('POST', '/v2/admin/teams', 'the-key-of-the-admin', { id: 'strict', permissions: [] })
    const strict = await rest('POST', '/v2/crawl', await token({ scope, sub: 'strict' }), crawl)
    expect(strict.text).toContain('PERMISSION_REQUIRED')
    expect((await rest('GET', '/v2/admin/teams', await token({ scope }))).status).toBe(403)
  })

  test('the log contains nothing of a token', async () => {
    const given = await token({ aud: 'https://else.example', sub: 'the-secret-subject' })
    await rest('GET', '/v2/team/credit-usage', given)
    expect(program.stderr()).not.toContain(given.slice(0, 40))
    expect(program.stderr()).not.toContain('the-secret-subject')
  })
})

test('the server does not start without an audience', async () => {
  const { code, stderr } = await runProgram(['serve', '--port', '0'], {
    GOSSAMER_DATA_DIR: 'memory',
    GOSSAMER_OAUTH_ISSUER: issuing.issuer,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('GOSSAMER_PUBLIC_URL')
})

const findings = async (more: Record<string, string> = {}) => {
  const { stdout } = await runProgram(['doctor'], { ...env, GOSSAMER_DATA_DIR: 'memory', ...more })
  return (JSON.parse(stdout) as { findings: object[] }).findings
}

describe('doctor', () => {
  const topic = 'Authorization server'
  test('reports the source of the signing keys', async () => {
    const keys = `${issuing.issuer}/keys`
    expect(await findings()).toContainEqual({ topic, state: 'ok', says: `keys read from ${keys}: 1` })
  })

  test('reports why the signing keys cannot be read', async () => {
    const found = await findings({ GOSSAMER_OAUTH_JWKS_URL: `${issuing.issuer}/none` })
    const says = `${issuing.issuer}/none answers with status 404`
    expect(found).toContainEqual(expect.objectContaining({ topic, state: 'fault', says }))
  })
})
