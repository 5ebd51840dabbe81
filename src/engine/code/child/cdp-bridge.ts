import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CdpMessage } from '../../browser/cdp/wire.ts'
import { localAnswer } from '../cdp-allowed.ts'
import type { Frames } from '../frames.ts'

/** What goes between a client of the bridge and the browser; `left` says that the client is no more. */
export type Relayed = { client: number; cdp?: CdpMessage; left?: true }
export type Bridge = {
  /** Where a program of the same sandbox finds the browser. */
  readonly endpoint: string
  hear(message: Relayed): void
}

/** The browser as programs expect to find it: a WebSocket on the loopback of the sandbox, which nobody else has. */
export async function listenForCdp(send: Frames['send'], firstPage: () => string | undefined): Promise<Bridge> {
  const path = `/devtools/browser/${randomUUID()}`
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path, perMessageDeflate: false })
  const open = new Map<number, WebSocket>()
  let count = 0

  server.on('connection', (socket) => {
    const client = ++count
    open.set(client, socket)
    send({ client })
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as CdpMessage
      const answer = localAnswer(message)
      if (answer) socket.send(JSON.stringify(answer))
      else send({ client, cdp: message })
      if (message.method === 'Browser.close') socket.close()
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      if (open.delete(client)) send({ client, left: true })
    })
  })
  await new Promise((resolve) => void server.once('listening', resolve))
  return {
    endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    hear: ({ client, cdp }) => {
      if (cdp) open.get(client)?.send(JSON.stringify(withFirst(cdp, firstPage())))
    },
  }
}

/** Programs start on the first page that they are told of. */
function withFirst(message: CdpMessage, pageId: string | undefined): CdpMessage {
  const all = message.result?.['targetInfos'] as { targetId: string }[] | undefined
  if (!Array.isArray(all) || pageId === undefined) return message
  const isFirst = ({ targetId }: { targetId: string }) => Number(targetId === pageId)
  return { ...message, result: { ...message.result, targetInfos: all.toSorted((a, b) => isFirst(b) - isFirst(a)) } }
}
