import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openEndpointServer } from '../../src/surfaces/http/endpoint-server.ts'
import { type EndpointToys, keys, toyEndpoints } from './endpoint-toys.ts'
import { forAll } from '../helpers/for-all.ts'
import { ask, memoryLog } from './toys.ts'

const log = memoryLog()
const peers: EndpointToys['peers'] = []
const server = forAll(() => {
  const find = toyEndpoints(peers)
  return openEndpointServer({ endpoint: async (key) => find(key), log })
})

describe('the server of session endpoints', () => {
  it('listens on loopback only', () => expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/))

  it('opens the endpoint that belongs to a key', async () => {
    expect((await ask(`${server.url}/live/${keys.view}`)).status).toBe(200)
    const { json } = await ask(`${server.url}/cdp/${keys.cdp}/json/version`)
    const address = String(json['webSocketDebuggerUrl'])
    expect(address).toBe(`${server.url.replace('http', 'ws')}/cdp/${keys.cdp}`)
    const socket = new WebSocket(address)
    await once(socket, 'open')
    socket.send('hello')
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(data.toString()).toBe('hello')
    socket.terminate()
  })

  it.each([
    ['/cdp/none/json/version', {}, 401],
    ['/live/none', {}, 404],
    ['/v2/scrape', {}, 404],
    ['/mcp', {}, 404],
    [`/live/${keys.view}`, { host: 'evil.example' }, 403],
    [`/live/${keys.view}`, { host: 'localhost' }, 200],
    [`/cdp/${keys.cdp}/json/version`, { origin: 'https://evil.example' }, 403],
  ])('answers %s with %j as %i', async (path, headers, status) => {
    expect((await ask(server.url + path, { headers })).status).toBe(status)
  })

  it('does not keep the process alive, even with open connections', async () => {
    const program = join(import.meta.dirname, 'programs/endpoint-server-alone.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 })
    expect(stdout).toBe('opened\n')
  })
})
