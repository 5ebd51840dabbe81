import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ResourceEvent } from '../../src/surfaces/mcp/resources.ts'
import { createMcpServers } from '../../src/surfaces/mcp/server.ts'
import { serveStdio } from '../../src/surfaces/mcp/transport/serve-stdio.ts'
import { initialize, modern, startToy } from './http-toy.ts'
import { caller, silentLog, toyOptions } from './toy.ts'

function source() {
  const listeners = new Map<(event: ResourceEvent) => void, string>()
  return {
    emit: (event: ResourceEvent, team = 'team-a') =>
      listeners.forEach((teamId, listener) => teamId === team && listener(event)),
    count: () => listeners.size,
    resourceEvents: (teamId: string, listener: (event: ResourceEvent) => void) => {
      listeners.set(listener, teamId)
      return () => void listeners.delete(listener)
    },
  }
}

describe('changes of resources', () => {
  it('are sent to subscribed sessions until they end', async () => {
    const events = source()
    const { url, post, open } = await startToy({ resourceEvents: events.resourceEvents })
    const headers = await open()
    const subscribe = { method: 'resources/subscribe', params: { uri: 'live://1' } }
    await (await post({ body: subscribe, headers })).text()
    const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } })
    events.emit({ kind: 'updated', uri: 'live://2' })
    events.emit({ kind: 'updated', uri: 'live://1' })
    events.emit({ kind: 'list' })
    const text = await readUntil(stream, 'list_changed')
    expect(text).toContain('"uri":"live://1"')
    expect(text).not.toContain('live://2')
    const before = events.count()
    await fetch(url, { method: 'DELETE', headers })
    expect(events.count()).toBe(before - 1)
  })

  it('are sent to streams of MCP 2026-07-28, which has no sessions', async () => {
    const events = source()
    const { ask } = await startToy({ resourceEvents: events.resourceEvents })
    const notifications = { resourcesListChanged: true, resourceSubscriptions: ['live://1'] }
    const stream = await ask('subscriptions/listen', { notifications })
    events.emit({ kind: 'updated', uri: 'live://2' })
    events.emit({ kind: 'updated', uri: 'live://1' })
    const text = await readUntil(stream, '"uri":"live://1"')
    expect(text).not.toContain('live://2')
  })

  it.each([
    ['of an MCP version before 2026-07-28, once it has subscribed', 'resources/subscribe', { uri: 'live://1' }],
    [
      'of MCP 2026-07-28, once it listens',
      'subscriptions/listen',
      { _meta: modern, notifications: { resourceSubscriptions: ['live://1'] } },
    ],
  ])('are sent over stdio to a client %s', async (_era, method, params) => {
    const changes = source()
    const [input, output] = [new PassThrough(), new PassThrough()]
    const newServer = createMcpServers({ ...toyOptions(), resourceEvents: changes.resourceEvents })
    const served = serveStdio({ newServer, caller, log: silentLog, input, output })
    const lines = createInterface({ input: output })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value ?? '')
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    if (!('_meta' in params)) {
      send({ id: 1, ...initialize })
      expect(await next()).toHaveProperty('result')
    }
    send({ id: 2, method, params })
    await next()
    changes.emit({ kind: 'updated', uri: 'live://2' })
    changes.emit({ kind: 'updated', uri: 'live://1' })
    expect(await next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'live://1' } })
    input.end()
    await served
    expect(changes.count()).toBe(0)
  })
})

async function readUntil({ body }: Response, words: string): Promise<string> {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(words)) {
    const { value, done } = await reader.read()
    if (done) break
    text += value
  }
  await reader.cancel()
  return text
}
