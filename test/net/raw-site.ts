import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Step = (socket: Socket) => void
export const answer =
  (text: string): Step =>
  (socket) =>
    void socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
export const reset: Step = (socket) => void socket.resetAndDestroy()
export const close: Step = (socket) => void socket.end()

/** Starts a TCP server that performs the next step for each request, in the order of requests over all connections. */
export async function rawSite(steps: readonly Step[]) {
  const requests: { text: string; connection: number }[] = []
  const sockets: Socket[] = []
  const left = [...steps]
  const server = createServer((socket) => {
    const connection = sockets.push(socket)
    let text = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      requests.push({ text: `${head.split(' ', 2).join(' ')} ${body.slice(0, 40)}`.trim(), connection })
      text = ''
      left.shift()?.(socket)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { requests, sockets, host: `127.0.0.1:${port}`, url: (path: string) => `http://127.0.0.1:${port}${path}` }
}
