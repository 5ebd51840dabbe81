import { describe, expect, it, vi } from 'vitest'
import type { NewCtx } from '../../src/kernel/ctx.ts'
import { connect } from './clients.ts'
import { startToy } from './http-toy.ts'
import { newToyCtx, silentLog } from './toy.ts'

describe('a session over HTTP', () => {
  it('belongs to the team that opened it', async () => {
    const { post, open } = await startToy()
    const session = await open()
    const list = { method: 'tools/list' }
    expect((await post({ body: list, headers: session })).status).toBe(200)
    expect((await post({ body: list, headers: { ...session, authorization: 'other' } })).status).toBe(404)
    expect((await post({ body: list, headers: { 'mcp-session-id': 'unknown' } })).status).toBe(404)
    expect((await post({ body: list })).status).toBe(400)
  })

  it('ends after a long time without use', async () => {
    let now = 0
    const { post, open } = await startToy({ sessionTtlMs: 1000, now: () => now })
    const headers = await open()
    for (now of [900, 1800]) expect((await post({ body: { method: 'ping' }, headers })).status).toBe(200)
    now = 2800
    expect((await post({ body: { method: 'ping' }, headers })).status).toBe(404)
  })

  it('stays open while its client listens', async () => {
    let now = 0
    const { mcp, url, open } = await startToy({ sessionTtlMs: 1000, now: () => now })
    const headers = await open()
    const leave = new AbortController()
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal: leave.signal })
    expect(stream.status).toBe(200)
    now = 5000
    await open()
    expect(mcp.sessionCount()).toBe(2)
    leave.abort()
    await vi.waitFor(async () => {
      now += 2000
      await open()
      expect(mcp.sessionCount()).toBe(1)
    }, 60_000)
  })

  it('is closed for a new one beyond the limit, if it is the one unused longest', async () => {
    let now = 0
    const { mcp, post, open } = await startToy({ maxSessions: 2, now: () => (now += 1) })
    const [first, second] = [await open(), await open()]
    await (await post({ body: { method: 'ping' }, headers: first })).text()
    await open()
    expect(mcp.sessionCount()).toBe(2)
    expect((await post({ body: { method: 'ping' }, headers: first })).status).toBe(200)
    expect((await post({ body: { method: 'ping' }, headers: second })).status).toBe(404)
  })
})

it('a team that opens many sessions ends only its own', async () => {
  let now = 0
  const { post, open } = await startToy({ maxSessions: 4, now: () => (now += 1) })
  const other = await open({ authorization: 'other' })
  for (let turn = 0; turn < 10; turn++) await open()
  expect((await post({ body: { method: 'ping' }, headers: other })).status).toBe(200)
})

describe('a request over HTTP', () => {
  it('by protocol 2026-07-28 leaves no session behind', async () => {
    const { mcp, ask } = await startToy()
    for (let turn = 0; turn < 20; turn++) expect((await ask('tools/list')).status).toBe(200)
    expect(mcp.sessionCount()).toBe(0)
  })

  it.each([
    ['not JSON', 'junk', {}, 400, -32_700],
    ['empty', '', {}, 400, -32_700],
    ['not a message', '{"a":1}', {}, 400, undefined],
    ['sent with another content type', '{}', { 'content-type': 'text/plain' }, 415, -32_000],
  ])('that is %s is refused', async (_sentence, body, headers, status, code) => {
    const { post } = await startToy()
    const response = await post({ body, headers })
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: { code: number } }
    if (code !== undefined) expect(error.code).toBe(code)
  })

  it('gets JSON that is cut at the limit of an answer', async () => {
    const output = { words: Array.from({ length: 1000 }, () => '😀') }
    const { ask } = await startToy({ invoke: async () => output, limits: { maxCharacters: 1001 } })
    const response = await ask('tools/call', { name: 'toy_add', arguments: {} })
    const { result } = (await response.json()) as { result: { content: { text: string }[] } }
    expect(result.content[0]?.text.length).toBeLessThanOrEqual(1001)
    expect(result.content[0]?.text.isWellFormed()).toBe(true)
    expect(result.content[0]?.text).toMatch(/\n\[Characters 0-\d+ of 5011\./)
  })

  it('that fails for an unknown reason is logged with its error id, unless it was cancelled', async () => {
    const logged: unknown[] = []
    const log = { ...silentLog, error: (event: string, facts?: object) => logged.push([event, facts]) }
    const events: string[] = []
    const newCtx: NewCtx = (init) => ({ ...newToyCtx(init), log })
    const { ask } = await startToy({ newCtx }, (event) => events.push(event))
    const leave = new AbortController()
    ask('tools/call', { name: 'toy_wait', arguments: {} }, leave.signal).catch(() => {})
    await expect.poll(() => events).toEqual(['started'])
    leave.abort()
    await expect.poll(() => events).toEqual(['started', 'aborted'])
    const text = await (await ask('tools/call', { name: 'toy_fail', arguments: { how: 'unknown' } })).text()
    const [, errorId] = /Error id: ([0-9a-f-]{36})/.exec(text) ?? []
    expect(logged).toEqual([
      ['mcp_call_failed', { tool: 'toy_fail', error: expect.objectContaining({ details: { errorId } }) }],
    ])
  })

  it.each(['a session', '2026-07-28'])('cancels its work when the response is closed, in %s', async (version) => {
    const events: string[] = []
    const { post, open, ask } = await startToy({}, (event) => events.push(event))
    const leave = new AbortController()
    const call = { name: 'toy_wait', arguments: {} }
    const headers = version === 'a session' ? await open() : {}
    const answer =
      version === 'a session'
        ? post({ body: { method: 'tools/call', params: call }, headers, signal: leave.signal })
        : ask('tools/call', call, leave.signal)
    answer.catch(() => {})
    await expect.poll(() => events).toEqual(['started'])
    leave.abort()
    await expect.poll(() => events).toEqual(['started', 'aborted'])
  })

  it('is aborted for a silent client when the server closes', async () => {
    const events: string[] = []
    const { mcp, ask } = await startToy({}, (event) => events.push(event))
    ask('tools/call', { name: 'toy_wait', arguments: {} }).catch(() => {})
    await expect.poll(() => events).toEqual(['started'])
    await mcp.close()
    await expect.poll(() => events).toEqual(['started', 'aborted'])
  })
})

it('clients that connect and disconnect leave no more sessions than allowed', async () => {
  const { mcp, url } = await startToy({ maxSessions: 3 })
  for (let turn = 0; turn < 6; turn++) {
    const client = await connect('v1', { url })
    await client.tools()
    await client.close()
  }
  expect(mcp.sessionCount()).toBeLessThanOrEqual(3)
})
