import { describe, expect, test } from 'vitest'
import { message, openStand } from './stand.ts'
import { forAll } from '../helpers/for-all.ts'

const stand = forAll(openStand)

const long = 'a'.repeat(200_000)
const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1]))

/** Messages with their method, params and id. */
const bad: [string, string, unknown, unknown?][] = [
  ['a name as long as the body', 'tools/call', { name: long }],
  ['arguments that are a text', 'tools/call', { name: 'scrape', arguments: long }],
  ['an address as long as the body', 'resources/read', { uri: `gossamer://${long}` }],
  ['a method as long as the body', long, {}],
  ['an id as long as the body', 'tools/list', {}, long],
  ['a log level of a list', 'logging/setLevel', { level: Array.from({ length: 5000 }, () => 1) }],
  ['invalid capabilities', 'initialize', { protocolVersion: 1, capabilities: { experimental: many }, clientInfo: 1 }],
  ['a call with a task of garbage', 'tools/call', { name: 'scrape', arguments: {}, _meta: many, task: many }],
  ['a subscription to a list', 'resources/subscribe', { uri: Object.values(many) }],
]

describe.each(bad)('%s', (_name, method, params, id = 1) => {
  test.each(['stdio', 'HTTP'])('gets a short answer over %s', async (transport) => {
    const text = message(method, params, id)
    const answer =
      transport === 'stdio' ? await stand.line(text) : (await stand.post('/mcp', text, await stand.session())).text
    expect(answer).toContain('"jsonrpc":"2.0"')
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(16_000)
  })
})

const errorOf = async (params: object) =>
  (JSON.parse(await stand.line(message('tools/call', params))) as { error: { code: number; message: string } }).error

test('an error for an unknown tool suggests the nearest name, or lists all', async () => {
  expect(await errorOf({ name: 'scrap', arguments: {} })).toEqual({
    code: -32_602,
    message: 'Unknown tool: scrap. Did you mean scrape?',
  })
  expect((await errorOf({ name: 'zzz', arguments: {} })).message).toMatch(
    /^Unknown tool: zzz\. The tools are: .*scrape/,
  )
})
