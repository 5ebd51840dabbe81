import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { CdpMessage } from '../../../src/engine/browser/cdp/cdp-wire.ts'
import type { LaunchOptions } from '../../../src/engine/browser/launch/launcher.ts'
import { createCdpEndpoint } from '../../../src/engine/session/cdp-endpoint.ts'
import { openEndpointServer } from '../../../src/surfaces/http/endpoint-server.ts'
import { openHere } from '../../browser/programs/machine.ts'
import { memoryLog } from '../../http/toys.ts'

export const key = 'key-of-the-session-0123456789'

/** Opens a browser with a tab, and its CDP endpoint on a real server. */
export async function openEndpoint(options: Partial<LaunchOptions> = {}) {
  const browser = await openHere(options, 'full')
  const root = browser.connection.browser
  const log = memoryLog()
  const endpoint = createCdpEndpoint({
    connection: browser.connection,
    version: browser.version,
    onActivity() {},
    log,
  })
  const server = await openEndpointServer({
    endpoint: async (secret) => (secret === key ? { ...endpoint, teamId: 'red' } : undefined),
    log,
  })
  const url = `data:text/html,${encodeURIComponent('<title>first</title><h1>First</h1>')}`
  await root.send('Target.createTarget', { url, newWindow: true })
  return {
    browser,
    log,
    pages: () => endpoint.pages(),
    http: `${server.url}/cdp/${key}`,
    ws: `${server.url.replace('http', 'ws')}/cdp/${key}`,
    async close() {
      await server.close()
      await browser.close()
    },
  }
}

/** Connects a client that sends any message. */
export async function rawClient(url: string) {
  const socket = new WebSocket(url, { maxPayload: 256 * 1024 * 1024 })
  const waiting = new Map<number, (message: CdpMessage) => void>()
  let lastId = 0
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as CdpMessage
    waiting.get(message.id ?? -1)?.(message)
  })
  await once(socket, 'open')
  return {
    socket,
    call(method: string, params: object = {}, sessionId?: string) {
      const id = (lastId += 1)
      const answered = new Promise<CdpMessage>((resolve) => void waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
      return answered
    },
  }
}
