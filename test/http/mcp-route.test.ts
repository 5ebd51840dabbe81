import { describe, expect, it } from 'vitest'
import type { HttpAppOptions } from '../../src/surfaces/http/app.ts'
import { key, toyApp } from './toys.ts'

const mcp: HttpAppOptions['mcp'] = {
  fetch: async (request, caller) =>
    Response.json({ method: request.method, text: await request.text(), team: caller.team.id, base: caller.baseUrl }),
}

const send = (over: Partial<HttpAppOptions>, init: RequestInit = {}) =>
  toyApp(over).request('http://127.0.0.1/mcp', { method: 'POST', headers: { authorization: key }, ...init })

describe('the MCP route', () => {
  it('gets requests with their team and address', async () => {
    const answer = await send({ mcp }, { body: '{"a":1}', headers: { authorization: key } })
    expect(await answer.json()).toEqual({ method: 'POST', text: '{"a":1}', team: 'team', base: 'http://127.0.0.1' })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('requires the key', async () => {
    const without = await send({ mcp }, { headers: {} })
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('does not exist without MCP, and otherwise has three methods', async () => {
    expect((await send({})).status).toBe(404)
    expect((await send({ mcp }, { method: 'PUT' })).headers.get('allow')).toBe('GET, POST, DELETE, HEAD, OPTIONS')
  })
})
