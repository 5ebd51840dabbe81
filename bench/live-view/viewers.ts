/** Viewers that only count frames: `node viewers.ts ADDRESS COUNT`. */
import { once } from 'node:events'
import { WebSocket } from 'ws'

const [address = '', count = '1'] = process.argv.slice(2)
const total = { frames: 0, bytes: 0 }

const sockets = Array.from({ length: Number(count) }, () => {
  const socket = new WebSocket(address)
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return
    total.frames += 1
    total.bytes += data.length
    const header = JSON.parse(data.subarray(2, 2 + data.readUInt16BE(0)).toString()) as { n: number }
    socket.send(JSON.stringify({ type: 'ack', n: header.n }))
  })
  return socket
})
await Promise.all(sockets.map((socket) => once(socket, 'open')))
process.send?.('ready')
process.on('message', () => process.send?.(total))
process.on('disconnect', () => process.exit())
