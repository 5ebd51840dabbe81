import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Invoke } from '../../src/kernel/invoke.ts'
import { key } from './toys.ts'
import { allOf, dial, post, served, wait, waiting } from './waiting.ts'

const requestText = `POST /v2/wait HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key}\r\ncontent-length: 2\r\n\r\n{}`

describe('a connection', () => {
  it('is closed if more requests than the limit are sent before the first is answered', async () => {
    let started = 0
    const caller: Invoke = (_, __, { signal }) => {
      started++
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))
    }
    const { server } = await served({ operations: [wait], invoke: caller }, { maxPipelined: 3 })
    const socket = await dial(server.port)
    socket.write(requestText.repeat(10))
    expect(await allOf(socket).catch(() => '')).toBe('')
    expect(started).toBe(3)
  })

  it('is closed for a new one if it is idle or its request is incomplete', async () => {
    const { server } = await waiting({ maxConnections: 2 })
    const [silent, slow] = [await dial(server.port), await dial(server.port)]
    slow.write(requestText.slice(0, -1))
    await once(server.server, 'request')
    expect((await fetch(`${server.url}/health`, { headers: { connection: 'close' } })).status).toBe(200)
    await allOf(silent)
    const [third] = [await dial(server.port), await dial(server.port)]
    await allOf(slow).catch(() => '')
    expect(third.destroyed).toBe(false)
  })

  it('is refused while all others wait for responses, which still arrive', async () => {
    const { server, url, started, release } = await waiting({ maxConnections: 1 })
    const answer = fetch(url, post)
    await started
    const refused = await allOf(await dial(server.port))
    expect(refused).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 2[^]*"code":"QUEUE_FULL"/)
    release()
    expect((await answer).status).toBe(200)
  })

  it('is closed if the client does not read the response', async () => {
    const answer = new Response('x'.repeat(20_000_000))
    const toys = await served({ mcp: { fetch: async () => answer } }, { unreadMs: 50 })
    const socket = await dial(toys.server.port)
    socket.pause()
    socket.write(requestText.replace('/v2/wait', '/mcp'))
    const [kept] = (await once(toys.server.server, 'request')).map((each: IncomingMessage) => each.socket)
    await once(kept!, 'close')
    socket.destroy()
  })

  it('may wait indefinitely for a response', async () => {
    const { url, started, release } = await waiting({ unreadMs: 20 })
    const answer = fetch(url, post)
    await started
    await new Promise((resolve) => setTimeout(resolve, 100))
    release()
    expect((await answer).status).toBe(200)
  })
})
