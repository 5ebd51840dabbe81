import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GrantedPermission, TeamTerms } from '../../../src/contracts/account-ports.ts'
import { errors } from '../../../src/kernel/error-table.ts'
import type { ErrorCode } from '../../../src/kernel/error.ts'
import type { Transport } from '../../helpers/transports.ts'
import { elsewhere } from './elsewhere.ts'
import { byOneCall, type OneCall, scrape, type Team } from './one-call.ts'
import { startPlainWorld } from './plain-world.ts'
import { overBoth } from './world.ts'
import { forAll } from '../../helpers/for-all.ts'

const plain = forAll(startPlainWorld)

const both = (team: Team, { call, with: made }: OneCall) =>
  overBoth(plain.world, team, (transport: Transport) =>
    transport.call(call, made(plain.there) as Record<string, unknown>),
  )

test.each(Object.entries(byOneCall) as [ErrorCode, OneCall][])(
  'the error %s is returned over REST and MCP',
  async (code, one) => {
    expect(await both(one.as ?? 'plain', one)).toMatchObject({
      REST: { code, status: errors[code].status },
      MCP: { code },
    })
  },
)

/** Calls that need each permission. A new permission does not compile without an entry. */
const byPermission: Readonly<Record<GrantedPermission, OneCall>> = {
  zeroDataRetention: scrape('/plain', { zeroDataRetention: true }),
  ignoreRobotsTxt: { call: 'crawl', with: ({ site }) => ({ url: site.url('/plain'), ignoreRobotsTxt: true }) },
  robotsUserAgent: { call: 'crawl', with: ({ site }) => ({ url: site.url('/plain'), robotsUserAgent: 'Other' }) },
  searchEnterprise: { call: 'search', with: () => ({ query: 'anything', enterprise: ['anon'] }) },
  localFiles: { call: 'parse', with: ({ files }) => ({ path: `${files}/prices.csv` }) },
}

describe('the permission', () => {
  test.each(Object.entries(byPermission))('%s is required over REST and MCP', async (name, one) => {
    const refused = { code: name === 'localFiles' ? 'FILE_NOT_ALLOWED' : 'PERMISSION_REQUIRED' }
    expect(await both('plain', one)).toMatchObject({ REST: refused, MCP: refused })
  })

  test.each(Object.entries(byPermission))('%s is sufficient over REST and MCP', async (_name, one) => {
    const { REST, MCP } = await both('trusted', one)
    // No search service works there.
    const code = one.call === 'search' ? 'SEARCH_UNAVAILABLE' : undefined
    expect([REST.code, MCP.code]).toEqual([code, code])
  })
})

describe('a private host', () => {
  const home: OneCall = { call: 'scrape', with: () => ({ url: plain.home.url('/plain') }) }

  test('is reached by the permitted team over REST and MCP', async () => {
    const { REST, MCP } = await both('homely', home)
    expect([REST.code, MCP.code]).toEqual([undefined, undefined])
  })

  test('is refused to other teams over REST and MCP', async () => {
    const refused = { code: 'SCRAPE_ADDRESS_REFUSED' }
    expect(await both('plain', home)).toMatchObject({ REST: refused, MCP: refused })
  })
})

/** Error code for each limit of a team. A new limit does not compile without an entry. */
const testOfLimit: Readonly<Record<Exclude<keyof TeamTerms, 'webhookSecret'>, ErrorCode>> = {
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

test.each(Object.entries(testOfLimit))('the limit %s of a team is tested by %s', (_, code) => {
  expect({ ...byOneCall, ...elsewhere }).toHaveProperty(code)
})

test.each(Object.entries(elsewhere))('the error %s is raised by the test %s', (code, file) => {
  expect(readFileSync(resolve(import.meta.dirname, '../../..', file), 'utf8')).toContain(code)
})
