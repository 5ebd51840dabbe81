import { describe, expect, test } from 'vitest'
import { sharedServer } from '../helpers/shared-server.ts'
import { worstBodies } from './bodies.ts'
import { forAll, leftOpen } from '../helpers/for-all.ts'

const maxErrorBytes = 16_000

const server = forAll(sharedServer, leftOpen)

const named = worstBodies.map((body): [string, (typeof worstBodies)[number]] => [
  `${body.operation}: ${body.what}`,
  body,
])

describe('invalid bodies of one megabyte get a short error', () => {
  test.each(named)('over REST: %s', async (_name, { path, text }) => {
    const { status, answer, bytes } = await post(path, text)
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    expect(bytes).toBeLessThanOrEqual(maxErrorBytes)
    expect(answer.details?.length ?? 0).toBeLessThanOrEqual(20)
  })

  test.each(named)('over /v1: %s', async (_name, { path, text }) => {
    const { status, bytes } = await post(path.replace('/v2/', '/v1/'), text)
    expect(status).toBe(400)
    expect(bytes).toBeLessThanOrEqual(maxErrorBytes)
  })

  test.each(named)('over MCP: %s', async (_name, { operation, text }) => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${operation}","arguments":${text}}}`
    const { answer, bytes } = await post('/mcp', call, await session())
    expect(answer.error ?? answer.result).toBeDefined()
    if (!answer.error) expect(answer.result?.isError).toBe(true)
    expect(bytes).toBeLessThanOrEqual(maxErrorBytes)
  })
})

type Answer = { code?: string; details?: { path: unknown[] }[]; error?: unknown; result?: { isError?: boolean } }

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  const text = await response.text()
  const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}')
  return { status: response.status, answer: JSON.parse(json) as Answer, bytes: Buffer.byteLength(text), response }
}

async function session(): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const { response } = await post('/mcp', hello)
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
}
