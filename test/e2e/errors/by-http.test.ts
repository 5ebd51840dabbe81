import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamTerms } from '../../../src/contracts/account-ports.ts'
import { errors } from '../../../src/kernel/error-table.ts'
import type { ErrorCode } from '../../../src/kernel/error.ts'
import {
  type AuthorizationServer,
  signed,
  signingKey,
  startAuthorizationServer,
} from '../../helpers/authorization-server.ts'
import { byHttp, type ByHttp } from './by-http.ts'
import { elsewhere } from './elsewhere.ts'
import { byOneCall } from './one-call.ts'
import { startWorld, type World } from './world.ts'

let issuing: AuthorizationServer
let world: World
let early: World
let narrow: string
beforeAll(async () => {
  const key = await signingKey('RS256')
  issuing = await startAuthorizationServer(key)
  const env = {
    GOSSAMER_OAUTH_ISSUER: issuing.issuer,
    GOSSAMER_OAUTH_AUDIENCE: 'gossamer',
    GOSSAMER_MAX_REQUEST_BYTES: '10000',
  }
  world = await startWorld({ plain: {} }, env)
  early = await startWorld({ plain: {} }, { ...env, GOSSAMER_OAUTH_JWKS_URL: 'http://127.0.0.1:1/keys' })
  const exp = Math.floor(Date.now() / 1000) + 300
  narrow = await signed({ key, claims: { iss: issuing.issuer, sub: 'plain', aud: 'gossamer', scope: 'mail', exp } })
})
afterAll(async () => {
  await Promise.all([world?.close(), early?.close()])
  await issuing?.close()
})

async function send(path: string, { isEarly, below = '', method = 'POST', headers, body = '{}' }: ByHttp) {
  const { url, keyOf } = isEarly ? early : world
  const usual = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${keyOf('plain')}`,
  }
  const response = await fetch(url + path + below, { method, body, headers: { ...usual, ...headers?.(narrow) } })
  return { status: response.status, text: await response.text() }
}

describe('a real', () => {
  test.each(Object.entries(byHttp) as [ErrorCode, ByHttp][])('%s error over REST and MCP', async (code, request) => {
    const expected = { status: errors[code].status, text: expect.stringContaining(code) }
    expect(await send('/v2/scrape', request)).toEqual(expected)
    expect(await send('/mcp', request)).toEqual(expected)
  })
})

/** The error that tells a team of each of its terms. A new one does not compile without. */
const termsMet: Readonly<Record<Exclude<keyof TeamTerms, 'webhookSecret'>, ErrorCode>> = {
  maxConcurrency: 'QUEUE_FULL',
  maxSessions: 'SESSION_LIMIT',
  requestsPerMinute: 'RATE_LIMITED',
  monthlyCredits: 'INSUFFICIENT_CREDITS',
  permissions: 'PERMISSION_REQUIRED',
  unsandboxedCode: 'SANDBOX_UNAVAILABLE',
  privateHosts: 'SCRAPE_ADDRESS_REFUSED',
  allowDomains: 'SCRAPE_ADDRESS_REFUSED',
  denyDomains: 'SCRAPE_ADDRESS_REFUSED',
  resourceDomains: 'SCRAPE_ADDRESS_REFUSED',
  disabled: 'TEAM_DISABLED',
}

test.each(Object.entries(termsMet))('the limit %s of a team is tested by %s', (_, code) => {
  expect({ ...byOneCall, ...elsewhere }).toHaveProperty(code)
})

test.each(Object.entries(elsewhere))('the error %s is raised by the test %s', (code, file) => {
  expect(readFileSync(resolve(import.meta.dirname, '../../..', file), 'utf8')).toContain(code)
})
