import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type FrameFacts = {
  opcode: number
  payload?: Buffer
  fin?: 0 | 1
  rsv?: number
  length?: bigint
  mask?: 'masked' | 'bare'
}

/** Builds a frame of a WebSocket, valid or not (RFC 6455, section 5.2). */
export function frame({
  opcode,
  payload = Buffer.alloc(0),
  fin = 1,
  rsv = 0,
  length,
  mask = 'masked',
}: FrameFacts): Buffer {
  const size = length ?? BigInt(payload.length)
  const maskBit = mask === 'masked' ? 0x80 : 0
  const head = Buffer.from([(fin << 7) | (rsv << 4) | opcode, maskBit | (size < 126n ? Number(size) : 127)])
  const long = Buffer.alloc(size < 126n ? 0 : 8)
  if (long.length > 0) long.writeBigUInt64BE(size)
  // A mask of zeros does not change the payload.
  return Buffer.concat([head, long, mask === 'masked' ? Buffer.alloc(4) : Buffer.alloc(0), payload])
}

const handshake = (port: number, path: string) =>
  [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
  ].join('\r\n')

/** Opens a WebSocket without a library. The status shows if it was refused. */
export async function upgraded(port: number, path: string): Promise<{ socket: Socket; status: number }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${handshake(port, path)}\r\n\r\n`)
  await once(socket, 'readable')
  const bytes = (socket.read() ?? Buffer.alloc(0)) as Buffer
  const end = bytes.indexOf('\r\n\r\n')
  if (end >= 0 && end + 4 < bytes.length) socket.unshift(bytes.subarray(end + 4))
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1]) }
}

/** Returns the code with which the server closes the WebSocket; undefined if it closes without a code. */
export async function closeCode(socket: Socket): Promise<number | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  for (let at = 0; at + 2 <= bytes.length;) {
    const [opcode, short] = [bytes[at]! & 0x0f, bytes[at + 1]! & 0x7f]
    const wide = short === 126 ? 2 : short === 127 ? 8 : 0
    const size = wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    const start = at + 2 + wide
    if (opcode === 8) return size >= 2 ? bytes.readUInt16BE(start) : undefined
    at = start + size
  }
  return undefined
}
