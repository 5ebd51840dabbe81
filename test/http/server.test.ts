import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { toAppError } from '../../src/kernel/error.ts'
import { listen } from '../../src/surfaces/http/server.ts'
import { key, memoryLog, toyApp } from './toys.ts'
import { allOf, dial, post, served, waiting } from './waiting.ts'

describe('a client that disconnects', () => {
  it('aborts the call with a typed reason', async () => {
    const { url, started, log } = await waiting()
    const leaving = new AbortController()
    const answer = fetch(url, { ...post, signal: leaving.signal })
    const signal = await started
    expect(signal.aborted).toBe(false)
    leaving.abort()
    await expect(answer).rejects.toThrow(/abort/)
    if (!signal.aborted) await once(signal, 'abort')
    expect(toAppError(signal.reason).code).toBe('REQUEST_CANCELLED')
    await expect.poll(() => log.lines.find(({ event }) => event === 'request')?.facts['status']).toBe(499)
    expect(log.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('in the middle of the body is not logged as a server error', async () => {
    const { server, log } = await waiting()
    const socket = await dial(server.port)
    const head = `POST /v2/wait HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{`
    const arrived = once(server.server, 'request')
    socket.write(head)
    await arrived
    socket.destroy()
    await expect.poll(() => log.lines.find(({ event }) => event === 'request')?.facts['status']).toBe(499)
    expect(log.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

it('an MCP stream ends when its reader disconnects, even after garbage collections', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const aborted = Promise.withResolvers<unknown>()
  const event = new TextEncoder().encode('data: x\n\n')
  const toys = await served({
    mcp: {
      fetch: async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(event) }))
      },
    },
  })
  const leaving = new AbortController()
  const response = await fetch(`${toys.server.url}/mcp`, { ...post, signal: leaving.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  expect(value).toEqual(event)
  await new Promise(setImmediate)
  collectGarbage()
  leaving.abort()
  expect(toAppError(await aborted.promise).code).toBe('REQUEST_CANCELLED')
})

describe('a slow client', () => {
  it('is disconnected if its headers take too long', async () => {
    const { server } = await waiting({ headersTimeoutMs: 100 })
    const socket = await dial(server.port)
    socket.write('GET /health HTTP/1.1\r\nhost: 127')
    expect(await allOf(socket)).toContain('408 Request Timeout')
  })

  it('is disconnected if its body takes too long', async () => {
    const { server } = await waiting({ headersTimeoutMs: 100, requestTimeoutMs: 150 })
    const socket = await dial(server.port)
    socket.write(`POST /v2/wait HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key}\r\ncontent-length: 9\r\n\r\n{`)
    expect(await allOf(socket)).toContain('408 Request Timeout')
  })
})

describe('closing the server', () => {
  it('lets a running request finish, and accepts no new ones', async () => {
    const { server, url, started, release } = await waiting()
    const answer = fetch(url, post)
    await started
    const closed = server.close(60_000)
    await expect(fetch(url, post)).rejects.toThrow('fetch failed')
    release()
    const response = await answer
    expect(await response.json()).toEqual({ success: true, waited: true })
    expect(response.headers.get('connection')).toBe('close')
    await closed
  })

  it('ends requests after the grace period, and aborts them', async () => {
    const { server, url, started } = await waiting()
    const answer = fetch(url, post)
    const failed = expect(answer).rejects.toThrow('fetch failed')
    const signal = await started
    await server.close(20)
    await failed
    if (!signal.aborted) await once(signal, 'abort')
    expect(signal.aborted).toBe(true)
  })

  it('closes upgraded connections too', async () => {
    const { server } = await waiting()
    server.server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const socket = await dial(server.port)
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    await once(socket, 'data')
    const gone = once(socket, 'close')
    await server.close(20)
    await gone
  })
})

const listenAt = (host: string, port: number) => listen({ app: toyApp(), host, port, log: memoryLog() })

describe('listening on an unavailable address', () => {
  it('fails with advice if the port is taken', async () => {
    const { server } = await waiting()
    await expect(listenAt('127.0.0.1', server.port)).rejects.toThrow(
      `Cannot listen on 127.0.0.1 port ${server.port}: another program has the port. Stop it (lsof -i :${server.port} names it) or choose another port.`,
    )
  })

  it('fails with advice if the address belongs to another machine', async () => {
    await expect(listenAt('192.0.2.1', 0)).rejects.toThrow(/no such address\. Choose 127\.0\.0\.1/)
  })
})
