import { isIP, type Socket } from 'node:net'
import type { ProxyAddress } from './proxy-address.ts'

type Place = { host: string; port: number }

/** Asks a proxy that is connected for a way to a place: by CONNECT (RFC 9110 9.3.6) or by SOCKS 5 (RFC 1928, 1929). */
export async function openTunnel(
  socket: Socket,
  place: Place,
  proxy: ProxyAddress,
  signal: AbortSignal,
): Promise<Socket> {
  const reader = createReader(socket, signal)
  try {
    await (proxy.protocol === 'socks5' ? greet(socket, reader, place, proxy) : ask(socket, reader, place, proxy))
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const hostAndPort = ({ host, port }: Place) => `${host.includes(':') ? `[${host}]` : host}:${port}`

async function ask(socket: Socket, reader: Reader, place: Place, { username, password }: ProxyAddress): Promise<void> {
  const target = hostAndPort(place)
  const secret = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  const auth = username === undefined ? '' : `proxy-authorization: Basic ${secret}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${auth}\r\n`)
  const head = (await reader.until('\r\n\r\n', 16_384)).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0)
  if (status < 200 || status > 299) throw new Error(`The proxy answered CONNECT with status ${status}`)
}

const socksFaults = [
  'failed',
  'forbids it',
  'cannot reach the network',
  'cannot reach the host',
  'was refused a connection',
  'gave up',
]

async function greet(socket: Socket, reader: Reader, place: Place, proxy: ProxyAddress): Promise<void> {
  const { username, password = '' } = proxy
  socket.write(username === undefined ? Uint8Array.of(5, 1, 0) : Uint8Array.of(5, 2, 0, 2))
  const [, method] = await reader.take(2)
  if (method === 2 && username !== undefined) {
    socket.write(Buffer.concat([Uint8Array.of(1), counted(username), counted(password)]))
    const [, refused] = await reader.take(2)
    if (refused !== 0) throw new Error('The proxy does not accept the user name and password')
  } else if (method !== 0) throw new Error('The proxy offers no way to log in')
  socket.write(
    Buffer.concat([Uint8Array.of(5, 1, 0), address(place), Uint8Array.of(place.port >> 8, place.port & 255)]),
  )
  const [, fault = 1, , type] = await reader.take(4)
  if (fault !== 0) throw new Error(`The proxy ${socksFaults[fault - 1] ?? 'failed'}`)
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await reader.take(1))[0] ?? 0)
  await reader.take(length + 2)
}

/** Names are sent as names, so that the proxy resolves them. */
function address({ host }: Place): Uint8Array {
  if (isIP(host) === 4) return Uint8Array.of(1, ...host.split('.').map(Number))
  return Buffer.concat([Uint8Array.of(3), counted(host)])
}

function counted(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new Error('A name for the proxy is longer than 255 bytes')
  return Buffer.concat([Uint8Array.of(bytes.length), bytes])
}

type Reader = {
  take(length: number): Promise<Buffer>
  until(mark: string, maxBytes: number): Promise<Buffer>
}

/** Reads exactly what is asked for; what came too early stays in the socket. */
function createReader(socket: Socket, signal: AbortSignal): Reader {
  async function readable(): Promise<Buffer> {
    for (;;) {
      signal.throwIfAborted()
      const bytes = socket.read() as Buffer | null
      if (bytes) return bytes
      if (socket.readableEnded || socket.destroyed) throw new Error('The proxy closed the connection')
      await changed(socket, signal)
    }
  }
  async function read(enough: (held: Buffer) => number | undefined): Promise<Buffer> {
    let held = Buffer.alloc(0)
    for (;;) {
      held = Buffer.concat([held, await readable()])
      const end = enough(held)
      if (end === undefined) continue
      if (end < held.length) socket.unshift(held.subarray(end))
      return held.subarray(0, end)
    }
  }
  return {
    take: (length) =>
      length === 0 ? Promise.resolve(Buffer.alloc(0)) : read((held) => (held.length >= length ? length : undefined)),
    until: (mark, maxBytes) =>
      read((held) => {
        const at = held.indexOf(mark)
        if (at < 0 && held.length > maxBytes) throw new Error('The answer of the proxy is too long')
        return at < 0 ? undefined : at + mark.length
      }),
  }
}

async function changed(socket: Socket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const go = () => resolve()
  const leave = () => reject(signal.reason as Error)
  socket.once('readable', go).once('end', go).once('close', go).once('error', reject)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await promise
  } finally {
    socket.off('readable', go).off('end', go).off('close', go).off('error', reject)
    signal.removeEventListener('abort', leave)
  }
}
