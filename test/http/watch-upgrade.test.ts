import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WebSocket } from 'ws'
import type { UpgradeRoute } from '../../src/surfaces/ws/upgrade.ts'
import { sendBytes } from '../../src/surfaces/ws/watch.ts'
import { handshake as plainHandshake } from './endpoint-toys.ts'
import { ask } from './toys.ts'
import { serveJobs, watchJob, type WatchToys } from './watch-toys.ts'

const job = { status: 'scraping', completed: 0, total: 1, data: [] }
async function served(...options: Parameters<typeof serveJobs>): Promise<WatchToys> {
  const toys = await serveJobs(...options)
  toys.jobs.set('a', job)
  onTestFinished(toys.close)
  return toys
}

const handshake = { ...plainHandshake, 'sec-websocket-protocol': 'good' }

/** The HTTP answer to a handshake. */
async function refused(toys: WatchToys, path: string, headers: Record<string, string> = {}) {
  const { status, json } = await ask(toys.server.url + path, { headers: { ...handshake, ...headers } })
  return [status, json['code']]
}

describe('a WebSocket handshake', () => {
  it.each([
    ['to another host', '/v2/job/a', { host: 'evil.example' }, [403, 'ORIGIN_REFUSED']],
    ['from another site', '/v2/job/a', { origin: 'https://evil.example' }, [403, 'ORIGIN_REFUSED']],
    ['with an invalid host', '/v2/job/a', { host: 'a b' }, [400, 'BAD_REQUEST']],
    ['on an unknown path', '/v2/none', {}, [404, 'NOT_FOUND']],
    ['on a route without WebSocket', '/v2/plain/a', {}, [404, 'NOT_FOUND']],
    ['on a path with a broken escape', '/v2/job/%', {}, [400, 'BAD_REQUEST']],
  ])('%s is refused with a body', async (_, path, headers, answer) => {
    expect(await refused(await served(), path, headers)).toEqual(answer)
  })

  it.each([
    ['without Host', '/v2/job/a', []],
    ['with a password in the request line', 'http://a:b@127.0.0.1/v2/job/a', ['host: 127.0.0.1']],
    ['with another host in the request line', 'http://evil.example/v2/job/a', ['host: 127.0.0.1']],
  ])('%s is refused', async (_, target, lines) => {
    const { server } = await served()
    const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
    const headers = [...lines, ...Object.entries(handshake).map(([name, value]) => `${name}: ${value}`)]
    socket.write([`GET ${target} HTTP/1.1`, ...headers, '', ''].join('\r\n'))
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 40[03] [^]*"success":false/)
  })
})

/** A route, and the server's side of the socket that it accepts. */
function taken() {
  const { promise, resolve } = Promise.withResolvers<WebSocket>()
  const route: UpgradeRoute = {
    match: ({ url }) => (new URL(url).pathname === '/raw' ? { teamId: 'red', accept: resolve } : undefined),
  }
  return { socket: promise, route }
}

describe('an open WebSocket', () => {
  it('stays open while it answers pings, and is closed when it does not', async () => {
    // Both ends share this process: a pause of a busy machine must not pass for a missing answer.
    const toys = await served({}, { pingMs: 400 })
    const lively = watchJob(toys, '/v2/job/a')
    const dumb = watchJob(toys, '/v2/job/a', { autoPong: false })
    expect(await dumb.closed).toBe(1006)
    await once(lively.socket, 'ping')
    expect(lively.socket.readyState).toBe(lively.socket.OPEN)
  })

  it('is closed if the client does not read', async () => {
    const { socket: ours, route } = taken()
    const toys = await served({}, { routes: [route] })
    const sent = request(`${toys.server.url}/raw`, { headers: handshake }).end()
    const [, theirs] = (await once(sent, 'upgrade')) as [IncomingMessage, Socket]
    theirs.pause()
    await expect(sendBytes(await ours, Buffer.alloc(30_000_000, 'x'), 50)).rejects.toThrow()
    expect((await ours).readyState).not.toBe((await ours).OPEN)
    theirs.destroy()
  })
})
