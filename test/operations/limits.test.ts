import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TeamTerms } from '../../src/contracts/account-ports.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { openProgram } from '../helpers/open-program.ts'

/** Each team runs into one of its limits with the call named below. */
const teams: Record<string, TeamTerms> = {
  plain: {},
  poor: { monthlyCredits: 0 },
  slow: { requestsPerMinute: { scrape: 1 } },
  narrow: { maxConcurrency: 1 },
}
const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
const keys = Object.keys(teams).map((id) => `${id}:${id}-key`)
/** The program, but scrapes that wait where they are told to. */
const program = openProgram({ GOSSAMER_API_KEYS: keys.join(','), GOSSAMER_MAX_WAITING: '0' }, (operations) =>
  operations.map((operation): AnyOperation => ({
    ...operation,
    run: async (input: { url?: string }, ctx) => {
      if (input.url?.endsWith('/held') === true) await hold
      return { data: { metadata: { creditsUsed: 1, scrapeId: ctx.jobId, sourceURL: 'u', url: 'u', statusCode: 200 } } }
    },
  })),
)
const { app, send, post } = program

beforeAll(async () => {
  const store = await app.store()
  for (const [id, terms] of Object.entries(teams)) await store.teams.add(id, terms)
})
afterAll(program.close)

const authorization = (team: string) => ({ authorization: `Bearer ${team}-key` })
type Call = (team: string, tool: 'scrape' | 'crawl' | 'parse', input: Record<string, unknown>) => Promise<string>

const overRest: Call = async (team, tool, input) => {
  const response = await post(`/v2/${tool}`, input, authorization(team))
  return JSON.stringify(await response.json())
}

const fetchHere = (target: URL | string, init?: RequestInit) => send(new Request(target, init))

const overMcp: Call = async (team, tool, input) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const options = { requestInit: { headers: authorization(team) }, fetch: fetchHere }
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), options))
  const result = await client.callTool({ name: tool, arguments: input })
  await client.close()
  return JSON.stringify(result)
}

const url = 'https://example.com/'
describe.each([
  ['REST', overRest],
  ['MCP', overMcp],
])('over %s', (_, call) => {
  test.each<[string, Parameters<Call>, string]>([
    ['credits that are spent', ['poor', 'scrape', { url }], 'INSUFFICIENT_CREDITS'],
    ['an option that is not granted', ['plain', 'scrape', { url, zeroDataRetention: true }], 'PERMISSION_REQUIRED'],
    ['robots.txt ignored without leave', ['plain', 'crawl', { url, ignoreRobotsTxt: true }], 'PERMISSION_REQUIRED'],
    ['a robots name without leave', ['plain', 'crawl', { url, robotsUserAgent: 'Other' }], 'PERMISSION_REQUIRED'],
    ['a file of the machine', ['plain', 'parse', { path: '/etc/hostname' }], 'FILE_NOT_ALLOWED'],
  ])('%s is refused with its code', async (_name, wrong, code) => {
    expect(await call(...wrong)).toContain(code)
  })

  test('a rate is kept', async () => {
    // The minute may end between two of them.
    const answers = [await call('slow', 'scrape', { url }), await call('slow', 'scrape', { url })]
    answers.push(await call('slow', 'scrape', { url }))
    expect(answers.join('\n')).toContain('RATE_LIMITED')
  })
})

test('a full queue is told over both', async () => {
  const held = overRest('narrow', 'scrape', { url: `${url}held` })
  await expect.poll(async () => (await app.store()).quotas.load('narrow')).toMatchObject({ active: 1 })
  expect(await overRest('narrow', 'scrape', { url })).toContain('QUEUE_FULL')
  expect(await overMcp('narrow', 'scrape', { url })).toContain('QUEUE_FULL')
  letGo()
  expect(await held).toContain('"success":true')
})
