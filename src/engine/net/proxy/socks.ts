import { type Socket, isIP } from 'node:net'
import type { UpstreamProxy } from './upstream-proxy.ts'

export type Target = { host: string; port: number }

/**
 * Reply codes for SOCKS clients (RFC 1928, 6). Chromium reads the last as "address unreachable" and retries on the next
 * request.
 */
const replies = { connected: 0, blocked: 2, failed: 4 } as const

export function replyToSocks(socket: Socket, reply: keyof typeof replies): void {
  socket.write(Uint8Array.of(5, replies[reply], 0, 1, 0, 0, 0, 0, 0, 0))
}

/** Reads the target of a tunnel request, without authentication. The caller sends the reply. */
export async function readSocksTarget(socket: Socket, signal: AbortSignal): Promise<Target> {
  const reader = createReader(socket, signal)
  const [version, methods = 0] = await reader.take(2)
  await reader.take(methods)
  socket.write(Uint8Array.of(5, 0))
  const [, command, , type = 0] = await reader.take(4)
  if (version !== 5 || command !== 1) throw new Error('Only tunnels of SOCKS 5 are opened')
  const host = await socksHost(reader, type)
  return { host, port: (await reader.take(2)).readUInt16BE() }
}

async function socksHost(reader: Reader, type: number): Promise<string> {
  if (type === 1) return (await reader.take(4)).join('.')
  if (type === 4) return (await reader.take(16)).toString('hex').replace(/.{4}(?=.)/g, '$&:')
  const [length = 0] = await reader.take(1)
  return (await reader.take(length)).toString('latin1')
}

const socksErrors = [
  'failed',
  'forbids it',
  'cannot reach the network',
  'cannot reach the host',
  'was refused a connection',
  'gave up',
]

/** Requests a tunnel to the target from a proxy. */
export async function socksHandshake(
  socket: Socket,
  reader: Reader,
  target: Target,
  proxy: Pick<UpstreamProxy, 'username' | 'password'>,
): Promise<void> {
  const { username, password = '' } = proxy
  socket.write(username === undefined ? Uint8Array.of(5, 1, 0) : Uint8Array.of(5, 2, 0, 2))
  const [, method] = await reader.take(2)
  if (method === 2 && username !== undefined) {
    socket.write(Buffer.concat([Uint8Array.of(1), lengthPrefixed(username), lengthPrefixed(password)]))
    const [, refused] = await reader.take(2)
    if (refused !== 0) throw new Error('The proxy does not accept the user name and password')
  } else if (method !== 0) throw new Error('The proxy offers no way to log in')
  socket.write(
    Buffer.concat([Uint8Array.of(5, 1, 0), socksAddress(target), Uint8Array.of(target.port >> 8, target.port & 255)]),
  )
  const [, error = 1, , type] = await reader.take(4)
  if (error !== 0) throw new Error(`The proxy ${socksErrors[error - 1] ?? 'failed'}`)
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await reader.take(1))[0] ?? 0)
  await reader.take(length + 2)
}

/** Encodes the address of a target. A host name is not resolved: the proxy does that. */
function socksAddress({ host }: Target): Uint8Array {
  const version = isIP(host)
  if (version === 4) return Uint8Array.of(1, ...host.split('.').map(Number))
  if (version === 6) return Uint8Array.of(4, ...groupsOf(host).flatMap((group) => [group >> 8, group & 255]))
  return Buffer.concat([Uint8Array.of(3), lengthPrefixed(host)])
}

/** Returns the eight groups of an IPv6 address, which the URL parser writes in hexadecimal. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = written.split('::').map((half) =>
    half
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  )
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function lengthPrefixed(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new Error('A name for the proxy is longer than 255 bytes')
  return Buffer.concat([Uint8Array.of(bytes.length), bytes])
}

export type Reader = {
  take(length: number): Promise<Buffer>
  until(mark: string, maxBytes: number): Promise<Buffer>
}

/** Creates a reader that takes exactly the requested bytes and puts the rest back into the socket. */
export function createReader(socket: Socket, signal: AbortSignal): Reader {
  async function readable(): Promise<Buffer> {
    for (;;) {
      signal.throwIfAborted()
      const bytes = socket.read() as Buffer | null
      if (bytes) return bytes
      if (socket.readableEnded || socket.destroyed) throw new Error('The proxy closed the connection')
      await waitForChange(socket, signal)
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

/** Resolves when the socket has data, or has ended. */
async function waitForChange(socket: Socket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const changed = () => resolve()
  const aborted = () => reject(signal.reason as Error)
  socket.once('readable', changed).once('end', changed).once('close', changed).once('error', reject)
  signal.addEventListener('abort', aborted, { once: true })
  try {
    await promise
  } finally {
    socket.off('readable', changed).off('end', changed).off('close', changed).off('error', reject)
    signal.removeEventListener('abort', aborted)
  }
}
