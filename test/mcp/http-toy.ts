import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { forTest } from '../helpers/for-all.ts'
import { callerOf, startHttp } from './clients.ts'
import { caller, otherCaller, type Report, toyOptions } from './toy.ts'

const callers = { '': caller, other: otherCaller }
export const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
export const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

type Post = { body: object | string; headers?: Record<string, string>; signal?: AbortSignal }

export async function startToy(extra: Partial<Parameters<typeof createMcpFetch>[0]> = {}, report?: Report) {
  const mcp = forTest(createMcpFetch({ ...toyOptions(report), ...extra }))
  const server = forTest(await startHttp((request) => mcp.fetch(request, callerOf(request, callers))))
  const post = ({ body, headers, signal }: Post) =>
    fetch(server.url, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      ...(signal && { signal }),
    })
  const open = async (headers: Record<string, string> = {}) => {
    const response = await post({ body: initialize, headers })
    await response.text()
    return { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
  }
  /** A request of protocol version 2026-07-28, which has no sessions. */
  const ask = (method: string, params: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name }
    return post({
      body: { method, params: { _meta: modern, ...params } },
      headers,
      ...(signal && { signal }),
    })
  }
  return { mcp, url: server.url, post, open, ask }
}
